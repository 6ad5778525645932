"""L25: the linker has to be a raising predicate, a modal or the periphrastic future, in the singular."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.adverbs import adverb_classes
from gapsmith.vetting.rules.counted import Counted, subjects
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import GERUND
from gapsmith.vetting.rules.linker_grammar import FORMS_OF_BE, LinkerReading, Time, read_linker
from gapsmith.vetting.rules.matrix import matrix_in_present
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.nouns import noun_number
from gapsmith.vetting.rules.verbs import is_base, is_participle


def _readings(words: Words) -> Iterator[tuple[str, str | None, LinkerReading]]:
    for word in words.with_role("linker"):
        if word.value.split():
            yield word.value, word.slot, read_linker(word.value, words.knowledge)


def hits_of_control(found: Counted, message: str, slot: str | None, among: frozenset[str]) -> Iterator[Hit]:
    """What is said of a predicate in no list that is likely one of control."""
    # Verbs such as manage and begin have persons as subjects as a rule, and things all the same.
    most = Severity.INFO if found.table.endswith("v") else Severity.WARNING
    least, largest = subjects(found.table, found.word).interval()
    if largest <= _FEW and found.severity("control", among) is None:
        yield Hit(f"{message} (a guess: {found.says})", slot=slot, severity=Severity.INFO)
    elif least < _FEW:
        yield from found.hits("control", among, message, slot, most)


_FEW = 0.1
"""So many of the subjects of a control predicate are things, and more of the others'. By the 95 % interval of the counts 51 of
106 listed control predicates are below it and 9 above (*wise*), of 28 raising ones 1 and 21; in between nearness decides."""


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


RULES = (
    WordRule("L256", Severity.ERROR, ("linker", "noun", "subject_head"), _agreement),
    WordRule("L258", Severity.ERROR, ("linker", "adverb"), _past),
    WordRule("L260", Severity.ERROR, ("linker", "verb"), _malformed),
    WordRule("L261", Severity.WARNING, ("linker", "adverb"), _aspect),
    WordRule("L113", Severity.WARNING, ("linker", "matrix"), _matrix_tense),
)
