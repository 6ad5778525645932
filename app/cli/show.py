"""`gapsmith show`: items as they stand, one by one."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import DatasetOption, JsonOption, LookOption, ParadigmOption, WorkspaceOption


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("show")(show)


def show(
    items: Annotated[list[str] | None, typer.Argument(help="Item ids (default: all).", show_default=False)] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    workspace: WorkspaceOption = None,
    look: LookOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show items: their sentences with gaps (__) and critical regions ([ ]), findings and decisions."""
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.cli.door import spoken
    from gapsmith.app.item_view import as_data, as_text
    from gapsmith.app.stages.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.templates import GapsmithError
    from gapsmith.vetting import resolve_labels

    with open_workspace(workspace) as ws:
        selection = ItemFilter(paradigm=paradigm, dataset=dataset)
        if items:
            selection = ItemFilter(ids=tuple(resolve_labels(ws.bank, items, selection)))
        look_or_say(ws.bank, selection, spoken(), look=look)
        found = ws.bank.items.iterate(selection)
        if as_json:
            print_json([as_data(ws.bank, item) for item in found])
            return
        shown = 0
        for item in found:
            print_text(as_text(ws.bank, item))
            shown += 1
        if not shown:
            raise GapsmithError("there are no items here", hint="Make some with `gapsmith generate`.")
