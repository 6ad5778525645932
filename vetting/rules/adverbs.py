"""L6: the word right after the gap has to be an adverb of time and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import LinkerReading, Time, read_linker
from gapsmith.vetting.rules.model import Word, Words
from gapsmith.vetting.rules.verbs import verb_lemma
from gapsmith.vetting.wordset import word_set

_DAYS = word_set(
    "today tomorrow tonight sundays mondays tuesdays wednesdays thursdays fridays saturdays weekends mornings evenings nights"
    " afternoons noon midnight monday tuesday wednesday thursday friday saturday sunday home"
)
"""Nouns that are adverbs more often than objects: whether they can be one depends on the verb."""
_STRANDED = word_set("about of for with to on at from over in after against")
_ATTACHING = word_set("of with for about from in at on near by under behind beside inside outside without like")
_TIME_NOUNS = word_set(
    "morning afternoon evening night dawn dusk sunrise sunset noon midnight midday lunch dinner breakfast supper lunchtime"
    " bedtime nightfall daybreak day days week weeks weekend month months year years hour hours minute minutes second seconds"
    " spring summer autumn fall winter monday tuesday wednesday thursday friday saturday sunday january february march april"
    " may june july august september october november december christmas easter thanksgiving time moment today tomorrow"
    " yesterday tonight twilight teatime daylight moonlight halftime season century decade once first last"
)


_CLOSED: Mapping[str, frozenset[str]] = {
    "yesterday": word_set("past"),
    "tomorrow": word_set("nominal future"),
    "already": word_set("present sofar"),
    "still": word_set("present"),
    "yet": word_set("polarity"),
    "anymore": word_set("polarity"),
    "ever": word_set("polarity"),
    "never": word_set("medial"),
    "ago": word_set("past misfit"),
}
"""Closed classes, which the lists need not have: the days before and after today, the adverbs of phase (Löbner 1989, Linguistics
and Philosophy 12), *ever* and *never*, and the one preposition of time that follows its noun."""


def adverb_classes(adverb: str, knowledge: Knowledge) -> frozenset[str]:
    """The classes of an adverb, empty where it is in no list."""
    return knowledge.classes("adverbs", adverb) or _CLOSED.get(adverb.casefold(), frozenset())


def counted_adverb(word: Word, words: Words) -> Counted | None:
    """What is guessed about an adverb that is in no list."""
    known = adverb_classes(word.value, words.knowledge)
    return counted("adverbs", word.value.casefold()) if not known else None


def day_governor(words: Words) -> str | None:
    """The verb or preposition before the adverb that can take a day as its object: *spoil today*, *complain about today*;
    a verb that wants a person cannot (*embarrass today*)."""
    for phrase in words.with_role("verb_phrase"):
        last = phrase.value.casefold().split()[-1:]
        if last and last[0] in _STRANDED:
            return phrase.value
    for verb in words.with_role("verb"):
        lemma = verb_lemma(verb, words)
        if lemma is not None and "thing_object" in words.knowledge.classes("verbs", lemma):
            return lemma
    return None


def is_day(adverb: str) -> bool:
    """Whether a word is a day or the like, which is an adverb more often than an object."""
    return adverb.casefold() in _DAYS


def is_licensed(words: Words) -> bool:
    """Whether the linker has a negation, under which *yet* and *anymore* stand."""
    reading = _linker(words)
    return reading is not None and reading.negated


def attaches(phrase: str) -> bool:
    """Whether a phrase begins with a preposition that can belong to a noun or a verb, and has no word of time."""
    pieces = phrase.casefold().split()
    return len(pieces) > 1 and pieces[0] in _ATTACHING and not any(piece in _TIME_NOUNS for piece in pieces[1:])


def _linker(words: Words) -> LinkerReading | None:
    linkers = [word.value for word in words.with_role("linker") if word.value.split()]
    return read_linker(linkers[-1], words.knowledge) if linkers else None


def time_before(words: Words, adverb: Word) -> Time:
    """When the event is that the adverb dates, by the linker or the words that the paradigm fixes."""
    reading = _linker(words)
    if reading is not None:
        return reading.time
    return Time.FUTURE if words.future.get(adverb.slot or "", False) else Time.OPEN


def is_period(phrase: str) -> bool:
    """Whether a phrase is a day or a longer time with its determiner, such as *the next morning*."""
    pieces = phrase.casefold().split()
    return len(pieces) > 1 and pieces[0] in _DETERMINERS and pieces[-1] in _PERIODS


_PERIODS = word_set(
    "morning afternoon evening night day week weekend month year summer winter spring autumn fall season holiday monday tuesday wednesday"
    " thursday friday saturday sunday decade century hour minute moment"
)
_DETERMINERS = word_set("the a an this that next last every each all another one")
