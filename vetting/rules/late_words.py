"""L6: words after the gap that only look like adverbs of time: adjectives, and periods that can be the object."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules.adverbs import adverb_classes
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import WordRule, Words
from gapsmith.vetting.rules.verbs import verb_lemma
from gapsmith.vetting.wordset import word_set

_FLAT = word_set(
    "fast hard late early high low close deep far long near right straight wrong clean clear direct dead fine live first last next daily"
    " most least weekly monthly yearly hourly nightly quarterly only likely friendly kindly"
)
"""Adjectives that are adverbs as they stand."""
_LEAST = 20
"""An adverb in -ly has to occur this often in the frequency table to be the one that is meant."""
_PERIODS = word_set(
    "morning afternoon evening night day week weekend month year summer winter spring autumn fall season holiday monday tuesday wednesday"
    " thursday friday saturday sunday decade century hour minute moment"
)
_DETERMINERS = word_set("the a an this that next last every each all another one")
TAKES_A_PERIOD = word_set(
    "enjoy remember avoid fear resent celebrate cherish savor savour relish treasure endure face fill occupy record document describe film"
    " photograph paint schedule organize organise organise arrange plan choose pick select see need want hate loathe detest forget"
    " spend miss forget ruin spoil love hate survive celebrate dread anticipate describe discuss plan waste await recall"
    " commemorate brighten darken disrupt dominate enliven sweeten book reserve cancel postpone mention regret"
    " devote dedicate sacrifice"
)
"""Verbs whose object may be a day or a longer time: *ruin the summer*."""


def _adjective(words: Words) -> Iterator[Hit]:
    for word in words.with_role("adverb"):
        adverb = adverb_of(word.value.casefold())
        if adverb is not None and not adverb_classes(word.value, words.knowledge):
            yield Hit(
                f"“{word.value}” is an adjective, and an adverb has to stand there", slot=word.slot, remedy=f"Write “{adverb}”."
            )


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


def _period(words: Words) -> Iterator[Hit]:
    verbs = [lemma for verb in words.with_role("verb") if (lemma := verb_lemma(verb, words) or verb.value.casefold())]
    takes = next((lemma for lemma in verbs if lemma in TAKES_A_PERIOD), None)
    for role in ("adverb", "time"):
        for word in words.with_role(role) if takes is not None else ():
            pieces = word.value.casefold().split()
            if len(pieces) > 1 and pieces[0] in _DETERMINERS and pieces[-1] in _PERIODS:
                yield Hit(f"“{word.value}” can be the object of “{takes}”, so that there is no gap", slot=word.slot)


RULES = (
    WordRule("L609", Severity.ERROR, ("adverb",), _adjective),
    WordRule("L610", Severity.WARNING, ("adverb", "time", "verb"), _period, subjects=("adverb", "time")),
)
