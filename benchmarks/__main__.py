"""Run the benchmarks: ``python -m benchmarks`` for all, ``python -m benchmarks NAME …`` for some of them.

Each module of this directory that has a ``main()`` is one. They print ratios measured within one run, since seconds mean
little on another machine.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from pathlib import Path


def names() -> list[str]:
    """The benchmarks there are, by name."""
    found = sorted(module.name for module in pkgutil.iter_modules([str(Path(__file__).parent)]))
    return [name for name in found if not name.startswith("_")]


def run(chosen: list[str]) -> int:
    """Run the chosen ones, all where none is chosen; the exit code."""
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        print(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    for name in chosen or names():
        module = importlib.import_module(f"benchmarks.{name}")
        if hasattr(module, "main"):
            print(f"== {name}: {(module.__doc__ or '').strip().splitlines()[0]}", flush=True)
            module.main()
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
