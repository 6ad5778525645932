"""Kill commands at any moment and look at what is left: ``python -m tools.kill_commands --kills 1000``.

Eight commands (generate against a stand-in server, lint, decide, import, score, review, bank merge, publish) run as processes
of their own on one bank and get SIGKILL: half of them at a random moment, half of them while they are writing. After each kill
the bank is opened and must be whole; everything that a reader had seen before the kill, that a command had reported as done, or
that the review had shown as decided, must be in it; every request that the server got must be known as a call; another bank
is merged with all that it has or not at all; and a published folder has every file as its sums say, or is not there. Now and then
a command is left alone: it must go on where the killed ones were, end with all that was asked for, and leave no folder in passing.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import random
import re
import select
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gapsmith.app.stages.publishing import SUMS
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.templates import load_paradigm

COMMANDS = ("generate", "lint", "decide", "import", "score", "review", "bank merge", "publish")

_KILLS_PER_BANK = 60
_SCORING = [
    "transformers.models.gpt2.modeling_gpt2",
    "transformers.models.gpt2.tokenization_gpt2",
    "gapsmith.scoring.score_run",
    "gapsmith.scoring.lm.opening",
    "gapsmith.scoring.lm.tree",
    "gapsmith.scoring.lm.batches",
    "gapsmith.scoring.lm.golden",
]
_PATIENCE_S = 900.0
_DECIDED = re.compile(r"(\d+) decided")
"""How the review says how many decisions it has."""
_BASE, _BASE_ITEMS = "base", 12
_FILE_ITEMS = 60
_ORDERED = 16
_MERGED = 40
"""Items that another bank has more than this one."""

_SEEN = {
    "item": "SELECT hex(uid), label FROM item",
    "revision": "SELECT hex(uid), hex(texts) FROM revision",
    "sentence": "SELECT hex(revision.uid), position, text FROM sentence JOIN revision ON revision.id = revision_id"
    " JOIN text ON text.id = text_id",
    "event": "SELECT hex(uid), kind, author, payload FROM event",
    "intent": "SELECT hex(uid), number, request FROM call",
    "answer": "SELECT hex(uid), outcome, reply FROM call WHERE replied_at IS NOT NULL",
    "score": 'SELECT identity, context_id, hex(hash), hex("values") FROM score JOIN text ON text.id = text_id'
    " JOIN producer ON producer.id = producer_id WHERE complete = 1",
    "lint": "SELECT hex(uid), ruleset_id FROM lint_state JOIN item ON item.id = item_id",
}
"""What is never lost once it was seen, by kind."""
_FINDINGS = (
    "SELECT hex(item.uid), code, severity, message, condition, start, slot FROM finding JOIN item ON item.id = finding.item_id"
)

Facts = dict[str, set[tuple[Any, ...]]]


@dataclass
class Found:
    """What came of it."""

    kills: Counter[str] = field(default_factory=Counter)
    """Kills by command."""
    writing: int = 0
    """How many of them came while the command was writing."""
    completed: Counter[str] = field(default_factory=Counter)
    """Commands that were left alone, or ended before their kill, and were complete."""
    seen: Counter[str] = field(default_factory=Counter)
    """What had been seen before kills and was looked for after them, by kind."""
    faults: list[str] = field(default_factory=list)

    def fault(self, what: str) -> None:
        """Note something that should not have happened, and say so at once."""
        self.faults.append(what)
        print(f"FAULT {what}", file=sys.stderr, flush=True)


def kill_commands(kills: int, *, seed: int, folder: Path, commands: Sequence[str] = COMMANDS, pause_s: float = 0.0) -> Found:
    """Kill so many commands on banks in the folder; `pause_s` between kills leaves the machine to others."""
    found = Found()
    # The account leads the banks, and so sees what they are looked through for: everybody's decisions.
    os.environ.pop("GAPSMITH_ANNOTATOR", None)
    for number in range(-(-kills // _KILLS_PER_BANK)):
        place = folder / f"bank{number}"
        place.mkdir()
        share = min(_KILLS_PER_BANK, kills - number * _KILLS_PER_BANK)
        bench = _Bench(place, random.Random(seed * 1000 + number), found)
        try:
            bench.prepare()
            bench.go(share, commands, pause_s)
        finally:
            bench.close()
        print(f"{found.kills.total():,} kills, {len(found.faults)} faults", file=sys.stderr, flush=True)
    return found


class _Bench:
    """One bank, the commands that run on it, and what is known to be in it."""

    def __init__(self, folder: Path, chance: random.Random, found: Found) -> None:
        self.folder = folder
        self.bank = folder / "bank.sqlite"
        self.chance = chance
        self.found = found
        self.known: Facts = {kind: set() for kind in _SEEN}
        self.seconds: dict[str, float] = dict.fromkeys(COMMANDS, 1.0)
        self.rounds: Counter[str] = Counter()
        self.server, self.url = _serve(folder / "requests")

    def prepare(self) -> None:
        """A workspace with a few items, and a file to import."""
        make_workspace(self.folder)
        self._must("generate", "lan_pg", "-n", _BASE_ITEMS, "--dataset", _BASE)
        self._must("generate", "subject_pg", "-n", _FILE_ITEMS, "--dataset", "source")
        code, out = self._run("export", "csv", "--all", "-p", "subject_pg", "-d", "source")
        assert code == 0, out
        (self.folder / "file.csv").write_text(out, encoding="utf-8")
        # The only numbers that are published, whoever scores later.
        self._must("score", "--model", "bundled", "--all", "-p", "lan_pg", "-d", _BASE, "--convention", "minicons")
        self._look("prepare")

    def go(self, kills: int, commands: Sequence[str], pause_s: float) -> None:
        """Kill, look, and now and then leave a command alone."""
        done = 0
        for _ in range(20 * kills):
            # One that had ended before its kill comes once more, so that each is killed as often.
            command = commands[done % len(commands)]
            killed = self._kill_review() if command == "review" else self._kill(command)
            self._look(command)
            if killed:
                done += 1
                self.found.kills[command] += 1
            if killed and self.chance.random() < 0.25 and command != "review":
                self._complete(command)
            if done == kills:
                break
            time.sleep(pause_s)
        for command in commands:
            if command != "review":
                self._complete(command)
        if "lint" in commands:
            self._compare_findings()

    def close(self) -> None:
        """End the server."""
        os.kill(self.server, signal.SIGKILL)
        os.waitpid(self.server, 0)

    def arguments(self, command: str) -> list[str]:
        """What is killed: the same command again until one of its goes is complete, then a new one."""
        n = self.rounds[command]
        if command == "generate":
            name = ("openai", "gemini", "lexicon")[n % 3]
            order = [
                "generate",
                "lan_pg",
                "-n",
                str(_ORDERED),
                "--dataset",
                f"g{n}",
                "--n-per-call",
                "3",
                "--seed",
                str(n),
            ]
            if name == "lexicon":
                return order
            url = f"{self.url}/v1" if name == "openai" else self.url
            return [*order, "--provider", name, "--model", "m", "--base-url", url, "--concurrency", "3"]
        if command == "lint":
            return ["lint", "--fail-on", "never"]
        if command == "decide":
            verdict = ("approve", "flag")[n % 2]
            labels = [str(k) for k in range(1, _BASE_ITEMS + 1)]
            return ["decide", verdict, *labels, "-p", "lan_pg", "-d", _BASE, "--by", f"decider{n}"]
        if command == "import":
            return ["import", str(self.folder / "file.csv"), "-p", "subject_pg", "-d", f"i{n}"]
        if command == "bank merge":
            return ["bank", "merge", str(self._other(n))]
        if command == "publish":
            return ["publish", "-p", "lan_pg", "-d", _BASE, "--all", "--scorer", "1", "-o", str(self._set(n))]
        bos = "--bos" if n % 2 == 0 else "--no-bos"
        engine = ("tree", "batches")[n // 2 % 2]
        return ["score", "--model", "bundled", "--all", "-p", "lan_pg", bos, "--engine", engine, "--batch-size", "4"]

    def _set(self, n: int) -> Path:
        """What is published in that round."""
        return self.folder / "published" / f"set{n}"

    def _other(self, n: int) -> Path:
        """A copy of the bank as it was in that round, in which somebody has done more."""
        other = self.folder / "others" / f"m{n}"
        if not other.exists():
            other.mkdir(parents=True)
            (other / "gapsmith.toml").write_text("", encoding="utf-8")
            with closing(sqlite3.connect(self.bank)) as source, closing(sqlite3.connect(other / "bank.sqlite")) as target:
                source.backup(target)
            labels = [str(k) for k in range(1, _BASE_ITEMS + 1)]
            for words in (
                ("generate", "lan_pg", "-n", _MERGED, "--dataset", f"m{n}", "--seed", 1000 + n),
                ("decide", "approve", *labels, "-p", "lan_pg", "-d", _BASE, "--by", f"merger{n}"),
            ):
                code, out = self._run(*words, workspace=other)
                assert code == 0, out
        return other

    def _look_at_halves(self, command: str) -> None:
        """What is done whole or not at all is done so; a round whose command was killed when all was done is over."""
        n = self.rounds[command]
        if command == "publish" and self._set(n).exists():
            self._expect(command, "every file as its sums say", _is_whole(self._set(n)))
            self.rounds[command] += 1
        elif command == "bank merge":
            with Bank.open(self.bank) as bank:
                there = bank.items.count(ItemFilter(paradigm="lan_pg", dataset=f"m{n}"))
                decided = len(bank.items.ids(ItemFilter(author=f"merger{n}")))
            self._expect(command, "all of the other bank, or nothing", (there, decided) in ((0, 0), (_MERGED, _BASE_ITEMS)))

    def _kill(self, command: str) -> bool:
        writing = self.chance.random() < 0.5
        arguments = self.arguments(command)
        begun = time.monotonic()
        process = self._start(arguments, self.folder / "out")
        wait = self.chance.uniform(0.0, 1.05 * self.seconds[command])
        look = self.chance.uniform(0.0, wait)
        before = self._written(command)
        ended = False
        while not (ended := _has_ended(process)):
            now = time.monotonic() - begun
            if now >= look:
                self._see()
                look = math.inf
            if writing and self._written(command) != before:
                # The exact place within the write is the kernel's to choose; a folder takes most of its command's time.
                time.sleep(self.chance.uniform(0.0, self.seconds[command] if command == "publish" else 0.01))
                break
            if not writing and now >= wait:
                break
            time.sleep(0.001)
        if ended:
            self._ended(command, _code(process), time.monotonic() - begun)
            return False
        if not (writing and self._written(command) != before):
            self._see()
        os.kill(process, signal.SIGKILL)
        if (code := _code(process)) != -signal.SIGKILL:
            self._ended(command, code, time.monotonic() - begun)
            return False
        self.found.writing += writing
        self._look_at_halves(command)
        return True

    def _complete(self, command: str) -> None:
        arguments = self.arguments(command)
        begun = time.monotonic()
        process = self._start(arguments, self.folder / "out")
        while not _has_ended(process):
            if time.monotonic() - begun > _PATIENCE_S:
                os.kill(process, signal.SIGKILL)
            time.sleep(0.005)
        self._ended(command, _code(process), time.monotonic() - begun)
        self._look(command)

    def _ended(self, command: str, code: int, seconds: float) -> None:
        """A command came to its end by itself: all that it was asked for must be there."""
        self.seconds[command] = 0.5 * self.seconds[command] + 0.5 * seconds
        if code != 0:
            said = (self.folder / "out").read_text(errors="replace")[-600:]
            self.found.fault(f"{' '.join(self.arguments(command))}: exit code {code}: {said}")
            self.rounds[command] += 1
            return
        n = self.rounds[command]
        with Bank.open(self.bank) as bank:
            if command == "generate":
                chosen = ItemFilter(paradigm="lan_pg", dataset=f"g{n}")
                texts = [tuple(s.text for s in item.sentences) for item in bank.items.iterate(chosen)]
                self._expect(command, f"{_ORDERED} different items", len(texts) == len(set(texts)) == _ORDERED)
            elif command == "import":
                there = bank.items.count(ItemFilter(paradigm="subject_pg", dataset=f"i{n}"))
                self._expect(command, f"{_FILE_ITEMS} items", there == _FILE_ITEMS)
            elif command == "decide":
                there = len(bank.items.ids(ItemFilter(author=f"decider{n}")))
                self._expect(command, f"{_BASE_ITEMS} decisions", there == _BASE_ITEMS)
            elif command == "bank merge":
                there = bank.items.count(ItemFilter(paradigm="lan_pg", dataset=f"m{n}"))
                self._expect(command, f"{_MERGED} items", there == _MERGED)
            elif command == "publish":
                self._expect(command, "every file as its sums say", _is_whole(self._set(n)))
                left = [path.name for path in self._set(n).parent.iterdir() if path.name.startswith(".")]
                self._expect(command, f"a folder without {left}", not left)
            elif command == "lint":
                self._expect(command, "no item that was not read", not bank.findings.unlinted())
            elif command == "score":
                wanted = {s.text for item in bank.items.iterate(ItemFilter(paradigm="lan_pg")) for s in item.sentences}
                bos = "bos" if n % 2 == 0 else "none"
                scorers = [scorer.id for scorer in bank.scores.scorers() if scorer.bos == bos]
                whole = bool(scorers) and not bank.scores.missing(scorers[0], wanted)
                self._expect(command, "a score for every sentence", whole)
        self.found.completed[command] += 1
        self.rounds[command] += 1

    def _expect(self, command: str, what: str, holds: bool) -> None:
        if not holds:
            self.found.fault(f"{' '.join(self.arguments(command))}: ended well, but there is not {what}")

    def _kill_review(self) -> bool:
        author = f"reviewer{self.rounds['review'] // 4}"
        self.rounds["review"] += 1
        process, terminal = _terminal()
        if process == 0:
            _become(["review", "-p", "lan_pg", "-d", _BASE, "--by", author, "-w", str(self.folder)])
        decided = 0
        try:
            if not _read_until(terminal, "approve"):
                self.found.fault(f"review by {author}: no item came to the screen")
                return False
            for _ in range(self.chance.randint(1, 2)):
                _read(terminal, 0.15)
                os.write(terminal, self.chance.choice(b"af").to_bytes(1, "big"))
                if self.chance.random() < 0.3:
                    # Killed before the screen has answered: it may count or not.
                    time.sleep(self.chance.uniform(0.0, 0.05))
                    break
                # An item with an error asks for the key again, and then the number stays.
                decided = max([decided, *map(int, _DECIDED.findall(_read(terminal, 0.1)))])
        finally:
            os.kill(process, signal.SIGKILL)
            code = _code(process)
            os.close(terminal)
        with Bank.open(self.bank) as bank:
            kept = len(bank.items.ids(ItemFilter(author=author)))
        if kept < decided:
            self.found.fault(f"review by {author}: {decided} decided by the screen, {kept} in the bank")
        self.found.seen["decision on screen"] += decided
        return code == -signal.SIGKILL

    def _see(self) -> None:
        """What another process reads now is known."""
        with closing(sqlite3.connect(f"file:{self.bank}?mode=ro", uri=True, timeout=10.0)) as reader:
            for kind, facts in self._facts(reader).items():
                self.known[kind] |= facts

    def _facts(self, reader: sqlite3.Connection) -> Facts:
        reader.execute("BEGIN")
        try:
            return {kind: {tuple(row) for row in reader.execute(sql)} for kind, sql in _SEEN.items()}
        finally:
            reader.execute("ROLLBACK")

    def _look(self, command: str) -> None:
        """Open the bank as the next command would, and compare it with what is known."""
        try:
            with Bank.open(self.bank) as bank:
                for fault in bank.faults():
                    self.found.fault(f"after {command}: {fault}")
                there = self._facts(bank.db.raw)
        except Exception as error:  # noqa: BLE001 - this is what is being looked for
            self.found.fault(f"after {command}: {type(error).__name__}: {error}")
            return
        for kind, facts in self.known.items():
            self.found.seen[kind] += len(facts)
            if lost := facts - there[kind]:
                self.found.fault(f"after {command}: {len(lost)} lost of {kind}: {sorted(map(str, lost))[0]}")
        self.known = there
        requests = (self.folder / "requests").stat().st_size
        calls = sum('"prompt"' in str(intent[2]) for intent in there["intent"])
        if requests > calls:
            self.found.fault(f"after {command}: the server got {requests} requests, the bank knows of {calls}")

    def _compare_findings(self) -> None:
        """A lint from scratch on a copy finds the same as the one that was killed and run again."""
        self._must("lint", "--fail-on", "never")
        copy = self.folder / "copy"
        copy.mkdir()
        (copy / "gapsmith.toml").write_text("", encoding="utf-8")
        with closing(sqlite3.connect(self.bank)) as source, closing(sqlite3.connect(copy / "bank.sqlite")) as target:
            source.backup(target)
            before = Counter(source.execute(_FINDINGS))
            target.executescript("DELETE FROM finding; DELETE FROM lint_state;")
        code, out = self._run("lint", "--fail-on", "never", workspace=copy)
        with closing(sqlite3.connect(copy / "bank.sqlite")) as target:
            if code != 0 or Counter(target.execute(_FINDINGS)) != before:
                self.found.fault(f"lint from scratch finds something else (exit code {code}): {out[-300:]}")

    def _written(self, command: str) -> tuple[int, int]:
        """What changes as soon as a command writes: to the bank, or to a folder in passing."""
        if command == "publish":
            return (len([*(self.folder / "published").glob(".*/files/*")]), 0)
        try:
            stat = self.bank.with_name("bank.sqlite-wal").stat()
        except FileNotFoundError:
            return (0, 0)
        return (stat.st_size, stat.st_mtime_ns)

    def _must(self, *arguments: object) -> None:
        code, out = self._run(*arguments)
        assert code == 0, f"{arguments}: {out}"

    def _run(self, *arguments: object, workspace: Path | None = None) -> tuple[int, str]:
        target = self.folder / "out"
        process = self._start([str(argument) for argument in arguments], target, workspace)
        return _code(process), target.read_text(encoding="utf-8", errors="replace")

    def _start(self, arguments: list[str], out: Path, workspace: Path | None = None) -> int:
        process = os.fork()
        if process:
            return process
        # Without a file for its output the child still runs, and is judged by the bank.
        with suppress(OSError):
            file = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            # What is exported is stdout; elsewhere both streams say what happened.
            errors = os.open(os.devnull, os.O_WRONLY) if arguments[0] == "export" else file
            os.dup2(file, 1)
            os.dup2(errors, 2)
        _become([*arguments, "-w", str(workspace or self.folder)])
        raise AssertionError("a command does not come back")


def _is_whole(folder: Path) -> bool:
    """Whether a published folder has the files that its sums name, as they are there, and no other."""
    lines = (line.partition("  ") for line in (folder / SUMS).read_text(encoding="utf-8").splitlines())
    sums = {name: digest for digest, _, name in lines}
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items() if name != SUMS} == sums


def _become(arguments: list[str]) -> None:
    """Be the `gapsmith` program, in a process that was forked from this one; never returns."""
    from gapsmith.app.cli.app import main as program

    code = 70
    try:
        os.environ["OPENAI_API_KEY"] = os.environ["GEMINI_API_KEY"] = "no-key-at-all-but-long-enough"
        os.environ["GAPSMITH_CONFIG"] = os.devnull
        sys.argv = ["gapsmith", *arguments]
        # The streams of the process that was forked belong to that one; these write where the numbers point to (`__stdout__`
        # is final to the type checker, and is what a fork has to replace).
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = sys.__stdout__ = os.fdopen(1, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]
        sys.stderr = sys.__stderr__ = os.fdopen(2, "w", encoding="utf-8", closefd=False)  # type: ignore[misc]
        program()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001 - the traceback goes where it would have gone
        import traceback

        traceback.print_exc()
    finally:
        # The child ends here, whether or not anybody still reads it.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _serve(log: Path) -> tuple[int, str]:
    """A stand-in for both providers in a process of its own, which notes each request by one byte in a file."""
    from gapsmith.prompts.fake import Behaviour, FakeServer, SeenRequest

    log.touch()
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            return process, pipe.readline().strip()
    noted = os.open(log, os.O_WRONLY | os.O_APPEND)

    def script(_: SeenRequest) -> Behaviour:
        os.write(noted, b".")
        return Behaviour.WELL

    with FakeServer(load_paradigm("lan_pg"), script=script, latency_s=0.02) as server:
        os.write(writing, f"{server.url}\n".encode())
        while True:
            time.sleep(3600)


def _has_ended(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _code(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _terminal() -> tuple[int, int]:
    import fcntl
    import pty
    import struct
    import termios

    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
    else:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    return process, terminal


def _read_until(terminal: int, wanted: str) -> bool:
    seen, end = "", time.monotonic() + _PATIENCE_S
    while wanted not in seen and time.monotonic() < end:
        seen += _read(terminal, 0.1)
    return wanted in seen


def _read(terminal: int, quiet: float) -> str:
    seen, end = b"", time.monotonic() + 3 * quiet
    while time.monotonic() < end and select.select([terminal], [], [], quiet)[0]:
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
    return seen.decode("utf-8", "replace")


def _preload(commands: Sequence[str]) -> None:
    """Import what the commands import, so that a kill finds them at work and not loading Python."""
    import importlib

    heavy = {
        "generate": ["openai", "google.genai"],
        "review": ["gapsmith.vetting.tui"],
        "score": _SCORING,
        "bank merge": ["gapsmith.bank.merging"],
        "publish": ["gapsmith.scoring.report.build", "matplotlib.figure", "gapsmith.app.stages.reporting"],
    }
    always = [
        "gapsmith.app.cli.app",
        "prompts",
        "gapsmith.prompts.fake",
        "gapsmith.vetting.lint_run",
        "gapsmith.vetting.decide",
        "gapsmith.bank.importing",
    ]
    for name in [*always, *(name for command in commands for name in heavy.get(command, ()))]:
        importlib.import_module(name)
    from gapsmith.vetting.rules import load_knowledge

    # Word lists are read once here and shared by all that is forked.
    knowledge = load_knowledge()
    assert knowledge.verb_forms
    assert knowledge.plural_nouns


def main(arguments: Sequence[str] | None = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only this one (repeatable)")
    parser.add_argument("--pause", type=float, default=0.0, metavar="SECONDS", help="between kills")
    given = parser.parse_args(arguments)
    commands = tuple(given.command or COMMANDS)
    _preload(commands)
    with TemporaryDirectory(prefix="gapsmith-kills-", ignore_cleanup_errors=True) as folder:
        found = kill_commands(given.kills, seed=given.seed, folder=Path(folder), commands=commands, pause_s=given.pause)
    print(f"{found.kills.total():,} kills, {found.writing:,} of them while writing: {dict(found.kills)}")
    print(f"completed: {dict(found.completed)}")
    print(f"seen before a kill and there after it: {dict(found.seen)}")
    print(f"{len(found.faults)} faults")
    return 1 if found.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
