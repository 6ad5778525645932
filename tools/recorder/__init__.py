"""Record what the program prints and writes, and compare two recordings.

    python -m tools.recorder record OUT [--checkout DIR] [--python PYTHON] [--quick]
    python -m tools.recorder compare A B

For changes that are meant to move code and to change no result: record the checkout before, record it after, compare. The
recorder starts `python -m gapsmith` as users do and reads what comes out. It imports nothing of the program and knows the
command line and the documented files only, so that it outlives every moving of modules.

- `walking.py` reads the commands off the program's own `--help`; one that has no step in the plan, and is not excepted with a
  reason, ends the recording.
- `plan.py` holds the sets and the steps of each: a command with its arguments.
- `recording.py` runs them and keeps output, exit code and files as they are.
- `alike.py` makes alike what differs between two runs of one program (paths, times, ids, …), when recordings are compared.
- `comparing.py` compares: text equal, n, df, verdicts and reasons exactly, other numbers within 1e-9 relative.
"""
