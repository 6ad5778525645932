"""The only writer to stderr, and the only place where errors become words and exit codes. stdout is for data."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from itertools import islice
from typing import TYPE_CHECKING, Any

from gapsmith.app.cli.printable import at_words, shown

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table

    from gapsmith.app.services import Advance
    from gapsmith.app.workspace import Workspace
    from gapsmith.templates import GapsmithError

_SILENCE_S = 30.0
_INTERRUPTED = 130
"""The shell's exit code for a program that was stopped with Ctrl-C."""
_PIECES = 10_000
"""Of JSON, such as a name or a number, that are written at a time."""


class ExitCode(IntEnum):
    """What the exit codes of every command mean."""

    OK = 0
    FAILED = 1
    """The work failed; for `lint`: findings at or above --fail-on."""
    USAGE = 2
    """A flag, a file or a setting is wrong; nothing was done."""
    PROVIDER = 3
    """A model provider refused or could not be reached."""


def stdout() -> Console:
    """A console on stdout. Item text must be printed with markup off."""
    from gapsmith.app.cli.screen import SafeConsole

    return SafeConsole(highlight=False, emoji=False, soft_wrap=True)


def stderr() -> Console:
    """A console on stderr. Item text must be printed with markup off."""
    from gapsmith.app.cli.screen import SafeConsole

    return SafeConsole(stderr=True, highlight=False, emoji=False, soft_wrap=True)


def _at_words(message: str) -> str:
    """The message as a terminal shows it, which by itself breaks lines inside of words; a log has them whole."""
    if not sys.stderr.isatty():
        return message
    width = shutil.get_terminal_size().columns
    return "\n".join(line for whole in message.split("\n") for line in at_words(whole, width))


def note(message: str) -> None:
    """Something the user may like to know."""
    stderr().print(_at_words(message), markup=False)


def warning(message: str) -> None:
    """Something the user should look at; nothing failed."""
    stderr().print(_at_words(f"warning: {message}"), markup=False, style="yellow")


def error(message: str, hint: str = "") -> None:
    """What went wrong and what to do next."""
    console = stderr()
    console.print(_at_words(f"error: {message}"), markup=False, style="bold red")
    if hint:
        console.print(_at_words(hint), markup=False)


def ask(question: str, answers: Sequence[str]) -> str | None:
    """The answer to a question, one of those (its beginning is enough); None where nobody is at a terminal, or gives none."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    console = stderr()
    console.print(_at_words(question), markup=False)
    while True:
        console.print(f"{' / '.join(answers)}? ", markup=False, end="")
        said = sys.stdin.readline()
        word = said.strip().casefold()
        found = [answer for answer in answers if word and answer.startswith(word)]
        if len(found) == 1:
            return found[0]
        if not said or not word:
            return None


def print_json(request: Any, results: Iterable[Any], rest: Mapping[str, Any]) -> None:
    """One JSON object on stdout, piece by piece, since as text it is many times as large."""
    _write_json('{\n  "request": ', request, 2)
    sys.stdout.write(',\n  "results": [')
    before = "\n    "
    for own in results:
        _write_json(before, own, 4)
        before = ",\n    "
    sys.stdout.write("]" if before.startswith("\n") else "\n  ]")
    for name, value in rest.items():
        _write_json(f',\n  "{name}": ', value, 2)
    sys.stdout.write("\n}\n")


def _write_json(before: str, value: Any, indent: int) -> None:
    sys.stdout.write(before)
    pieces = json.JSONEncoder(ensure_ascii=False, indent=2, allow_nan=False).iterencode(value)
    while some := "".join(islice(pieces, _PIECES)):
        sys.stdout.write(some.replace("\n", "\n" + " " * indent))


def print_text(text: str, *, as_it_is: bool = False) -> None:
    """Plain text on stdout, for people: on a terminal its lines end between words. `as_it_is`: it is a file, too."""
    text = shown(text if text.endswith("\n") else text + "\n")
    if not as_it_is and sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        text = "".join(f"{line}\n" for whole in text.splitlines() for line in at_words(whole, width))
    sys.stdout.write(text)


def print_table(table: Table) -> None:
    """A table on stdout, at the terminal's width; plain lines of up to 120 columns where stdout is not a terminal."""
    from gapsmith.app.cli.screen import SafeConsole

    columns = os.environ.get("COLUMNS", "")
    width = None if sys.stdout.isatty() else int(columns) if columns.isdecimal() and int(columns) else 120
    SafeConsole(width=width, highlight=False, emoji=False, markup=False).print(table)


def say_where(workspace: Workspace) -> None:
    """Say which workspace is used, where it is not the directory in which the user is."""
    from pathlib import Path

    if workspace.created:
        note(f"Made a workspace in {workspace.root}")
    elif workspace.root != Path.cwd().resolve():
        note(f"Workspace: {workspace.root}")


