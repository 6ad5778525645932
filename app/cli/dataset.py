"""`gapsmith dataset`: the named collections of items, under other names or out of the way."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import count

app = typer.Typer(help="Data sets: list them, load a vetted one, rename one, take one out.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="The data set's name.")]
ByOption = Annotated[str | None, typer.Option("--by", help="Who does this (default: `annotator` of the settings).")]


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


@app.command("load")
def load(name: Annotated[str, typer.Argument(help="gaps40 or refined10.")], workspace: WorkspaceOption = None) -> None:
    """Put a vetted data set that comes with gapsmith into the workspace, with the decisions of its two readers."""
    from gapsmith.app.cli.app import app as program
    from gapsmith.app.cli.console import note
    from gapsmith.app.studies.study import vetted_set
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter

    vetted = vetted_set(name)
    where = [] if workspace is None else ["--workspace", str(workspace)]
    program(["import", str(vetted.items), "-p", vetted.paradigm, "-d", name, *where], standalone_mode=False)
    with open_workspace(workspace) as ws:
        ids = ws.bank.items.ids(ItemFilter(paradigm=vetted.paradigm, dataset=name))
        known = ws.bank.decisions.people(ids)
    for reader, file in vetted.decisions.items():
        if reader not in known:
            decide = ["decide", "--csv", str(file), "--by", reader, "-p", vetted.paradigm, "-d", name]
            program([*decide, *where], standalone_mode=False)
    note(f"Who read it, and where its words are from: {vetted.card}")


@app.command("rename")
def rename(
    name: NameArgument,
    new: Annotated[str, typer.Argument(help="Its new name.")],
    paradigm: ParadigmOption = None,
    by: ByOption = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Give a data set another name. `gapsmith dataset undo` takes it back."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace, reader=by) as ws:
        dataset = ws.bank.datasets.find(name, paradigm)
        ws.bank.datasets.rename(dataset, new, author=ws.bank.reader)
        note(f"{dataset.paradigm}: data set {name} is called {new} now")


@app.command("remove")
def remove(name: NameArgument, paradigm: ParadigmOption = None, by: ByOption = None, workspace: WorkspaceOption = None) -> None:
    """Take a data set out of all lists, scores and analyses. Nothing is deleted: `gapsmith dataset undo` brings it back."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace, reader=by) as ws:
        dataset = ws.bank.datasets.find(name, paradigm)
        ws.bank.datasets.remove(dataset, author=ws.bank.reader)
        note(
            f"{dataset.paradigm}: data set {name} is out, with its {count(dataset.items, 'item')}; "
            "`gapsmith dataset undo` brings it back"
        )


@app.command("undo")
def undo(by: ByOption = None, workspace: WorkspaceOption = None) -> None:
    """Take back the last renaming or removal, where that was the last thing you did."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import open_workspace
    from gapsmith.templates import GapsmithError

    with open_workspace(workspace, reader=by) as ws:
        author = ws.bank.reader
        action = ws.bank.review.next_action(author, "undo")
        if action is None or action.kind != "dataset":
            last = f"the last thing that {author} did is a {action.kind}" if action else f"{author} did nothing here yet"
            raise GapsmithError(
                f"{last}, not the renaming or removal of a data set",
                hint="Decisions are taken back in `gapsmith review`.",
            )
        ws.bank.decisions.undo(author)
        note(f"taken back: {action.detail}")
