"""AgreementPair and polarity in minimal pairs, and the roles that the words of a pair have.

The acceptable sentence of a pair is read clause by clause; where the two sentences differ says which word carries the contrast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import (
    AUXILIARIES,
    EITHER_NUMBER,
    PLURAL,
    SINGULAR,
    Clause,
    Phrase,
    Reading,
    number_of_noun,
    read_clauses,
)
from gapsmith.vetting.rules.inflection import BASE, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.number_agreement import COLLECTIVES
from gapsmith.vetting.rules.pair_shapes import Adjunct, ComplexNp, Kind, Pair, Reflexive, WhIsland, change_of
from gapsmith.vetting.wordset import word_set

PLURAL_FINITE = word_set("do are were have don't aren't weren't haven't")
SINGULAR_FINITE = word_set("does is was has doesn't isn't wasn't hasn't")
_POLARITY_ITEMS = word_set("ever")
"""Words that need a licensor. *Any* and *yet* have other readings besides, in which they need none."""
_NEGATIVE_SUBJECTS = word_set("no few little nobody nothing neither only")
_NO_NOUNS = word_set("number rest half lot all some most none plenty lots more any enough who")
"""Of the words that go with either number those that a phrase with *of* decides."""
_DOUBTS = word_set("every all each doubt doubts doubted deny denies denied refuse refuses refused")
_NEGATIVE_ADVERBS = word_set("not never hardly barely scarcely rarely seldom without")


@dataclass(frozen=True, slots=True)
class AgreementPair:
    """*The author of the books laughs* against *laugh*; or *these pictures* against *these picture*."""

    kind: str
    """``verb`` (a subject and its verb) or ``determiner`` (a determiner and its noun)."""
    controller: str
    """The subject's head, or the noun, of the acceptable sentence."""
    target: str
    """The verb, or the determiner, of the acceptable sentence."""
    good: str
    bad: str
    """The words that differ; one of them is the controller or the target."""
    good_number: tuple[str | None, str | None]
    """Of the controller and of its target (the verb or determiner), in the acceptable sentence; None where the form is both."""
    bad_number: tuple[str | None, str | None]
    either: str
    """A noun that goes with both numbers, so that both sentences agree; empty where there is none."""
    attractors: tuple[str, ...]
    """Heads of the noun phrases between the two."""


@dataclass(frozen=True, slots=True)
class Polarity:
    """*Only the boy has ever left* against *Even the boy has ever left*."""

    licensee: str
    good_licensor: str | None
    """What licenses it in the acceptable sentence; empty where nothing does; None where nobody can say, or it is not there."""
    bad_licensor: str | None


@dataclass(frozen=True, slots=True)
class PairRole:
    """A word of a pair in its role, by its places in the two sentences (counted in words; None where it is not there)."""

    name: str
    word: str
    good: int | None
    bad: int | None


def finite_number(word: str, knowledge: Knowledge) -> str | None:
    """Whether a finite verb is ``sg`` or ``pl``; None for a form that goes with both."""
    if word in PLURAL_FINITE:
        return "pl"
    if word in SINGULAR_FINITE:
        return "sg"
    if word in AUXILIARIES:
        return None
    kinds = {form.kind for form in knowledge.verb_forms.get(word, ())}
    if kinds & {"past"}:
        return None
    return "sg" if kinds == {PRESENT} else "pl" if BASE in kinds and PRESENT not in kinds else None


