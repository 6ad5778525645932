"""What more items, words or models would show of each contrast, from the variances that analyses found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.scoring.analysis.model_kinds import Kinds, kinds_of
from gapsmith.scoring.analysis.model_names import Told, read_model_name
from gapsmith.scoring.analysis.over_models import CrossedValues, crossed
from gapsmith.scoring.analysis.results import Analysis, AnalysisOptions, ContrastResult
from gapsmith.stats import (
    ITEMS_FROM,
    SAMPLE_FROM,
    Pilot,
    Restriction,
    Result,
    WordTest,
    half_width,
    items_for,
    models_for,
    pilot_of,
    power_of,
    smallest_effect,
    words_for,
)
from gapsmith.templates import Contrast

SIZES = (12, 20, 40, 80, 160, 320, math.inf)
"""Numbers of items that are looked at; the last is what no number of items changes."""
MODELS = (SAMPLE_FROM, 8, 12, 20, 40, math.inf)
"""Numbers of models, where models are a sample: from as many as make one."""


@dataclass(frozen=True, slots=True)
class AtSize:
    """What a number of items shows."""

    n: float
    """Items; infinite for ever more of them, with the words that there are."""
    half_width: float
    """Half the interval of the mean, in the contrast's unit."""
    smallest: float
    """The smallest effect that is found with the power that is asked for."""
    band: tuple[float, float]
    """The same with all variances at the lower and at the upper end of their 80 % intervals."""
    power: float | None = None
    """The chance with which the effect that is asked for is found; None where none is."""


@dataclass(frozen=True, slots=True)
class AtModels:
    """What a number of models shows, with as many items as there are."""

    models: float
    """Infinite for ever more of them, with these items."""
    half_width: float
    smallest: float
    band: tuple[float, float]
    power: float | None = None


@dataclass(frozen=True, slots=True)
class WordsNeeded:
    """How many words of a slot it would take, the other slots' lists staying as they are."""

    slot: str
    n_now: float
    """Words that the items share now, as many as if all were equally frequent."""
    n_needed: int | None
    """None where no number of them is enough."""


@dataclass(frozen=True, slots=True)
class ContrastPower:
    """What can be known of one contrast."""

    contrast: Contrast
    n: int
    """Observations of the pilot."""
    scope: str
    """Which words an effect would be for."""
    reason: str
    """Why nothing is known; empty where something is."""
    sizes: tuple[AtSize, ...] = ()
    effect: float | None = None
    """The effect that is asked for; the contrast's δ where nobody says; None where there is neither."""
    n_needed: int | None = None
    """The items that find it; None where no number does, or nothing is asked for."""
    n_band: tuple[int | None, int | None] = (None, None)
    """The same with all variances at the lower and at the upper end of their intervals."""
    words: tuple[WordsNeeded, ...] = ()
    """Where no number of items finds it: the words that would."""
    model: str = ""
    """The model, or the kind whose models are a sample."""
    dataset: str = ""
    """The data set; empty where all are taken together."""
    n_models: int = 1
    """Models over which the mean is, in the table by items: as many as the pilot has, and no fewer than make a sample."""
    by_models: tuple[AtModels, ...] = ()
    """Where models are a sample: what other numbers of them show."""
    models_needed: int | None = None
    """The models that find the effect with the items that there are; None where no number does, or models are no sample."""
    bounds: tuple[str, ...] = ()
    """Slots, and `models`, whose variance was estimated as 0 and stands at the upper end of its interval."""
    own_words: tuple[str, ...] = ()
    """Slots of which each item, or nearly each, has a word of its own: the pilot cannot tell what their words do from what items do."""
    words_known: bool = True
    """Whether it is known which words the items share."""
    restrictions: tuple[Restriction, ...] = ()
    """Why it is about fewer items than were analysed; the numbers of items are of those that are left."""


def power_of_contrasts(
    analysis: Analysis, *, effect: float | None = None, power: float = 0.8, sizes: Sequence[float] = SIZES
) -> tuple[ContrastPower, ...]:
    """What more items and words would show of each contrast of an analysis, its items being the pilot.

    `effect` is in the contrasts' unit, above 0. Raises ValueError for another, and for a power outside (0, 1).
    """
    _check(effect)
    about = {"model": analysis.scorer.model, "dataset": analysis.options.dataset or ""}
    return tuple(
        _of(
            result.contrast,
            result.main,
            result.words,
            pilot_of(result.main, result.words, observed_words(result)),
            _Asked(effect, power, analysis.options.confidence, tuple(sizes)),
            {**about, "restrictions": result.restrictions},
        )
        for result in analysis.contrasts
    )


