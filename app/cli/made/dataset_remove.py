"""The flags of `gapsmith dataset remove`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.RemoveDataset`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_remove(
    name: Annotated[str, typer.Argument(help="The data set's name.", show_default=False)],
    paradigm: Annotated[
        str | None,
        typer.Option(
            "--paradigm", "-p", help="Of this paradigm, where several have a data set of that name.", show_default=False
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a data set out of all lists, scores and analyses. Nothing is deleted: `gapsmith dataset undo` brings it back."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset remove", flags)
