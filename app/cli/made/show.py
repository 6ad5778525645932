"""The flags of `gapsmith show`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.ShowItems`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def show(
    items: Annotated[list[str] | None, typer.Argument(help="Item ids (default: all).", show_default=False)] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show items: their sentences with gaps (__) and critical regions ([ ]), findings and decisions."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("show", flags)
