"""How values are taken apart, and which of them are held against each other: the only place that does either.

A **grouping** names keys: what has the same value of each of them is one group, and everything is in exactly one. A **pairing** joins
two sides, on the item or on what was read. What values of groups or of pairs come to is for estimators to say (`gapsmith.stats`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, nan, prod
from typing import Final, Generic, Literal, TypeVar

from gapsmith.stats import distinct

T = TypeVar("T")
P = TypeVar("P", bound=Hashable)
K = TypeVar("K", bound=Hashable)

KEYS: Final = (
    "model",
    "revision",
    "seed",
    "dataset",
    "context",
    "length",
    "group",
    "item",
    "evidence",
)
"""What takes apart: who measured (model, revision, seed), what (data set, item, evidence), behind what (context and its length), and
kinds of items that have a name already (group). Besides, with a name behind it, ``attribute:`` and ``slot:`` of items, and ``level:``
of a factor."""
OF_A_NAME: Final = ("attribute:", "slot:", "level:")


@dataclass(frozen=True, slots=True)
class Grouping:
    """By what things are taken apart. Raises ValueError for a key that is none, or stands twice."""

    keys: tuple[str, ...]

    def __post_init__(self) -> None:
        for key in self.keys:
            named = any(key.startswith(kind) and len(key) > len(kind) for kind in OF_A_NAME)
            if key not in KEYS and not named:
                raise ValueError(f"{key!r} takes nothing apart: the keys are {', '.join((*KEYS, *OF_A_NAME))}")
        if len(set(self.keys)) < len(self.keys):
            raise ValueError(f"a key stands twice: {', '.join(self.keys)}")

    def split(self, things: Iterable[T], place: Callable[[T, str], P]) -> dict[tuple[P, ...], list[T]]:
        """The groups by their values of the keys, in the order in which the first of each comes; `place` says where a thing stands by a
        key."""
        found: dict[tuple[P, ...], list[T]] = {}
        for thing in things:
            found.setdefault(tuple(place(thing, key) for key in self.keys), []).append(thing)
        return found

    def without(self, *keys: str) -> Grouping:
        """By the other keys: what a group of it holds differs in these keys only."""
        return Grouping(tuple(key for key in self.keys if key not in keys))

    def varying(self, things: Iterable[T], place: Callable[[T, str], Hashable]) -> tuple[str, ...]:
        """The keys in which the things differ."""
        every = list(things)
        return tuple(key for key in self.keys if len({place(thing, key) for thing in every}) > 1)

    def n_possible(self, groups: Iterable[Sequence[Hashable]]) -> int:
        """How many groups there would be, were every value of each key there with every one of the others."""
        return prod(map(len, self.values(groups)))

    def values(self, groups: Iterable[Sequence[Hashable]]) -> list[set[Hashable]]:
        """The different values of each key."""
        every = list(groups)
        return [{group[at] for group in every} for at in range(len(self.keys))]

    def called(self, group: Sequence[Hashable]) -> str:
        """A group as text: ``depth = 2, noun = cat``."""
        return ", ".join(f"{key.partition(':')[2] or key} = {value}" for key, value in zip(self.keys, group, strict=True))


def in_value_order(groups: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Groups by their values, key by key: numbers by size, then words by the alphabet, of which ``nan`` is one."""

    def by_value(value: str) -> tuple[int, float, str]:
        try:
            number = float(value)
        except ValueError:
            number = nan
        return (0, number, value) if isfinite(number) else (1, 0.0, value)

    return sorted(groups, key=lambda group: tuple(map(by_value, group)))


@dataclass(frozen=True, eq=False, slots=True)
class PairedSide(Generic[K]):
    """Values by item, and what each was computed from."""

    values: Mapping[K, float]
    """Of those items that have one; a truth is 1 and 0, or 1 and -1."""
    evidence: Mapping[K, Hashable]
    """Of at least these items."""

    @property
    def by_evidence(self) -> dict[Hashable, K]:
        """The first item with each evidence."""
        found: dict[Hashable, K] = {}
        for key in self.values:
            found.setdefault(self.evidence[key], key)
        return found


@dataclass(frozen=True, eq=False, slots=True)
class Pairing(Generic[K]):
    """Two sides that are held against each other."""

    left: PairedSide[K]
    right: PairedSide[K]
    on: Literal["item", "evidence"]
    """Whether an item meets itself on the other side, or what was computed from the same."""

    @property
    def partners(self) -> dict[K, K]:
        """For each item of the left side that meets one, that of the right side; where a side has an evidence several times, the first
        item of the right side stands for all."""
        if self.on == "item":
            return {key: key for key in self.left.values if key in self.right.values}
        there = self.right.by_evidence
        return {key: there[seen] for key in self.left.values if (seen := self.left.evidence[key]) in there}

    @property
    def alone(self) -> tuple[list[K], list[K]]:
        """The items of each side that meet none."""
        one, two = (self._having(n, met=False) for n in (0, 1))
        return one, two

    def once(self) -> tuple[dict[Hashable, float], dict[Hashable, float]]:
        """The values of each side by what was read on both, which models may cut apart at different characters: what is read twice
        alike counts once. What stands alone keeps the name of its side, unless what was read for it is in a pair already."""
        sides = self.left, self.right
        pairs = [{key: self._read(key, n) for key in self._having(n, met=True)} for n in (0, 1)]
        found: list[dict[Hashable, float]] = []
        for n, side in enumerate(sides):
            seen = {pair[n] for pair in pairs[n].values()}
            # Three parts, so that it is no pair's name.
            alone = {key: (n, side.evidence[key], "alone") for key in self.alone[n] if side.evidence[key] not in seen}
            named: dict[K, Hashable] = {**pairs[n], **alone}
            names = list(named.values())
            kept = distinct([side.values[key] for key in named], names)
            found.append({names[at]: float(value) for at, value in zip(kept.positions, kept.values, strict=True)})
        return found[0], found[1]

    def _having(self, n: int, *, met: bool) -> list[K]:
        """The items of a side that meet one, or those that meet none."""
        own, other = (self.left, self.right) if n == 0 else (self.right, self.left)
        if self.on == "item":
            return [key for key in own.values if (key in other.values) is met]
        there = other.by_evidence
        return [key for key in own.values if (own.evidence[key] in there) is met]

    def _read(self, key: K, n: int) -> tuple[Hashable, Hashable]:
        """What was read of an item that meets one, on both sides."""
        if self.on == "item":
            return self.left.evidence[key], self.right.evidence[key]
        seen = (self.left, self.right)[n].evidence[key]
        return seen, seen
