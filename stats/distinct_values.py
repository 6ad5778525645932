"""Distinct observations: two items that were measured on the same text are one observation, not two. The only place that decides
which measurements are one.

An observation is what a number was computed from: the scorer, the context and the text up to the end of what is measured. A
contrast of several sentences is one observation per combination of them. Items that differ only after the critical region
give the same number again, and a test over them counts one measurement several times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.checks import as_values

K = TypeVar("K", bound=Hashable)

_SAME = 1e-3
"""Difference, in bits or relative, up to which two values of one observation are the same: the same tokens behind the same
text come out a few millionths apart in float32, and about a thousandth apart in bfloat16, as batches fall."""


@dataclass(frozen=True, slots=True)
class Distinct:
    """The distinct observations among a list of items, each at the place of the first item that gave it."""

    values: NDArray[np.float64]
    """One value per distinct observation, shape (n,)."""
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


def distinct(values: Iterable[float], observation_keys: Sequence[Hashable] | None) -> Distinct:
    """Each observation once, in the order of the items; None as keys means that every item is its own observation.

    Raises ValueError for a value that is not finite, for keys that are not one per value, and for one key with two values
    (the key does not say all that the value depends on).
    """
    data = as_values(values)
    if observation_keys is None:
        return Distinct(values=data, positions=tuple(range(data.size)), n_given=data.size)
    if len(observation_keys) != data.size:
        raise ValueError(f"{len(observation_keys)} observation keys for {data.size} values")
    first: dict[Hashable, int] = {}
    for position, key in enumerate(observation_keys):
        earlier = first.setdefault(key, position)
        if not _same((data[earlier],), (data[position],)):
            raise ValueError(
                f"values {earlier} and {position} have the same observation key and differ ({data[earlier]:g}, "
                f"{data[position]:g}): the key does not name all that they were computed from"
            )
    positions = tuple(first.values())
    return Distinct(values=data[list(positions)], positions=positions, n_given=data.size)


def unsettled(values: Iterable[Sequence[float]], keys: Iterable[Hashable]) -> frozenset[Hashable]:
    """The keys under which there are different values, so that they do not name all that these were computed from."""
    first: dict[Hashable, Sequence[float]] = {}
    return frozenset(key for own, key in zip(values, keys, strict=True) if not _same(first.setdefault(key, own), own))


def observation_keys_of(
    values: Sequence[Sequence[float]],
    read: Sequence[K],
    whole: Callable[[int], K],
    *,
    elsewhere: bool,
    by_whole_text: bool = False,
) -> list[K]:
    """A key for each item's observation: what was read for its values, or `whole`, by position, where that does not settle them.

    Values that were made `elsewhere`, by people or with other tools, may know what comes after. Then every item with that
    reading is an observation of its own, also those whose values happen to be the same. What our models compute depends on what
    they read: where values come further apart than rounding explains, only the ones that do are told apart. `by_whole_text` says that it
    is known already that whoever made the values knew the whole: then every whole is an observation, whatever its values are.
    """
    if by_whole_text:
        return [whole(n) for n in range(len(values))]
    unlike = unsettled(values, read)
    if not unlike:
        return list(read)
    first: dict[K, Sequence[float]] = {}
    return [
        whole(n) if key in unlike and (elsewhere or not _same(first.setdefault(key, own), own)) else key
        for n, (own, key) in enumerate(zip(values, read, strict=True))
    ]


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(math.isclose(a, b, rel_tol=_SAME, abs_tol=_SAME) for a, b in zip(one, other, strict=True))


def repetition(given: Distinct) -> tuple[str, ...]:
    """What a reader has to know where items repeat each other's observation."""
    if not given.n_repeated:
        return ()
    return (f"{given.n_given:,} items give {given.n:,} distinct observation{'' if given.n == 1 else 's'}.",)
