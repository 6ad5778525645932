"""How long the program takes to start: CPU of ``gapsmith --help`` by that of ``python -c pass`` (at most ten times)."""

from __future__ import annotations

import resource
import subprocess
import sys

ROUNDS = 15
COMMANDS = {
    "gapsmith --help": ("-m", "gapsmith", "--help"),
    "gapsmith lint --help": ("-m", "gapsmith", "lint", "--help"),
    "gapsmith paradigm list": ("-m", "gapsmith", "paradigm", "list"),
}


def main() -> None:
    """Print the ratios of the least CPU time over several rounds, taken in turns."""
    runs = {"python -c pass": ("-c", "pass"), **COMMANDS}
    least = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, arguments in runs.items():
            least[name] = min(least[name], _cpu_seconds(arguments))
    for name in COMMANDS:
        print(f"{name}: {least[name] / least['python -c pass']:.1f} times python -c pass")


def _cpu_seconds(arguments: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
