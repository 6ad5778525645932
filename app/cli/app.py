"""The command line. What a command needs is imported when it is asked for: --help is quick."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Annotated

import typer

from gapsmith.app.cli.by_name import CommandsByName
from gapsmith.app.cli.console import guarded, say_warnings

app = typer.Typer(
    name="gapsmith",
    cls=CommandsByName,
    help="Make, vet and score minimal-pair stimuli for filler-gap research on language models. `gapsmith next` says what to do.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from gapsmith.templates import VERSION

        typer.echo(f"gapsmith {VERSION}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """The `gapsmith` program."""
    for stream in (sys.stdout, sys.stderr):
        # Stimuli are UTF-8 on every terminal; what it cannot show is replaced instead of ending the program.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    # Threads of a matrix product that wait for each other give the processor back instead of spinning: where other programs run, that
    # decides whether scoring takes seconds or a minute. The library of threads reads it when it is loaded, with torch.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    # A command makes many objects and keeps them; looking for cycles among them takes a fifth of the time of a large bank, and, once more
    # at the end, a seventh of that of a short command.
    gc.set_threshold(500_000)
    atexit.register(gc.freeze)
    # Reading what all installed packages say of themselves, to find plug-ins that could change how files are checked, is not wanted.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    say_warnings()
    with guarded():
        app()
