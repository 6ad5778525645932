"""Bringing the items of a file into a workspace."""

from __future__ import annotations

from pathlib import Path

from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.bringing import Import
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.reading import order_by_asking, read_options, reading_shown
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Brought, Imported, ImportOrder, ImportPlace, ImportServices, ParadigmChoice, Unread, bring_in
from gapsmith.bank.formats import ForeignSet, differing_columns
from gapsmith.templates import count


def import_file(workspace: Workspace, request: Import, services: Services = QUIET) -> Brought:
    """What came in. Raises `GapsmithError` where the file cannot be understood; nothing is imported then."""
    return brought(ImportPlace.of(workspace.root, workspace.bank), request, services)


def brought(place: ImportPlace, request: Import, services: Services) -> Brought:
    """The same, into a bank that may have yet to be made: it is, once everything has been read and checked."""
    order = ImportOrder(
        request.file,
        said_or_none(request.paradigm),
        said_or_none(request.dataset),
        update=request.update,
        our_ids=request.our_ids,
        format=said_or_none(request.format),
        options=read_options(request),
    )
    own = ImportServices(
        order_by_asking(services),
        reading_shown(services, request.file),
        lambda found: _say_shape(found, request.file, services),
        lambda choice: _say_choice(choice, services),
    )
    came = bring_in(place, order, own)
    if came.imported.already_there:
        _say_there(came.imported, request.file.name, came.dataset, services)
    else:
        _say(came.imported, came.dataset, services, update=request.update)
        _say_unread(came.unread, came.found.place_unit, services)
    if came.imported.other_attributes:
        services.warn(
            f"{count(came.imported.other_attributes, 'item')} had other attributes before; attributes of items that are there"
            " stay as they came."
        )
    return came


def _say_shape(found: ForeignSet, file: Path, services: Services) -> None:
    sentences = sum(len(item.sentences) for item in found.items)
    counts = [count(len(found.items), "item"), *([count(sentences, "sentence")] if sentences else [])]
    services.note(f"{file.name}: {found.what}; {', '.join(counts)}")
    for line in found.notes:
        services.note(f"  {line}")
    for line in differing_columns(found):
        services.warn(line)


def _say_choice(choice: ParadigmChoice, services: Services) -> None:
    for line in choice.notes:
        services.note(f"  {line}")
    for line in choice.to_do:
        services.warn(line)


def _say(done: Imported, dataset: str, services: Services, *, update: bool) -> None:
    services.note(f"Imported {count(done.items, 'item')} into data set {dataset!r} (run {done.run.id}).")
    if update:
        services.note(
            f"{done.changed:,} that were there have a new revision and wait for a decision; {done.same:,} are the same."
        )


def _say_unread(unread: tuple[Unread, ...], unit: str, services: Services) -> None:
    if unread:
        do = "does" if len(unread) == 1 else "do"
        services.note(
            f"{len(unread):,} of the file's items {do} not read back in every sentence; `gapsmith lint` says where and why."
        )
    for entry in unread[:3]:
        line = f" ({unit} {entry.line})" if entry.line else ""
        services.note(f"  item {entry.label}, {entry.condition}{line}: {entry.why}")


def _say_there(done: Imported, file: str, dataset: str, services: Services) -> None:
    if done.unlike:
        be = "is" if done.unlike == 1 else "are"
        services.note(
            f"{file} was imported into data set {dataset!r} before (run {done.run.id}), but {done.unlike:,} of its items {be} "
            "no longer there as the file has them; nothing was imported. --update brings them back."
        )
    else:
        services.note(f"{file} is in data set {dataset!r} already (run {done.run.id}); nothing was imported.")
