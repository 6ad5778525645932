"""`gapsmith import`: bring item sets in from files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.cli.options import JsonOption, WorkspaceOption

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("import")(import_file)


def import_file(
    file: Annotated[Path, typer.Argument(help="A four- or eight-condition .csv, or slots as .jsonl.")],
    paradigm: Annotated[
        str, typer.Option("--paradigm", "-p", help="What the items are: a paradigm's name, or a .toml file.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option(
            "--dataset", "-d", help="The data set they go into (default: the file's name).", show_default=False
        ),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Items whose ids are there already get a new revision from the file.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring items in. Their ids are kept.

    A file with structural faults (columns, encoding, a label that means no condition) is refused with the line, and nothing
    is imported. Missing, doubled or malformed sentences come in, and `gapsmith lint` says what is wrong with them.
    """
    from bank.importing import import_file as bring_in
    from bank.importing import read_items
    from gapsmith.cli.console import note, print_json, say_where
    from gapsmith.interrupts import StoppedError, stoppable
    from gapsmith.workspace import find_workspace, open_workspace, trial_workspace

    name = dataset or file.stem
    if find_workspace(workspace) is None:
        # A workspace is made only for a file that can be read.
        with trial_workspace(workspace) as trial:
            read_items(file, trial.paradigm(paradigm), name)
    with open_workspace(workspace, create=True) as ws:
        say_where(ws)
        runs = len(ws.bank.runs.all())
        try:
            with stoppable():
                done = bring_in(ws.bank, file, ws.paradigm(paradigm), dataset=name, update=update)
        except KeyboardInterrupt:
            if len(ws.bank.runs.all()) > runs:
                raise StoppedError(f"stopped, after all of {file.name} had been imported") from None
            raise StoppedError(
                f"stopped: nothing of {file.name} was imported",
                hint="A file comes in whole or not at all; run the same command again.",
            ) from None
        if as_json:
            print_json(
                {
                    "run": done.run.id,
                    "dataset": name,
                    "items": done.items,
                    "changed": done.changed,
                    "same": done.same,
                    "aligned": done.aligned,
                }
            )
        if done.already_there:
            note(f"{file.name} is in data set {name!r} already (run {done.run.id}); nothing was imported.")
            return
        note(f"Imported {done.items:,} items into data set {name!r} (run {done.run.id}).")
        if update:
            note(
                f"{done.changed:,} that were there have a new revision and wait for a decision; {done.same:,} are the same."
            )
        read = done.items + done.changed + done.same
        if done.aligned < read:
            note(
                f"{read - done.aligned:,} of the file's items do not read back into slots; `gapsmith lint` says where and why."
            )
