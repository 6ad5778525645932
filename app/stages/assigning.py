"""Sharing items out: who reads which, with an overlap, and items whose verdict is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.deciding import Assign
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter, Matcher, Verdict
from gapsmith.bank.formats import read_annotations
from gapsmith.templates import ConfigError
from gapsmith.vetting import share_out

_NOTHING = "Nothing was assigned."


@dataclass(frozen=True, slots=True)
class Assigned:
    """How items were shared out."""

    items: int
    overlap: int
    """Items that several people read."""
    known: int
    """Items that calibrate."""
    loads: Mapping[str, int]
    """Items by reader."""


def assign(workspace: Workspace, request: Assign, services: Services = QUIET) -> Assigned:
    """Who reads how many. Raises `GapsmithError` where that cannot be; nothing is assigned then."""
    bank = as_said(workspace, request.by).bank
    with bank.transaction():
        selection = selection_of(bank, request)
        ids = bank.items.ids(selection)
        if not ids:
            raise ConfigError("there is nothing to assign here", hint="Check --paradigm and --dataset.")
        verdicts = _known(bank, request, selection)
        others = [item_id for item_id in ids if item_id not in verdicts]
        given = share_out(others, request.to, overlap=request.overlap, readers=request.readers, seed=request.seed)
        doubled = sum(len(names) > 1 for names in given.values())
        given |= dict.fromkeys(verdicts, request.to)
        bank.assignments.assign(given, verdicts, by=bank.reader)
    counted = Counter(name for names in given.values() for name in names)
    loads = {name: counted[name] for name in request.to}
    for name, load in loads.items():
        services.note(f"{name}: {load:,} items")
    services.note(f"{len(given):,} items; {doubled:,} of them have several readers, {len(verdicts):,} calibrate")
    return Assigned(len(given), doubled, len(verdicts), loads)


def _known(bank: Bank, request: Assign, selection: ItemFilter) -> dict[int, Verdict]:
    if isinstance(request.known, Unset):
        return {}
    verdicts: dict[int, Verdict] = {}
    finder = Matcher(bank, request.known, selection, our_ids=request.our_ids, unchanged=_NOTHING)
    for row in read_annotations(request.known, unchanged=_NOTHING).decisions:
        item_id = finder.find(row.reference).id
        if verdicts.setdefault(item_id, row.verdict) is not row.verdict:
            raise ConfigError(
                f"{request.known}, line {row.reference.line}: item {row.reference.label} has another verdict above",
                hint=_NOTHING,
            )
    return verdicts
