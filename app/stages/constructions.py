"""What models know of filler-gap constructions, and how frequent these are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import preferred_model
from gapsmith.app.manifests import Used, write_manifest
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.instruments import AnalyzeLicensing, CountConstructions
from gapsmith.app.services import QUIET, Services
from gapsmith.app.slor import slor_tables
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.studies.study import shipped_counts
from gapsmith.app.workspace import Workspace
from gapsmith.bank.formats import csv_text
from gapsmith.parsing import count_constructions as count_in
from gapsmith.scoring.analysis import (
    Licensing,
    analyze_licensing,
    corrected_effects,
    correlations,
    read_construction_counts,
)
from gapsmith.scoring.report import write_licensing
from gapsmith.stats import Result

if TYPE_CHECKING:
    import pandas


_SHORT = ("n_items", "estimate", "ci", "p", "p_adj", "verdict", "mark", "reason")
"""What of an effect is read most, beside its tests as they are."""


@dataclass(frozen=True, slots=True)
class Licensed:
    """What models know of the constructions."""

    request: AnalyzeLicensing
    models: tuple[Licensing, ...]
    """Every effect, one record for each model."""
    correlations: tuple[Result, ...]
    """Of the interaction with how frequent the constructions are."""
    page: Path | None = None
    """Where it was written, if that was asked for."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of choices and of what was left out."""
        return tuple(dict.fromkeys(said for result in self.models for said in result.notes))

    def __iter__(self) -> Iterator[Licensing]:
        return iter(self.models)

    def __len__(self) -> int:
        return len(self.models)

    def __getitem__(self, place: int) -> Licensing:
        return self.models[place]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each effect: construction, model, metric, effect, expected, n_items, estimate, ci_low, ci_high, p, p_adj, verdict, mark."""
        import pandas

        rows = [
            {
                "construction": own.construction,
                "model": own.model,
                "metric": own.metric,
                "effect": own.effect,
                "expected": own.expected,
                "n_items": own.n_items,
                "estimate": own.estimate,
                "ci_low": own.ci[0] if own.ci is not None else None,
                "ci_high": own.ci[1] if own.ci is not None else None,
                "p": own.p,
                "p_adj": own.p_adj,
                "verdict": str(own.verdict),
                "mark": own.mark,
            }
            for result in self.models
            for own in result.effects
        ]
        return pandas.DataFrame(rows)

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """The results as JSON takes them: one for each model, with its correlations."""
        return [
            {
                **asdict(one),
                "effects": [{name: getattr(own, name) for name in _SHORT} | asdict(own) for own in one.effects],
                "cells": [{"n_items": own.n_items, "mean": own.mean, "ci": own.ci} | asdict(own) for own in one.cells],
                "correlations": [asdict(own) for own in self.correlations if own.model == one.model],
            }
            for one in self.models
        ]


def licensing(workspace: Workspace, request: AnalyzeLicensing, services: Services = QUIET) -> Licensed:
    """Raises `ConfigError` where no paradigm has such a design, and `GapsmithError` where nothing is scored."""
    selection_of(workspace.bank, request)
    frequencies = read_construction_counts([shipped_counts(), *request.counts])
    each = [
        analyze_licensing(
            workspace.bank,
            request.paradigm,
            model=name,
            dataset=next(iter(request.dataset), None),
            all_items=request.everything,
            convention=request.convention,
            unigrams=slor_tables(workspace.root, said_or_none(request.unigram)),
        )
        for name in request.model or (preferred_model(workspace.settings),)
    ]
    results = corrected_effects(each)
    related = correlations(results, frequencies)
    written = None if isinstance(request.out, Unset) else write_licensing(results, related, request.out)
    page = None if written is None else written.page
    if written is not None:
        models = {result.model for result in results}
        scorers = tuple(own.id for own in workspace.bank.scores.scorers() if own.model in models)
        dataset = next(iter(request.dataset), None)
        write_manifest(workspace.bank, [Used(name, dataset, scorers) for name in request.paradigm], written.folder, written.files)
    found = Licensed(request, results, tuple(related), page)
    for said in found.notes:
        services.note(said)
    if page is not None:
        services.note(f"Written: {page}")
    return found


@dataclass(frozen=True, slots=True)
class ConstructionsCounted:
    """How often treebanks have each construction."""

    request: CountConstructions
    counts: Mapping[str, int]
    n_sentences: int
    how: str
    """``dependencies`` or ``brackets``: what the patterns are over."""

    def __getitem__(self, construction: str) -> int:
        return self.counts[construction]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each construction: construction, count."""
        import pandas

        return pandas.DataFrame({"construction": list(self.counts), "count": list(self.counts.values())})

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html

    def to_csv(self, corpus: str) -> str:
        """The counts as `licensing` takes them, the corpus being called so."""
        paradigms = {one.construction: "|".join(one.paradigms) for one in read_construction_counts([shipped_counts()])}
        rows = [{"construction": name, "paradigms": paradigms[name], corpus: n} for name, n in self.counts.items()]
        return csv_text(rows, ("construction", "paradigms", corpus))

    def as_data(self) -> dict[str, Any]:
        """The counts as JSON takes them."""
        return {"counts": dict(self.counts), "sentences": self.n_sentences, "patterns_over": self.how}


def count_constructions(request: CountConstructions, services: Services = QUIET) -> ConstructionsCounted:
    """Raises `GapsmithError` for a file that cannot be read."""
    found = count_in(list(request.files))
    services.note(f"{found.n_sentences:,} sentences, patterns over {found.how}")
    return ConstructionsCounted(request, dict(found.counts), found.n_sentences, found.how)
