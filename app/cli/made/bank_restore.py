"""The flags of `gapsmith bank restore`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.RestoreBank`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_restore(
    file: Annotated[Path, typer.Argument(help="A copy that `gapsmith bank backup` or an upgrade made.", show_default=False)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a copy in the bank's place, after looking through it. The bank that was there is kept under another name.

    Where there is no workspace yet, one is made around the copy.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank restore", flags)
