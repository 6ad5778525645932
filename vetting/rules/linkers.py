"""L25: the linker has to be a raising predicate, a modal or the periphrastic future, in the singular."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.adverbs import adverb_classes
from gapsmith.vetting.rules.counted import counted, subjects
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import GERUND
from gapsmith.vetting.rules.linker_grammar import FORMS_OF_BE, LinkerReading, Time, read_linker
from gapsmith.vetting.rules.matrix import matrix_in_present
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.nouns import noun_number
from gapsmith.vetting.rules.verbs import is_base, is_participle
from gapsmith.vetting.wordset import word_set


def _readings(words: Words) -> Iterator[tuple[str, str | None, LinkerReading]]:
    for word in words.with_role("linker"):
        if word.value.split():
            yield word.value, word.slot, read_linker(word.value, words.knowledge)


def _control(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.excess is not None or reading.head is None:
            continue
        if not (words.with_role("noun") or words.with_role("island")):
            continue  # Whoever is the subject of another clause may well want something.
        said = f"“{value}”: the subject of {reading.head} is a person, and the island names none"
        if "control" in reading.classes:
            yield Hit(said, slot=slot)
        elif reading.guessed and (found := counted(reading.guessed, reading.head)):
            # Verbs such as manage and begin have persons as subjects as a rule, and things all the same.
            most = Severity.INFO if reading.guessed.endswith("v") else Severity.WARNING
            least, largest = subjects(reading.guessed, reading.head).interval()
            if largest <= _FEW and found.severity("control", _FLAWS) is None:
                yield Hit(f"{said} (a guess: {found.says})", slot=slot, severity=Severity.INFO)
            elif least < _FEW:
                yield from found.hits("control", _FLAWS, said, slot, most)


_FEW = 0.1
"""So many of the subjects of a control predicate are things, and more of the others'. By the 95 % interval of the counts 51 of
106 listed control predicates are below it and 9 above (*wise*), of 28 raising ones 1 and 21; in between nearness decides."""
_FLAWS = word_set("tough ready control purpose")


def _unknown(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.head is None and not (reading.excess or reading.malformed or reading.object):
            yield Hit(f"“{value}”: neither raising predicate, modal nor future that the lists know", slot=slot)
        elif reading.guessed and reading.head and (found := counted(reading.guessed, reading.head)):
            counts = f"; counted: {found.told}" if found.told else ""
            yield Hit(f"“{value}”: {reading.head} is in no list of linkers{counts}", slot=slot)


def _object(words: Words) -> Iterator[Hit]:
    if not (words.with_role("noun") or words.with_role("island")):
        return
    for value, slot, reading in _readings(words):
        if reading.object is not None:
            yield Hit(f"“{value}”: “{reading.object}” and not the island is the subject of what follows", slot=slot)


def _excess(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.excess is not None:
            yield Hit(f"“{value}”: “{reading.excess}” licenses an object gap of its own", slot=slot)


def _agreement(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        for noun in (*words.with_role("noun"), *words.with_role("subject_head")):
            if reading.number == "plural" and noun_number(noun.value, words.knowledge) == "singular":
                yield Hit(f"“{value}” is plural, its head noun “{noun.value}” is singular", slot=slot)


def _past(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.time in {Time.PAST, Time.PERFECT}:
            for adverb in _future_adverbs(words):
                yield Hit(f"“{value}” is about {reading.time}, “{adverb.value}” about the future", slot=slot)


def _future_adverbs(words: Words) -> Iterator[Word]:
    for adverb in words.with_role("adverb"):
        if "future" in adverb_classes(adverb.value, words.knowledge):
            yield adverb


def _to_come(time: Time) -> set[str]:
    # With the perfect an adverb about the future alone is L258's.
    return {"prospective"} if time is Time.PERFECT else {"prospective", "future"}


def _aspect(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        # "will start to" and "is going to continue to" are about the future like any other.
        if "aspect" not in reading.classes or reading.time not in {Time.PRESENT, Time.PERFECT}:
            continue
        for adverb in words.with_role("adverb"):
            if adverb_classes(adverb.value, words.knowledge) & _to_come(reading.time):
                yield Hit(
                    f"“{value}”: {reading.head} is about what has its course by now, “{adverb.value}” about what is to come",
                    slot=slot,
                )


def _matrix_tense(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.time not in {Time.PAST, Time.PERFECT} or reading.malformed is not None:
            continue
        for frame, predicate in matrix_in_present(words, "predictive"):
            yield Hit(f"“{frame}” now, “{value}” then: what one can {predicate} is yet to come", slot=slot)


def _negated(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.negated:
            yield Hit(f"“{value}” is negative", slot=slot)


def _malformed(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.malformed is not None:
            yield Hit(f"“{value}” {reading.malformed}", slot=slot)
        elif reading.wants == GERUND and value.casefold().split()[-1] in FORMS_OF_BE:
            for verb in words.with_role("verb"):
                if is_base(verb.value, words.knowledge):
                    yield Hit(f"“{value}” ends in a form of be, after which “{verb.value}” cannot stand", slot=slot)
                elif is_participle(verb.value, words.knowledge):
                    said = f"“{value} {verb.value}” is a passive, which has no object and so no place for a gap"
                    yield Hit(said, slot=slot)


_LINKER = ("linker",)
RULES = (
    WordRule("L250", Severity.INFO, _LINKER, _unknown),
    WordRule("L253", Severity.ERROR, _LINKER, _excess),
    WordRule(
        "L254",
        Severity.ERROR,
        ("linker", "noun", "island"),
        _control,
    ),
    WordRule("L256", Severity.ERROR, ("linker", "noun", "subject_head"), _agreement),
    WordRule("L258", Severity.ERROR, ("linker", "adverb"), _past),
    WordRule("L259", Severity.INFO, _LINKER, _negated),
    WordRule("L260", Severity.ERROR, ("linker", "verb"), _malformed),
    WordRule("L261", Severity.WARNING, ("linker", "adverb"), _aspect),
    WordRule("L262", Severity.ERROR, ("linker", "noun", "island"), _object),
    WordRule("L113", Severity.WARNING, ("linker", "matrix"), _matrix_tense),
)
