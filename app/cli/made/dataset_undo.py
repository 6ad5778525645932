"""The flags of `gapsmith dataset undo`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.UndoDataset`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_undo(
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take back the last renaming or removal, where that was the last thing you did."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset undo", flags)
