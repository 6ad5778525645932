"""A text whose lines are sentences and what stands around them, so that it can go out as it came in.

A layout is a list of ``[label, number, before, after]``: the sentence `number` of an item between two strings, or a line of the item
as it stands where the number is -1. Without a label it is a line of the file's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TextIO, TypeAlias

from gapsmith.bank.formats.foreign import ForeignSet
from gapsmith.bank.formats.regions_between import as_written

Place: TypeAlias = tuple[str | None, int, str, str]


def write_laid_out(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the lines of the items that are there; the labels of items that the layout does not have."""
    layout: Sequence[Place] = items.meta.get("layout", ())
    by_label = {item.label: item for item in items.items}
    for label, number, before, after in layout:
        if label is None or (label in by_label and number < 0):
            stream.write(f"{before}\n")
        elif label in by_label and number < len(by_label[label].sentences):
            text = as_written(by_label[label].sentences[number], items.meta)
            stream.write(f"{before}{text}{after}\n")
    known = {label for label, *_ in layout}
    return tuple(label for label in by_label if label not in known)
