"""`gapsmith import`: bring item sets in from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.file_options import (
    AttributeOption,
    ConditionColumnOption,
    EncodingOption,
    FirstOption,
    FormatOption,
    RegionOption,
    SheetOption,
)
from gapsmith.app.cli.options import JsonOption, OurIdsOption, WorkspaceOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gapsmith.app.importing import ParadigmChoice
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import Imported, NewItems, Unread
    from gapsmith.bank.formats import ForeignSet, ReadOptions


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("import")(import_file)


def import_file(
    file: Annotated[
        Path,
        typer.Argument(help="A suite, pairs, regions, slots, or a table of sentences; CSV, xlsx, JSON, text."),
    ],
    paradigm: Annotated[
        str | None,
        typer.Option(
            "--paradigm",
            "-p",
            help="What the items are: a paradigm's name, or a .toml file (default: the one that fits, else a new one).",
            show_default=False,
        ),
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", "-d", help="The data set they go into (default: the file's name).", show_default=False),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Items whose ids are there already get a new revision from the file.")
    ] = False,
    our_ids: OurIdsOption = False,
    format: FormatOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    first: FirstOption = None,
    attribute: AttributeOption = None,
    region: RegionOption = None,
    condition_column: ConditionColumnOption = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring items in, from any file of sentences. Their ids are kept.

    What the file is, is found out and said. Without --paradigm the fitting one is taken, or one is drafted into the
    workspace's paradigms/. A file that cannot be understood (columns, encoding, a label that means no condition) is refused with
    the line, and nothing is imported. Missing, doubled or malformed sentences come in, and `gapsmith lint` says what is wrong.

    Examples: `gapsmith import items.csv`, `gapsmith import suite.json`, `gapsmith import pairs.txt --first good`.
    """
    from gapsmith.app.cli.console import print_json, say_where
    from gapsmith.app.cli.file_options import asking, read_options
    from gapsmith.app.importing import said_of
    from gapsmith.app.interrupts import StoppedError, stoppable
    from gapsmith.app.workspace import open_workspace, place_of

    options = read_options(
        encoding=encoding,
        sheet=sheet,
        first=first,
        attributes=attribute,
        regions=region,
        condition_columns=condition_column,
    )
    name = dataset or file.stem
    nothing = StoppedError(
        f"stopped: nothing of {file.name} was imported",
        hint="A file comes in whole or not at all; run the same command again.",
    )
    # Everything is read and checked before a workspace is made or a row is kept.
    try:
        with stoppable():
            found, options = asking(options, lambda asked: _read(file, format=format, options=asked))
            choice, made = _understood(found, file, paradigm, name, place_of(workspace), update=update)
    except KeyboardInterrupt:
        raise nothing from None
    said = said_of(options, format)
    with open_workspace(workspace, create=True) as ws:
        say_where(ws)
        runs = len(ws.bank.runs.all())
        try:
            with stoppable():
                done = _stored(ws, found, choice, made, file=file, dataset=name, said=said, update=update, our_ids=our_ids)
        except KeyboardInterrupt:
            if len(ws.bank.runs.all()) > runs:
                raise StoppedError(f"stopped, after all of {file.name} had been imported") from None
            raise nothing from None
    if as_json:
        print_json(
            {
                "run": done.run.id,
                "format": found.shape,
                "paradigm": choice.fit.paradigm.name,
                "drafted": choice.drafted is not None,
                "dataset": name,
                "told": list(found.told),
                "items": done.items,
                "changed": done.changed,
                "same": done.same,
                "aligned": 0 if done.already_there else sum(item.slots is not None for item in made.items),
            }
        )
    if done.already_there:
        _say_there(done, file.name, name)
        return
    _say(done, name, made.unread, found.place_unit, update=update)


