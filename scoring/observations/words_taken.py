"""The words that took part in a prediction: what of an item was read, at or before what is measured.

A slot takes part where a sentence of the prediction has it at or before the place that is measured: what comes later a causal model
has not read. Items that came in as sentences have no slots; their regions stand for them, and roles that were read from the sentences, where
that is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gapsmith.scoring.observations.places import find
from gapsmith.scoring.observations.table import ObservedItem, ObservedSentence
from gapsmith.templates import CRITICAL_PLACE, Paradigm, Place, Span, slots_in

PlaceRead = tuple[str, Place]
"""A condition, and where it is measured."""


@dataclass(frozen=True, slots=True)
class WordsRead:
    """Words by slot or region, for each item."""

    kind: Literal["slots", "regions", "roles", "unknown"]
    """``roles`` where roles were to join what has no slots; ``unknown`` where some items have slots and others none, or nothing says where
    regions lie."""
    rows: tuple[Mapping[str, str], ...]


def words_read(items: Iterable[ObservedItem], paradigm: Paradigm, places: Iterable[PlaceRead]) -> WordsRead:
    """The words of the items that were read for what is measured at these places; of a slot whose texts are built of parts, those of
    each part, too."""
    every, wanted = tuple(items), tuple(dict.fromkeys(places))
    having = [item for item in every if item.slots]
    if having and len(having) < len(every):
        return WordsRead("unknown", ({},) * len(every))
    if having:
        known: dict[int, frozenset[str]] = {}
        rows = []
        for item in every:
            own = paradigm.variant(item.slots)
            if id(own) not in known:
                known[id(own)] = frozenset(name for condition, place in wanted for name in slots_read(own, condition, place))
            rows.append(own.in_parts({name: word for name, word in (item.slots or {}).items() if name in known[id(own)]}))
        return WordsRead("slots", tuple(rows))
    found = [words_together(own) for own in _completed([[_regions_of(item, *place) for place in wanted] for item in every])]
    if any(item.roles for item in every):
        joined = [{**own, **_roles_read(item, wanted)} for own, item in zip(found, every, strict=True)]
        return WordsRead("roles", tuple(joined))
    # Empty ones for each item would be as many as there are items.
    return WordsRead("regions", tuple(found)) if any(found) else WordsRead("unknown", ({},) * len(every))


def slots_read(paradigm: Paradigm, condition: str, place: Place = CRITICAL_PLACE) -> tuple[str, ...]:
    """The slots of a condition that a model from left to right has read for a place."""
    own = paradigm.condition_by_name.get(condition)
    if own is None:
        return ()
    name = own.critical if place == CRITICAL_PLACE else place.name
    last = None if place.steps or place.onwards else name
    found: dict[str, None] = {}
    for region in paradigm.regions:
        found.update(dict.fromkeys(slots_in(own.regions.get(region.name, ""))))
        if region.name == last:
            break
    return tuple(found)


def words_together(parts: Iterable[Mapping[str, str]]) -> dict[str, str]:
    """The words of several sentences of an item as its own: by slot or region, those that differ one after the other."""
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        for name, text in part.items():
            found.setdefault(name, {}).setdefault(text)
    return {name: " / ".join(texts) for name, texts in found.items()}


def _completed(items: Sequence[Sequence[Mapping[str, str] | None]]) -> list[list[Mapping[str, str]]]:
    """The texts by region of each item's sentences. An item that lacks a sentence has no other words for that: where the items that have all
    sentences have them in one way only that agrees with what it has, it has what these have."""
    if all(part is not None for own in items for part in own):
        return [[part or {} for part in own] for own in items]
    names = dict.fromkeys(name for own in items for part in own for name in part or {})
    whole = [[part for part in own if part is not None] for own in items if None not in own]
    ways = {name: dict.fromkeys(tuple(part.get(name) for part in own) for own in whole) for name in names}
    found: list[list[Mapping[str, str]]] = []
    for own in items:
        parts = [dict(part or {}) for part in own]
        for name in names if None in own else ():
            there = [place for place, part in enumerate(own) if part is not None]
            agreeing = [way for way in ways[name] if all(way[place] == parts[place].get(name) for place in there)]
            for place, text in enumerate(agreeing[0] if len(agreeing) == 1 else ()):
                if own[place] is None and text is not None:
                    parts[place][name] = text
        found.append([*parts])
    return found


def _regions_of(item: ObservedItem, condition: str, place: Place) -> dict[str, str] | None:
    """The texts of the regions of a sentence; None where the item has none."""
    return _regions_read(item, condition, place) if isinstance(item.sentences.get(condition), ObservedSentence) else None


def _roles_read(item: ObservedItem, places: Iterable[PlaceRead]) -> dict[str, str]:
    """The words of roles that were read for what is measured at one of these places: those that begin before it ends, and, of a
    sentence whose regions are not known, all that it has."""
    found: dict[str, str] = {}
    for condition, place in places:
        sentence = item.sentences.get(condition)
        if not isinstance(sentence, ObservedSentence):
            continue
        span = find(place, sentence.text, sentence.regions, critical=sentence.critical, numbers={})
        end = len(sentence.text) if isinstance(span, str) else span[1]
        found |= {name: role.word for name, role in item.roles.items() if role.starts.get(condition, end) < end}
    return found


def _regions_read(item: ObservedItem, condition: str, place: Place) -> dict[str, str]:
    """The texts of the regions of a sentence."""
    sentence = item.sentences.get(condition)
    if not isinstance(sentence, ObservedSentence) or sentence.regions is None:
        return {}
    span: Span | str = find(place, sentence.text, sentence.regions, critical=sentence.critical, numbers={})
    if isinstance(span, str):
        return {}
    found = {}
    for region in sentence.regions:
        if region.start < span[1]:
            text = sentence.text[region.start : region.end].strip()
            # A capital is where a sentence begins, not another word.
            found[region.name] = text[:1].lower() + text[1:] if region.start == 0 else text
    return found
