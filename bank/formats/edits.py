"""Changes of a sentence's text, with its regions moved along: what is taken out of sentences that came in goes through here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from gapsmith.bank.formats.foreign import ForeignSentence, GivenRegion

Edit: TypeAlias = tuple[int, int, str]
"""From where to where of a text, and what stands there instead."""


def with_blank(text: str, start: int, end: int) -> tuple[int, int]:
    """The place of a word that goes, with one of the blanks around it where blanks stand on both sides or at an end of the text: that before
    it, at the beginning that behind it."""
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before == " " and (after in ("", " ") or not after.isalnum()):
        return start - 1, end
    return (start, end + 1) if not start and after == " " else (start, end)


def edited(sentence: ForeignSentence, edits: Sequence[Edit]) -> ForeignSentence:
    """The sentence with these changes, which are in order and apart; its regions are moved, and the strings of those that changed are what
    is left of them."""
    if not edits:
        return sentence
    text, places, made, behind = sentence.text, list(range(len(sentence.text) + 1)), "", 0
    for start, end, words in edits:
        for place in range(behind, start):
            places[place] = len(made) + place - behind
        made += text[behind:start]
        places[start] = len(made)
        made += words
        for place in range(start + 1, end):
            places[place] = len(made)
        behind = end
    for place in range(behind, len(text) + 1):
        places[place] = len(made) + place - behind
    made += text[behind:]
    regions = sentence.regions
    if regions is not None:
        regions = tuple(_moved(region, text, places, made) for region in regions)
    return replace(sentence, text=made, regions=regions)


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with these changes."""
    made, behind = "", 0
    for start, end, words in edits:
        made, behind = made + text[behind:start] + words, end
    return made + text[behind:]


def _moved(region: GivenRegion, text: str, places: Sequence[int], made: str) -> GivenRegion:
    start, end = places[region.start], max(places[region.start], places[region.end])
    if made[start:end] == text[region.start : region.end]:
        return replace(region, start=start, end=end)
    # A blank that is left at an end of it belongs to no region.
    while start < end and made[start] == " ":
        start += 1
    while start < end and made[end - 1] == " ":
        end -= 1
    return replace(region, start=start, end=end, raw=None)
