"""Grids of learners: trained cell by cell, scored like any model, and counted for the model of table 12."""

from __future__ import annotations

import csv
import multiprocessing
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import device_for
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.learning import TrainGrid
from gapsmith.app.requests.measuring import Score
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.learners import CELLS_FILE, COUNTS_FILE
from gapsmith.app.stages.scoring import scored
from gapsmith.app.workspace import Workspace, find_workspace, open_workspace, settings_of
from gapsmith.scoring.analysis import read_model_name
from gapsmith.scoring.analysis.posh import SUBCATEGORIES, evaluate
from gapsmith.templates import ConfigError, GapsmithError, count
from gapsmith.training import (
    FACTS,
    Cell,
    CellEstimate,
    CellOutcome,
    Examination,
    LearnerGrid,
    calibrate,
    cell_done,
    draw_grid,
    kept_parses,
    load_grid,
    make_texts,
    read_grid,
    run_grid,
)

if TYPE_CHECKING:
    import pandas

FIGURE_FILE, TEXTS_FOLDER = "attention.svg", "texts"
_COUNTS = ("model", "corpus", "size_million", "filtered", "seed", "phenomenon", "correct", "n")


@dataclass(frozen=True, slots=True)
class GridMade:
    """A grid of learners."""

    request: TrainGrid
    outcomes: tuple[CellOutcome, ...]
    """What became of each cell; of a dry run, nothing."""
    estimates: tuple[CellEstimate, ...]
    """How long each kind of cell takes, of those that were not done."""
    counts: Path | None = None
    """Right answers for `gapsmith study posh --counts`, where scores were asked for and any cell says what the model wants to know."""

    @property
    def folders(self) -> tuple[Path, ...]:
        """The models."""
        return tuple(own.folder for own in self.outcomes if not own.problem)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each cell: name, kind, seed, folder, seconds, valid_loss, problem, hint."""
        import pandas

        return pandas.DataFrame([_row(own) for own in self.outcomes], columns=list(CellOutcome.__dataclass_fields__))

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html


def train_grid(source: Workspace | str | os.PathLike[str] | None, request: TrainGrid, services: Services = QUIET) -> GridMade:
    """Train the cells that are not done, and score the workspace's items where that is asked for. `source` is a workspace or where one is
    (None: from here upwards): its settings hold.

    Raises `ConfigError` for a grid that does not go together, before anything is trained, and `GapsmithError` where a cell failed, once all
    others are trained."""
    grid = read_grid(request.file, said_or_none(request.minutes))
    texts = grid.texts_of(request.cell)
    try:
        make_texts(texts, request.out / TEXTS_FOLDER, parses=kept_parses(request.out), say=services.note)
    except OSError as error:
        raise _no_room(request.out / TEXTS_FOLDER, error) from None
    cells = load_grid(grid, request.cell, texts=request.out / TEXTS_FOLDER)
    at = None if source is None or isinstance(source, Workspace) else Path(source)
    settings = source.settings if isinstance(source, Workspace) else settings_of(find_workspace(at))
    device = device_for(settings, said_or_none(request.device))
    if (request.score or request.evaluate) and not isinstance(source, Workspace):
        with open_workspace(at) as workspace:
            return _made(grid, cells, workspace, request, device, services)
    return _made(grid, cells, source if isinstance(source, Workspace) else None, request, device, services)


def _made(
    grid: LearnerGrid, cells: list[Cell], workspace: Workspace | None, request: TrainGrid, device: str, services: Services
) -> GridMade:
    cluster = _cluster(said_or_none(request.on))
    workers = _workers(request, device, len(cells))
    threads = 1 if workers > 1 else None
    left = [cell for cell in cells if cell_done(cell, request.out) is None]
    # A grid that is to take less may be measured for less.
    seconds = 20.0 if isinstance(request.minutes, Unset) else min(20.0, request.minutes)
    estimates = calibrate(left, device=device, threads=threads, seconds=seconds) if left else []
    for line in _time_and_cost(estimates, 1 if cluster is not None else workers, request, cluster is not None):
        services.note(line)
    if request.dry_run:
        return GridMade(request, (), tuple(estimates))
    outcomes: list[CellOutcome] = []
    with services.progress("training", len(cells)) as advance:

        def ended(outcome: CellOutcome) -> None:
            outcomes.append(outcome)
            advance(len(outcomes), total=len(cells))
            loss = "" if outcome.valid_loss is None else f", validation loss {outcome.valid_loss:.4f} nats per token"
            services.note(
                f"{outcome.name}: {outcome.problem}"
                if outcome.problem
                else f"{outcome.name} after {_duration(outcome.seconds)}{loss}"
            )

        made = run_grid(
            cells,
            request.out,
            examination=_examination(workspace, request, grid.evaluated),
            device=device,
            workers=workers,
            ray=cluster,
            say=services.note,
            done=ended,
        )
    told = {cell.name: cell.facts for cell in cells}
    columns = [*CellOutcome.__dataclass_fields__, *FACTS]
    _write(request.out / CELLS_FILE, columns, [_row(own) | dict(told[own.name]) for own in made])
    good = [own for own in made if not own.problem]
    try:
        draw_grid({own.kind: own.folder for own in reversed(good)}, request.out / FIGURE_FILE)
    except OSError as error:
        raise _no_room(request.out / FIGURE_FILE, error) from None
    counts = None
    if workspace is not None and request.score:
        _scored(workspace, good, request, services)
        counts = _counted(workspace, cells, good, request, services)
    failed = [own for own in made if own.problem]
    if failed:
        raise GapsmithError(
            f"{len(failed)} of {count(len(made), 'cell')} are not done: "
            + "; ".join(f"{own.name}: {own.problem}" for own in failed),
            hint=failed[0].hint or "Run the same command again: what is done stays.",
        )
    return GridMade(request, tuple(made), tuple(estimates), counts)


def _examination(workspace: Workspace | None, request: TrainGrid, only: Sequence[str]) -> Examination | None:
    if workspace is None or not request.evaluate:
        return None
    names = _names(workspace, request.evaluate)
    # A grid that says what its cells are measured on does so for the sake of time.
    kept = tuple(name for name in names if name in only) if only else names
    return Examination(workspace.bank.path, kept, request.everything, of_epochs=bool(only)) if kept else None


def _names(workspace: Workspace, asked: Sequence[str]) -> tuple[str, ...]:
    """The data sets that a pattern stands for, or where it stands for none, the paradigms; a name stands for itself."""
    found: list[str] = []
    paradigms = workspace.bank.paradigms.names()
    sets = list(dict.fromkeys(own.name for own in workspace.bank.datasets.all()))
    for name in asked:
        if not set(name) & set("*?["):
            found.append(name)
            continue
        fitting = [own for own in sets if fnmatchcase(own, name)] or [own for own in paradigms if fnmatchcase(own, name)]
        if not fitting:
            raise ConfigError(f"no paradigm and no data set of the workspace is called {name}")
        found += fitting
    return tuple(dict.fromkeys(found))


def _cluster(place: str | None) -> str | None:
    if place is None:
        return None
    from gapsmith.parsing import cluster_at

    # Empty: the Ray of this machine.
    return cluster_at(place, "train") or ""


def _workers(request: TrainGrid, device: str, n: int) -> int:
    from gapsmith.scoring.lm import choose_device

    if not isinstance(request.workers, Unset):
        return min(request.workers, n)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else multiprocessing.cpu_count()
    return min(cores, n) if choose_device(device) == "cpu" else 1


def _time_and_cost(estimates: list[CellEstimate], workers: int, request: TrainGrid, cluster: bool) -> list[str]:
    """How long each kind of cell takes, and all of them."""
    lines = [
        f"{own.kind}: {count(own.cells, 'cell')} of about {own.tokens:,.0f} tokens at {own.rate:,.0f} a second, {_duration(own.seconds)}"
        + (f", of which {_duration(own.parsing)} for parsing" if own.parsing else "")
        for own in estimates
    ]
    if not estimates:
        return lines
    total = sum(own.seconds for own in estimates)
    where = "by one process of the cluster" if cluster else f"by {count(workers, 'process', 'processes')}"
    lines.append(f"in all about {_duration(total / workers)} {where}; cells that stop early take less")
    if request.score or request.evaluate:
        lines.append("what is scored, after epochs and at the end, comes on top and is not in this")
    if not isinstance(request.price, Unset):
        lines.append(f"at ${request.price:g} for an hour of one process, about ${total / 3600 * request.price:,.2f}")
    return lines


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} hours"


def _row(own: CellOutcome) -> dict[str, Any]:
    return asdict(own) | {"folder": str(own.folder)}


def _scored(workspace: Workspace, outcomes: list[CellOutcome], request: TrainGrid, services: Services) -> None:
    """Score the items with every model, and where slopes act in one, with its other slopes too."""
    paradigms = set(workspace.bank.paradigms.names())
    names = _names(workspace, request.score)
    own: tuple[str, ...] = tuple(name for name in names if name in paradigms)
    sets: tuple[str, ...] = tuple(name for name in names if name not in paradigms)
    chosen_each = [pair for pair in ((own, ()), ((), sets)) if any(pair)]
    for outcome in outcomes:
        others = sorted(path.parent for path in outcome.folder.glob("slope-*/config.json"))
        for folder in (outcome.folder, *others):
            for chosen, chosen_sets in chosen_each:
                asked = Score(
                    model=str(folder), everything=request.everything, device=request.device, paradigm=chosen, dataset=chosen_sets
                )
                found = scored(workspace, asked, services)
                if found.failure is not None:
                    services.note(f"{folder}: {found.failure.message}")


def _counted(
    workspace: Workspace, cells: list[Cell], outcomes: list[CellOutcome], request: TrainGrid, services: Services
) -> Path | None:
    """Right answers of every model and phenomenon, as `gapsmith study posh --counts` reads them."""
    facts = {cell.name: cell.facts for cell in cells}
    known = [own for own in outcomes if len(facts[own.name]) == 3]
    if not known:
        services.note("no cell says corpus, size_million and filtered as its facts: no counts are written")
        return None
    try:
        found = evaluate(workspace.bank, models=[str(own.folder) for own in known])
    except GapsmithError as error:
        services.note(f"no counts are written: {error.message}")
        return None
    seeds: dict[str, list[CellOutcome]] = {}
    for own in known:
        seeds.setdefault(read_model_name(str(own.folder)).model, []).append(own)
    rows = []
    for (row, part), result in found.outcomes.items():
        own_seeds = sorted(seeds.get(row.model, ()), key=lambda own: str(own.seed))
        if part.name not in SUBCATEGORIES or len(own_seeds) != len(result.details["n"]):
            continue
        for own, correct, n in zip(own_seeds, result.details["correct"], result.details["n"], strict=True):
            told = {"model": own.kind, "seed": own.seed, "phenomenon": SUBCATEGORIES[part.name][2], "correct": correct, "n": n}
            rows.append(told | dict(facts[own.name]))
    path = request.out / COUNTS_FILE
    _write(path, list(_COUNTS), rows)
    return path


def _write(path: Path, columns: list[str], rows: list[dict[str, Any]]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.DictWriter(stream, columns, extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    except OSError as error:
        raise _no_room(path, error) from None


def _no_room(path: Path, error: OSError) -> GapsmithError:
    return GapsmithError(f"{path}: cannot be written ({error.strerror})", hint="Make room; the models are kept.")
