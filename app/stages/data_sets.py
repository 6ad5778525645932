"""Data sets under other names, out of the way and back, and those that come with gapsmith."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gapsmith.app.chosen import as_said
from gapsmith.app.listed import Listed
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.bringing import Import
from gapsmith.app.requests.deciding import Decide
from gapsmith.app.requests.keeping import ListDatasets, LoadDataset, RemoveDataset, RenameDataset, UndoDataset
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.deciding_items import decide
from gapsmith.app.stages.importing_items import import_file
from gapsmith.app.vetted_sets import vetted_set
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Brought, ItemFilter
from gapsmith.templates import GapsmithError, count
from gapsmith.vetting import Decided


@dataclass(frozen=True, slots=True)
class DatasetRow:
    """A data set as it stands."""

    name: str
    paradigm: str
    items: int
    removed: bool
    told: tuple[str, ...]
    """What people had to say of its files."""


class Datasets(Listed[DatasetRow]):
    """The data sets there are."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class LoadedDataset:
    """A data set that came with gapsmith, as it came in."""

    brought: Brought
    decided: Mapping[str, Decided]
    """By reader; without those whose decisions were here."""
    card: Path
    """Who read it, and where its words are from."""


@dataclass(frozen=True, slots=True)
class DatasetChanged:
    """What became of a data set."""

    paradigm: str
    name: str
    """As it was called before."""
    items: int
    new: str | None = None
    """As it is called now; None where it is out."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A renaming or removal that was taken back."""

    detail: str


def load_dataset(workspace: Workspace, request: LoadDataset, services: Services = QUIET) -> LoadedDataset:
    """What came in; a second time only what is lacking. Raises `GapsmithError`."""
    vetted = vetted_set(request.name)
    came = import_file(workspace, Import(file=vetted.items, paradigm=vetted.paradigm, dataset=request.name), services)
    ids = workspace.bank.items.ids(ItemFilter(paradigm=vetted.paradigm, dataset=request.name))
    known = workspace.bank.decisions.people(ids)
    decided = {
        reader: decide(workspace, Decide(csv=file, by=reader, paradigm=(vetted.paradigm,), dataset=(request.name,)), services)
        for reader, file in vetted.decisions.items()
        if reader not in known
    }
    services.note(f"Who read it, and where its words are from: {vetted.card}")
    return LoadedDataset(came, decided, vetted.card)


def list_datasets(workspace: Workspace, request: ListDatasets, _services: Services = QUIET) -> Datasets:
    """Oldest first."""
    known = workspace.bank.datasets
    found = [own for own in known.all(removed=request.removed) if not request.paradigm or own.paradigm in request.paradigm]
    return Datasets(
        request, tuple(DatasetRow(own.name, own.paradigm, own.items, own.removed, tuple(known.told(own))) for own in found)
    )


def rename_dataset(workspace: Workspace, request: RenameDataset, services: Services = QUIET) -> DatasetChanged:
    """What it is called now. Raises `GapsmithError` where there is no such data set, or the name is taken."""
    bank = as_said(workspace, request.by).bank
    dataset = bank.datasets.find(request.name, said_or_none(request.paradigm))
    bank.datasets.rename(dataset, request.new, author=bank.reader)
    services.note(f"{dataset.paradigm}: data set {request.name} is called {request.new} now")
    return DatasetChanged(dataset.paradigm, dataset.name, dataset.items, request.new)


def remove_dataset(workspace: Workspace, request: RemoveDataset, services: Services = QUIET) -> DatasetChanged:
    """What is out. Raises `GapsmithError` where there is no such data set."""
    bank = as_said(workspace, request.by).bank
    dataset = bank.datasets.find(request.name, said_or_none(request.paradigm))
    bank.datasets.remove(dataset, author=bank.reader)
    services.note(
        f"{dataset.paradigm}: data set {request.name} is out, with its {count(dataset.items, 'item')}; "
        "`gapsmith dataset undo` brings it back"
    )
    return DatasetChanged(dataset.paradigm, dataset.name, dataset.items)


def undo_dataset(workspace: Workspace, request: UndoDataset, services: Services = QUIET) -> TakenBack:
    """What was taken back. Raises `GapsmithError` where the last thing that was done is something else."""
    bank = as_said(workspace, request.by).bank
    author = bank.reader
    action = bank.review.next_action(author, "undo")
    if action is None or action.kind != "dataset":
        last = f"the last thing that {author} did is a {action.kind}" if action else f"{author} did nothing here yet"
        raise GapsmithError(
            f"{last}, not the renaming or removal of a data set", hint="Decisions are taken back in `gapsmith review`."
        )
    bank.decisions.undo(author)
    services.note(f"taken back: {action.detail}")
    return TakenBack(action.detail)
