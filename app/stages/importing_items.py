"""Bringing the items of a file into a workspace."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from pathlib import Path

from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.bringing import Import
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.reading import (
    asking,
    expect_room,
    mapped,
    mapping_of,
    read_options,
    reading_shown,
    save_mapping,
    with_mapping,
)
from gapsmith.app.workspace import Workspace
from gapsmith.bank import (
    Brought,
    Imported,
    ImportOrder,
    ImportPlace,
    ImportServices,
    ParadigmChoice,
    ParadigmOrigin,
    Unread,
    bring_in,
    preview,
)
from gapsmith.bank.formats import Assumption, ForeignSet, differing_columns, grid_of
from gapsmith.templates import count
from gapsmith.vetting.review import edit_of_judged


def import_file(workspace: Workspace, request: Import, services: Services = QUIET) -> Brought:
    """What came in. Raises `GapsmithError` where the file cannot be understood; nothing is imported then."""
    return brought(ImportPlace.of(workspace.root, workspace.bank), request, services)


def brought(place: ImportPlace, request: Import, services: Services) -> Brought:
    """The same, into a bank that may have yet to be made: it is, once everything has been read and checked."""
    with mapped(request):
        return _brought(place, with_mapping(request), services)


def _brought(place: ImportPlace, request: Import, services: Services) -> Brought:
    order = ImportOrder(
        request.file,
        said_or_none(request.paradigm),
        said_or_none(request.dataset),
        update=request.update,
        our_ids=request.our_ids,
        format=said_or_none(request.format),
        options=read_options(request),
        own_paradigm=request.own_paradigm,
        critical=request.critical,
    )
    own = ImportServices(
        asking(services),
        reading_shown(services, request.file),
        lambda found: _say_shape(found, request.file, services),
        lambda choice: _say_choice(choice, services),
        lambda came: _expect_room(came, request),
    )
    if request.preview:
        came = preview(place, order, own)
        _save(came, request, services)
        services.note("Nothing was imported: this is a preview.")
        return came
    came = bring_in(place, order, own)
    _save(came, request, services)
    if came.imported.already_there:
        _say_there(came.imported, request.file.name, came.dataset, services)
    else:
        _say(came.imported, came.dataset, services, update=request.update)
        _say_unread(came.unread, came.found.place_unit, services)
    if came.imported.namesakes and came.imported.items:
        new = "_".join([came.dataset, *(re.sub(r"\W+", "_", name) for name in request.sheet)]) if request.sheet else "NEW"
        rename = f"gapsmith dataset rename {shlex.quote(came.dataset)} {shlex.quote(new)} -p {came.paradigm.name}"
        services.warn(
            f"data set {came.dataset!r} is of {came.paradigm.name}, and one of {', '.join(came.imported.namesakes)} is called so, too: "
            f"what names the data set alone means both. To keep them apart: {rename}"
        )
    if came.imported.other_attributes:
        services.warn(
            f"{count(came.imported.other_attributes, 'item')} had other attributes before; attributes of items that are there"
            " stay as they came."
        )
    return came


def _expect_room(came: Brought, request: Import) -> None:
    if not isinstance(request.save_mapping, Unset):
        expect_room(request.save_mapping, mapping_of(came, request))


def _save(came: Brought, request: Import, services: Services) -> None:
    if not isinstance(request.save_mapping, Unset):
        save_mapping(request.save_mapping, mapping_of(came, request), services)


def preview_text(came: Brought) -> str:
    """What was understood of a file: everything that was taken for something, with how certain it is, the counts, three items."""
    found, paradigm = came.found, came.paradigm
    sentences = [sentence for item in found.items for sentence in item.sentences]
    lines = [f"{count(len(found.items), 'item')}, {count(len(sentences), 'sentence')}, data set {came.dataset}", ""]
    lines.append("taken for")
    for taken in (*found.assumptions, _paradigm_taken(came)):
        otherwise = f"; {taken.option} says otherwise" if taken.option and taken.sure != "said" else ""
        lines.append(f"  {taken.sure:<8} {taken}{otherwise}")
    lines += ["", "conditions"]
    times = Counter(sentence.condition for sentence in sentences)
    for label in found.conditions:
        name = came.choice.fit.conditions.get(label, label)
        own = paradigm.condition_by_name.get(name)
        said = own.expected if own is not None else ""
        critical = own.critical if own is not None else None
        lines.append(
            f"  {label}{f' is {name}' if name != label else ''}: {count(times[label], 'sentence')}"
            f"{f', expected {said}' if said else ''}; critical region {critical or 'not said'}"
        )
    if found.regions:
        lines += ["", f"regions: {', '.join(region.name for region in found.regions)}"]
    unequal = Counter(tuple(sorted(s.condition for s in item.sentences)) for item in found.items if item.sentences)
    if len(unequal) > 1:
        usual = unequal.most_common(1)[0][0]
        others = [item.label for item in found.items if tuple(sorted(s.condition for s in item.sentences)) != usual]
        shown = ", ".join(others[:6]) + (" …" if len(others) > 6 else "")
        lines += ["", f"{count(len(others), 'item')} with other conditions than most: {shown}"]
    lines += ["", *(f"to do: {line}" for line in (*differing_columns(found), *came.choice.to_do))]
    lines += [grid_of(found)]
    return "\n".join(lines)


_WAYS = {
    ParadigmOrigin.NAMED: ("as said", "said"),
    ParadigmOrigin.BOUND: ("the data set is of it", "certain"),
    ParadigmOrigin.IN_COLUMN: ("all rows name it in the column sentence_type", "certain"),
    ParadigmOrigin.BY_WORDS: ("its words make the sentences", "certain"),
    ParadigmOrigin.AS_BEFORE: ("this very file came in with it", "certain"),
    ParadigmOrigin.AS_PAIRS: ("the one of minimal pairs of all files", "certain"),
    ParadigmOrigin.DRAFTED: ("a new one, for this file alone", "certain"),
}


def _paradigm_taken(came: Brought) -> Assumption:
    why, sure = _WAYS[came.choice.way]
    return Assumption("paradigm", came.paradigm.name, why, "said" if sure == "said" else "certain", "--paradigm")


def _say_shape(found: ForeignSet, file: Path, services: Services) -> None:
    sentences = sum(len(item.sentences) for item in found.items)
    counts = [count(len(found.items), "item"), *([count(sentences, "sentence")] if sentences else [])]
    services.note(f"{file.name}: {found.what}; {', '.join(counts)}")
    for line in found.notes:
        services.note(f"  {line}")
    for taken in found.assumptions:
        if taken.sure == "assumed":
            services.note(f"  assumed {taken}{f'; {taken.option} says otherwise' if taken.option else ''}")
    for line in differing_columns(found):
        services.warn(line)


def _say_choice(choice: ParadigmChoice, services: Services) -> None:
    for line in choice.notes:
        services.note(f"  {line}")
    for line in choice.to_do:
        services.warn(line)


def _say(done: Imported, dataset: str, services: Services, *, update: bool) -> None:
    run = f" (run {done.run.id})" if done.run is not None else ""
    services.note(f"Imported {count(done.items, 'item')} into data set {dataset!r}{run}.")
    if update:
        services.note(
            f"{done.changed:,} that were there have a new revision and wait for a decision; {done.same:,} are the same."
        )
    if done.judged:
        services.warn(edit_of_judged(done.judged))


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
    run = done.run.id if done.run is not None else "-"
    if done.unlike:
        be = "is" if done.unlike == 1 else "are"
        services.note(
            f"{file} was imported into data set {dataset!r} before (run {run}), but {done.unlike:,} of its items {be} "
            "no longer there as the file has them; nothing was imported. --update brings them back."
        )
    else:
        services.note(f"{file} is in data set {dataset!r} already (run {run}); nothing was imported.")