def _read(file: Path, *, format: str | None, options: ReadOptions) -> ForeignSet:
    """What the file says."""
    from gapsmith.app.cli.console import progress_bar
    from gapsmith.bank.formats import read_foreign

    with progress_bar(f"reading {file.name}", None) as bar:
        return read_foreign(file, format=format, options=options, progress=lambda n: bar.update(bar.task_ids[0], completed=n))


def _understood(
    found: ForeignSet, file: Path, paradigm: str | None, dataset: str, root: Path, *, update: bool
) -> tuple[ParadigmChoice, NewItems]:
    """The paradigm of a file that was read, and its items; what was found out is said."""
    from gapsmith.app.cli.console import note, progress_bar, warning
    from gapsmith.app.importing import choose_paradigm
    from gapsmith.bank import new_items
    from gapsmith.bank.formats import differing_columns
    from gapsmith.templates import count

    sentences = sum(len(item.sentences) for item in found.items)
    counts = [count(len(found.items), "item"), *([count(sentences, "sentence")] if sentences else [])]
    note(f"{file.name}: {found.what}; {', '.join(counts)}")
    for line in found.notes:
        note(f"  {line}")
    for line in differing_columns(found):
        warning(line)
    choice = choose_paradigm(found, root, paradigm, str(file), dataset=dataset, update=update)
    for line in choice.notes:
        note(f"  {line}")
    for line in choice.to_do:
        warning(line)
    with progress_bar("reading back", len(found.items)) as bar:
        made = new_items(
            found,
            choice.fit,
            dataset=dataset,
            file=str(file),
            progress=lambda n: bar.update(bar.task_ids[0], completed=n),
        )
    return choice, made


def _stored(
    ws: Workspace,
    found: ForeignSet,
    choice: ParadigmChoice,
    made: NewItems,
    *,
    file: Path,
    dataset: str,
    said: Mapping[str, object],
    update: bool,
    our_ids: bool,
) -> Imported:
    from gapsmith.app.cli.console import progress_bar
    from gapsmith.app.importing import keep

    with progress_bar("storing", len(made.items)) as bar:
        return keep(
            ws.bank,
            found,
            choice,
            made,
            file=file.name,
            dataset=dataset,
            said=said,
            update=update,
            our_ids=our_ids,
            progress=lambda n: bar.update(bar.task_ids[0], completed=n),
        )


def _say(done: Imported, dataset: str, unread: tuple[Unread, ...], unit: str, *, update: bool) -> None:
    from gapsmith.app.cli.console import note
    from gapsmith.templates import count

    note(f"Imported {count(done.items, 'item')} into data set {dataset!r} (run {done.run.id}).")
    if update:
        note(f"{done.changed:,} that were there have a new revision and wait for a decision; {done.same:,} are the same.")
    _warn_of_attributes(done)
    if unread:
        do = "does" if len(unread) == 1 else "do"
        note(f"{len(unread):,} of the file's items {do} not read back in every sentence; `gapsmith lint` says where and why.")
    for entry in unread[:3]:
        line = f" ({unit} {entry.line})" if entry.line else ""
        note(f"  item {entry.label}, {entry.condition}{line}: {entry.why}")


def _say_there(done: Imported, file: str, dataset: str) -> None:
    from gapsmith.app.cli.console import note

    if done.unlike:
        be = "is" if done.unlike == 1 else "are"
        note(
            f"{file} was imported into data set {dataset!r} before (run {done.run.id}), but {done.unlike:,} of its items {be} "
            "no longer there as the file has them; nothing was imported. --update brings them back."
        )
    else:
        note(f"{file} is in data set {dataset!r} already (run {done.run.id}); nothing was imported.")
    _warn_of_attributes(done)


def _warn_of_attributes(done: Imported) -> None:
    from gapsmith.app.cli.console import warning
    from gapsmith.templates import count

    if done.other_attributes:
        warning(
            f"{count(done.other_attributes, 'item')} had other attributes before; attributes of items that are there stay as "
            "they came."
        )
