"""Words that are in no list: what they probably are, by the words beside which they stand in a corpus, with the counts.

A guess is a remark (info) where a class is likely, and a warning where nine in ten words with such a score had the class. It is
kept back where the word is far likelier to be of a kind that is wanted. The lists have the last word: who enters a word there
hears no guess about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from gapsmith.bank import Severity
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.wordrates import Guess, Rate, load_kinds, load_subjects, load_word_rates
from gapsmith.vetting.wordset import word_set

SURE = 0.9
"""A class that is at least as probable makes a warning."""
LIKELY = 0.15
"""A class that is at least as probable is named."""
_MOST = 2
"""Of several likely classes that many are named."""
_WANTED: Mapping[str, frozenset[str]] = {
    "verbs": word_set("strict"),
    "nouns": word_set("content image event"),
    "predicates-v": word_set("responsive"),
    "predicates-a": word_set("responsive"),
    "linkers-v": word_set("raising modal future"),
    "linkers-a": word_set("raising modal future"),
    "adverbs": word_set("temporal prospective"),
    "names": word_set("given"),
}
"""The classes of words that the slots ask for."""
_FAR_LIKELIER = 2
"""A class is not named where one that is wanted is so many times as probable."""


@dataclass(frozen=True)
class Counted:
    """A word in no list."""

    word: str
    """Its dictionary form."""
    table: str
    guess: Guess

    def severity(self, kind: str, among: frozenset[str]) -> Severity | None:
        """How sure it is that the word is of the class; None where others of the classes in question are likelier, or one that
        is wanted by far."""
        share = self.guess.share(kind)
        wanted = max(self.guess.share(other) for other in _WANTED[self.table])
        rank = sum(self.guess.share(other) > share for other in among if other != kind)
        if share < LIKELY or rank >= _MOST or wanted >= _FAR_LIKELIER * share:
            return None
        return Severity.WARNING if share >= SURE else Severity.INFO

    def hits(
        self,
        kind: str,
        among: frozenset[str],
        message: str,
        slot: str | None,
        most: Severity = Severity.WARNING,
    ) -> Iterator[Hit]:
        """The message with the counts, where the word is likely of the class; `most` is what a sure guess weighs."""
        severity = self.severity(kind, among)
        if severity is not None:
            severity = min(severity, most, key=lambda one: one.rank)
            counts = f": {self.says}" if self.says else ""
            yield Hit(f"{message} (a guess, {self.guess.share(kind):.0%}{counts})", slot=slot, severity=severity)

    @property
    def told(self) -> str:
        """How often the word occurs, and what it `says`."""
        rates = load_word_rates()
        row = {"v": rates.verb, "n": rates.noun, "a": rates.adjective}.get(_PART_OF_SPEECH[self.table], _no_row)(self.word)
        often = [f"{rates.per_million(row):,.2g} per million words"] if row is not None else []
        return "; ".join([*often, *([self.says] if self.says else [])])

    @property
    def says(self) -> str:
        """The counts, and the listed words that occur beside the same words."""
        like = " and ".join(f"“{word}”" for word in self.guess.like)
        return "; ".join([*_COUNTS[self.table](self.word), *([f"used like {like}"] if like else [])])


def counted(table: str, word: str) -> Counted | None:
    """What is guessed about a word; None where it was too rare to be counted."""
    guess = load_kinds(table).get(word)
    return Counted(word, table, guess) if guess is not None else None


def subjects(table: str, word: str) -> Rate:
    """How many of a linker's subjects were things."""
    return load_subjects(table[-1]).get(word, Rate(0, 0))


def _of(what: str, rate: Rate) -> list[str]:
    return [f"{what} in {rate}"] if rate.total else []


def _verb(lemma: str) -> list[str]:
    row = load_word_rates().verb(lemma)
    if row is None:
        return []
    return [*_of("an object", row.object_rate), *_of("a person as object", row.person_rate)]


def _clauses(lemma: str) -> list[str]:
    row = load_word_rates().verb(lemma)
    return [*_of("a that-clause", row.that_rate), *_of("a question", row.wh_rate)] if row is not None else []


def _adjective_clauses(lemma: str) -> list[str]:
    row = load_word_rates().adjective(lemma)
    return [*_of("a that-clause", row.that_rate), *_of("a question", row.wh_rate)] if row is not None else []


def _adjective(lemma: str) -> list[str]:
    row = load_word_rates().adjective(lemma)
    return _of("an infinitive", row.to_rate) if row is not None else []


def _noun(lemma: str) -> list[str]:
    row = load_word_rates().noun(lemma)
    return [*_of("“of”", row.of_rate), *_of("“about”", row.about_rate)] if row is not None else []


def _no_row(_lemma: str) -> None:
    return None


_PART_OF_SPEECH = {
    "verbs": "v",
    "predicates-v": "v",
    "linkers-v": "v",
    "nouns": "n",
    "predicates-a": "a",
    "linkers-a": "a",
    "adverbs": "",
    "names": "",
}


def _nothing(_lemma: str) -> list[str]:
    return []


_COUNTS: dict[str, Callable[[str], list[str]]] = {
    "verbs": _verb,
    "predicates-v": _clauses,
    "predicates-a": _adjective_clauses,
    "linkers-v": lambda lemma: _of("a thing as subject", subjects("linkers-v", lemma)),
    "linkers-a": lambda word: [*_adjective(word), *_of("a thing as subject", subjects("linkers-a", word))],
    "nouns": _noun,
    "adverbs": _nothing,
    "names": _nothing,
}
