"""What more items, words or models would show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import preferred_model
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.measuring import PlanPower
from gapsmith.app.services import QUIET, Services
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import ItemFilter
from gapsmith.bank.formats import csv_text
from gapsmith.scoring.analysis import (
    Analysis,
    AnalysisOptions,
    AtModels,
    AtSize,
    ContrastPower,
    analyze_all,
    models_told,
    power_of_contrasts,
    power_over_models,
    read_kinds,
)
from gapsmith.scoring.report import power_figure
from gapsmith.templates import ConfigError, listed

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, slots=True)
class PowerSet:
    """The contrasts of one paradigm and data set under one model, or over models of one kind."""

    paradigm: str
    contrasts: tuple[ContrastPower, ...]

    @property
    def title(self) -> str:
        """What it is of, in words: the paradigm, and data set and model where they are said."""
        one = self.contrasts[0] if self.contrasts else None
        return ", ".join(filter(None, (self.paradigm, one.dataset if one else "", one.model if one else "")))


@dataclass(frozen=True, slots=True)
class PowerPlanned:
    """What can be known of each contrast of some paradigms."""

    request: PlanPower
    sets: tuple[PowerSet, ...]
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    """What was written."""

    def __iter__(self) -> Iterator[ContrastPower]:
        return (own for found in self.sets for own in found.contrasts)

    def __len__(self) -> int:
        return sum(len(found.contrasts) for found in self.sets)

    def __getitem__(self, place: int) -> ContrastPower:
        return tuple(self)[place]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each contrast and number of items, and for each number of models where these are a sample; ever more are None."""
        return [
            {
                "paradigm": found.paradigm,
                "dataset": own.dataset,
                "model": own.model,
                "contrast": own.contrast.name,
                "items": _finite(items),
                "models": _finite(models),
                "half_width": at.half_width,
                "smallest": at.smallest,
                "smallest_low": at.band[0],
                "smallest_high": at.band[1],
                "effect": own.effect,
                "power": at.power,
            }
            for found in self.sets
            for own in found.contrasts
            for items, models, at in _every_number(own)
        ]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a table: paradigm, dataset, model, contrast, items, models, half_width, smallest, smallest_low, smallest_high, effect,
        power."""
        import pandas

        return pandas.DataFrame(self.rows())

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """The results as JSON takes them; ever more items or models are None."""
        return [
            {
                **asdict(own),
                "paradigm": found.paradigm,
                "contrast": own.contrast.name,
                "sizes": [{**asdict(at), "n": _finite(at.n)} for at in own.sizes],
                "by_models": [{**asdict(at), "models": _finite(at.models)} for at in own.by_models],
            }
            for found in self.sets
            for own in found.contrasts
        ]


def _every_number(own: ContrastPower) -> Iterator[tuple[float, float, AtSize | AtModels]]:
    """Items, models, and what they show."""
    yield from ((at.n, own.n_models, at) for at in own.sizes)
    yield from ((own.n, at.models, at) for at in own.by_models)


def _finite(number: float) -> float | None:
    return None if number == float("inf") else number


def power(workspace: Workspace, request: PlanPower, services: Services = QUIET) -> PowerPlanned:
    """Several data sets and models are each a pilot of their own; the seeds of a kind of model are one more, in which models are a sample.

    Raises `GapsmithError` where nothing is scored, and `ConfigError` where the files cannot be written."""
    bank = workspace.bank
    selection_of(bank, request)
    for name in request.paradigm or bank.paradigms.names():
        look_or_say(bank, ItemFilter(paradigm=name), services, look=request.look)
    kinds = said_or_none(request.kinds)
    given = None if kinds is None else read_kinds(kinds)
    options = AnalysisOptions(
        all_items=request.everything,
        contrasts=request.contrast,
        confidence=request.confidence,
        by_region=False,
        permutations=99,
        convention=request.convention,
    )
    several = len(request.dataset) > 1
    notes: list[str] = []
    analyses: list[Analysis] = []
    for model in request.model or (None,):
        found = analyze_all(
            bank,
            request.paradigm,
            model=model,
            preferred=preferred_model(workspace.settings),
            options=options if several else replace(options, dataset=next(iter(request.dataset), None)),
            unigrams=slor_tables(workspace.root, None),
            datasets=request.dataset if several else (),
        )
        notes += [*found.notes, *(f"{name} was left out: {error.message}" for name, error in found.left_out)]
        analyses += found.analyses
    without = [own for own in analyses if not own.contrasts]
    analyses = [own for own in analyses if own.contrasts]
    if not analyses:
        raise ConfigError(
            f"{listed([own.paradigm.name for own in without])}: no contrast has a value, and power is that of contrasts; shares of criteria "
            "have none",
            hint="Add [[contrasts]] to the file: of the criterion a@sentence < b@sentence the contrast is b@sentence - a@sentence.",
        )
    notes += [f"{own.paradigm.name} was left out: power is that of contrasts, and none has a value here" for own in without]
    notes = list(dict.fromkeys(notes))
    for said in notes:
        services.note(said)
    wanted: dict[str, Any] = {"effect": said_or_none(request.effect), "power": request.power}
    sets = [PowerSet(own.paradigm.name, power_of_contrasts(own, **wanted)) for own in analyses]
    for group in _of_same_items(analyses):
        over: dict[str, list[ContrastPower]] = {}
        for own in power_over_models(group, kinds=given, told=models_told(bank.path.parent), **wanted):
            over.setdefault(own.model, []).append(own)
        sets += [PowerSet(group[0].paradigm.name, tuple(those)) for those in over.values()]
    planned = PowerPlanned(request, tuple(sets), tuple(notes))
    folder = said_or_none(request.out)
    return planned if folder is None else replace(planned, files=_written(planned, folder))


def _of_same_items(analyses: Sequence[Analysis]) -> list[list[Analysis]]:
    groups: dict[tuple[str, str | None], list[Analysis]] = {}
    for own in analyses:
        groups.setdefault((own.paradigm.name, own.options.dataset), []).append(own)
    return [own for own in groups.values() if len(own) > 1]


def _written(planned: PowerPlanned, folder: Path) -> tuple[Path, ...]:
    """``power.csv`` and a curve for each set that has one."""
    files = {folder / "power.csv": csv_text(planned.rows(), without_rows="paradigm").encode()}
    for own in planned.sets:
        figure = power_figure(own.title, own.contrasts, planned.request.power)
        if figure is not None:
            files[folder / f"{figure.name}.svg"] = figure.svg.encode()
            files[folder / f"{figure.name}.png"] = figure.png
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, written in files.items():
            path.write_bytes(written)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error})", hint="Name another folder with --out.") from None
    return tuple(files)
