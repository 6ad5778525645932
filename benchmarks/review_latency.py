"""How soon the review answers with 10,000 items: the real program in a pseudo-terminal, keys sent, bytes timed.

    python -m benchmarks review_latency
    python benchmarks/review_latency.py [--items 10000] [--keys 240] [--size 80x24 --size 160x50]

First paint is counted from the moment the program's imports are done to the first full screen. A key is answered when
the last byte of the screen update that it causes has arrived; an update is over when 30 ms pass without a byte and no
thread of the program waits for a processor. The targets are one second and, at the 95th percentile, 50 ms. The load of the
machine is printed beside: on a busy one the times say little. The processor time of each key says what it costs whatever
else is running: no key can be answered sooner than that, and on a quiet machine hardly later, but for the disk. Verdict
keys take turns, because the same key again within 0.15 s counts as held down, and the decisions in the bank are counted
afterwards: a key that was refused must not pass for a quick one. There is no parser: on wide screens
the parse of the selected sentence comes in a thread of its own, once nobody has gone on for a while.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import select
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from gapsmith.bank import Bank, Finding, FindingPlace, NewItem, Severity
from gapsmith.templates import load_paradigm, realise, sample

SIZES = ((80, 24), (120, 40), (160, 50), (200, 60))
_QUIET_S = 0.03
_PATIENCE_S = 120.0
"""A machine at a load of 20 has kept a commit waiting for more than five seconds."""
_LAUNCH = """
import sys, time
from pathlib import Path
from gapsmith.bank import Bank
from gapsmith.vetting.review import Session
from gapsmith.vetting.tui import ReviewApp
ready = time.monotonic()
with Bank.open(Path(sys.argv[1])) as bank:
    app = ReviewApp(Session(bank, "bench"))
    def painted() -> None:
        Path(sys.argv[2]).write_text(str(time.monotonic() - ready))
    app.call_later(lambda: app.call_after_refresh(painted))
    app.run()
