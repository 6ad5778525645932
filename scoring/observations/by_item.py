"""Values by item, in two arrays: mappings of hundreds of thousands of items that share their names."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

V = TypeVar("V")


class ItemKey(NamedTuple):
    """What an item is called within its paradigm; two items never share it."""

    dataset: str
    label: str


class ItemNames:
    """The names of a table's items, in their order, and where each stands."""

    def __init__(self, keys: tuple[ItemKey, ...]) -> None:
        self.keys = keys

    @cached_property
    def places(self) -> Mapping[ItemKey, int]:
        """Where each item stands, from 0."""
        return {key: place for place, key in enumerate(self.keys)}


class ByItem(Mapping[ItemKey, V]):
    """What some of the items have, in their order. It is read as a dictionary is."""

    __slots__ = ("_at", "_names", "_values")

    def __init__(self, names: ItemNames, at: NDArray[np.intp] | None, values: NDArray[Any] | Sequence[V]) -> None:
        """`values` are those of the items at these places, which ascend; None for all of them."""
        if len(values) != (len(names.keys) if at is None else len(at)):
            raise ValueError(f"{len(values)} values are not those of so many items")
        self._names, self._values = names, values
        self._at = None if at is not None and len(at) == len(names.keys) else at

    def __getitem__(self, key: ItemKey) -> V:
        place = self._names.places[key]
        if self._at is not None:
            found = int(np.searchsorted(self._at, place))
            if found == len(self._at) or self._at[found] != place:
                raise KeyError(key)
            place = found
        value = self._values[place]
        return value.item() if isinstance(value, np.generic) else value

    def __iter__(self) -> Iterator[ItemKey]:
        keys = self._names.keys
        return iter(keys) if self._at is None else (keys[place] for place in self._at)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(dict(self))

    def items(self) -> ItemsView[ItemKey, V]:
        """Names and values; gone through without looking each up."""
        return _Items(self)

    def values(self) -> ValuesView[V]:
        """The values; gone through without looking each up."""
        return _Values(self)

    def each(self) -> Iterator[V]:
        """The values, one after the other."""
        own = self._values
        for start in range(0, len(own), _AT_ONCE):
            some = own[start : start + _AT_ONCE]
            yield from some.tolist() if isinstance(some, np.ndarray) else some


_AT_ONCE = 4096
"""Values of an array that are Python's own at a time."""


class _Items(ItemsView[ItemKey, V]):
    _mapping: ByItem[V]

    def __iter__(self) -> Iterator[tuple[ItemKey, V]]:
        return zip(self._mapping, self._mapping.each(), strict=True)


class _Values(ValuesView[V]):
    _mapping: ByItem[V]

    def __iter__(self) -> Iterator[V]:
        return self._mapping.each()
