"""The flags of `gapsmith dataset rename`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.RenameDataset`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_rename(
    name: Annotated[str, typer.Argument(help="The data set's name.", show_default=False)],
    new: Annotated[str, typer.Argument(help="Its new name.", show_default=False)],
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
    """Give a data set another name. `gapsmith dataset undo` takes it back."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset rename", flags)
