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
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from gapsmith.bank import Bank, Imported, ImportPlace, ParadigmChoice, Unread
    from gapsmith.bank.formats import ForeignSet, Progress


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
    from gapsmith.app.cli.console import print_json
    from gapsmith.app.cli.file_options import ask_order, read_options
    from gapsmith.app.interrupts import StoppedError, stoppable
    from gapsmith.bank import ImportOrder, ImportServices, bring_in

    options = read_options(
        encoding=encoding,
        sheet=sheet,
        first=first,
        attributes=attribute,
        regions=region,
        condition_columns=condition_column,
    )
    order = ImportOrder(file, paradigm, dataset, update=update, our_ids=our_ids, format=format, options=options)
    services = ImportServices(ask_order, _progress_of(file), lambda found: _say_shape(found, file), _say_choice)
    try:
        with stoppable():
            brought = bring_in(_place(workspace, file), order, services)
    except KeyboardInterrupt:
        raise StoppedError(
            f"stopped: nothing of {file.name} was imported",
            hint="A file comes in whole or not at all; run the same command again.",
        ) from None
    done = brought.imported
    if as_json:
        items = () if done.already_there else brought.choice.items
        print_json(
            {
                "run": done.run.id,
                "format": brought.found.shape,
                "paradigm": brought.paradigm.name,
                "drafted": brought.choice.drafted is not None,
                "dataset": brought.dataset,
                "told": list(brought.found.told),
                "items": done.items,
                "changed": done.changed,
                "same": done.same,
                "aligned": sum(item.slots is not None for item in items),
            }
        )
    if done.already_there:
        _say_there(done, file.name, brought.dataset)
    else:
        _say(done, brought.dataset, brought.unread, brought.found.place_unit, update=update)


def _place(workspace: Path | None, file: Path) -> ImportPlace:
    """The workspace that there is, or that is made once everything has been read and checked."""
    from contextlib import contextmanager

    from gapsmith.app.cli.console import say_where
    from gapsmith.app.interrupts import StoppedError
    from gapsmith.app.workspace import bank_there, open_workspace, place_of
    from gapsmith.bank import ImportPlace

    @contextmanager
    def made() -> Iterator[Bank]:
        with open_workspace(workspace, create=True) as ws:
            say_where(ws)
            runs = len(ws.bank.runs.all())
            try:
                yield ws.bank
            except KeyboardInterrupt:
                if len(ws.bank.runs.all()) > runs:
                    raise StoppedError(f"stopped, after all of {file.name} had been imported") from None
                raise

    root = place_of(workspace)
    return ImportPlace(root, lambda: bank_there(root), made)


def _progress_of(file: Path) -> Callable[[str, int | None], AbstractContextManager[Progress]]:
    from gapsmith.app.cli.file_options import progress

    return lambda stage, total: progress(f"reading {file.name}" if stage == "reading" else stage, total)


def _say_shape(found: ForeignSet, file: Path) -> None:
    from gapsmith.app.cli.console import note, warning
    from gapsmith.bank.formats import differing_columns
    from gapsmith.templates import count

    sentences = sum(len(item.sentences) for item in found.items)
    counts = [count(len(found.items), "item"), *([count(sentences, "sentence")] if sentences else [])]
    note(f"{file.name}: {found.what}; {', '.join(counts)}")
    for line in found.notes:
        note(f"  {line}")
    for line in differing_columns(found):
        warning(line)


def _say_choice(choice: ParadigmChoice) -> None:
    from gapsmith.app.cli.console import note, warning

    for line in choice.notes:
        note(f"  {line}")
    for line in choice.to_do:
        warning(line)


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
