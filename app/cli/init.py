"""`gapsmith init`: make a directory a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("init")(init)


def init(directory: Annotated[Path, typer.Argument(help="Where the workspace should be.")] = Path()) -> None:
    """Make a workspace: a directory with a settings file and a bank. What is there already stays as it is."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import make_workspace

    make_workspace(directory)
    where = directory.resolve()
    note(f"Workspace ready in {where}\nNext: gapsmith generate subject_pg -n 40 --seed 1")
