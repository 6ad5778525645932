"""How long the program takes to start, as ratios of processor time in one run.

``gapsmith --help`` and others by ``python -c pass`` (at most ten times); ``gapsmith analyze`` of forty scored items by importing pandas (at
most twice); ``gapsmith score`` of their 320 sentences with the bundled model, by importing torch and what the network itself takes (at most
1.2 times).
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROUNDS = 15
WHOLE_ROUNDS = 5
COMMANDS = {
    "gapsmith --help": ("-m", "gapsmith", "--help"),
    "gapsmith lint --help": ("-m", "gapsmith", "lint", "--help"),
    "gapsmith paradigm list": ("-m", "gapsmith", "paradigm", "list"),
}
MADE = ("init .", "generate subject_pg -n 40 --seed 1")
SCORE = ("-m", "gapsmith", "score", "--all", "--model", "bundled", "--profile")
ANALYZE = ("-m", "gapsmith", "analyze", "--all")
IMPORTS = {
    "pandas": ("-c", "import pandas"),
    "torch": ("-c", "import torch"),
}


def main() -> None:
    """Print the ratios: of the least time over several rounds, taken in turns, and, of whole commands, of medians."""
    runs = {"python -c pass": ("-c", "pass"), **COMMANDS}
    least = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, arguments in runs.items():
            least[name] = min(least[name], _run(arguments)[0])
    for name in COMMANDS:
        print(f"{name}: {least[name] / least['python -c pass']:.1f} times python -c pass")
    with tempfile.TemporaryDirectory(prefix="gapsmith-bench-") as made:
        _whole_commands(Path(made))


def _whole_commands(folder: Path) -> None:
    os.environ |= {"HF_HUB_OFFLINE": "1", "GAPSMITH_ANNOTATOR": "lead"}
    # As where it is installed: what was compiled once is kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for line in MADE:
        _run(("-m", "gapsmith", *line.split()), folder)
    unscored = folder / "unscored.sqlite"
    shutil.copy(folder / "bank.sqlite", unscored)
    taken: dict[str, list[float]] = {name: [] for name in (*IMPORTS, "analyze", "score", "network")}
    for number in range(WHOLE_ROUNDS + 1):
        shutil.copy(unscored, folder / "bank.sqlite")
        seconds, said = _run(SCORE, folder)
        found = re.search(r"^network +[\d.]+ s +([\d.]+) s$", said, re.MULTILINE)
        assert found is not None, said
        one = {"score": seconds, "network": float(found[1]), "analyze": _run(ANALYZE, folder)[0]}
        one |= {name: _run(arguments)[0] for name, arguments in IMPORTS.items()}
        # The first round reads files from the disk, compiles, and may time kernels.
        for name, value in one.items() if number else ():
            taken[name].append(value)
    s = {name: statistics.median(own) for name, own in taken.items()}
    print("seconds of the processor, medians: " + ", ".join(f"{name} {value:.2f}" for name, value in s.items()))
    print(f"gapsmith analyze: {s['analyze'] / s['pandas']:.2f} times importing pandas")
    print(f"gapsmith score: {s['score'] / (s['torch'] + s['network']):.2f} times importing torch, and the network")


def _run(arguments: tuple[str, ...], folder: Path | None = None) -> tuple[float, str]:
    """Seconds of the processor, and what was said on stderr."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=True, cwd=folder
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stderr
