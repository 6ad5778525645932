"""How the items of a set are made of words: for what is said of exhaustive sets, and for the formula that is proposed for a model.

A set that combines seven short word lists exhaustively has thousands of items and a few dozen words. Which test a contrast gets is
not decided here but in `gapsmith.stats.word_model`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

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


def codes_of(levels: Sequence[Hashable]) -> NDArray[np.int64]:
    """Levels as whole numbers from 0, in the order of their text and not of their rows; shape (rows,)."""
    index = {level: number for number, level in enumerate(sorted(dict.fromkeys(levels), key=str))}
    return np.fromiter(map(index.__getitem__, levels), dtype=np.int64, count=len(levels))


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
