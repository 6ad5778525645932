"""From slots to sentences: minimal pairs by construction."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.model import Condition, Paradigm, RegionSpan, Sentence, Source
from gapsmith.templates.pattern import fill

PUNCTUATION = "punctuation"
"""The name of the region that holds the paradigm's final punctuation."""


def expect_words(paradigm: Paradigm) -> None:
    """Raises `ParadigmError` where the paradigm says no words, since its sentences come from files."""
    if paradigm.given:
        raise ParadigmError(
            f"{paradigm.name} has no words to make sentences from: its items are given",
            hint="Bring sentences with `gapsmith import FILE`.",
        )


def realise(paradigm: Paradigm, slots: Mapping[str, str]) -> tuple[Sentence, ...]:
    """The sentences of every condition, in the paradigm's order.

    Raises `ParadigmError` where the sentences are given by files, where a slot that some region shows has no value, or the
    value is blank or holds irregular spaces, which would move the regions."""
    expect_words(paradigm)
    if paradigm.choices:
        variant = paradigm.variant(slots)
        if variant is paradigm:
            named = ", ".join(f"{c.name} ({' or '.join(c.levels)})" for c in paradigm.choices)
            raise ParadigmError(f"{paradigm.name}: nothing says which choice an item makes", hint=f"Choices: {named}.")
        return realise(variant, slots)
    for slot in paradigm.visible_slots:
        value = slots.get(slot.name)
        if value is None or value != " ".join(value.split()) or not value or not value.isprintable():
            raise ParadigmError(
                f"{paradigm.name}: slot {slot.name!r} has the value {value!r}",
                hint="A slot needs one or more words with single spaces between them, and nothing that cannot be printed.",
            )
    return tuple(realise_condition(paradigm, condition, slots) for condition in paradigm.conditions)


def realise_condition(paradigm: Paradigm, condition: Condition, slots: Mapping[str, str]) -> Sentence:
    """The sentence of one condition, its regions as half-open character spans in reading order.

    Regions are joined by single spaces; an empty region is an empty span at the place where it would be; the
    first letter is a capital; the final punctuation is a region of its own."""
    text = ""
    spans = []
    for region in paradigm.regions:
        words = fill(condition.regions[region.name], slots)
        start = len(text) + (1 if text and words else 0)
        text = f"{text} {words}" if text and words else text + words
        spans.append(RegionSpan(region.name, start, len(text)))
    start = len(text)
    text = capitalise(text) + paradigm.final_punctuation
    if paradigm.final_punctuation:
        spans.append(RegionSpan(PUNCTUATION, start, len(text)))
    return Sentence(condition.name, text, tuple(spans), Source.REALISED)


def capitalise(text: str) -> str:
    """The text with its first character in upper case, unless that would change the text's length."""
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == len(text[:1]) else text
