"""L6: the word right after the gap has to be an adverb of time and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bank import Severity
from vetting.rules.model import Hit, Word, WordRule, Words
from vetting.rules.wordset import word_set

__all__ = ["RULES"]

_DAYS = word_set(
    "today tomorrow tonight sundays mondays tuesdays wednesdays thursdays fridays saturdays weekends mornings evenings nights"
    " afternoons noon midnight monday tuesday wednesday thursday friday saturday sunday home"
)
"""Nouns that are adverbs more often than objects after a verb of this kind: a warning, where a quantifier is an error."""


def _single(words: Words) -> Iterator[Word]:
    for word in words.of("adverb"):
        if len(word.value.split()) == 1:
            yield word


def _of_class(wanted: str, message: str) -> Callable[[Words], Iterator[Hit]]:
    def check(words: Words) -> Iterator[Hit]:
        for word in _single(words):
            if wanted in words.knowledge.classes("adverbs", word.value):
                yield Hit(message.format(adverb=word.value), slot=word.slot)

    return check


def _unknown(words: Words) -> Iterator[Hit]:
    for word in _single(words):
        if not words.knowledge.classes("adverbs", word.value):
            yield Hit(f"“{word.value}” is in no list of adverbs", slot=word.slot)


def _nominal(words: Words) -> Iterator[Hit]:
    for word in _single(words):
        if "nominal" in words.knowledge.classes("adverbs", word.value):
            severity = Severity.WARNING if word.value.casefold() in _DAYS else None
            yield Hit(
                f"“{word.value}” can be the object itself, so that there is no gap", slot=word.slot, severity=severity
            )


def _several(words: Words) -> Iterator[Hit]:
    for word in words.of("adverb"):
        if len(word.value.split()) > 1:
            yield Hit(f"“{word.value}” is more than one word", slot=word.slot)


def _past(words: Words) -> Iterator[Hit]:
    for word in _single(words):
        if "past" in words.knowledge.classes("adverbs", word.value) and words.future.get(word.slot or "", True):
            yield Hit(f"“{word.value}” is about the past, the clause about the future", slot=word.slot)


def _no_time(words: Words) -> Iterator[Hit]:
    for word in _single(words):
        kinds = words.knowledge.classes("adverbs", word.value)
        if "misfit" in kinds:
            yield Hit(
                f"“{word.value}” needs another word after it or a plural before it",
                slot=word.slot,
                severity=Severity.WARNING,
            )
        elif "manner" in kinds:
            yield Hit(f"“{word.value}” does not say when", slot=word.slot)
        elif "present" in kinds:
            yield Hit(f"“{word.value}” is about the present or a habit", slot=word.slot)


RULES = (
    WordRule("L600", Severity.INFO, ("adverb",), _unknown),
    WordRule("L601", Severity.ERROR, ("adverb",), _nominal),
    WordRule(
        "L602",
        Severity.ERROR,
        ("adverb",),
        _of_class("opener", "“{adverb}” can open a phrase or clause that ends too soon"),
    ),
    WordRule("L603", Severity.ERROR, ("adverb",), _several),
    WordRule("L604", Severity.ERROR, ("adverb",), _past),
    WordRule("L605", Severity.INFO, ("adverb",), _no_time),
    WordRule("L606", Severity.ERROR, ("adverb",), _of_class("no_adverb", "“{adverb}” is no adverb")),
)
