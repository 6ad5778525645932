"""The command line of the recorder."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.recorder.comparing import CompareError, compare, told
from tools.recorder.recording import ROOT, RecordError, never_done, record
from tools.recorder.walking import WalkError


def main(arguments: list[str] | None = None) -> int:
    """Record or compare; the exit code: 0 done or equal, 1 different, 2 it cannot be done."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.recorder",
        description="Record what the program prints and writes, and compare two recordings.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="run every command and keep what came out")
    recording.add_argument("out", type=Path, help="a new folder for the recording")
    recording.add_argument("--checkout", type=Path, default=ROOT, help="whose program (default: the recorder's own)")
    recording.add_argument("--python", type=Path, help="the interpreter (default: of the checkout's .venv, else this one)")
    recording.add_argument("--installed", action="store_true", help="record what --python has installed, of no checkout")
    recording.add_argument("--quick", action="store_true", help="small sets, fewer steps, no study of a paper")
    recording.add_argument("--set", action="append", default=[], dest="sets", help="only this set (repeatable)")
    recording.add_argument("--jobs", type=int, default=2, help="how many sets at once (default: 2)")
    comparing = commands.add_parser("compare", help="compare two recordings")
    comparing.add_argument("a", type=Path)
    comparing.add_argument("b", type=Path)
    comparing.add_argument("--set", action="append", default=[], dest="sets", help="only this set (repeatable)")
    comparing.add_argument("--every", action="store_true", help="show every difference, not one of each kind")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "record":
            done = record(
                chosen.out,
                checkout=None if chosen.installed else chosen.checkout.resolve(),
                python=None if chosen.python is None else chosen.python.absolute(),
                quick=chosen.quick,
                only=chosen.sets,
                jobs=chosen.jobs,
            )
            print(f"{len(done.steps)} steps of {len(done.sets)} sets in {done.seconds:.0f} s: {chosen.out}")
            for command in never_done(done) if not chosen.sets else ():
                print(f"never ended with 0: gapsmith {command}", file=sys.stderr)
            return 0
        comparison = compare(chosen.a, chosen.b, chosen.sets)
        print(told(comparison, every=chosen.every))
        return 1 if comparison.differences else 0
    except (RecordError, WalkError, CompareError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