def agreement_of(pair: Pair, knowledge: Knowledge) -> AgreementPair | None:
    """The pair as one about agreement, where a single word differs and it is a subject, a verb, a determiner or its noun."""
    how, hunks = change_of(pair)
    if how != "replaced" or any(len(side) != 1 for side in hunks[0]):
        return None
    ((good,), (bad,)) = hunks[0]
    place = next(i for i, (a, b) in enumerate(zip(pair.good, pair.bad, strict=False)) if a != b)
    reading = read_clauses(pair.written, knowledge)
    if not reading.whole:
        return None
    clause = reading.of_verb(place)
    if clause is not None and clause.subject is not None and _same_verb(good, bad, knowledge):
        number = _number(clause.subject)
        verbs = finite_number(good, knowledge), finite_number(bad, knowledge)
        return AgreementPair(
            "verb",
            clause.subject.noun,
            good,
            good,
            bad,
            (number, verbs[0]),
            (number, verbs[1]),
            "" if _determiner(clause.subject) else _either(clause.subject.noun, of_verb=True),
            _heads(clause.attractors),
        )
    if not _same_noun(good, bad):
        return _of_determiner(pair, reading, place, good, bad)
    clause = next(
        (c for c in reading.clauses if c.subject is not None and c.subject.head == place and c.finite is not None), None
    )
    phrase = next((p for p in reading.phrases if p.head == place and not p.coordinated), None)
    if phrase is None or phrase.head != phrase.end - 1:
        return None
    determiner = _determiner(phrase)
    if determiner:
        numbers = (number_of_noun(good), determiner), (number_of_noun(bad), determiner)
        return AgreementPair("determiner", good, phrase.words[0], good, bad, *numbers, _either(bad), ())
    if clause is None or clause.finite is None or clause.subject is None:
        return None
    verb = finite_number(pair.good[clause.finite], knowledge)
    return AgreementPair(
        "verb",
        good,
        pair.good[clause.finite],
        good,
        bad,
        (number_of_noun(good), verb),
        (number_of_noun(bad), verb),
        _either(bad, of_verb=True),
        _heads(clause.attractors),
    )


def _of_determiner(pair: Pair, reading: Reading, place: int, good: str, bad: str) -> AgreementPair | None:
    phrase = next((p for p in reading.phrases if p.start == place and p.head > place and not p.possessor), None)
    if phrase is None or phrase.coordinated or {_says(good), _says(bad)} != {"sg", "pl"}:
        return None
    noun = number_of_noun(pair.good[phrase.head])
    return AgreementPair(
        "determiner", phrase.noun, good, good, bad, (noun, _says(good)), (noun, _says(bad)), _either(phrase.noun), ()
    )


def _either(*nouns: str, of_verb: bool = False) -> str:
    """The noun that goes with both numbers: one whose plural is like its singular, and of a verb also a collective."""
    both = EITHER_NUMBER | (COLLECTIVES - _NO_NOUNS if of_verb else frozenset())
    return next((noun for noun in nouns if noun.casefold() in both), "")


def _says(determiner: str) -> str | None:
    return "sg" if determiner in SINGULAR else "pl" if determiner in PLURAL else None


def _determiner(phrase: Phrase) -> str | None:
    first = phrase.words[0].casefold()
    return _says(first) if not phrase.possessor and phrase.words[:2] not in {("a", "lot"), ("A", "lot")} else None


def _number(subject: Phrase) -> str | None:
    return None if subject.noun.casefold() in COLLECTIVES | {"you", "there"} else subject.number


def _heads(phrases: list[Phrase]) -> tuple[str, ...]:
    return tuple(phrase.noun for phrase in phrases)


def _same_verb(one: str, other: str, knowledge: Knowledge) -> bool:
    pairs = ({"is", "are"}, {"was", "were"}, {"has", "have"}, {"do", "does"})
    if any({one.removesuffix("n't"), other.removesuffix("n't")} == both for both in pairs):
        return True
    lemmas = [{form.lemma for form in knowledge.verb_forms.get(word, ())} for word in (one, other)]
    return bool(lemmas[0] & lemmas[1]) and {finite_number(one, knowledge), finite_number(other, knowledge)} == {"sg", "pl"}


def _same_noun(one: str, other: str) -> bool:
    nouns = load_dictionary().nouns
    return other in nouns.get(one, ()) or one in nouns.get(other, ())


def polarity_of(pair: Pair, knowledge: Knowledge) -> Polarity | None:
    """The pair as one about an item that needs a licensor, where both or one of the sentences have *ever*."""
    items = [word for word in (*pair.good, *pair.bad) if word in _POLARITY_ITEMS]
    if not items:
        return None
    return Polarity(
        items[0],
        _licensor(pair.good, pair.written, items[0], knowledge),
        _licensor(pair.bad, pair.bad_written, items[0], knowledge),
    )


