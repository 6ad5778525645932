"""Sets that cross the same few words, and the test that their means allow. The only place that decides whether a set is one.

A set that combines seven short word lists exhaustively has thousands of items and a few dozen words. What one verb does is
repeated in each of its combinations, so the items are not independent, and a t test over them has thousands of degrees of
freedom that the words do not have (Clark 1973). The model with a random intercept per slot asks whether the mean would be
other than 0 with other words (Baayen, Davidson & Bates 2008).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.checks import check_alternative
from gapsmith.stats.distinct_values import distinct
from gapsmith.stats.lmm import RandomTerm, codes_of, fit_columns
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import t_p_value

_FILLED = 0.5
"""Two slots are crossed where at least this share of the pairs of their words occurs."""


@dataclass(frozen=True, slots=True)
class SlotWords:
    """A slot over the items of a set."""

    name: str
    n_words: int
    """Different words, the absence of one counting as a word where only some items have the slot."""
    same_as: str | None = None
    """An earlier slot with which this one goes word by word, so that the two cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """How the items of a set are made of words."""

    n_items: int
    slots: tuple[SlotWords, ...]
    """All slots, in their order."""
    varying: tuple[str, ...]
    """Slots with two words or more, without those that go word by word with an earlier one."""
    crossed: tuple[str, ...]
    """Varying slots that are crossed with another one: each with at least half of the pairs of their words. Empty unless the
    set as a whole is crossed."""
    n_combinations: int
    """Different combinations of the words of the varying slots."""
    n_possible: int
    """Combinations that the words of the varying slots allow."""

    @property
    def is_crossed(self) -> bool:
        """Whether the set repeats the same few words in combination, so that its items are not independent."""
        return bool(self.crossed)

    @property
    def is_exhaustive(self) -> bool:
        """Whether every combination of the words occurs: the items are a census of what the words give, not a sample."""
        return self.is_crossed and self.n_combinations == self.n_possible

    def describe(self) -> str:
        """What the set is, in one sentence."""
        if not self.is_crossed:
            return f"{self.n_items:,} items with words of their own."
        words = {slot.name: slot.n_words for slot in self.slots}
        counts = ", ".join(f"{words[name]} {name}" for name in self.varying)
        if self.is_exhaustive:
            return (
                f"{self.n_items:,} items, every combination of the same few words ({counts}): all that these words give and no "
                "sample of it, so means and shares are exact for them."
            )
        return (
            f"{self.n_items:,} items that cross the same few words ({counts}): "
            f"{self.n_combinations:,} of {self.n_possible:,} combinations."
        )


def describe_crossing(slots: Sequence[Mapping[str, str]]) -> Crossing:
    """How the items are made of words; `slots` has one mapping from slot to word per item.

    Two slots are crossed where at least half of the pairs of their words occur. The set is crossed where two or more slots are,
    and its words are few: every combination occurs, or there are at least twice as many different items as words in all
    varying slots together. A slot that some items lack counts its absence as a word.
    """
    names = list(dict.fromkeys(name for row in slots for name in row))
    columns = {name: codes_of([row.get(name) for row in slots]) for name in names}
    described: list[SlotWords] = []
    varying: list[str] = []
    for name in names:
        same_as = next((other for other in varying if _same(columns[other], columns[name])), None)
        n_words = _number(columns[name])
        described.append(SlotWords(name, n_words, same_as))
        if n_words > 1 and same_as is None:
            varying.append(name)
    sizes = {slot.name: slot.n_words for slot in described}
    crossed = {
        name
        for pair in combinations(varying, 2)
        if _number(*(columns[name] for name in pair)) >= _FILLED * prod(sizes[name] for name in pair)
        for name in pair
    }
    n_combinations = _number(*(columns[name] for name in varying)) if varying else min(1, len(slots))
    n_possible = prod(sizes[name] for name in varying) if slots else 0
    # An item that comes twice is no further combination.
    n_different = _number(*columns.values()) if columns else 0
    few = n_combinations == n_possible or 2 * sum(sizes[name] for name in varying) <= n_different
    return Crossing(
        n_items=len(slots),
        slots=tuple(described),
        varying=tuple(varying),
        crossed=tuple(name for name in varying if few and name in crossed),
        n_combinations=n_combinations,
        n_possible=n_possible,
    )


def _number(*columns: NDArray[np.int64]) -> int:
    """How many different rows the columns have together."""
    codes = columns[0]
    for column in columns[1:]:
        codes = np.unique(codes, return_inverse=True)[1] * (int(column.max(initial=0)) + 1) + column
    return len(np.unique(codes))


