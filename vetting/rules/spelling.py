"""L7: words that do not exist, and words that sound like the one that is meant; the latter are read off the sentences, whatever is known of
the roles of their words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.frequency import load_frequencies, load_rare_words
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, PAST
from gapsmith.vetting.rules.knowledge import Knowledge, load_knowledge
from gapsmith.vetting.rules.model import WordRule, Words
from gapsmith.vetting.rules.word_rows import WORDED
from gapsmith.vetting.rules.wording import each_word, is_word, misspelt
from gapsmith.vetting.wordset import word_set

_SHORTEST = 4
"""Shorter words may be anything: an abbreviation, a sound."""
_PART = 3
_PARTS_COUNT = 10
"""Each part of a compound has to occur this often in the frequency table."""
_MODALS = word_set("will would can could may might must shall should to")
_DETERMINERS = word_set("the a an my your his her its our their this that these those he she they we i you it")
_EFFECT = "effect"
"""A verb as well, of changes: *to effect a change*."""
_OBJECT_PRONOUNS = word_set("me him us them")
_PREPOSITIONS = word_set("of in on at about from with by for to under over against behind")
_OF_SENTENCES = word_set(
    "know knows knew ask asks asked wonder wonders wondered learn learned discover discovered decide decided say said"
)
_MODALS_OF_PERFECT = word_set("could would should might must")
_AFTER_IT_IS = word_set("likely clear obvious possible true not been going certain sure known said unclear probable")
_AFTER_YOU_ARE = word_set("likely going sure certain not welcome")
_BE = word_set("is are was were be been way far not")
_QUITE = word_set("likely sure certain clear possible obvious")


def _not_words(words: Words) -> Iterator[Hit]:
    for slot, _, word in each_word(words):
        if is_no_word(word, words.knowledge):
            yield Hit(f"“{word}” is in no dictionary and no list, nor in the corpus", slot=slot.slot)


def is_no_word(word: str, knowledge: Knowledge) -> bool:
    """Whether a word in small letters is one that nobody knows: not in the dictionary, the lists, the counts, no compound or derivative
    of known words, and no slip for one (which is said by another rule)."""
    if len(word) < _SHORTEST or word != word.casefold() or not word.isascii() or not word.isalpha():
        return False
    return _is_unknown(word, knowledge)


@lru_cache(maxsize=16384)
def _is_unknown(word: str, knowledge: Knowledge) -> bool:
    if any(is_word(part, knowledge) or part in load_rare_words() for part in (word, *_stems(word))):
        return False
    counts, forms = load_frequencies().counts, load_dictionary().forms
    for at in range(_PART, len(word) - _PART + 1):
        parts = word[:at], word[at:]
        if all(part in forms and counts.get(part, 0) >= _PARTS_COUNT for part in parts):
            return False
    return all(misspelt(word, role, knowledge) is None for role in ("", "verb", "noun", "adverb", "matrix"))


_PREFIXES = (
    *(
        "un",
        "re",
        "mis",
        "dis",
        "over",
        "under",
        "out",
        "non",
        "anti",
        "pre",
        "de",
        "counter",
        "self",
        "co",
        "inter",
        "multi",
        "sub",
    ),
    *("super", "be", "en", "em", "fore", "up", "mid", "ex", "down", "in", "im", "semi", "ultra", "post"),
)
_SUFFIXES = {
    **dict.fromkeys(("ies", "ied", "ily", "iness"), "y"),
    **dict.fromkeys(
        ("s", "es", "ed", "d", "ing", "er", "ers", "or", "ly", "ness", "able", "ible", "less", "ful", "ish", "like"), ""
    ),
    **dict.fromkeys(("ation", "ory", "ive"), "ate"),
    **dict.fromkeys(("al", "ial", "ally", "ically", "ity", "ic", "ion", "ional", "ment", "ments", "y", "ee", "ees"), ""),
    **dict.fromkeys(("ize", "ise", "ization", "isation", "ism", "ist", "ists", "ship", "hood", "wise"), ""),
}


def _stems(word: str) -> Iterator[str]:
    """What is left of a word without what English puts before and after words, with the letters that go with it."""
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= _PART:
            yield word.removeprefix(prefix)
    for suffix, instead in _SUFFIXES.items():
        if word.endswith(suffix) and len(word) - len(suffix) >= _PART:
            stem = word.removesuffix(suffix) + instead
            yield from (stem, f"{stem}e")
            if len(stem) > _PART and stem[-1] == stem[-2]:
                yield stem[:-1]


def homophones(words: list[str], knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    """(what stands there, what is meant) for words of a sentence that cannot stand where they do, while one that sounds alike can."""
    padded = ["", *words, "", "", ""]
    for i in range(1, len(words) + 1):
        before, word, after, third = padded[i - 1 : i + 3]
        found = homophone_in(before, word, after, third, knowledge)
        if found is not None:
            yield found


@lru_cache(maxsize=8)
def suspects_of(knowledge: Knowledge) -> frozenset[str]:
    """The words in small letters that may be confused with others: those that `homophone_in` says something of, and those with which an entry
    of the list of confusions begins."""
    first = (entry.split()[0] for entry in knowledge.lists["confusions"])
    return frozenset({*_TOLD_BY_NEIGHBORS, *knowledge.lists["homophones"], *first})


def homophone_in(first: str, word: str, second: str, third: str, knowledge: Knowledge) -> tuple[str, str] | None:
    """(what stands there, what is meant) for a word between the one before it and the two after it; None where it may stand there."""
    low = in_small(word)
    if low not in _TOLD_BY_NEIGHBORS and low not in knowledge.lists["homophones"]:
        return None
    before, after = in_small(first), in_small(second)
    if meant := _meant(low, before, after, in_small(third)):
        return (word if " " not in meant else f"{word} {second}", meant)
    entry = knowledge.entry("homophones", low)
    if entry is None or word != low:
        return None
    classes = entry.values("class")
    # What has an object of its own is no noun: could here my neighbors, to effect Anna.
    has_object = after in _OBJECT_PRONOUNS or second[:1].isupper() or (after in _DETERMINERS and low != _EFFECT)
    stands_for_verb = "infinitive" in classes and before in _MODALS and has_object and not _is_base(low, knowledge)
    stands_for_opener = "clause" in classes and before in _OF_SENTENCES and after in _DETERMINERS
    return (word, entry.values("meant")[0]) if stands_for_verb or stands_for_opener else None


def in_small(word: str) -> str:
    """A word in small letters, with a straight apostrophe."""
    return word.casefold().replace("’", "'")


def _is_base(word: str, knowledge: Knowledge) -> bool:
    """Whether a word is a verb that the lists have: the dictionary has *effect* and *bare* as verbs as well."""
    return knowledge.entry("verbs", word) is not None and bool(knowledge.classes("verbs", word) - {"thing_object"})


_TOLD_BY_NEIGHBORS = word_set("of they're you're who's it's there its your then to quiet past no suppose")
"""Words of the closed classes of which `_meant` says something."""


def _meant(word: str, before: str, after: str, third: str) -> str | None:
    """What is meant by a word of the closed classes."""
    if word == "of" and before in _MODALS_OF_PERFECT:
        return "have"
    if word in {"they're", "you're", "who's", "it's"} and _only_noun(after) and (third in _PREPOSITIONS or _is_finite(third)):
        return {"they're": "their", "you're": "your", "who's": "whose", "it's": "its"}[word]
    if (
        word == "there"
        and len(after) > _PART
        and (_only_noun(after) or (_may_be_noun(after) and _is_past(third)))
        and before not in {"is", "are", "was", "were", "be", "out", "over", "up", "in"}
    ):
        return "their" if third in _PREPOSITIONS or _is_finite(third) else None
    if word == "its" and after in _AFTER_IT_IS and not _may_be_noun(third):
        return "it's"
    if word == "your" and after in _AFTER_YOU_ARE and not _may_be_noun(third):
        return "you're"
    if word == "then" and before in {"rather", "other", "more", "less", "better", "worse", "sooner"} and after not in {"", "and"}:
        return "than"
    if word == "to" and after in {"much", "many"} and before in _BE:
        return "too"
    if word == "quiet" and after in _QUITE:
        return "quite"
    if word == "past" and before in {"has", "had"} and after in _DETERMINERS:
        return "passed"
    if word == "no" and before in {"i", "they", "we", "you"} and after in {"that", "who", "what", "whether", "how", "why"}:
        return "know"
    if word == "suppose" and before in {"is", "are", "was", "were", "am"} and after == "to":
        return "supposed"
    return None


def _may_be_noun(word: str) -> bool:
    dictionary = load_dictionary()
    return word not in _PREPOSITIONS and (word in dictionary.nouns or word in dictionary.plurals)


def _only_noun(word: str) -> bool:
    dictionary = load_dictionary()
    is_noun = word in dictionary.nouns or word in dictionary.plurals
    return (
        is_noun
        and word not in load_knowledge().verb_forms
        and word not in dictionary.adjectives
        and word not in dictionary.adverbs
    )


def _is_past(word: str) -> bool:
    kinds = {form.kind for form in load_knowledge().verb_forms.get(word, ())}
    return PAST in kinds and BASE not in kinds


def _is_finite(word: str) -> bool:
    kinds = {form.kind for form in load_knowledge().verb_forms.get(word, ())}
    return word in {"is", "are", "was", "were", "has", "have", "will", "can", "may", "might", "could", "would"} or bool(
        kinds - {BASE}
    )


RULES = (WordRule("L703", Severity.WARNING, WORDED, _not_words, subjects=WORDED),)
