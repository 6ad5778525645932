"""G3: starred conditions that are acceptable by another reading, read off what differs between the conditions of an item."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.parsing import ROOT, Role
from gapsmith.vetting.roles import Site
from gapsmith.vetting.rules.clause_reading import MODALS
from gapsmith.vetting.rules.grammar import MANDATIVE
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, PAST
from gapsmith.vetting.rules.late_words import TAKES_A_PERIOD
from gapsmith.vetting.rules.model import SentenceRule
from gapsmith.vetting.rules.sentence import DETERMINERS, TIME_NOUNS, SentenceReading
from gapsmith.vetting.wordset import word_set

GROUPS = word_set(
    "family team committee cast crew staff government company group band class jury press media public audience board council couple pair"
    " majority minority number army navy gang club party opposition management faculty enemy crowd department ministry clergy orchestra"
    " choir union congregation parliament senate cabinet panel delegation squad police firm corporation bank agency association federation"
    " coalition alliance regime administration troop platoon battalion fleet herd flock pack swarm tribe clan household community population"
    " congress court tribunal commission bureau university school college quartet trio ensemble electorate workforce membership leadership"
    " aristocracy nobility proletariat intelligentsia bourgeoisie peasantry church synod embassy hospital lot half rest variety range handful"
    " bunch set series collection host gaggle throng mob posse outfit consortium syndicate cartel guild academy institute"
)
"""Nouns whose verb is singular or plural, for many speakers, and nouns of amount, whose verb may go by what is counted."""
_PAIRS = (
    frozenset({"is", "are"}),
    frozenset({"was", "were"}),
    frozenset({"has", "have"}),
    frozenset({"does", "do"}),
    frozenset({"isn't", "aren't"}),
    frozenset({"wasn't", "weren't"}),
    frozenset({"hasn't", "haven't"}),
    frozenset({"doesn't", "don't"}),
)


def agreement_sites(reading: SentenceReading) -> Iterator[tuple[Site, int]]:
    """(place, word of the fullest condition) where conditions differ in the number of one verb."""
    for site in reading.differences.fine:
        texts = {text.casefold() for text in site.texts.values()}
        start, end = site.spans[reading.base]
        words = reading.tree.parse.at(start, end)
        if len(texts) == 2 and len(words) == 1 and is_number_pair(frozenset(texts), reading):
            yield site, words[0]


def is_number_pair(texts: frozenset[str], reading: SentenceReading) -> bool:
    """Whether two words are the singular and the plural of one present tense, or of *was*."""
    if texts in _PAIRS:
        return True
    known = [{form.lemma for form in reading.knowledge.verb_forms.get(text, ())} for text in texts]
    kinds = [{form.kind for form in reading.knowledge.verb_forms.get(text, ())} for text in texts]
    return bool(known[0] & known[1]) and any(BASE in k for k in kinds) and not any(PAST in k for k in kinds)


def subject_of(reading: SentenceReading, verb: int) -> int | None:
    """The head of the subject that a verb agrees with."""
    for subject, above in reading.subjects():
        if reading.finite(above) == verb or above == verb:
            return subject
    predicate = verb
    for _ in reading.tokens:
        found = reading.children(predicate, Role.SUBJECT, Role.PASSIVE_SUBJECT)
        before = [word for word in found if word < verb]
        if before:
            return before[-1]
        if reading.tree.heads[predicate] in {ROOT}:
            return None
        if reading.tree.roles[predicate] not in {Role.AUXILIARY, Role.PASSIVE_AUXILIARY, Role.COPULA, Role.OPEN_COMPLEMENT}:
            return None
        predicate = reading.tree.heads[predicate]
    return None


def _either_number(reading: SentenceReading) -> Iterator[Hit]:
    for site, verb in agreement_sites(reading):
        start, end = site.spans[reading.base]
        subject = subject_of(reading, verb)
        first = _first_noun(reading, verb)
        if subject is None or (first is not None and reading.low[first + 1] in {"that", "who", "which", "whom"}):
            # What stands in a relative clause is no subject of the verb after it, whatever a parser made of it.
            subject = first
        forms = " and ".join(f"“{text}”" for text in sorted(set(site.texts.values())))
        if (
            subject is not None
            and reading.knowledge.singular_of(reading.low[subject]) in GROUPS
            and reading.number(subject) != "pl"
        ):
            noun = reading.tokens[subject].text
            yield Hit(f"“{noun}” goes with either number, so that {forms} are both acceptable", reading.base, start, end)
        elif (above := _mandative(reading, verb)) is not None and not {"was", "were"} & {
            t.casefold() for t in site.texts.values()
        }:
            word = reading.tokens[above].text
            yield Hit(
                f"under “{word}” the base form is a subjunctive, so that {forms} are both acceptable", reading.base, start, end
            )


def _first_noun(reading: SentenceReading, verb: int) -> int | None:
    """The noun that a sentence begins with, under its determiner."""
    if reading.low[0] not in DETERMINERS:
        return None
    for word in range(1, min(4, verb)):
        if reading.tokens[word].upos == "NOUN" and reading.tokens[word + 1].upos != "NOUN":
            return word
    return None


def _mandative(reading: SentenceReading, verb: int) -> int | None:
    """The predicate above a that-clause that may be in the subjunctive."""
    for word in (verb, *reading.ancestors(verb)):
        above = reading.tree.heads[word]
        if reading.tree.roles[word] is Role.COMPLEMENT_CLAUSE and above != ROOT:
            named = {reading.low[above], *reading.lemmas(above)}
            return above if named & _SUBJUNCTIVE else None
    return None


_SUBJUNCTIVE = MANDATIVE - word_set("order vote wish move prefer desire intend direct")


_ANY = word_set("any anybody anyone anything anywhere either")
_LICENSING = word_set(
    "no none nobody nothing nowhere neither few hardly barely scarcely seldom rarely without never not little only"
)
_FREE = MODALS - {"must", "should", "shall"}


def _free_choice(reading: SentenceReading) -> Iterator[Hit]:
    """*Any* in reach of a modal in a design about licensors: it may be the one of free choice."""
    if not any(_LICENSING & {w for t in site.texts.values() for w in t.casefold().split()} for site in reading.differences.fine):
        return
    for text_name, text in reading.differences.texts.items():
        words = text.casefold().rstrip(".?!").split()
        for place, word in enumerate(words):
            if word not in _ANY:
                continue
            modals = [i for i in range(max(0, place - 4), place) if words[i] in _FREE]
            if modals and not _LICENSING & set(words[modals[0] : place]):
                said = " ".join(words[modals[0] : place + 1])
                yield Hit(f"“{said}” may be the “{word}” of free choice, which needs no licensor", condition=text_name)
                return


def _resumed(reading: SentenceReading) -> Iterator[Hit]:
    """A pronoun in the place of the gap of a phrase in front: left dislocation."""
    for site in reading.differences.fine:
        texts = {name: text for name, text in site.texts.items() if text}
        if not texts or len(texts) == len(site.texts):
            continue
        pronouns = {text.casefold() for text in texts.values()}
        if pronouns <= {"it", "him", "her", "them"} and _has_topic(reading):
            start, end = site.spans[reading.base]
            said = next(iter(texts.values()))
            yield Hit(
                f"“{said}” can take up the phrase in front, so that the sentence is a left dislocation", reading.base, start, end
            )


def _has_topic(reading: SentenceReading) -> bool:
    """Whether some condition begins with a noun phrase and a comma."""
    for text in reading.differences.texts.values():
        first, comma, rest = text.partition(",")
        words = first.casefold().split()
        if comma and rest and 1 <= len(words) <= 7 and (words[0] in DETERMINERS or (first[:1].isupper() and len(words) == 1)):
            return True
    return False


def _period(reading: SentenceReading) -> Iterator[Hit]:
    """A phrase of time right after a gap that its verb can have as its object: *avoid that evening*."""
    for site in reading.differences.fine:
        start, end = site.spans[reading.base]
        if end <= start or all(site.texts.values()):
            continue
        words = reading.tree.parse.at(start, end)
        if not words or not words[0] or words[-1] + 2 >= len(reading.tokens):
            continue
        verb, first = words[0] - 1, words[-1] + 1
        if reading.low[first] not in DETERMINERS | {"last", "next"} or not reading.kinds(verb):
            continue
        last = first + 1
        while last < first + 4 and last < len(reading.tokens) and reading.low[last] not in TIME_NOUNS:
            last += 1
        if last >= len(reading.tokens) or reading.low[last] not in TIME_NOUNS:
            continue
        taken = [lemma for lemma in reading.lemmas(verb) if lemma in TAKES_A_PERIOD]
        if taken:
            phrase = reading.words(first, last)
            a, b = reading.tokens[first].start, reading.tokens[last].end
            yield Hit(f"“{phrase}” can be the object of “{taken[0]}”, so that there is no gap", reading.base, a, b)


RULES = (
    SentenceRule("G301", Severity.WARNING, _either_number),
    SentenceRule("G302", Severity.WARNING, _free_choice),
    SentenceRule("G303", Severity.WARNING, _resumed),
    SentenceRule("G304", Severity.WARNING, _period),
)
