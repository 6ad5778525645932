"""Results over several models: the mean of seeds, and how kinds of models differ, item by item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gapsmith.scoring.analysis.contrasts import alternative_of, beside_words, closed_slots, slot_parts
from gapsmith.scoring.analysis.model_kinds import Kinds
from gapsmith.scoring.analysis.results import AnalysisOptions, ContrastResult, CriterionResult
from gapsmith.scoring.observations import ItemKey
from gapsmith.stats import (
    ModelVariances,
    Result,
    Shares,
    WordTest,
    distinct,
    model_variances,
    one_sample_t,
    over_models,
    shares_over_models,
    word_test,
)
from gapsmith.templates import MEASURES, Paradigm


@dataclass(frozen=True, slots=True)
class CrossedValues:
    """One contrast of several models, over the items that all of them have a value for."""

    paradigm: Paradigm
    results: Mapping[str, ContrastResult]
    """By model."""
    kinds: Kinds
    keys: tuple[ItemKey, ...]
    """The items."""
    observations: tuple[tuple[int, ...], ...]
    """What was read for each item, by each model."""
    table: NDArray[np.float64]
    """A row for each model, a column for each distinct observation."""

    @property
    def one(self) -> ContrastResult:
        """That of the first model, which says what the contrast is."""
        return next(iter(self.results.values()))

    @property
    def rows(self) -> list[Mapping[str, str]]:
        """The words of each item."""
        return [{k: v for own in self.results.values() for k, v in own.word_rows.get(key, {}).items()} for key in self.keys]

    @property
    def variances(self) -> ModelVariances | None:
        """What models of one kind do; None where no kind has two."""
        return model_variances(self.table, [tuple(sorted(own.items())) for own in self.kinds.values()])

    def test(self, values: NDArray[np.float64], options: AnalysisOptions, *, is_mean: bool) -> tuple[Result, WordTest]:
        """The test that the words allow, of a number for each column of the table; and what becomes of the words."""
        alternative = alternative_of(self.one.contrast, options) if is_mean else "two-sided"
        place = {key: number for number, key in enumerate(self._columns())}
        given = [float(values[place[seen]]) for seen in self.observations]
        seen = list(self.observations)
        over_items = one_sample_t(given, alternative=alternative, confidence=options.confidence, observations=seen)
        if any(own.words.kind == "unknown" for own in self.results.values()):
            words = WordTest("unknown")
        else:
            words = word_test(
                given,
                self.rows,
                closed=closed_slots(self.paradigm),
                parts=slot_parts(self.paradigm),
                observations=seen,
                alternative=alternative,
                confidence=options.confidence,
                others=False,
            )
            words = words if all(own.words.named for own in self.results.values()) else words.without_words()
        return words.these or beside_words(over_items, words), words

    def _columns(self) -> list[tuple[int, ...]]:
        kept = distinct([0.0] * len(self.observations), self.observations)
        return [self.observations[position] for position in kept.positions]


def crossed(paradigm: Paradigm, results: Mapping[str, ContrastResult], kinds: Kinds) -> CrossedValues | None:
    """The values of these models; None where there are not two models or no item that all of them have."""
    having = _sorted({model: own for model, own in results.items() if model in kinds and own.values}, kinds)
    if len(having) < 2:
        return None
    first, *others = having.values()
    keys = tuple(key for key in first.values if all(key in other.values for other in others))
    if not keys:
        return None
    observations = tuple(tuple(own.evidence[key] for own in having.values()) for key in keys)
    table = np.array([distinct([own.values[key] for key in keys], observations).values for own in having.values()])
    return CrossedValues(paradigm, having, {model: kinds[model] for model in having}, keys, observations, table)


_One = TypeVar("_One")


def _sorted(results: Mapping[str, _One], kinds: Kinds) -> dict[str, _One]:
    """By what models are and not by when they were scored, so that no number hangs on that."""
    return {model: results[model] for model in sorted(results, key=lambda model: (_in_order(kinds[model]), model))}


def _in_order(kind: Mapping[str, str]) -> tuple[tuple[int, float, str], ...]:
    """Numbers by size, before words by the alphabet."""

    def place(value: str) -> tuple[int, float, str]:
        try:
            return 0, float(value), value
        except ValueError:
            return 1, 0.0, value

    return tuple(place(kind[name]) for name in sorted(kind))


@dataclass(frozen=True, slots=True)
class CrossedTruths:
    """What several models do right, or which criterion is true of what they do, over the items that all of them have a truth for."""

    name: str
    """Of the contrast or criterion."""
    design: str
    keys: tuple[ItemKey, ...]
    models: tuple[str, ...]
    shares: Shares


def crossed_truths(
    paradigm: Paradigm,
    results: Mapping[str, ContrastResult] | Mapping[str, CriterionResult],
    kinds: Kinds,
    options: AnalysisOptions,
    *,
    given: bool,
) -> CrossedTruths | None:
    """What is true of these models' items; None where there are not two models or no item that all of them have. `given` as for
    `results_over_models`."""
    told = {model: _told(own, options) for model, own in results.items() if model in kinds}
    told = _sorted({model: own for model, own in told.items() if own}, kinds)
    if len(told) < 2:
        return None
    models = tuple(told)
    first, *others = told.values()
    keys = tuple(key for key in first if all(key in other for other in others))
    if not keys:
        return None
    one, found = results[models[0]], [results[model] for model in models]
    known = all(own.words.kind != "unknown" for own in found)
    rows = tuple({k: v for own in found for k, v in own.word_rows.get(key, {}).items()} for key in keys) if known else ()
    about = one.contrast if isinstance(one, ContrastResult) else one.criterion
    shares = Shares(
        truths=np.array([[own[key] for key in keys] for own in told.values()], dtype=np.bool_),
        models=models,
        rows=rows,
        observations=tuple(
            tuple((own.evidence[key], told[model][key]) for model, own in zip(models, found, strict=True)) for key in keys
        ),
        levels=tuple(kinds[model] for model in models),
        closed=closed_slots(paradigm),
        parts=slot_parts(paradigm),
        noun="model" if given else "seed",
        confidence=options.confidence,
        named=all(own.words.named for own in found),
    )
    return CrossedTruths(about.name, about.design, keys, models, shares)


def _told(result: ContrastResult | CriterionResult, options: AnalysisOptions) -> dict[ItemKey, bool]:
    """By item whether it is as expected, or above 0 where nothing is, or whether the criterion holds."""
    if isinstance(result, CriterionResult):
        return dict(result.holds)
    sign = -1 if result.contrast.expected < 0 else 1
    return {key: value * sign > 0 for key, value in result.values.items() if value or options.ties == "wrong"}


def shares_of(values: CrossedTruths) -> tuple[Result, ...]:
    """The share over the models, and the differences between their kinds."""
    return tuple(
        replace(
            own,
            contrast=values.name,
            design=values.design,
            model=own.details["what"] if own.details["what"] != "mean" else f"mean of {len(values.models)}",
        )
        for own in shares_over_models(values.shares)
    )


def results_over_models(values: CrossedValues, options: AnalysisOptions, *, given: bool) -> tuple[Result, ...]:
    """The mean over the models, and the differences between their kinds; `given` says whether a table told the kinds, which then are
    of models, and of seeds otherwise."""
    one = values.one
    found = over_models(
        values.table,
        list(values.results),
        lambda own, is_mean: values.test(own, options, is_mean=is_mean)[0],
        levels=list(values.kinds.values()),
        noun="model" if given else "seed",
    )
    unit = MEASURES.find(options.measure or one.contrast.measure).unit
    return tuple(
        replace(
            own,
            contrast=one.contrast.name,
            design=one.contrast.design,
            unit=unit,
            model=own.details["what"] if own.details["what"] != "mean" else f"mean of {len(values.results)}",
        )
        for own in found
    )