def _same(first: NDArray[np.int64], second: NDArray[np.int64]) -> bool:
    """Whether two columns sort the items alike."""
    sizes = {int(column.max(initial=-1)) + 1 for column in (first, second)}
    return len(sizes) == 1 and _number(first, second) in sizes


def crossing_of_observations(slots: Sequence[Mapping[str, str]], observations: Sequence[Hashable]) -> Crossing:
    """How distinct observations are made of the words that they depend on: slots that come after what is measured are left out,
    and so are items that repeat an observation."""
    idle = _idle_slots(slots, observations)
    first = dict(zip(reversed(observations), reversed(slots), strict=True))
    rows = [first[key] for key in dict.fromkeys(observations)]
    return describe_crossing([{name: word for name, word in row.items() if name not in idle} for row in rows])


def crossed_test(
    values: Iterable[float],
    slots: Sequence[Mapping[str, str]],
    *,
    observations: Sequence[Hashable] | None = None,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> Result:
    """Whether the mean of `values` (one per item) differs from 0, with a random intercept for each slot's words.

    value = mean + effect of the word in slot 1 + … + residual, by restricted likelihood; t with Satterthwaite's degrees of
    freedom. A slot whose words differ between items with the same observation has no part in it (it comes after what is
    measured) and is left out with a note, as are slots with a word per item. The notes say where a slot has fewer than five
    words, and where the fit is singular. Items without a slot that varies have nothing to model: use a t test.

    Raises ValueError for a value that is not finite or for slots that are not one mapping per value.
    """
    chosen = check_alternative(alternative)
    given = distinct(values, observations)
    if len(slots) != given.n_given:
        raise ValueError(f"{len(slots)} items with slots for {given.n_given} values")
    idle = _idle_slots(slots, observations)
    rows = [{name: word for name, word in slots[position].items() if name not in idle} for position in given.positions]
    crossing = describe_crossing(rows)
    notes = []
    if given.n_repeated:
        notes.append(f"{given.n_given:,} items give {given.n:,} distinct observations.")
    if idle:
        notes.append(f"Not in the model, since what is measured does not depend on it: {', '.join(sorted(idle))}.")
    sizes = {slot.name: slot.n_words for slot in crossing.slots}
    one_word_each = [name for name in crossing.varying if sizes[name] >= given.n]
    modelled = [name for name in crossing.varying if name not in one_word_each]
    if one_word_each:
        notes.append(f"Not in the model, since each item has its own word: {', '.join(one_word_each)}.")
    merged = [f"{slot.name} ({slot.same_as})" for slot in crossing.slots if slot.same_as in crossing.varying]
    if merged:
        notes.append(f"Not in the model, since they go word by word with another slot: {', '.join(merged)}.")
    mean = float(given.values.mean()) if given.n else None

    def without(reason: str) -> Result:
        return Result(
            test="crossed mixed model",
            estimate=mean,
            n=given.n,
            n_given=given.n_given,
            alternative=chosen,
            confidence=confidence,
            undefined=reason,
            notes=tuple(notes),
            interpretable=False,
        )

    if given.n < 2:
        return without("no items" if given.n == 0 else "one distinct observation has no spread")
    if not modelled:
        return without("no slot has words that several items share")
    ones = np.ones((given.n, 1))
    random = [RandomTerm(name, tuple(row.get(name) for row in rows), ("(Intercept)",), ones) for name in modelled]
    fit = fit_columns(given.values, ones, ["(Intercept)"], random, confidence=confidence)
    notes += fit.notes
    if fit.undefined is not None:
        return without(fit.undefined)
    own_mean = fit.coefficients[0]
    assert own_mean.df is not None
    return Result(
        test="crossed mixed model",
        assumes=("words are a sample of those that could stand there", "what words and observations do is about normal"),
        scope=f"over other {', '.join(modelled)}",
        estimate=own_mean.estimate,
        ci=own_mean.ci,
        statistic=own_mean.statistic,
        df=own_mean.df,
        p=t_p_value(own_mean.statistic, own_mean.df, chosen),
        n=given.n,
        n_given=given.n_given,
        alternative=chosen,
        confidence=confidence,
        notes=tuple(notes),
    )


def _idle_slots(slots: Sequence[Mapping[str, str]], observations: Sequence[Hashable] | None) -> set[str]:
    """Slots whose words differ between items with one observation."""
    if observations is None:
        return set()
    first: dict[Hashable, Mapping[str, str]] = {}
    idle: set[str] = set()
    for key, row in zip(observations, slots, strict=True):
        earlier = first.setdefault(key, row)
        if earlier is not row:
            idle |= {name for name in earlier.keys() | row.keys() if earlier.get(name) != row.get(name)}
    return idle
