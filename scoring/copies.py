"""Items of the very same sentences, in whatever data set: one item, given twice. The only place that says so of whole items, and in
which order items stand by their names.

What a number was computed from says it of observations (`gapsmith.scoring.observations`), and is finer: items that differ
only in what comes after. This is for what has no measurement yet, or none of its own: contexts that are to be drawn, ratings.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable

from gapsmith.bank import StoredItem

NameOrder = tuple[tuple[tuple[int, str], ...], str]


def name_order(label: str, dataset: str) -> NameOrder:
    """Where an item stands among others by its name, numbers by their size: what hangs on an order of items, such as what is drawn
    for which, or which one is the example, takes this one, which is not that in which they came."""
    parts = re.findall(r"\d+|\D+", label)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts), dataset


def wording(item: StoredItem) -> Hashable:
    """What items share that have the same sentences in the same conditions of one paradigm."""
    return item.paradigm, frozenset((sentence.condition, sentence.text) for sentence in item.sentences)


def without_copies(items: Iterable[StoredItem]) -> tuple[StoredItem, ...]:
    """Each wording once, where it first comes."""
    first: dict[Hashable, StoredItem] = {}
    for item in items:
        first.setdefault(wording(item), item)
    return tuple(first.values())


def in_name_order(items: Iterable[StoredItem]) -> list[StoredItem]:
    """Items by paradigm, data set and label."""
    return sorted(items, key=lambda item: (item.paradigm, item.dataset, name_order(item.label, "")))