@contextmanager
def progress_bar(description: str, total: int | None) -> Iterator[Progress]:
    """A progress bar on stderr with one task, gone when done; silent where stderr is not a terminal. The task's field
    ``told`` is shown after the bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    said = TextColumn("{task.description}", markup=False), TextColumn("{task.fields[told]}", markup=False)
    columns = (said[0], BarColumn(), MofNCompleteColumn(), said[1], TimeRemainingColumn())
    console = stderr()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        progress.add_task(description, total=total, told="")
        yield progress


@contextmanager
def progress_shown(description: str, total: int | None) -> Iterator[Advance]:
    """A progress bar for a stage: how much is done is told to what it gives."""
    with progress_bar(description, total) as bar:
        task = bar.task_ids[0]
        spoken = time.monotonic()

        def advance(done: int, /, total: int | None = None, told: str = "") -> None:
            nonlocal spoken
            bar.update(task, completed=done, total=total, told=told)
            if told and bar.disable and time.monotonic() - spoken >= _SILENCE_S:
                # In a log there is no bar; a line now and then says that something happens.
                spoken = time.monotonic()
                note(f"{description}: {done:,} done; {told}")

        yield advance


def say_warnings() -> None:
    """Say our own warnings as ours; all others as Python does."""
    import warnings

    usual = warnings.showwarning

    def said(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
        # Imported only now, as below; whoever gives such a warning has it already.
        from gapsmith.templates import GapsmithWarning

        if issubclass(category, GapsmithWarning):
            warning(str(message))
        else:
            usual(message, category, *where, **more)

    warnings.showwarning = said


@contextmanager
def guarded() -> Iterator[None]:
    """Turn the errors that we raise on purpose into a message and an exit code."""
    before = len(_banks_opened())
    try:
        try:
            yield
        finally:
            # What is still in the buffer would be tried at exit, where nobody can say anything any more.
            sys.stdout.flush()
    except BrokenPipeError as gone:
        # The reader of our output has gone (`| head`): say nothing, and keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        ended = gone.__context__
        raise SystemExit(ended.code if isinstance(ended, SystemExit) else ExitCode.OK) from None
    except (KeyboardInterrupt, SystemExit) as end:
        if isinstance(end.__context__, BrokenPipeError):
            # Typer and Rich, which print help and tables, met the closed pipe before us and call that a failure.
            raise SystemExit(ExitCode.OK) from None
        # Typer turns Ctrl-C into this exit code and says nothing.
        if isinstance(end, SystemExit) and end.code != _INTERRUPTED:
            raise
        error("stopped", "What was committed is kept; run the same command again to go on.")
        raise SystemExit(_INTERRUPTED) from None
    except Exception as problem:
        # Imported only now: it would cost every --help the time to load the paradigms' machinery.
        from gapsmith.templates import GapsmithError

        told = problem if isinstance(problem, GapsmithError) else _damage(problem, before) or _refusal(problem)
        if told is None:
            raise
        error(told.message, told.hint)
        raise SystemExit(told.exit_code) from None


_REFUSALS = frozenset(
    getattr(errno, name)
    for name in ("ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM", "EIO", "EMFILE", "ENAMETOOLONG")
    if hasattr(errno, name)
)
"""What is wrong with a disk or a folder, and with no command of ours."""


def _refusal(problem: Exception) -> GapsmithError | None:
    """What the machine has refused, such as to write to a full disk, where no command had words of its own for it."""
    from gapsmith.templates import GapsmithError

    if not isinstance(problem, OSError) or problem.errno not in _REFUSALS:
        return None
    where = f"{problem.filename}: " if problem.filename else ""
    return GapsmithError(
        f"{where}{problem.strerror}",
        hint="What was committed is kept. Make room, or see who may write there, and run the same command again.",
    )


def _banks_opened() -> list[Path]:
    """The banks that this process has opened so far."""
    if "gapsmith.bank.store" not in sys.modules:
        return []
    from gapsmith.bank import opened_banks

    return opened_banks()


def _damage(problem: Exception, before: int) -> GapsmithError | None:
    """What is wrong with a bank that this command has opened, where something is: a damaged one may answer with anything,
    anywhere. None where the banks are whole and the fault is ours. The first `before` ones are no matter of its own."""
    import sqlite3

    from gapsmith.bank import Bank, BankError, explained
    from gapsmith.templates import GapsmithError

    for path in dict.fromkeys(path for path in _banks_opened()[before:] if path.is_file()):
        try:
            with Bank.open_copy(path) as bank:
                faults = bank.faults()
        except GapsmithError as damage:
            return damage
        except Exception:  # noqa: BLE001 - a damaged file may fail in any way
            return BankError(
                f"{path}: is damaged and cannot be read", hint="`gapsmith bank restore FILE` puts a copy in its place."
            )
        if faults:
            hint = "`gapsmith bank check` says more; `gapsmith bank restore FILE` puts a copy in its place."
            return BankError(f"{path}: is damaged: {faults[0]}", hint=hint)
        if isinstance(problem, sqlite3.OperationalError):
            return explained(problem, path)
    return None
