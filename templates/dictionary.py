"""Forms of English words from the SPECIALIST lexicon, as the package lemminflect brings them: what is a verb, a noun, a plural.

Only lemminflect's table is read. Importing the package would load spaCy, and with it everything that spaCy loads, into
rules that look words up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from gapsmith.templates.boundary import unpacked_bytes_of
from gapsmith.templates.errors import ConfigError

_STRESSED_END = re.compile(
    r"^(?:appal|enthral|instil|fulfil|distil|enrol|control|patrol|annul|extol|excel|rebel|corral|(?:com|dis|ex|im|pro|re)pel)$"
)
"""Verbs with the stress on their end, whose *l* is doubled in any spelling (appalled), where the table has *appaled* or
*controled* as well."""
_BRITISH = re.compile(r"[aeiouy].*(?:[^aeiou][aeiou]|[^aeiouq]ue|[^aeiou]ia|qua)l$|^(?:worship|kidnap|program|handicap)$|^dial$")
"""Verbs whose last consonant British spelling doubles although the stress is not on it (travelled, worshipped)."""


_Forms = tuple[str, ...]


@dataclass(frozen=True)
class Dictionary:
    """Lemmas, all in small letters, with their inflected forms."""

    verbs: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]]
    """Verb to its past tenses, past participles, -ing forms and third persons."""
    nouns: Mapping[str, tuple[str, ...]]
    """Noun to its plurals; a noun without a plural of its own has itself."""
    adjectives: frozenset[str]
    adverbs: frozenset[str]
    plurals: Mapping[str, str]
    """Plural to its noun, for plurals that differ from it."""
    forms: frozenset[str]
    """Every word form that is in the table."""

    def number(self, noun: str) -> str | None:
        """``singular`` or ``plural``; None for a word that is both, or none that the table knows."""
        folded = noun.casefold()
        plural = folded in self.plurals
        singular = folded in self.nouns and self.nouns[folded] != (folded,)
        if plural == singular:
            return None
        return "plural" if plural else "singular"


@lru_cache(maxsize=1)
def load_dictionary() -> Dictionary:
    """The table of the installed lemminflect. Raises `ConfigError` where the package is not whole."""
    spec = find_spec("lemminflect")
    folder = Path(next(iter(spec.submodule_search_locations or ()), "")) if spec is not None else Path()
    path = folder / "resources" / "infl_lu.csv.gz"
    try:
        lines = unpacked_bytes_of(path).decode("utf-8").splitlines()
    except OSError as error:
        raise ConfigError(
            f"the word forms of the package lemminflect cannot be read ({error})",
            hint="Install it in gapsmith's environment: pip install lemminflect",
        ) from None
    verbs: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}
    nouns: dict[str, tuple[str, ...]] = {}
    others: dict[str, set[str]] = {"adj": set(), "adv": set()}
    forms: set[str] = set()
    for line in lines:
        lemma, kind, *columns = line.casefold().split(",")
        cells = [tuple(form for form in column.split("/") if form) for column in columns]
        if kind == "verb":
            past, participle, gerund, third = (*cells, (), (), (), ())[:4]
            past, participle, gerund = _doubled(lemma, past, participle, gerund)
            verbs[lemma] = past, participle or past, gerund, third
            cells = [past, participle, gerund, third]
        elif kind == "noun":
            nouns[lemma] = (cells or [()])[0]
        else:
            others[kind].add(lemma)
        forms.update((lemma, *(form for cell in cells for form in cell)))
    plurals = {plural: noun for noun, found in nouns.items() for plural in found if plural != noun}
    return Dictionary(verbs, nouns, frozenset(others["adj"]), frozenset(others["adv"]), plurals, frozenset(forms))


def _doubled(lemma: str, past: _Forms, participle: _Forms, gerund: _Forms) -> tuple[_Forms, _Forms, _Forms]:
    """The forms with the last consonant doubled: in place of the single one, or beside it where both are right."""
    ed, ing = lemma + lemma[-1] + "ed", lemma + lemma[-1] + "ing"
    if _STRESSED_END.search(lemma):
        return (ed,), (ed,), (ing,)
    if all(form.endswith("ed") for form in (*past, *participle)):
        # A regular verb has one form for both; of two spellings the table may give the participle only one (fueled, fuelled).
        past = participle = tuple(dict.fromkeys((*past, *participle)))
    if _BRITISH.search(lemma) and lemma + "ed" in past:
        past = participle = tuple(dict.fromkeys((*past, ed)))
        gerund = tuple(dict.fromkeys((*gerund, ing)))
    return past, participle, gerund


def near(word: str) -> Iterator[str]:
    """Every string that one slip of the pen makes of a word: a letter lost, doubled, swapped or replaced."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for i in range(len(word) + 1):
        head, tail = word[:i], word[i:]
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in letters if letter != tail[0])
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]
        yield from (head + letter + tail for letter in letters)