def _licensor(words: tuple[str, ...], written: tuple[str, ...], item: str, knowledge: Knowledge) -> str | None:
    """What licenses an item in a sentence: its word, empty where there is nothing, None where it is not there or cannot be told."""
    if item not in words:
        return None
    place = words.index(item)
    if set(words[:place]) & {"if", "before", "than", "without", "whether"}:
        return None
    reading = read_clauses(written, knowledge)
    host = _host(place, reading)
    if not reading.whole or host is None:
        return None
    clause: Clause | None = host
    while clause is not None:
        found = _licenses(clause, words, place)
        if found:
            return found
        clause = clause.parent if clause.kind == "complement" else None
    # In a relative clause under *every*, and below verbs of doubt, it may stand as well.
    doubts = set(words[:place]) & _DOUBTS
    return None if host.kind == "relative" or (doubts and len(reading.clauses) > 1) else ""


def _host(place: int, reading: Reading) -> Clause | None:
    """The clause whose verb group the word at the place belongs to: that of the next verb, else of the last before it."""
    around = [clause for clause in reading.clauses if clause.finite is not None and _is_around(clause.finite, clause.verb, place)]
    return around[-1] if around else None


def _is_around(finite: int, verb: int | None, place: int) -> bool:
    """Whether a place lies in a verb group, or right before it."""
    return finite == place + 1 or (verb is not None and finite <= place <= verb)


def _licenses(clause: Clause, words: tuple[str, ...], place: int) -> str | None:
    """A negation in the clause's verb group, a negative subject, or the auxiliary of a question."""
    finite = clause.finite if clause.finite is not None else place
    if clause.inverted:
        return words[finite]
    group = words[max(0, min(finite, place) - 1) : min(place, (clause.verb or place) + 1)]
    negative = next((word for word in group if word in _NEGATIVE_ADVERBS or word.endswith("n't")), None)
    if negative is not None or clause.subject is None:
        return negative
    first = clause.subject.start
    return next((word for word in (words[first], words[first - 1] if first else "") if word in _NEGATIVE_SUBJECTS), None)


def pair_roles(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> tuple[PairRole, ...]:
    """The roles of a pair's words: question word, governor of the gap, embedding verb, head of the island, antecedent and anaphor, controller
    and target, licensor and licensee; what cannot be told is left out."""
    return tuple(_roles(pair, kind, knowledge))


def _roles(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[PairRole]:
    if isinstance(kind, Adjunct | ComplexNp | WhIsland):
        yield _placed("wh_word", kind.filler, pair)
    if isinstance(kind, Adjunct):
        if kind.asked_verb:
            yield _placed("gap_governor", kind.asked_verb, pair)
        if not kind.stranded:
            yield _placed("island_governor", kind.gerund, pair)
    elif isinstance(kind, ComplexNp):
        if kind.verb:
            yield _placed("gap_governor", kind.verb, pair)
        if not kind.stranded:
            yield _placed("island_governor", kind.inner_verb, pair)
    elif isinstance(kind, WhIsland):
        yield _placed("embedding_verb", kind.good_verb, pair)
        if kind.inner_verb and not kind.stranded:
            yield _placed("gap_governor", kind.inner_verb, pair)
    elif isinstance(kind, Reflexive):
        clause = read_clauses(kind.words, knowledge).of_anaphor(kind.place)
        if clause is not None and clause.subject is not None:
            yield _placed("antecedent", clause.subject.noun.casefold(), pair)
        yield PairRole("anaphor", kind.good, kind.place, kind.place)
    agreement = agreement_of(pair, knowledge)
    if agreement is not None and not isinstance(kind, Reflexive):
        yield _placed("controller", agreement.controller.casefold(), pair)
        yield _placed("target", agreement.target.casefold(), pair)
    polarity = polarity_of(pair, knowledge)
    if polarity is not None:
        yield _placed("licensee", polarity.licensee, pair)
        if polarity.good_licensor:
            yield _placed("licensor", polarity.good_licensor, pair)


def _placed(name: str, word: str, pair: Pair) -> PairRole:
    places: Mapping[bool, tuple[str, ...]] = {True: pair.good, False: pair.bad}
    good, bad = (side.index(word) if word in side else None for side in places.values())
    return PairRole(name, word, good, bad)
