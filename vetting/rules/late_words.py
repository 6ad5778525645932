"""L6: adjectives where an adverb has to stand."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules.adverbs import adverb_classes
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import WordRule, Words
from gapsmith.vetting.wordset import word_set

_FLAT = word_set(
    "fast hard late early high low close deep far long near right straight wrong clean clear direct dead fine live first last next daily"
    " most least weekly monthly yearly hourly nightly quarterly only likely friendly kindly"
)
"""Adjectives that are adverbs as they stand."""
_LEAST = 20
"""An adverb in -ly has to occur this often in the frequency table to be the one that is meant."""


def _adjective(words: Words) -> Iterator[Hit]:
    for word in words.with_role("adverb"):
        adverb = adverb_of(word.value.casefold())
        if adverb is not None and not adverb_classes(word.value, words.knowledge):
            yield Hit(
                f"“{word.value}” is an adjective, and an adverb has to stand there", slot=word.slot, remedy=f"Write “{adverb}”."
            )


@lru_cache(maxsize=1 << 14)
def adverb_of(word: str) -> str | None:
    """The adverb in -ly that belongs to an adjective; None for a word that is no adjective, or an adverb as it stands."""
    dictionary = load_dictionary()
    # The dictionary lacks some adjectives (complete) and has their adverbs.
    is_adjective = word in dictionary.adjectives or (
        len(word) > 4 and f"{word}ly" in dictionary.adverbs and word not in dictionary.nouns
    )
    if word in _FLAT or word.endswith("ly") or not is_adjective:
        return None
    counts = load_frequencies().counts
    for formed in (
        f"{word}ly",
        f"{word[:-1]}ily" if word.endswith("y") else "",
        f"{word[:-1]}y" if word.endswith("le") else "",
        f"{word}ally",
    ):
        if formed and counts.get(formed, 0) >= _LEAST:
            return formed
    return None


RULES = (WordRule("L609", Severity.ERROR, ("adverb",), _adjective),)
