"""`gapsmith dataset`: the named collections of items, under other names or out of the way."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, ParadigmOption, WorkspaceOption

app = typer.Typer(help="Data sets: list them, load a vetted one, rename one, take one out.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="dataset")


@app.command("list")
def list_datasets(
    paradigm: ParadigmOption = None,
    removed: Annotated[bool, typer.Option("--removed", help="Also those that were taken out.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The data sets, with how many items each has, and what people had to say of their files."""
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import note, print_json, print_table
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace) as ws:
        found = ws.bank.datasets.all(paradigm, removed=removed)
        told = {d.uid: ws.bank.datasets.told(d) for d in found}
    if as_json:
        print_json(
            [{"name": d.name, "paradigm": d.paradigm, "items": d.items, "removed": d.removed, "told": told[d.uid]} for d in found]
        )
        return
    if not found:
        note("There are no data sets yet; `gapsmith generate` and `gapsmith import` make them.")
        return
    said = any(told.values())
    table = Table("data set", "paradigm", "items", *(["removed"] if removed else []), *(["told of its files"] if said else []))
    for d in found:
        row = [d.name, d.paradigm, f"{d.items:,}", *(["yes" if d.removed else ""] if removed else [])]
        row += ["; ".join(told[d.uid])] if said else []
        table.add_row(*map(Text, row))
    print_table(table)
