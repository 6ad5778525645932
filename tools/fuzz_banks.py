"""Damage banks and read them: ``python -m tools.fuzz_banks --banks 2000``.

Each time some bytes, a page or the end of a small bank's file are changed, and every command that reads is run on it. It
must end with a message or with what the whole bank gives: never with a traceback, never with a sentence that is not in the
bank, never with other numbers. Where `bank check` says that it is whole, it holds what the whole one holds.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import random
import shutil
import sqlite3
import sys
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from gapsmith.app.workspace import BANK, make_workspace
from gapsmith.bank import Bank, Tokens, Verdict

READERS: tuple[tuple[str, ...], ...] = (
    ("show", "2"),
    ("export", "csv", "--all"),
    ("lint", "--select", "T", "--fail-on", "never"),
    ("analyze", "--all"),
    ("runs", "list"),
    ("dataset", "list"),
    ("annotations", "decisions", "--mine", "--by", "ann"),
    ("report", "--all", "-o", "{elsewhere}"),
)
ANALYZE = ("analyze", "--all", "--json")
_PAGE = 4096
_REPORTS = 8
"""A report takes longer than all else together, so it is made of every so-manieth bank."""


@dataclass
class Found:
    """What came of it."""

    ends: Counter[str] = field(default_factory=Counter)
    """How commands ended, by exit code."""
    seen_by_check: int = 0
    """Damage that `bank check` named."""
    harmless: int = 0
    """Banks that it called whole, and that hold and say what they did before."""
    faults: list[str] = field(default_factory=list)

    def fault(self, what: str) -> None:
        """Note something that should not have happened, and say so at once."""
        self.faults.append(what)
        print(f"FAULT {what}", file=sys.stderr, flush=True)


def fuzz_banks(banks: int, *, seed: int, folder: Path, readers: Sequence[Sequence[str]] = READERS) -> Found:
    """Damage so many copies of a bank, copy k by `seed + k`, and read each of them with every command."""
    found = Found()
    whole = folder / "whole"
    _make(whole)
    sentences = _sentences(_run(["export", "csv", "--all", "-w", str(whole)])[1])
    assert len(sentences) > 1
    rows, numbers = _rows(whole / BANK), _run([*ANALYZE, "-w", str(whole)])[1]
    assert rows
    assert numbers
    for number in range(banks):
        place = folder / f"{number}"
        shutil.copytree(whole, place)
        how = _damage(place / BANK, random.Random(seed + number))
        for reader in readers:
            if reader[0] == "report" and number % _REPORTS:
                continue
            arguments = [part.format(elsewhere=folder / f"report{number}") for part in reader]
            code, out, trace = _run([*arguments, "-w", str(place)])
            found.ends[f"{reader[0]} {code}"] += 1
            said = f"seed {seed + number}, {how}, {' '.join(reader)}"
            if trace:
                found.fault(f"{said}: {trace}")
            elif code == 0 and reader[0] == "export" and (wrong := _sentences(out) - sentences):
                found.fault(f"{said}: came out and was never in the bank: {wrong}")
        said = f"seed {seed + number}, {how}"
        code, _, trace = _run(["bank", "check", "-w", str(place)])
        found.seen_by_check += code != 0
        if trace:
            found.fault(f"{said}, bank check: {trace}")
        analysed, out, trace = _run([*ANALYZE, "-w", str(place)])
        if trace:
            found.fault(f"{said}, analyze: {trace}")
        elif analysed == 0 and out != numbers:
            found.fault(f"{said}: analyze gives other numbers, and bank check {'says' if code else 'does not say'} so")
        if code == 0:
            found.harmless += 1
            if _rows(place / BANK) != rows:
                found.fault(f"{said}: bank check calls it whole, and its rows are others")
            if analysed != 0:
                found.fault(f"{said}: bank check calls it whole, and analyze fails")
        shutil.rmtree(place)
        shutil.rmtree(folder / f"report{number}", ignore_errors=True)
        if number % 100 == 99:
            print(f"{number + 1:,} banks, {len(found.faults)} faults", file=sys.stderr, flush=True)
    return found


def _make(folder: Path) -> None:
    make_workspace(folder)
    for arguments in (["generate", "lan_pg", "-n", "8"], ["lint", "--fail-on", "never"]):
        code, _, trace = _run([*arguments, "-w", str(folder)])
        assert code == 0, trace
    with Bank.open(folder / BANK) as bank:
        items = list(bank.items.iterate())
        bank.decisions.decide([item.id for item in items[:6]], Verdict.APPROVE, author="ann")
        bank.decisions.decide([items[6].id], Verdict.EXCLUDE, author="ann", reason="odd")
        bank.items.revise(items[7].id, slots=items[7].slots, sentences=items[7].sentences, author="ann", note="same")
        scorer = bank.scores.register("made-up", "1", {"weights": "none", "bos": "bos", "dtype": "float32"})
        bank.scores.add(scorer, [_scored(s.text) for item in items for s in item.sentences])
        bank.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with contextlib.closing(sqlite3.connect(folder / BANK)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def _scored(text: str) -> Tokens:
    """One token a word, with a value that its letters decide."""
    starts = [0] + [place for place, letter in enumerate(text) if letter == " "]
    spans = np.array(list(zip(starts, [*starts[1:], len(text)], strict=True)), dtype=np.int32)
    values = np.array([sum(map(ord, text[a:b])) % 97 / 7 for a, b in spans.tolist()], dtype=np.float32)
    return Tokens(text=text, context="", spans=spans, ids=tuple(range(len(values))), values=values)


def _rows(path: Path) -> dict[str, list[str]]:
    """Everything that the bank holds, as another program reads it: each table's rows, in whatever order."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: sorted(map(ascii, connection.execute(f"SELECT * FROM {table}"))) for table in tables}


