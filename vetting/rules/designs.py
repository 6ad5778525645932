"""G3: starred conditions that are acceptable by another reading, read off what differs between the conditions of an item."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.parsing import ROOT, Role
from gapsmith.vetting.roles import Site
from gapsmith.vetting.rules.clause_reading import MODALS
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, PAST
from gapsmith.vetting.rules.knowledge import is_used
from gapsmith.vetting.rules.model import SentenceRule
from gapsmith.vetting.rules.sentence import DETERMINERS, TIME_NOUNS, SentenceReading
from gapsmith.vetting.wordset import word_set

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
        texts = frozenset(text.casefold() for text in site.texts.values())
        if len(texts) == 2 and is_number_pair(texts, reading):
            words = reading.tree.parse.at(*site.spans[reading.base])
            if len(words) == 1:
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
            and "group" in reading.knowledge.classes("noun_uses", reading.knowledge.singular_of(reading.low[subject]))
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
        if reading.tree.roles[word] in {Role.COMPLEMENT_CLAUSE, Role.NOUN_CLAUSE} and above != ROOT:
            named = {reading.low[above], *reading.lemmas(above)}
            return above if is_used("subjunctive", named, reading.knowledge) else None
    return None


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
        taken = [lemma for lemma in reading.lemmas(verb) if is_used("period", (lemma,), reading.knowledge)]
        if taken:
            phrase = reading.words(first, last)
            a, b = reading.tokens[first].start, reading.tokens[last].end
            yield Hit(f"“{phrase}” can be the object of “{taken[0]}”, so that there is no gap", reading.base, a, b)


def _two_objects(reading: SentenceReading) -> Iterator[Hit]:
    """A filler for a thing above a verb that takes two objects, with a receiver in the place of the gap."""
    fillers = {filler.partition(" ")[0] for filler in reading.roles.fillers}
    if not fillers & {"what", "which"}:
        return
    for site in reading.differences.fine:
        start, end = site.spans[reading.base]
        words = reading.tree.parse.at(start, end)
        if end <= start or all(site.texts.values()) or not words or not words[0]:
            continue
        verb, last = words[0] - 1, words[-1]
        taken = [lemma for lemma in reading.lemmas(verb) if is_used("two_objects", (lemma,), reading.knowledge)]
        if not taken or reading.tokens[verb].upos != "VERB":
            continue
        small = reading.knowledge.singular_of(reading.low[last])
        kinds = reading.knowledge.classes("subjects", small) | reading.knowledge.classes("nouns", small)
        is_receiver = bool(kinds & {"person", "animal", "fish", "infant"}) or reading.low[last] in {
            "him",
            "her",
            "them",
            "me",
            "us",
        }
        if is_receiver or "given" in reading.knowledge.classes("names", reading.tokens[last].text):
            said = reading.words(verb, last)
            yield Hit(f"“{said}”: “{taken[0]}” takes two objects, so that the filler can still be one", reading.base, start, end)


_POLAR = word_set("ever anymore anybody anyone anything whatsoever")
_LICENSES = _LICENSING | word_set(
    "n't any if whether unless doubt doubts doubted deny denies denied denying refuse refused refuses forbid forbade"
    " forbidden unlikely impossible surprised surprise surprising amazed astonished shocked glad sorry stupid foolish hard"
    " difficult too than as before until all every everyone everybody everything each first last only best worst most least"
    " avoid avoided avoids prevent prevented prevents stop stopped lack lacks lacked fail failed fails forgot forget unaware"
    " regret regrets regretted resent dispute disputed who what which where when why how whoever anyone cannot don't doesn't"
    " didn't isn't aren't wasn't weren't hasn't haven't hadn't won't wouldn't can't couldn't shouldn't reluctant against"
    " instead can could may might would will should"
)


def _unlicensed(reading: SentenceReading) -> Iterator[Hit]:
    """A polarity item that no condition has anything before that licenses it."""
    for text in reading.differences.texts.values():
        words = [word.strip(",.?!;") for word in text.casefold().replace("’", "'").split()]
        place = next((i for i, word in enumerate(words) if word in _POLAR), None)
        if (
            place is None
            or text.rstrip().endswith("?")
            or any(w in _LICENSES or w.endswith(("est", "n't")) for w in words[:place])
        ):
            return
        if words[place] == "ever" and (words[place + 1 : place + 2] in (["since"], ["after"], ["so"], ["more"]) or place == 0):
            return
    said = next(w for w in reading.low if w in _POLAR) if _POLAR & set(reading.low) else ""
    if said:
        at = reading.low.index(said)
        yield Hit(f"nothing licenses “{said}” in any condition", reading.base, reading.tokens[at].start, reading.tokens[at].end)


_GENDER_OF = {"himself": "m", "herself": "f"}


def gender_of(reading: SentenceReading, noun: int) -> str:
    """``m`` or ``f`` by the list of names, a pronoun or the noun itself; empty where they do not tell."""
    small = reading.knowledge.singular_of(reading.low[noun])
    uses = reading.knowledge.classes("noun_uses", small)
    if "man" in uses or small == "he":
        return "m"
    if "woman" in uses or small == "she":
        return "f"
    entry = reading.knowledge.entry("names", reading.tokens[noun].text) if reading.tokens[noun].text[:1].isupper() else None
    gender = entry.values("gender") if entry is not None else ()
    return gender[0] if gender and gender[0] in {"m", "f"} else ""


def _reflexive(reading: SentenceReading) -> Iterator[Hit]:
    """A reflexive that all conditions have and that does not go with the subject of its clause."""
    for word, small in enumerate(reading.low):
        if small not in _GENDER_OF or not reading.shared[word]:
            continue
        clauses = [(subject, predicate) for subject, predicate in reading.subjects() if subject < word and predicate < word]
        above = set(reading.ancestors(word))
        own = [subject for subject, predicate in clauses if predicate in above]
        if not own or not reading.shared[own[-1]]:
            continue
        gender = gender_of(reading, own[-1])
        number = reading.number(own[-1])
        if (gender and gender != _GENDER_OF[small]) or number == "pl":
            noun = reading.tokens[own[-1]].text
            at = reading.tokens[word]
            yield Hit(f"“{at.text}” does not go with “{noun}”, the subject of its clause", reading.base, at.start, at.end)


def _either_gender(reading: SentenceReading) -> Iterator[Hit]:
    """Conditions that differ in the gender of a reflexive whose antecedent may be either."""
    for site in reading.differences.fine:
        texts = {text.casefold() for text in site.texts.values()}
        if texts != {"himself", "herself"}:
            continue
        start, end = site.spans[reading.base]
        words = reading.tree.parse.at(start, end)
        before = [subject for subject, predicate in reading.subjects() if words and predicate in set(reading.ancestors(words[0]))]
        if before and reading.shared[before[-1]] and not gender_of(reading, before[-1]) and reading.number(before[-1]) != "pl":
            entry = reading.knowledge.entry("names", reading.tokens[before[-1]].text)
            if reading.tokens[before[-1]].upos == "NOUN" or (entry is not None and "u" in entry.values("gender")):
                noun = reading.tokens[before[-1]].text
                yield Hit(f"“{noun}” may be a man or a woman, so that both reflexives are acceptable", reading.base, start, end)


def _object_deletion(reading: SentenceReading) -> Iterator[Hit]:
    """An adjective in the place of a tough one, or of one that is not, with which the object may be missing either way."""
    for site in reading.differences.fine:
        texts = {text.casefold() for text in site.texts.values() if text}
        if len(texts) < 2 or not any("tough" in reading.knowledge.classes("linkers", text) for text in texts):
            continue
        for text in sorted(texts):
            if "ready" in reading.knowledge.classes("linkers", text):
                name = next(n for n, t in site.texts.items() if t.casefold() == text)
                yield Hit(f"with “{text}” the subject may be the missing object or not", name, *site.spans[name])


RULES = (
    SentenceRule("G301", Severity.WARNING, _either_number),
    SentenceRule("G302", Severity.WARNING, _free_choice),
    SentenceRule("G303", Severity.WARNING, _resumed),
    SentenceRule("G304", Severity.WARNING, _period),
    SentenceRule("G305", Severity.WARNING, _two_objects),
    SentenceRule("G306", Severity.WARNING, _unlicensed),
    SentenceRule("G307", Severity.WARNING, _reflexive),
    SentenceRule("G308", Severity.WARNING, _either_gender),
    SentenceRule("G309", Severity.WARNING, _object_deletion),
)
