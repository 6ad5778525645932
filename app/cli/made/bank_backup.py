"""The flags of `gapsmith bank backup`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.BackUpBank`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_backup(
    to: Annotated[
        Path | None,
        typer.Argument(help="A file that is not there yet, or a folder (default: beside the bank).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy the bank, whole and as of one moment, also while others write to it.

    Copying bank.sqlite by hand loses what still lies in bank.sqlite-wal, most of all after a kill. The copy is one file.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank backup", flags)