def _sentences(exported: str) -> set[str]:
    return {row.get("full_sentence", "") for row in csv.DictReader(io.StringIO(exported))}


def _damage(path: Path, chance: random.Random) -> str:
    content = bytearray(path.read_bytes())
    pages = len(content) // _PAGE
    way = chance.choice(["bytes", "bytes", "bits", "bits", "text", "page", "swap", "end", "zeros"])
    if way in ("bytes", "bits"):
        for _ in range(chance.randint(1, 8)):
            place = chance.randrange(len(content))
            content[place] = chance.randrange(256) if way == "bytes" else content[place] ^ 1 << chance.randrange(8)
    elif way == "text":
        # A letter of a stored text becomes another letter, which no parser of anything stumbles over.
        letters = [place for place in range(len(content)) if chr(content[place]).isascii() and chr(content[place]).isalpha()]
        for _ in range(chance.randint(1, 3)):
            content[chance.choice(letters)] = ord(chance.choice("abcdefghijklmnopqrstuvwxyz"))
    elif way in ("page", "zeros"):
        start = chance.randrange(pages) * _PAGE
        content[start : start + _PAGE] = chance.randbytes(_PAGE) if way == "page" else bytes(_PAGE)
    elif way == "swap":
        one, two = (chance.randrange(1, pages) * _PAGE for _ in range(2))
        first, second = content[one : one + _PAGE], content[two : two + _PAGE]
        content[one : one + _PAGE], content[two : two + _PAGE] = second, first
    else:
        del content[chance.randrange(1, len(content)) :]
    path.write_bytes(content)
    return way


def _run(arguments: Sequence[str]) -> tuple[int, str, str]:
    """Run a command in this process: its exit code, its output, and the traceback that it ended in, or nothing."""
    from gapsmith.app.cli.app import main as program

    out, before = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline=""), sys.argv
    sys.argv = ["gapsmith", *arguments]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            program()
    except SystemExit as end:
        return (end.code if isinstance(end.code, int) else 0 if end.code is None else 1), _written(out), ""
    except BaseException as error:  # noqa: BLE001 - this is what is being looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return 70, "", f"{type(error).__name__}: {str(error)[:150]} in {Path(last.filename).name}:{last.lineno}"
    finally:
        sys.argv = before
    return 0, _written(out), ""


def _written(out: io.TextIOWrapper) -> str:
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    return out.buffer.getvalue().decode()


def main(arguments: Sequence[str] | None = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--banks", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        found = fuzz_banks(given.banks, seed=given.seed, folder=Path(folder))
    print(dict(sorted(found.ends.items())))
    print(f"{found.seen_by_check:,} of {given.banks:,} seen by bank check, {found.harmless:,} are what they were")
    print(f"{len(found.faults)} faults")
    return 1 if found.faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