"""


def make_bank(path: Path, count: int) -> None:
    """A bank with many items; the words of a few hundred recur."""
    with Bank.open(path, create=True) as bank:
        paradigm = load_paradigm("subject_pg")
        run = bank.runs.begin(
            kind="generate",
            paradigm_id=bank.paradigms.register(paradigm),
            provider="lexicon",
            identity="bench",
            parameters={},
        )
        fillings = list(islice(sample(paradigm, 1), 200))
        items = [NewItem(f, realise(paradigm, f)) for f in (fillings[i % 200] for i in range(count))]
        ids = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply="", items=items)
        finding = Finding("L310", Severity.WARNING, "a made-up finding", place=FindingPlace(slot="verb"))
        bank.findings.replace("subject_pg", {i: [finding] if i % 3 == 0 else [] for i in ids}, ruleset="bench")


class Terminal:
    """The program behind a pseudo-terminal."""

    def __init__(self, bank: Path, mark: Path, size: tuple[int, int]) -> None:
        self._mark = mark
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, str(bank), str(mark)],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env=environment,
            start_new_session=True,
        )
        os.close(follower)
        self._leader = leader

    def first_paint(self) -> float:
        """Seconds from the end of the imports to the first full screen."""
        end = time.monotonic() + _PATIENCE_S
        while not self._mark.is_file() or not self._mark.read_text():
            self._drain(0.05)
            if time.monotonic() > end:
                raise TimeoutError("the review did not come up")
        self._drain(0.5)
        return float(self._mark.read_text())

    def _drain(self, quiet: float) -> float | None:
        last = None
        while select.select([self._leader], [], [], quiet)[0] or self._at_work():
            if not select.select([self._leader], [], [], 0)[0]:
                continue
            try:
                if not os.read(self._leader, 65536):
                    break
            except OSError:
                # The program has closed its side.
                break
            last = time.monotonic()
        return last

    def press(self, key: bytes) -> tuple[float, float]:
        """Send a key; seconds to the last byte of the answer, and of processor time."""
        start, busy = time.monotonic(), self._processor_s()
        os.write(self._leader, key)
        if not select.select([self._leader], [], [], _PATIENCE_S)[0]:
            raise TimeoutError(f"no answer to {key!r} in {_PATIENCE_S:.0f} s")
        last = self._drain(_QUIET_S) or time.monotonic()
        return last - start, self._processor_s() - busy

    def _threads(self, file: str) -> list[list[str]]:
        """What /proc says of each thread; nothing where there is no /proc."""
        found = []
        for path in Path(f"/proc/{self._process.pid}/task").glob(f"*/{file}"):
            # A thread may end while we look.
            with suppress(OSError):
                found.append(path.read_text().rpartition(")")[2].split())
        return found

    def _at_work(self) -> bool:
        return any(fields[:1] == ["R"] for fields in self._threads("stat"))

    def _processor_s(self) -> float:
        return sum(int(fields[0]) for fields in self._threads("schedstat")) / 1e9

    def close(self) -> None:
        """Leave the program, and make sure that it is gone."""
        os.write(self._leader, b"\x11")
        self._drain(0.3)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)
        os.close(self._leader)


def percentile(values: list[float], share: float) -> float:
    """The value below which that share of the values lies."""
    return sorted(values)[min(int(share * len(values)), len(values) - 1)]


_ROUNDS = {
    "approve or flag (commit, next item)": [b"a", b"f"],
    "next and previous item": [b"j", b"j", b"k"],
    "select a sentence": [b"\x1b[B", b"\x1b[A"],
    # The judgement first: to select the sentence that is selected draws nothing, and no answer would come.
    "judge a sentence (commit)": [b"*", b"1"],
    "undo (commit)": [b"\x7f"],
    "queue: move": [b"\x1b[B", b"j", b"\x1b[6~"],
}


def measure(filled: Path, items: int, keys: int, size: tuple[int, int]) -> dict[str, Any]:
    """First paint in seconds, and latencies in milliseconds by kind of key, over a copy of a filled bank."""
    with tempfile.TemporaryDirectory() as folder:
        bank = Path(shutil.copy(filled, Path(folder) / "bank.sqlite"))
        terminal = Terminal(bank, Path(folder) / "painted", size)
        try:
            result: dict[str, Any] = {"items": items, "size": f"{size[0]}x{size[1]}", "load": os.getloadavg()[0]}
            result |= _measure(terminal, keys)
            with Bank.open(bank) as opened:
                (decided,) = opened.db.execute("SELECT count(*) FROM event WHERE kind = 'decision'").fetchone()
            result["verdicts that counted"] = f"{decided} of {max(keys // len(_ROUNDS), 10)}"
            return result
        finally:
            terminal.close()


def _measure(terminal: Terminal, keys: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    result["first paint, s"] = round(terminal.first_paint(), 3)
    everything: list[tuple[float, float]] = []
    for name, cycle in _ROUNDS.items():
        if name.startswith("queue"):
            terminal.press(b"g")
        pressed = [terminal.press(cycle[i % len(cycle)]) for i in range(max(keys // len(_ROUNDS), 10))]
        everything += pressed
        result[name] = _summary(pressed)
    result["all keys"] = _summary(everything)
    return result


def _summary(pressed: list[tuple[float, float]]) -> dict[str, float]:
    taken, busy = ([1000 * one for one in column] for column in zip(*pressed, strict=True))
    return {
        "median, ms": round(statistics.median(taken), 1),
        "p95, ms": round(percentile(taken, 0.95), 1),
        "processor, median, ms": round(statistics.median(busy), 1),
        "processor, p95, ms": round(percentile(busy, 0.95), 1),
    }


def main(items: int = 10_000, keys: int = 240, sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """From the smallest screen to one on which everything stands side by side; last a table of all sizes by kind of key."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "bank.sqlite"
        make_bank(filled, items)
        for size in sizes:
            found.append(measure(filled, items, keys, size))
            print(json.dumps(found[-1], indent=2), flush=True)
    print(f"{'p95 in ms, wall / processor':<36}" + "".join(f"{one['size']:>18}" for one in found))
    for kind in (*_ROUNDS, "all keys"):
        print(f"{kind:<36}" + "".join(f"{one[kind]['p95, ms']:>9} /{one[kind]['processor, p95, ms']:>7}" for one in found))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--keys", type=int, default=240)
    parser.add_argument("--size", action="append", help="columns x rows; without, 80x24, 120x40, 160x50 and 200x60")
    given = parser.parse_args()
    asked = [size.split("x") for size in given.size or []]
    main(given.items, given.keys, [(int(columns), int(rows)) for columns, rows in asked] or SIZES)
