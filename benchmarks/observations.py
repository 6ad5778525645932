"""The table of observations: analyses, the long table and an audit, against reading what they read and against what was before it.

Each is a process of its own, over values that nobody computed: reading, measuring and counting is what takes its time. Yardsticks
are measured in the same rounds: of Lan's 8,064 items, reading items and scores out of the bank; of 67,000 pairs, reading the file
and asking the rules, without a model. Where git has the commit before the table, its checkout does the same in between. Memory is
the most that a process held; an engine's weights, and torch, are not among it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

_BEFORE = "177b4ddd"
"""The commit before the table of observations."""
_ROUNDS = 2
_MOST_BYTES = 1.5 * 2**30
_HERE = Path(__file__).resolve().parents[1]
_CASES = {
    "analyze": ("analyze --all, 8,064 items", "read"),
    "analyze elsewhere": ("analyze, values from elsewhere", "read"),
    "long": ("export long, 8,064 items", "read"),
    "long elsewhere": ("export long, from elsewhere", "read"),
    "audit": ("audit, 67,000 pairs", "rules"),
}
"""What is measured: how it is shown, and its yardstick."""


@dataclass(frozen=True, slots=True)
class _Took:
    seconds: float
    peak: int

    def best(self, other: _Took | None) -> _Took:
        """The faster, and the leaner, of two."""
        return self if other is None else _Took(min(self.seconds, other.seconds), min(self.peak, other.peak))


def main() -> None:
    """Print each command's time as a multiple of its yardstick's and of what it took before, and its peak of memory."""
    with TemporaryDirectory(prefix="gapsmith-bench-") as directory, _before(Path(directory)) as before:
        checkouts = {"now": _HERE} if before is None else {"now": _HERE, "before": before}
        folders = {name: Path(directory) / name for name in checkouts}
        for name, checkout in checkouts.items():
            folders[name].mkdir()
            for case in ("build", "build elsewhere", "pairs"):
                _run(checkout, case, folders[name])
        took: dict[tuple[str, str], _Took] = {}
        for _ in range(_ROUNDS):
            for case in dict.fromkeys([*(yardstick for _, yardstick in _CASES.values()), *_CASES]):
                for name, checkout in checkouts.items():
                    took[name, case] = _run(checkout, case, folders[name]).best(took.get((name, case)))
    for case, (shown, yardstick) in _CASES.items():
        own, measure = took["now", case], took["now", yardstick]
        than = took.get(("before", case))
        compared = "" if than is None else f"  {own.seconds / than.seconds:5.2f} × {_BEFORE}"
        peaks = "" if than is None else f", {than.peak / 2**20:,.0f} then"
        limit = "within" if own.peak <= _MOST_BYTES else "BEYOND"
        print(
            f"{shown:<31} {own.seconds / measure.seconds:5.1f} × {yardstick:<6}{compared}"
            f"  peak {own.peak / 2**20:,.0f} MiB ({limit} 1.5 GiB{peaks})"
        )
    if before is None:
        print(f"git has no commit {_BEFORE} here, so nothing is compared with what was before")


def _run(checkout: Path, case: str, folder: Path) -> _Took:
    path = str(checkout / "src")
    script = Path(__file__).with_name("_observing.py")
    # Nobody's settings take part.
    own = {name: value for name, value in os.environ.items() if not name.startswith("GAPSMITH_")}
    done = subprocess.run(
        [sys.executable, str(script), case, str(folder)],
        env={**own, "PYTHONPATH": path, "GAPSMITH_CONFIG": os.devnull},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{case} of {checkout} ended with {done.returncode}:\n{done.stderr}")
    found = json.loads(done.stdout)
    if found["torch"] or not found["of"].startswith(path):
        raise SystemExit(f"{case} of {checkout}: ran {found['of']}{', and loaded torch' if found['torch'] else ''}")
    return _Took(found["seconds"], found["peak"])


@contextmanager
def _before(directory: Path) -> Iterator[Path | None]:
    """A checkout of the commit before; None where there is no git, or it has no such commit."""
    place = directory / "before-checkout"
    git = ["git", "-C", str(_HERE), "worktree"]
    try:
        subprocess.run([*git, "add", "--detach", str(place), _BEFORE], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        yield None
        return
    try:
        yield place
    finally:
        subprocess.run([*git, "remove", "--force", str(place)], capture_output=True, check=True)


if __name__ == "__main__":
    main()
