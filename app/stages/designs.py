"""The designs there are, what one says, whether a file is sound, and how it differs from what items were made with."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import as_said
from gapsmith.app.listed import Listed
from gapsmith.app.paradigm_check import CheckResult, check_paradigm
from gapsmith.app.paradigm_update import FormDifference, Updated, differences, update_items
from gapsmith.app.requests.designing import CheckParadigm, DiffParadigm, ListParadigms, ShowParadigm, UpdateParadigm
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace, root_of
from gapsmith.templates import GapsmithError, Paradigm, load_paradigm, paradigm_files
from gapsmith.vetting.review import edit_of_judged

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ParadigmRow:
    """A paradigm's file, or what is wrong with it."""

    name: str
    path: str
    title: str = ""
    version: int | None = None
    conditions: tuple[str, ...] = ()
    predictions: tuple[str, ...] = ()
    """Names of contrasts and criteria."""
    designs: Mapping[str, Mapping[str, str]] | None = None
    exhaustive: bool | None = None
    given: bool | None = None
    error: str | None = None
    hint: str | None = None


class Paradigms(Listed[ParadigmRow]):
    """The paradigms there are."""

    __slots__ = ()

    @property
    def broken(self) -> tuple[ParadigmRow, ...]:
        """The files that cannot be read."""
        return tuple(row for row in self.rows if row.error is not None)


@dataclass(frozen=True, slots=True)
class ParadigmShown:
    """One paradigm."""

    request: ShowParadigm
    paradigm: Paradigm

    def __str__(self) -> str:
        from gapsmith.app.paradigm_view import as_text

        return as_text(self.paradigm)

    def as_data(self) -> dict[str, Any]:
        """Everything that it says, as JSON takes it."""
        from gapsmith.app.paradigm_view import as_data

        return as_data(self.paradigm)


@dataclass(frozen=True, slots=True)
class ParadigmChecked(Listed[CheckResult]):
    """What was checked of a paradigm."""

    paradigm: Paradigm

    @property
    def is_sound(self) -> bool:
        """Whether everything holds."""
        return all(row.ok for row in self.rows)

    def row_data(self, row: CheckResult) -> dict[str, Any]:
        """A check as JSON takes it."""
        return {"check": row.what, "ok": row.ok, "warns": row.warns, "detail": row.detail}


@dataclass(frozen=True, slots=True)
class ParadigmDiffers(Listed[FormDifference]):
    """How a paradigm's file differs from what its items were made with; no rows where it does not."""

    n_items: int


@dataclass(frozen=True, slots=True)
class ParadigmUpdated:
    """What an update of items did, or would do."""

    request: UpdateParadigm
    counts: Updated

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON takes them."""
        return asdict(self.counts)


def list_paradigms(
    source: Workspace | str | os.PathLike[str] | None, request: ListParadigms, _services: Services = QUIET
) -> Paradigms:
    """A file that cannot be read is a row with its fault. `source` is a workspace or where one is (None: from here upwards);
    without one there are those that ship."""
    root = root_of(source)
    found: list[ParadigmRow] = []
    broken: dict[str, ParadigmRow] = {}
    for name, path in paradigm_files(root).items():
        try:
            found.append(_row(load_paradigm(name, root)))
        except GapsmithError as error:
            broken[path.stem] = ParadigmRow(path.stem, str(path), error=error.message, hint=error.hint)
    return Paradigms(request, (*found, *broken.values()))


def _row(paradigm: Paradigm) -> ParadigmRow:
    return ParadigmRow(
        name=paradigm.name,
        path=str(paradigm.path),
        title=paradigm.title,
        version=paradigm.version,
        conditions=tuple(condition.name for condition in paradigm.conditions),
        predictions=(*(one.name for one in paradigm.contrasts), *(one.name for one in paradigm.criteria)),
        designs={design.name: dict(design.labels) for design in paradigm.designs},
        exhaustive=paradigm.exhaustive,
        given=paradigm.given,
    )


def show_paradigm(
    source: Workspace | str | os.PathLike[str] | None, request: ShowParadigm, _services: Services = QUIET
) -> ParadigmShown:
    """Raises `ConfigError` where there is none of that name, or its file cannot be read."""
    return ParadigmShown(request, load_paradigm(request.name, root_of(source)))


def check(
    source: Workspace | str | os.PathLike[str] | None, request: CheckParadigm, _services: Services = QUIET
) -> ParadigmChecked:
    """Each check with what it found. Raises `ConfigError` for a file that cannot be read at all."""
    root = root_of(source)
    paradigm = load_paradigm(request.name, root)
    return ParadigmChecked(request, tuple(check_paradigm(paradigm, root, n=request.n)), paradigm)


def diff(workspace: Workspace, request: DiffParadigm, _services: Services = QUIET) -> ParadigmDiffers:
    """A row for each content of the file that items were made with. Raises `GapsmithError` where the paradigm has no items."""
    rows = tuple(differences(workspace.bank, request.name))
    return ParadigmDiffers(request, rows, sum(items for _, items in workspace.bank.paradigms.versions(request.name)))


def update(workspace: Workspace, request: UpdateParadigm, services: Services = QUIET) -> ParadigmUpdated:
    """One undo takes it back. Raises `GapsmithError` where the paradigm has no items."""
    bank, name = as_said(workspace, request.by).bank, request.name
    done = update_items(bank, name, author=bank.reader, dry_run=request.dry_run)
    if not done.items:
        services.note(f"{name}: all items have the form of its file already")
        return ParadigmUpdated(request, done)
    would = "would be" if request.dry_run else "were"
    lost = f"; {done.unaligned:,} with a sentence that the form does not give" if done.unaligned else ""
    services.note(
        f"{name}: {done.items:,} items {would} brought up to date: {done.same_texts:,} keep their texts, decisions and scores, "
        f"{done.new_texts:,} have new texts and wait for decisions{lost}"
    )
    if done.judged:
        services.warn(edit_of_judged(done.judged))
    return ParadigmUpdated(request, done)
