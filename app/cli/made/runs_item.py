"""The flags of `gapsmith runs item`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.TraceItem`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def runs_item(
    label: Annotated[str, typer.Argument(help="The item's id in its data set, as `gapsmith lint` shows it.", show_default=False)],
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False)
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Where an item is from: run, prompt version, call and raw answer."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("runs item", flags)
