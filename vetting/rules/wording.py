"""L7: misspellings, in words of any role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary, near
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import spelt_out
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.word_rows import WORDED

_LIST_BY_ROLE = {"noun": "nouns", "verb": "verbs", "adverb": "adverbs", "matrix": "predicates", "linker": "linkers"}
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SHORTEST = 5
"""Shorter words have so many neighbors that one more letter tells nothing."""
_COMMON = 20
"""A neighbor has to occur this often in the frequency table to be what was meant, unless a list has it."""


def each_word(words: Words) -> Iterator[tuple[Word, str, str]]:
    """Every word that is no name: (slot, role, word as it stands), word by word."""
    for role in WORDED:
        for word in words.by_role.get(role, ()):
            for piece in pieces_of(word.value):
                yield word, role, piece


@lru_cache(maxsize=1 << 14)
def pieces_of(value: str) -> tuple[str, ...]:
    """The words of a phrase."""
    return tuple(_WORD.findall(value))


def vulgar_part(word: str, knowledge: Knowledge) -> str | None:
    """The vulgar word of which a word in no dictionary is a compound (*bull* + *shit*), or None."""
    known = load_dictionary().forms
    if word in known:
        return None
    for at in range(_PART, len(word) - _PART + 1):
        for part, other in ((word[at:], word[:at]), (word[:at], word[at:])):
            if len(part) > _PART and other in known and "profanity" in knowledge.classes("offensive", part):
                return part
    return None


_PART = 3
"""Parts of compounds have as many letters at the least, the vulgar one more: shorter ones are in too many words (*class*)."""


def _misspelling(words: Words) -> Iterator[Hit]:
    for slot, role, word in each_word(words):
        meant = misspelt(word, role, words.knowledge)
        if meant is not None:
            yield Hit(f"“{word}” looks like a slip for “{meant}”", slot=slot.slot, remedy=f"Write “{meant}”.")


def misspelt(word: str, role: str, knowledge: Knowledge) -> str | None:
    """What a word is a slip of the pen for; None for a word that is in a list, in the dictionary or in the table of
    frequencies, and for one that is near to nothing or to several words alike."""
    folded = word.casefold()
    # A capital inside a slot is a name's; names are spelt as their owners like.
    if len(folded) < _SHORTEST or not folded.isascii() or not folded.isalpha() or word != folded:
        return None
    return _misspelt(folded, _LIST_BY_ROLE.get(role, ""), knowledge)


@lru_cache(maxsize=4096)
def _misspelt(word: str, own_list: str, knowledge: Knowledge) -> str | None:
    if is_word(word, knowledge) or any(is_word(variant, knowledge) for variant in _variants(word)):
        return None
    # The first letter is the one that people get right.
    one = sorted({f for f in near(word) if f[:1] == word[:1] and len(f) >= _SHORTEST - 1 and _is_meant(f, knowledge)})
    listed = [found for found in one if own_list and _in_list(found, own_list, knowledge)]
    best = listed or one
    if not best and len(word) >= 8 and own_list:
        # Two slips in a long word: only for what could stand in this slot.
        entries = knowledge.lists[own_list]
        best = [
            e for e in entries if e[:1] == word[:1] and abs(len(e) - len(word)) <= 2 and not set(near(e)).isdisjoint(near(word))
        ]
    counts = load_frequencies().counts
    return max(best, key=lambda found: counts.get(found, 0)) if best and (len(best) <= 2 or listed) else None


def is_word(word: str, knowledge: Knowledge) -> bool:
    """Whether a word in small letters is in the dictionary, in the table of frequencies, or in a list."""
    return (
        word in load_dictionary().forms
        or word in load_frequencies().counts
        or word in knowledge.verb_forms
        or word in knowledge.plural_nouns
        or spelt_out(word)
        or any(word in entries for entries in knowledge.lists.values())
        or any(word in entry.split() for name in ("predicates", "linkers") for entry in knowledge.lists[name] if " " in entry)
    )


def _is_meant(word: str, knowledge: Knowledge) -> bool:
    listed = any(word in knowledge.lists[name] for name in ("verbs", "nouns", "adverbs", "linkers", "predicates"))
    return listed or (word in load_dictionary().forms and load_frequencies().counts.get(word, 0) >= _COMMON)


def _in_list(word: str, name: str, knowledge: Knowledge) -> bool:
    if word in knowledge.lists[name]:
        return True
    if name in {"verbs", "predicates", "linkers"}:
        return any(form.lemma in knowledge.lists[name] for form in knowledge.verb_forms.get(word, ()))
    return name == "nouns" and word in knowledge.plural_nouns


def _variants(word: str) -> Iterator[str]:
    """The word in American spelling, and without what English puts before and after words."""
    for british, american in (
        ("our", "or"),
        ("is", "iz"),
        ("ys", "yz"),
        ("ll", "l"),
        ("re", "er"),
        ("ae", "e"),
        ("oe", "e"),
    ):
        if british in word:
            yield word.replace(british, american)
    for prefix in ("un", "re", "mis", "dis", "over", "under", "out", "non", "anti", "pre", "de", "counter", "self"):
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST:
            yield word.removeprefix(prefix)
    for suffix in ("s", "es", "ly", "ness", "er", "ers", "ish", "less", "like", "ed", "ing", "ize", "ise"):
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST:
            yield word.removesuffix(suffix)
    for suffix in ("er", "ers"):
        # Who raps is a rapper.
        stem = word.removesuffix(suffix)
        if word.endswith(suffix) and len(stem) > 3 and stem[-1] == stem[-2]:
            yield stem[:-1]


RULES = (WordRule("L702", Severity.WARNING, WORDED, _misspelling, subjects=WORDED),)
