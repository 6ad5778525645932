"""English verb forms: from any form back to the verbs that it can be a form of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gapsmith.templates import Entry

BASE, PRESENT, PAST, PARTICIPLE, GERUND = "base", "third person", "past", "participle", "-ing form"
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_SHORT_VOWEL = re.compile(r"(?:^|[^aeiou]|qu)[aeiou][bdfgklmnprtvz]$")


VerbForms = tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[str]]
"""Past tenses, past participles, -ing forms and third persons."""


@dataclass(frozen=True, slots=True)
class Form:
    """A verb and which of its forms a word is."""

    lemma: str
    kind: str


def form_index(
    verbs: Iterable[str], irregular: Mapping[str, Entry], table: Mapping[str, VerbForms]
) -> Mapping[str, tuple[Form, ...]]:
    """Every form of the verbs, to the verbs and forms that it can be. What the list of irregular verbs says counts before
    the dictionary's `table`, and that before the rules of spelling."""
    found: dict[str, list[Form]] = {}
    for verb in verbs:
        for kind, form in verb_forms(verb, irregular, table):
            entries = found.setdefault(form, [])
            if Form(verb, kind) not in entries:
                entries.append(Form(verb, kind))
    return {form: tuple(entries) for form, entries in found.items()}


def verb_forms(verb: str, irregular: Mapping[str, Entry], table: Mapping[str, VerbForms]) -> Iterator[tuple[str, str]]:
    """(kind, form) of a verb."""
    yield BASE, verb
    listed = table.get(verb)
    if listed is None:
        yield from _regular_forms(verb, irregular)
        return
    past, participle, gerund, third = listed
    entry = irregular.get(verb)
    if entry is not None:
        past, participle = entry.values("past"), entry.values("participle")
    forms = ((PRESENT, third or (_with_s(verb),)), (GERUND, gerund), (PAST, past), (PARTICIPLE, participle))
    for kind, spelt in forms:
        yield from ((kind, form) for form in spelt)


def _regular_forms(verb: str, irregular: Mapping[str, Entry]) -> Iterator[tuple[str, str]]:
    """Where spelling does not tell whether a consonant doubles, both spellings are given."""
    yield PRESENT, _with_s(verb)
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) else verb
    doubled = [verb + verb[-1]] if _SHORT_VOWEL.search(verb) else []
    if verb.endswith("ie"):
        stem = verb[:-2] + "y"
    for base in (stem, *doubled):
        yield GERUND, base + "ing"
    entry = irregular.get(verb)
    if entry is not None:
        for kind, column in ((PAST, "past"), (PARTICIPLE, "participle")):
            for form in entry.values(column):
                yield kind, form
        return
    past = [verb[:-1] + "ied"] if _CONSONANT_Y.search(verb) else [verb + ("d" if verb.endswith("e") else "ed")]
    for form in (*past, *(base + "ed" for base in doubled)):
        yield PAST, form
        yield PARTICIPLE, form


def plural_of(noun: str) -> str:
    """The regular plural of a noun."""
    if noun.endswith("man"):
        return noun[:-3] + "men"
    return _with_s(noun)


def _with_s(word: str) -> str:
    if _CONSONANT_Y.search(word):
        return word[:-1] + "ies"
    return word + ("es" if _SIBILANT.search(word) or (word.endswith("o") and word != "photo") else "s")
