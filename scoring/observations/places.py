"""Where a sentence is measured: the places of formulas, and words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gapsmith.templates import Place, RegionSpan, Span, locate

_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class RegionWord:
    """A word of a region, counted from 1."""

    region: str
    number: int

    def __str__(self) -> str:
        return f"word {self.number} of {self.region}"


@dataclass(frozen=True, slots=True)
class TextWord:
    """A word of the whole text, between white space, counted from 1."""

    number: int

    def __str__(self) -> str:
        return f"word {self.number}"


Spot: TypeAlias = Place | RegionWord | TextWord
"""What can be measured of a sentence."""


def words_of(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The words of a stretch, each with the marks that are written to it."""
    return [match.span() for match in _WORD.finditer(text, start, len(text) if end is None else end)]


def find(
    spot: Spot,
    text: str,
    regions: Sequence[RegionSpan] | None,
    *,
    critical: str | None,
    numbers: Mapping[str, str],
) -> Span | str:
    """The characters of a spot in a text; or, as text, why there are none. See `gapsmith.templates.locate`."""
    if isinstance(spot, Place):
        return locate(spot, text, regions, critical=critical, numbers=numbers)
    if isinstance(spot, TextWord):
        words = words_of(text)
    else:
        own = next((one for one in regions or () if one.name == spot.region), None)
        if own is None:
            return "the sentence has no such region"
        words = words_of(text, own.start, own.end)
    return words[spot.number - 1] if spot.number <= len(words) else "there are not so many words"
