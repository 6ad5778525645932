"""What more items or more words would show of each contrast, from the variances that an analysis found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gapsmith.scoring.analysis.results import Analysis, ContrastResult
from gapsmith.stats import (
    Pilot,
    half_width,
    items_for,
    pilot_of,
    smallest_effect,
    words_for,
)
from gapsmith.templates import Contrast

SIZES = (12, 20, 40, 80, 160, 320, math.inf)
"""Numbers of items that are looked at; the last is what no number of items changes."""


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


def power_of_contrasts(
    analysis: Analysis, *, effect: float | None = None, power: float = 0.8, sizes: Sequence[float] = SIZES
) -> tuple[ContrastPower, ...]:
    """What more items and words would show of each contrast of an analysis, its items being the pilot.

    `effect` is in the contrasts' unit, above 0. Raises ValueError for another, and for a power outside (0, 1).
    """
    if effect is not None and not (math.isfinite(effect) and effect > 0):
        raise ValueError(f"an effect is a number above 0, not {effect}")
    return tuple(_of(result, analysis, effect, power, sizes) for result in analysis.contrasts)


def observed_words(result: ContrastResult) -> list[Mapping[str, str]]:
    """The words of each observation: items with the same evidence are one."""
    return list({result.evidence[key]: row for key, row in result.word_rows.items()}.values())


def _of(result: ContrastResult, analysis: Analysis, effect: float | None, power: float, sizes: Sequence[float]) -> ContrastPower:
    asked = result.contrast.delta if effect is None else effect
    pilot = pilot_of(result.main, result.words, observed_words(result))
    about = (result.contrast, result.main.n, result.main.scope)
    if pilot is None:
        why = result.words.why or result.main.undefined or result.main.note or "nothing may be concluded from it"
        return ContrastPower(*about, why, effect=asked)
    confidence = analysis.options.confidence
    low, high = pilot.at("low"), pilot.at("high")

    def smallest(own: Pilot, n: float) -> float:
        return smallest_effect(own, n, power=power, confidence=confidence)

    found = tuple(
        AtSize(n, half_width(pilot, n, confidence=confidence), smallest(pilot, n), (smallest(low, n), smallest(high, n)))
        for n in sizes
        if n > pilot.n_columns + 1
    )
    if asked is None:
        return ContrastPower(*about, "", found)
    needed, least, most = (items_for(own, asked, power=power, confidence=confidence) for own in (pilot, low, high))
    words = tuple(
        WordsNeeded(slot.name, 1 / slot.repeat, words_for(pilot, slot.name, asked, power=power, confidence=confidence))
        for slot in pilot.slots
        if needed is None and slot.repeat > 0
    )
    return ContrastPower(*about, "", found, asked, needed, (least, most), words)
