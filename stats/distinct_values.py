"""Distinct observations: what was measured once is counted once, however many items it was given for.

Which measurements are one is not decided here but where they are made (`gapsmith.scoring.observations`); here each counts once. A
value that was given several times enters as the mean of what was given, which differs by rounding at most, and the values come in
the order of their keys: no statistic depends on the order of the items.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.checks import as_values


@dataclass(frozen=True, slots=True)
class Distinct:
    """The distinct observations among a list of items."""

    values: NDArray[np.float64]
    """One value per distinct observation, shape (n,), in the order of the keys."""
    positions: tuple[int, ...]
    """For each of them, where the first item with it stood in the list."""
    n_given: int
    """Items given, repetitions included."""

    @property
    def n(self) -> int:
        """Distinct observations."""
        return len(self.positions)

    @property
    def n_repeated(self) -> int:
        """Items that only repeat an earlier one's observation."""
        return self.n_given - self.n


def distinct(values: Iterable[float], observations: Sequence[Hashable] | None) -> Distinct:
    """Each observation once; `observations` has a key per value, and None means that every value is its own.

    Raises ValueError for a value that is not finite and for keys that are not one per value.
    """
    data = as_values(values)
    if observations is None:
        return Distinct(values=data, positions=tuple(range(data.size)), n_given=data.size)
    if len(observations) != data.size:
        raise ValueError(f"{len(observations)} observation keys for {data.size} values")
    places: dict[Hashable, list[int]] = {}
    for position, key in enumerate(observations):
        places.setdefault(key, []).append(position)
    ordered = [places[key] for key in in_key_order(places)]
    means = [_mean(data[own]) if len(own) > 1 else float(data[own[0]]) for own in ordered]
    return Distinct(values=np.array(means, dtype=np.float64), positions=tuple(own[0] for own in ordered), n_given=data.size)


def repetition(given: Distinct) -> tuple[str, ...]:
    """What a reader has to know where items repeat each other's observation."""
    if not given.n_repeated:
        return ()
    return (f"{given.n_given:,} items give {given.n:,} distinct observation{'' if given.n == 1 else 's'}.",)


def _mean(copies: NDArray[np.float64]) -> float:
    first = float(copies[0])
    # Of equal numbers the mean is that number, to the last bit.
    return first if bool((copies == first).all()) else math.fsum(np.sort(copies)) / len(copies)


def in_key_order(keys: Iterable[Hashable]) -> list[Any]:
    """Keys in an order that is none of the items', whatever kind the keys are of."""
    found: list[Any] = list(keys)
    try:
        return sorted(found)
    except TypeError:
        return sorted(found, key=lambda key: (type(key).__name__, repr(key)))
