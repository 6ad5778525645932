"""What rows of the table may ask besides a word's property, and what their messages may name. Roles that a condition reads stand in
`gapsmith.vetting.rules.word_rows.CONDITIONS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gapsmith.vetting.rules.adverbs import attaches, day_governor, is_day, is_future, is_licensed
from gapsmith.vetting.rules.ambiguity import MODAL_NOUNS
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.embedding import is_no_gerund
from gapsmith.vetting.rules.fillers import is_common, is_listed_elsewhere
from gapsmith.vetting.rules.model import Words
from gapsmith.vetting.rules.nouns import is_mindless, noun_number
from gapsmith.vetting.rules.row_words import LookedUp
from gapsmith.vetting.rules.verbs import inflected
from gapsmith.vetting.rules.word_rows import CONDITIONS
from gapsmith.vetting.wordrates import Rate, load_word_rates

_COUNTED_ENOUGH, _USUAL = 30, 0.8
"""Verbs that the list has as needing an object were counted with one in 80 % of the clauses, in the median."""


def _with_object(verb: str) -> Rate:
    row = load_word_rates().verb(verb)
    return row.object_rate if row is not None else Rate(0, 0)


def _object_usual(looked: LookedUp, _words: Words) -> bool:
    rate = _with_object(looked.head)
    return rate.total >= _COUNTED_ENOUGH and rate.count >= _USUAL * rate.total


def _any_of(name: str) -> Callable[[LookedUp, Words], bool]:
    return lambda _looked, words: any(words.with_role(role) for role in CONDITIONS[name])


def _of_or_about(_looked: LookedUp, words: Words) -> bool:
    prepositions = {word.value.casefold() for word in words.with_role("preposition")}
    return not prepositions or bool(prepositions & {"of", "about"})


def _that(_looked: LookedUp, words: Words) -> bool:
    return not words.fillers or "that" in words.fillers


def _negated(looked: LookedUp, words: Words) -> bool:
    return looked.frame is not None and looked.frame.negated and _that(looked, words)


def _affirmative(looked: LookedUp, _words: Words) -> bool:
    return looked.frame is not None and not looked.frame.negated


def _untold(looked: LookedUp, _words: Words) -> bool:
    return looked.frame is not None and not looked.frame.tail and not looked.frame.passive


def _number(wanted: str) -> Callable[[LookedUp, Words], bool]:
    return lambda looked, words: noun_number(looked.value, words.knowledge) == wanted


def _bare(looked: LookedUp, words: Words) -> bool:
    return looked.value.islower() and " " not in looked.value and noun_number(looked.value, words.knowledge) == "singular"


def _described(looked: LookedUp, words: Words) -> bool:
    first = looked.value.split()[0].casefold() if looked.value.split() else ""
    return "determiner" in words.knowledge.classes("function_words", first)


def _named(looked: LookedUp, words: Words) -> bool:
    return looked.value[:1].isupper() and words.knowledge.entry("names", looked.value) is not None


def _unread(looked: LookedUp, _words: Words) -> bool:
    if looked.linker is not None:
        linker = looked.linker
        return linker.head is None and not (linker.excess or linker.malformed or linker.object)
    return looked.frame is not None and looked.frame.predicate is None and looked.frame.other_verb is None


def counted_in(looked: LookedUp) -> Counted | None:
    """What is guessed about the word that decides, whatever else stands beside it."""
    if looked.linker is not None:
        head = looked.linker.head
        return counted(looked.linker.guessed, head) if looked.linker.guessed and head else None
    return looked.guess


def _negative(looked: LookedUp, _words: Words) -> bool:
    if looked.linker is not None:
        return looked.linker.negated
    return looked.frame is not None and looked.frame.negated and looked.frame.predicate is not None


def _mindless(looked: LookedUp, words: Words) -> bool:
    del looked
    nouns = [*words.with_role("noun"), *words.with_role("subject_head")]
    return bool(nouns) and all(is_mindless(noun, words) for noun in nouns)


def _modal_noun(looked: LookedUp, words: Words) -> bool:
    first = looked.value.casefold().split()[:1]
    return bool(first) and first[0] in MODAL_NOUNS and bool(words.with_role("preposition") or words.with_role("island"))


_HOLDS: Mapping[str, Callable[[LookedUp, Words], bool]] = {
    "person": lambda _looked, words: words.asks_for_person,
    "island": _any_of("island"),
    "followed": _any_of("followed"),
    "second_gap": _any_of("second_gap"),
    "of_or_about": _of_or_about,
    "that": _that,
    "negated": _negated,
    "affirmative": _affirmative,
    "negative": _negative,
    "untold": _untold,
    "unread": _unread,
    "guessed": lambda looked, _words: counted_in(looked) is not None,
    "other_verb": lambda looked, _words: looked.frame is not None and looked.frame.other_verb is not None,
    "holds_complementizer": lambda looked, _words: looked.frame is not None and looked.frame.complementizer is not None,
    "excess": lambda looked, _words: looked.linker is not None and looked.linker.excess is not None,
    "between": lambda looked, _words: looked.linker is not None and looked.linker.object is not None,
    "modal_noun": _modal_noun,
    "bare": _bare,
    "singular": _number("singular"),
    "plural": _number("plural"),
    "single": lambda looked, _words: len(looked.value.split()) == 1,
    "several": lambda looked, _words: len(looked.value.split()) > 1,
    "small": lambda looked, _words: looked.value[:1].islower(),
    "capital": lambda looked, _words: looked.value[:1].isupper(),
    "described": _described,
    "undescribed": lambda looked, words: not _described(looked, words),
    "unlisted": lambda looked, words: not is_listed_elsewhere(looked.value, words.knowledge),
    "common": lambda looked, words: is_common(looked.value, words.knowledge),
    "unnamed": lambda looked, words: not _named(looked, words),
    "asks_what": lambda _looked, words: words.question == "what",
    "asks_where": lambda _looked, words: words.question == "where",
    "asks_ever": lambda _looked, words: words.question.endswith("ever"),
    "what_alone": lambda _looked, words: "what" in words.fillers and "who" not in words.fillers,
    "fits": lambda looked, words: inflected(looked.word, words) is None,
    "mindless": _mindless,
    "minded": lambda looked, words: not _mindless(looked, words),
    "no_gerund": lambda looked, words: is_no_gerund(looked.word, words),
    "day": lambda looked, _words: is_day(looked.value),
    "no_day": lambda looked, _words: not is_day(looked.value),
    "governed": lambda _looked, words: day_governor(words) is not None,
    "unlicensed": lambda _looked, words: not is_licensed(words),
    "future": lambda looked, words: is_future(words, looked.word),
    "attaches": lambda looked, _words: attaches(looked.value),
    "object_usual": _object_usual,
    "object_optional": lambda looked, words: not _object_usual(looked, words),
}


def is_met(condition: str, looked: LookedUp, words: Words) -> bool:
    """Whether a condition of the table holds of a word."""
    return _HOLDS[condition](looked, words)


def _in_counts(looked: LookedUp, what: str) -> str:
    found = counted_in(looked)
    said = "" if found is None else found.told if what == "counted" else found.says
    if not said:
        return ""
    return f"; {said} in the corpus" if what == "corpus" else f"; counted: {said}"


def _noun(words: Words) -> str:
    nouns = [*words.with_role("noun"), *words.with_role("subject_head")]
    return nouns[0].value if nouns else ""


_SHOWN: Mapping[str, Callable[[LookedUp, Words], str]] = {
    "word": lambda looked, _words: looked.value,
    "head": lambda looked, _words: looked.head,
    "question": lambda _looked, words: words.question,
    "counts": lambda looked, _words: str(_with_object(looked.head)),
    "counted": lambda looked, _words: _in_counts(looked, "counted"),
    "says": lambda looked, _words: _in_counts(looked, "says"),
    "corpus": lambda looked, _words: _in_counts(looked, "corpus"),
    "noun": lambda _looked, words: _noun(words),
    "verb": lambda looked, _words: (looked.frame.other_verb if looked.frame is not None else None) or "",
    "complementizer": lambda looked, _words: (looked.frame.complementizer if looked.frame is not None else None) or "",
    "excess": lambda looked, _words: (looked.linker.excess if looked.linker is not None else None) or "",
    "between": lambda looked, _words: (looked.linker.object if looked.linker is not None else None) or "",
    "first": lambda looked, _words: looked.value.casefold().split()[0],
    "governor": lambda _looked, words: day_governor(words) or "",
}


def shown(field: str, looked: LookedUp, words: Words) -> str:
    """What stands for a name in braces in a message."""
    return _SHOWN[field](looked, words)
