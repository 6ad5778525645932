"""What differs between the conditions of an item: where words stand in some of them and nothing, or other words, in others.

The condition with the most words, without a question word that others lack and without a phrase twice, is the one that the others are
held against. A stretch of it that another condition leaves out is the exact place of a gap, and one that another has a question word for
is the filler's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

QUESTION_WORDS = frozenset(["who", "whom", "whose", "what", "which", "where", "when", "why", "how"])
COMPLEMENTIZERS = frozenset(["that", "whether", "if"])
_PIECE = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*['’]?|[^\w\s]")
_MOST_CHANGED = 0.7
"""A condition of which a larger share has no counterpart is no variant of the fullest one."""


class ComparedWord(NamedTuple):
    """A word or a mark, with its characters."""

    text: str
    start: int
    end: int
    small: str
    """In small letters."""


@dataclass(frozen=True)
class Site:
    """A stretch of the fullest condition, `start` to `end` of its pieces, that others lack or have other words for."""

    start: int
    end: int
    texts: Mapping[str, str]
    """Condition to what stands there, empty for nothing. Conditions that could not be compared are absent."""
    spans: Mapping[str, tuple[int, int]]
    """Condition to where it stands."""

    @property
    def is_filler(self) -> bool:
        """Whether some conditions have a question word there, and others not the same."""
        asking = [text for text in self.texts.values() if text.casefold().partition(" ")[0] in QUESTION_WORDS]
        return bool(asking) and len(set(self.texts.values())) > 1


@dataclass(frozen=True)
class Differences:
    """The fullest condition with the places at which others differ from it."""

    base: str
    pieces: tuple[ComparedWord, ...]
    sites: tuple[Site, ...]
    texts: Mapping[str, str]

    @cached_property
    def fine(self) -> tuple[Site, ...]:
        """The places with those taken apart, word by word, at which all conditions have as many words."""
        return tuple(_fine(self))

    def counterparts(self, start: int, end: int) -> dict[str, tuple[int, int] | None]:
        """Where the characters `start` to `end` of the fullest condition stand in each condition; None where they do not."""
        found: dict[str, tuple[int, int] | None] = {}
        own = self.texts[self.base]
        for name, text in self.texts.items():
            shift = 0
            for site in self.sites:
                if name in site.spans and site.spans[self.base][1] <= start:
                    shift = site.spans[name][1] - site.spans[self.base][1]
                elif name in site.spans and site.spans[self.base][0] <= start:
                    shift = site.spans[name][0] - site.spans[self.base][0]
            same = text[start + shift : end + shift].casefold() == own[start:end].casefold()
            found[name] = (start + shift, end + shift) if same else None
        return found


@lru_cache(maxsize=1 << 14)
def pieces_of(text: str) -> tuple[ComparedWord, ...]:
    """The words and marks of a text."""
    return tuple(ComparedWord(m.group(), m.start(), m.end(), m.group().casefold()) for m in _PIECE.finditer(text))


def differences_of(texts: Mapping[str, str]) -> Differences | None:
    """How the conditions of an item differ; None where there is no condition with a word."""
    pieces = {name: pieces_of(text) for name, text in texts.items()}
    pieces = {name: found for name, found in pieces.items() if found}
    if not pieces:
        return None
    base = min(pieces, key=lambda name: _fullness(pieces[name]))
    own = [piece.small for piece in pieces[base]]
    changes = {name: _changes(own, [p.small for p in found]) for name, found in pieces.items() if name != base}
    compared = {name: found for name, found in changes.items() if found is not None}
    ranges = _split_complementizer(own, _merged([(i, j) for found in compared.values() for i, j, _, _ in found]))
    sites = []
    for start, end in ranges:
        places = {base: (start, end), **{name: _counterpart(found, start, end) for name, found in compared.items()}}
        sites.append(_site(_trimmed(places, pieces), pieces, texts, base))
    return Differences(base, pieces[base], tuple(sites), dict(texts))


_Places = Mapping[str, tuple[int, int]]
"""Condition to pieces of it, half-open."""


def _site(places: _Places, pieces: Mapping[str, Sequence[ComparedWord]], texts: Mapping[str, str], base: str) -> Site:
    spots = {name: _spot(pieces[name], *place) for name, place in places.items()}
    return Site(*places[base], {name: texts[name][a:b] for name, (a, b) in spots.items()}, spots)


def _trimmed(places: _Places, pieces: Mapping[str, Sequence[ComparedWord]]) -> _Places:
    """The places without the words at their end that all have: *the fireworks the* against *the* is *the fireworks* against nothing."""
    while all(start < end for start, end in places.values()):
        if len({pieces[name][end - 1].small for name, (_, end) in places.items()}) > 1:
            break
        places = {name: (start, end - 1) for name, (start, end) in places.items()}
    return places


def _fine(differences: Differences) -> Iterator[Site]:
    """The places one word at a time where all conditions have as many words there: *jar was* against *jars were*."""
    pieces = {name: pieces_of(text) for name, text in differences.texts.items()}
    for site in differences.sites:
        number = site.end - site.start
        if number < 2 or not all(site.texts.values()):
            yield site
            continue
        first = {name: next((i for i, p in enumerate(pieces[name]) if p.start == a), -1) for name, (a, _) in site.spans.items()}
        alike = number > 1 and all(
            at >= 0 and at + number <= len(pieces[name]) and pieces[name][at + number - 1].end == site.spans[name][1]
            for name, at in first.items()
        )
        if not alike:
            yield site
            continue
        for i in range(number):
            places = {name: (at + i, at + i + 1) for name, at in first.items()}
            if len({pieces[name][at].small for name, (at, _) in places.items()}) > 1:
                yield _site(places, pieces, differences.texts, differences.base)


@lru_cache(maxsize=1 << 14)
def _fullness(pieces: tuple[ComparedWord, ...]) -> tuple[int, bool, int]:
    """The fuller a condition, the less this is: fewer question words, nothing that stands twice, more words."""
    return _asking(pieces), _repeated(pieces), -_words(pieces)


def _asking(pieces: Sequence[ComparedWord]) -> int:
    return sum(piece.small in QUESTION_WORDS for piece in pieces)


def _words(pieces: Sequence[ComparedWord]) -> int:
    return sum(piece.text[0].isalnum() for piece in pieces)


def _repeated(pieces: Sequence[ComparedWord]) -> bool:
    """Whether two words in a row come again: a phrase that was moved to the front and stands in its old place as well."""
    words = [piece.small for piece in pieces]
    rows = list(pairwise(words))
    return len(set(rows)) < len(rows)


_Change = tuple[int, int, int, int]


def _changes(own: list[str], other: list[str]) -> list[_Change] | None:
    """(start, end) of one and of the other for each stretch that differs; None where too little is the same."""
    first = 0
    least = min(len(own), len(other))
    while first < least and own[first] == other[first]:
        first += 1
    last = 0
    while last < least - first and own[-1 - last] == other[-1 - last]:
        last += 1
    one, two = own[first : len(own) - last], other[first : len(other) - last]
    whole = [(first, first + len(one), first, first + len(two))]
    if not one or not two:
        return whole if one or two else []
    found = whole
    if not set(one).isdisjoint(two):
        found = [
            (first + i, first + j, first + k, first + m)
            for kind, i, j, k, m in SequenceMatcher(None, one, two, autojunk=False).get_opcodes()
            if kind != "equal"
        ]
    if sum(max(j - i, m - k) for i, j, k, m in found) > _MOST_CHANGED * max(len(own), len(other)):
        return None
    return found


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Stretches that overlap made one; an insertion belongs to no stretch that it only touches."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(set(ranges)):
        if found and (start < found[-1][1] or (start, end) == found[-1]):
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _split_complementizer(own: list[str], ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """*that Mary* against *who* is a complementizer against a filler, and a gap after it."""
    found = []
    for start, end in ranges:
        if end - start > 1 and own[start] in COMPLEMENTIZERS:
            found += [(start, start + 1), (start + 1, end)]
        else:
            found.append((start, end))
    return found


def _counterpart(changes: list[_Change], start: int, end: int) -> tuple[int, int]:
    """The pieces of the other condition that stand where `start` to `end` of the fullest one do."""
    return _carried(changes, start, before=True), _carried(changes, end, before=False)


def _carried(changes: list[_Change], at: int, *, before: bool) -> int:
    """Where a boundary of the fullest condition lies in the other: before what is inserted there, or after it."""
    shift = 0
    for i, j, k, m in changes:
        if at < i or (at == i and before):
            break
        if at < j:
            return min(k + (at - i), m)
        shift = m - j
        if at == j and i == j and not before:
            return m
    return at + shift


def _spot(pieces: Sequence[ComparedWord], start: int, end: int) -> tuple[int, int]:
    """The characters of a stretch; an empty one stands after the word before it."""
    if start >= end:
        at = pieces[start - 1].end if 0 < start <= len(pieces) else 0
        return at, at
    return pieces[start].start, pieces[end - 1].end
