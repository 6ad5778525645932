"""`gapsmith` as a process of its own: to be killed, to be asked to stop, to stand beside another one.

The processes are forked from one that has imported the program already, so that starting one costs next to nothing. What the
start of the interpreter itself does is tested where it is the point (tests/gapsmith/test_program.py).
"""

from __future__ import annotations

import multiprocessing
import os
import select
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

PATIENCE_S = 60.0
_FIRST = (
    "gapsmith.app.cli.app",
    "gapsmith.app.workspace",
    "gapsmith.app.generation",
    "gapsmith.app.cli.generate",
    "gapsmith.vetting.rules",
)
_IF_HERE = (
    "openai",
    "google.genai",
    "gapsmith.prompts.providers.openai_api",
    "gapsmith.prompts.providers.gemini",
    "transformers",
    "torch",
    "gapsmith.scoring.score_run",
    "gapsmith.vetting.tui",
)
"""Loaded beforehand only where the tests before have loaded them too: whoever runs those tests will need them again."""


class Program:
    """`gapsmith` with these arguments, in a folder, with more environment variables; it begins at once.

    What it writes to stdout and stderr goes to files, on which it cannot block, or everything to a terminal of its own, given
    by its name; `before` is called in it first."""

    def __init__(
        self,
        *arguments: object,
        folder: Path,
        environment: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
        terminal: str | None = None,
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([*_FIRST, *(name for name in _IF_HERE if name in sys.modules)])
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.glob("stdout-*.txt")))
        self._files = folder / f"stdout-{number}.txt", folder / f"stderr-{number}.txt"
        for file in self._files:
            file.touch()
        self._process = context.Process(
            target=_be_the_program,
            args=(
                list(map(str, arguments)),
                folder,
                dict(os.environ) | dict(environment or {}),
                (terminal,) * 3 if terminal is not None else (os.devnull, *map(str, self._files)),
                before,
            ),
        )
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *exception: object) -> None:
        self.kill()

    @property
    def out(self) -> str:
        """What it has written to stdout so far."""
        return self._files[0].read_text(encoding="utf-8")

    @property
    def err(self) -> str:
        """What it has written to stderr so far."""
        return self._files[1].read_text(encoding="utf-8")

    def poll(self) -> int | None:
        """The exit code, minus the signal's number where one ended it; None as long as it runs."""
        return self._process.exitcode

    def wait(self, patience_s: float = PATIENCE_S) -> int:
        """Wait for its end; the exit code."""
        self._process.join(patience_s)
        code = self.poll()
        assert code is not None, f"still running after {patience_s} s:\n{self.err}"
        return code

    def send(self, signal: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, signal)

    def kill(self) -> None:
        """kill -9, where it still runs, and wait for its end."""
        if self.poll() is None:
            self._process.kill()
        self._process.join()


def wait_for(condition: Callable[[], bool], process: Program) -> None:
    """Wait until the condition holds, as long as the process lives."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None, f"it ended before its time:\n{process.err}"
        assert time.monotonic() < deadline
        time.sleep(0.005)


def _be_the_program(
    arguments: list[str],
    folder: Path,
    environment: dict[str, str],
    files: tuple[str, str, str],
    before: Callable[[], None] | None,
) -> None:
    # The first terminal that the leader of a session opens is its own.
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for descriptor, path in enumerate(files):
        file = os.open(path, os.O_RDWR | os.O_APPEND)
        os.dup2(file, descriptor)
        os.close(file)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
    sys.stdout, sys.stderr = (os.fdopen(descriptor, "w", encoding="utf-8", buffering=1, closefd=False) for descriptor in (1, 2))
    # multiprocessing has closed what stdin was at the start, and a terminal app goes by these names.
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]  # said to be final
    if before is not None:
        before()
    from gapsmith.app.cli.app import main

    sys.argv = ["gapsmith", *arguments]
    main()


def is_readable(terminal: int, seconds: float) -> bool:
    """Whether something can be read from a terminal within that time, whatever its number: a process of many tests has more files
    open than `select` takes."""
    poll = select.poll()
    poll.register(terminal, select.POLLIN)
    return bool(poll.poll(1000 * seconds))
