"""L3: strings with a second parse in which the island is none, or needs no gap."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import AUXILIARIES
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import ItemRule, WordRule, Words
from gapsmith.vetting.rules.view import ItemView
from gapsmith.vetting.wordset import word_set

_GERUND = re.compile(r"\b(\w+)['’]s (\w+ing)\b")
_INTENT = re.compile(r"\bintent to\b")
_NOUNS_IN_ING = word_set(
    "painting drawing recording writing finding wedding building meeting feeling warning ruling clothing ceiling evening"
    " morning king ring thing spring string wing offspring sibling engraving etching carving rendering"
)
_QUESTION_WORDS = word_set("who whom what which when where why how")
_OPENERS = word_set("that whether if who what which")
MODAL_NOUNS = word_set("will might may can must")
"""Modals that are nouns as well."""


def _possessive_gerund(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.texts.items():
        match = _GERUND.search(texts[0]) if "'s " in texts[0] or "’s " in texts[0] else None
        if match is None or match.group(2).casefold() in _NOUNS_IN_ING:
            continue
        if match.group(1).casefold() in load_dictionary().plurals or _has_its_verb(texts[0][: match.start()]):
            continue
        owner, gerund = match.group(1), match.group(2)
        yield Hit(
            f"“{owner}'s {gerund}” is also “{owner} is {gerund}”, a clause and no island",
            condition=name,
            start=match.start(),
            end=match.end(2),
        )
        return


def _has_its_verb(before: str) -> bool:
    """Whether the phrase is the subject of a question whose auxiliary stands in front of it already, so that *'s* is no verb."""
    words = before.casefold().split()
    place = 1 if words and words[0] in _QUESTION_WORDS else 0
    return len(words) > place and words[place] in AUXILIARIES and not set(words[place + 2 :]) & _OPENERS


def _intent_to(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.texts.items():
        match = _INTENT.search(texts[0])
        if match is not None:
            yield Hit(
                "“intent to” is close to “intent on …ing” and “intention of …ing”, two repairs of the sentence",
                condition=name,
                start=match.start(),
                end=match.end(),
            )
            return


def _no_gap_needed(words: Words) -> Iterator[Hit]:
    for role in ("island", "verb_phrase"):
        for word in words.with_role(role):
            lemma = _complete(word.value.casefold().split(), words.knowledge, nominal=role == "island")
            if lemma is not None:
                yield Hit(f"“{word.value}” is complete without a gap: {lemma} can do without an object", slot=word.slot)


def _complete(pieces: list[str], knowledge: Knowledge, *, nominal: bool) -> str | None:
    """The last verb of a phrase, where the phrase is complete with it whichever verb it is."""
    # A reciprocal needs several persons, and nobody in particular may be several: "the decision to meet".
    sufficient = {"object_drop", "intransitive"} | ({"reciprocal"} if nominal and pieces[-2:-1] == ["to"] else set())
    lemmas = sorted({form.lemma for form in knowledge.verb_forms.get(pieces[-1], ())}) if pieces else []
    complete = [lemma for lemma in lemmas if knowledge.classes("verbs", lemma) & sufficient]
    return complete[0] if complete and complete == lemmas else None


def _about_about(words: Words) -> Iterator[Hit]:
    before = [w.value.casefold() for role in ("preposition", "island") for w in words.with_role(role)]
    for linker in words.with_role("linker"):
        if re.match(r"(?:is|was|are|were|'s) (?:just )?about\b", linker.value.casefold()) and any(
            value.split()[-1:] == ["about"] for value in before
        ):
            yield Hit(f"“about {linker.value}”: the second about looks like a slip for the first", slot=linker.slot)


RULES = (
    ItemRule("L310", Severity.ERROR, _possessive_gerund),
    ItemRule("L311", Severity.ERROR, _intent_to),
    WordRule("L312", Severity.WARNING, ("island", "verb_phrase"), _no_gap_needed, subjects=("island", "verb_phrase")),
    WordRule("L313", Severity.WARNING, ("linker", "preposition", "island"), _about_about),
)