def power_over_models(
    analyses: Sequence[Analysis],
    *,
    kinds: Kinds | None = None,
    told: Told | None = None,
    effect: float | None = None,
    power: float = 0.8,
    sizes: Sequence[float] = SIZES,
) -> tuple[ContrastPower, ...]:
    """The same of the mean over models that are a sample, for each kind that has several among these analyses of the same items: seeds
    by their names or what `told` says of them, or as `kinds` tells them. Raises as `power_of_contrasts` does."""
    _check(effect)
    by_model = {own.scorer.model: own for own in analyses}
    of = kinds_of(list(by_model), kinds, told)
    groups: dict[str, list[str]] = {}
    for model, own in of.items():
        name = ", ".join(own.values()) if own and kinds is not None else read_model_name(model, told).model
        groups.setdefault(name, []).append(model)
    found = []
    for name, models in groups.items():
        if len(models) < 2:
            continue
        one = by_model[models[0]]
        for contrast in dict.fromkeys(own.contrast.name for model in models for own in by_model[model].contrasts):
            results = {m: own for m in models for own in by_model[m].contrasts if own.contrast.name == contrast}
            values = crossed(one.paradigm, results, {model: {} for model in models})
            if values is not None:
                asked = _Asked(effect, power, one.options.confidence, tuple(sizes))
                found.append(_of_models(values, name, one.options, asked))
    return tuple(found)


def observed_words(result: ContrastResult) -> list[Mapping[str, str]]:
    """The words of each observation: items with the same evidence are one."""
    return list({result.evidence[key]: row for key, row in result.word_rows.items()}.values())


def _why_nothing(test: Result, words: WordTest) -> str:
    """Why there is no pilot."""
    if words.these is not None and test.p is not None and not words.these.details["residual_sd"]:
        return f"These {test.n} items vary with their words alone, and do not tell how items vary: take more of them."
    return words.why or test.undefined or test.note or "nothing may be concluded from it"


def _check(effect: float | None) -> None:
    if effect is not None and not (math.isfinite(effect) and effect > 0):
        raise ValueError(f"an effect is a number above 0, not {effect}")


@dataclass(frozen=True, slots=True)
class _Asked:
    effect: float | None
    power: float
    confidence: float
    sizes: tuple[float, ...]


def _of_models(values: CrossedValues, name: str, options: AnalysisOptions, asked: _Asked) -> ContrastPower:
    test, words = values.test(values.table.mean(axis=0), options, is_mean=True)
    pilot = pilot_of(test, words, list(dict(zip(values.observations, values.rows, strict=True)).values()))
    n_models, variances = len(values.results), values.variances
    if pilot is not None and variances is not None:
        pilot = pilot.over(variances, n_models)
    return _of(
        values.one.contrast,
        test,
        words,
        pilot,
        asked,
        {
            "model": f"{name}, from {n_models} models",
            "dataset": options.dataset or "",
            "restrictions": values.one.restrictions,
            "n_models": n_models if pilot is None or pilot.models is None else pilot.models.usual,
        },
    )


def _of(
    contrast: Contrast, test: Result, words: WordTest, pilot: Pilot | None, asked: _Asked, named: Mapping[str, Any]
) -> ContrastPower:
    effect = contrast.delta if asked.effect is None else asked.effect
    about: dict[str, Any] = {"contrast": contrast, "n": test.n, "scope": test.scope, "effect": effect, **named}
    about["words_known"] = words.kind != "unknown"
    about["own_words"] = tuple(use.named for use in words.slots if use.has_own_words)
    if pilot is None:
        return ContrastPower(**about, reason=_why_nothing(test, words))
    low, high = pilot.at("low"), pilot.at("high")
    how: dict[str, Any] = {"confidence": asked.confidence}

    def at(n: float, models: float | None = None) -> dict[str, Any]:
        least, *ends = (smallest_effect(own, n, power=asked.power, models=models, **how) for own in (pilot, low, high))
        return {
            "half_width": half_width(pilot, n, models=models, **how),
            "smallest": least,
            "band": tuple(ends),
            "power": None if effect is None else power_of(pilot, n, effect, models=models, **how),
        }

    about["sizes"] = tuple(AtSize(n=n, **at(n)) for n in asked.sizes if n > pilot.n_columns + 1)
    about["bounds"] = tuple(slot.name for slot in pilot.slots if slot.is_bound)
    if pilot.models is not None and pilot.n >= ITEMS_FROM:
        about["by_models"] = tuple(AtModels(models=m, **at(pilot.n, m)) for m in MODELS)
        about["bounds"] += ("models",) if pilot.models.is_bound else ()
        over = f"over {pilot.models.usual} models, for others of their kind"
        about["scope"] = f"{over}, {test.scope}" if test.scope else over
    if effect is None:
        return ContrastPower(**about, reason="")
    how["power"] = asked.power
    needed, least, most = (items_for(own, effect, **how) for own in (pilot, low, high))
    return ContrastPower(
        **about,
        reason="",
        n_needed=needed,
        n_band=(least, most),
        models_needed=models_for(pilot, pilot.n, effect, **how) if pilot.n >= ITEMS_FROM else None,
        words=tuple(
            WordsNeeded(slot.name, 1 / slot.repeat, words_for(pilot, slot.name, effect, **how))
            for slot in pilot.slots
            if needed is None and slot.repeat > 0
        ),
    )
