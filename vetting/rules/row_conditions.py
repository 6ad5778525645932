"""What rows of the table may ask besides a word's property, and what their messages may name. Roles that a condition reads stand in
`gapsmith.vetting.rules.word_rows.CONDITIONS`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gapsmith.vetting.rules.adverbs import attaches, day_governor, is_day, is_licensed, is_period, time_before
from gapsmith.vetting.rules.ambiguity import MODAL_NOUNS
from gapsmith.vetting.rules.clause_reading import MODALS
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.embedding import is_no_gerund
from gapsmith.vetting.rules.fillers import is_common, is_listed_elsewhere, only_counts, zone_cities
from gapsmith.vetting.rules.inflection import GERUND
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import FORMS_OF_BE, Time
from gapsmith.vetting.rules.matrix import is_now, is_told_beside
from gapsmith.vetting.rules.model import Words
from gapsmith.vetting.rules.nouns import is_mindless, noun_number
from gapsmith.vetting.rules.row_words import LookedUp
from gapsmith.vetting.rules.verbs import inflected, is_base, is_participle, is_with_particle, particle_counts
from gapsmith.vetting.rules.word_rows import CONDITIONS
from gapsmith.vetting.rules.wording import vulgar_part
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
    stands_alone = looked.value.islower() and " " not in looked.value and not looked.word.determined
    return stands_alone and noun_number(looked.value, words.knowledge) == "singular"


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


def _linker_time(*times: Time) -> Callable[[LookedUp, Words], bool]:
    return lambda looked, _words: looked.linker is not None and looked.linker.time in times


def _before(test: Callable[[str, Knowledge], bool]) -> Callable[[LookedUp, Words], bool]:
    return lambda looked, words: _verb_after(looked, words, test) is not None


def _verb_after(looked: LookedUp, words: Words, test: Callable[[str, Knowledge], bool]) -> str | None:
    """The first verb that is of a form which cannot follow the linker, where that ends in a form of *be*."""
    linker = looked.linker
    if linker is None or linker.malformed is not None or linker.wants != GERUND:
        return None
    if looked.value.casefold().split()[-1] not in FORMS_OF_BE:
        return None
    return next((verb.value for verb in words.with_role("verb") if test(verb.value, words.knowledge)), None)


def _main(looked: LookedUp, words: Words) -> bool:
    return looked.word not in {*words.with_role("adjunct_verb"), *words.with_role("conjunct")}


def _harmless(looked: LookedUp, words: Words) -> bool:
    # A capital tells, unless the word is a verb that could go on with the clause.
    small = looked.value.casefold()
    goes_on = words.knowledge.entry("verbs", small) is not None or small in MODALS
    return looked.classes is not None and (not goes_on or only_counts(small))


def _zone_city(looked: LookedUp, words: Words) -> bool:
    known = words.knowledge.entry("proper_names", looked.value) is not None
    return not known and looked.value[:1].isupper() and looked.value.casefold() in zone_cities()


def _in_frame(looked: LookedUp, words: Words) -> bool:
    frames = (piece for frame in words.with_role("matrix") for piece in frame.value.casefold().split())
    return looked.value.casefold() in {_POSSESSIVE.sub("", piece) for piece in frames}


_POSSESSIVE = re.compile(r"['’]s?$")


def _again(looked: LookedUp, words: Words) -> bool:
    # Of slots their paradigm says whether they have to differ (T100).
    names = words.with_role("name")
    place = names.index(looked.word) if looked.word in names else 0
    return looked.word.is_read and looked.value.casefold() in {name.value.casefold() for name in names[:place]}


def _group_after(looked: LookedUp, words: Words) -> str:
    # One more adjective may stand between the two: "gossipy old spinsters".
    return next((word for word in looked.following if "group" in words.knowledge.classes("stereotypes", word)), "")


_HOLDS: Mapping[str, Callable[[LookedUp, Words], bool]] = {
    "person": lambda _looked, words: words.asks_for_person,
    "thing": lambda _looked, words: "what" in words.fillers and not words.asks_for_person,
    "island": _any_of("island"),
    "followed": _any_of("followed"),
    "second_gap": _any_of("second_gap"),
    "of_or_about": _of_or_about,
    "that": _that,
    "negated": _negated,
    "affirmative": _affirmative,
    "negative": _negative,
    "untold": _untold,
    "told_beside": lambda looked, _words: looked.frame is not None and is_told_beside(looked.frame),
    "unread": _unread,
    "guessed": lambda looked, _words: counted_in(looked) is not None,
    "other_verb": lambda looked, _words: looked.frame is not None and looked.frame.other_verb is not None,
    "holds_complementizer": lambda looked, _words: looked.frame is not None and looked.frame.complementizer is not None,
    "excess": lambda looked, _words: looked.linker is not None and looked.linker.excess is not None,
    "between": lambda looked, _words: looked.linker is not None and looked.linker.object is not None,
    "malformed": lambda looked, _words: looked.linker is not None and looked.linker.malformed is not None,
    "before_base": _before(is_base),
    "before_participle": _before(is_participle),
    "past": _linker_time(Time.PAST, Time.PERFECT),
    "present": _linker_time(Time.PRESENT),
    "perfect": _linker_time(Time.PERFECT),
    "frame_now": lambda _looked, words: is_now(words),
    "modal_noun": _modal_noun,
    "bare": _bare,
    "singular": _number("singular"),
    "plural": _number("plural"),
    "single": lambda looked, _words: len(looked.value.split()) == 1,
    "several": lambda looked, _words: len(looked.value.split()) > 1,
    "small": lambda looked, _words: looked.value[:1].islower(),
    "capital": lambda looked, _words: looked.value[:1].isupper(),
    "described": _described,
    "unlisted": lambda looked, words: not is_listed_elsewhere(looked.value, words.knowledge),
    "common": lambda looked, words: is_common(looked.value, words.knowledge),
    "named": _named,
    "harmless": _harmless,
    "zone_city": _zone_city,
    "in_frame": _in_frame,
    "again": _again,
    "asks_what": lambda _looked, words: words.question == "what",
    "asks_where": lambda _looked, words: words.question == "where",
    "asks_ever": lambda _looked, words: words.question.endswith("ever"),
    "what_alone": lambda _looked, words: "what" in words.fillers and "who" not in words.fillers,
    "fits": lambda looked, words: inflected(looked.word, words) is None,
    "main": _main,
    "with_particle": lambda looked, _words: is_with_particle(looked.value),
    "particle_object": lambda looked, words: looked.word.is_read and particle_counts(looked.value, words)[1],
    "mindless": _mindless,
    "no_gerund": lambda looked, words: is_no_gerund(looked.word, words),
    "day": lambda looked, _words: is_day(looked.value),
    "period": lambda looked, _words: is_period(looked.value),
    "governed": lambda _looked, words: day_governor(words) is not None,
    "unlicensed": lambda _looked, words: not is_licensed(words),
    "future": lambda looked, words: time_before(words, looked.word) is Time.FUTURE,
    "up_to_now": lambda looked, words: time_before(words, looked.word) in {Time.PRESENT, Time.PERFECT},
    "attaches": lambda looked, _words: attaches(looked.value),
    "object_usual": _object_usual,
    "vulgar_part": lambda looked, words: vulgar_part(looked.head, words.knowledge) is not None,
    "before_group": lambda looked, words: bool(_group_after(looked, words)),
}


def is_met(condition: str, looked: LookedUp, words: Words, role: str) -> bool:
    """Whether a condition of the table holds of a word in that role."""
    if condition == "gap":
        return role == "name" or words.asks_for_person
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
    "time": lambda looked, words: str(looked.linker.time if looked.linker is not None else time_before(words, looked.word)),
    "form": lambda looked, words: inflected(looked.word, words) or "",
    "malformed": lambda looked, _words: (looked.linker.malformed if looked.linker is not None else None) or "",
    "before": lambda looked, words: next((v for t in (is_base, is_participle) if (v := _verb_after(looked, words, t))), ""),
    "tail": lambda looked, _words: " ".join(looked.frame.tail) if looked.frame is not None else "",
    "small": lambda looked, _words: looked.value.casefold(),
    "with_counts": lambda looked, words: particle_counts(looked.value, words)[0],
    "part": lambda looked, words: vulgar_part(looked.head, words.knowledge) or "",
    "group": _group_after,
}


def shown(field: str, looked: LookedUp, words: Words, other: LookedUp | None) -> str:
    """What stands for a name in braces in a message; `other` is the word that a condition found in another role."""
    if field in {"other", "other_head"}:
        return "" if other is None else other.value if field == "other" else other.head
    return _SHOWN[field](looked, words)
