"""What words occur with, counted in a parsed corpus: knowledge about words that are in no list.

Counts, not judgements: an automatic parser read the corpus (see README.md beside the tables), so single figures are noisy and
small ones mean little. Rules that use a rate say its counts.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

__all__ = [
    "COLUMNS",
    "KIND_TABLES",
    "MINIMUM",
    "AdjectiveCounts",
    "Guess",
    "NounCounts",
    "Rate",
    "VerbCounts",
    "WordRates",
    "load_kinds",
    "load_subjects",
    "load_word_rates",
]

MINIMUM = 8
"""Words that occur less often are not in the tables."""

_VERB_COLUMNS = ("n", "active", "object", "person", "passive", "particle", "that", "wh", "who", "addressee")
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "verbs": _VERB_COLUMNS,
    "particle_verbs": _VERB_COLUMNS,
    "nouns": ("n", "plural", "a", "of", "of_person", "about"),
    "adjectives": ("n", "predicative", "to", "that", "wh", "who", "it", "of", "about", "preposition"),
}
"""The columns of each table, after the word."""

KIND_TABLES = (
    "verbs",
    "nouns",
    "predicates-v",
    "predicates-a",
    "linkers-v",
    "linkers-a",
    "adverbs",
    "names",
)
"""The tables of guesses: a list of words, and of lists of several parts of speech which (verbs, adjectives)."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something was so: `count` of `total`."""

    count: int
    total: int

    @property
    def share(self) -> float | None:
        """Between 0 and 1; None where there was nothing to count."""
        return self.count / self.total if self.total else None

    def interval(self) -> tuple[float, float]:
        """Where the rate may lie (95 %, Wilson's score interval); (0, 1) where there was nothing to count."""
        from gapsmith.stats import wilson_interval

        return wilson_interval(self.count, self.total) if self.total else (0.0, 1.0)

    def __str__(self) -> str:
        return f"{self.count:,} of {self.total:,}"


@dataclass(frozen=True, slots=True)
class VerbCounts:
    """A verb, or a verb with its particle (*cheer up*)."""

    n: int
    """How often it occurred as a verb."""
    active: int
    """In active clauses in which a missing object would mean that there is none (no relative clause, no modifying participle)."""
    object: int
    """Of `active`: with a direct object."""
    person: int
    """Of `object`: a personal pronoun for a person, a given name or the like. Nouns are not counted, so this is a lower bound."""
    passive: int
    particle: int
    that: int
    """Of `n`: with a clause under an overt *that*."""
    wh: int
    """Of `n`: with a clause that begins with a question word, *whether* among them."""
    who: int
    """Of `wh`: with *who, whom, whose*."""
    addressee: int
    """Of `that` and `wh`: with an object before the clause (*tell us who*)."""

    @property
    def object_rate(self) -> Rate:
        """Active clauses with an object."""
        return Rate(self.object, self.active)

    @property
    def person_rate(self) -> Rate:
        """Objects that are persons (a lower bound)."""
        return Rate(self.person, self.object)

    @property
    def that_rate(self) -> Rate:
        """Occurrences with a that-clause."""
        return Rate(self.that, self.n)

    @property
    def wh_rate(self) -> Rate:
        """Occurrences with a wh-clause."""
        return Rate(self.wh, self.n)

    @property
    def addressee_rate(self) -> Rate:
        """Clauses that somebody is told, among its that- and wh-clauses."""
        return Rate(self.addressee, self.that + self.wh)


@dataclass(frozen=True, slots=True)
class NounCounts:
    """A noun."""

    n: int
    plural: int
    a: int
    """With *a* or *an*: next to none for a mass noun."""
    of: int
    of_person: int
    """Of `of`: with a pronoun or a given name in the of-phrase (*a picture of her*)."""
    about: int

    @property
    def of_rate(self) -> Rate:
        """Occurrences with an of-phrase."""
        return Rate(self.of, self.n)

    @property
    def about_rate(self) -> Rate:
        """Occurrences with an about-phrase."""
        return Rate(self.about, self.n)


@dataclass(frozen=True, slots=True)
class AdjectiveCounts:
    """An adjective and what follows it."""

    n: int
    predicative: int
    """After a copula, or as the complement of a verb."""
    to: int
    """With an infinitive (*likely to win, easy to please, glad to see*: a parse does not tell them apart)."""
    that: int
    wh: int
    who: int
    it: int
    """Of `to`, `that` and `wh`: with *it* as subject (*it is clear that*)."""
    of: int
    about: int
    preposition: int
    """With a phrase under another preposition."""

    @property
    def to_rate(self) -> Rate:
        """Predicative occurrences with an infinitive."""
        return Rate(min(self.to, self.predicative), self.predicative)

    @property
    def that_rate(self) -> Rate:
        """Predicative occurrences with a that-clause."""
        return Rate(min(self.that, self.predicative), self.predicative)

    @property
    def wh_rate(self) -> Rate:
        """Predicative occurrences with a wh-clause."""
        return Rate(min(self.wh, self.predicative), self.predicative)


@dataclass(frozen=True)
class WordRates:
    """The tables. Words are looked up by their dictionary form; None where a word was too rare to be counted."""

    words: int
    """Words of the corpus that were read, punctuation left out."""
    sentences: int
    source: str
    verbs: Mapping[str, VerbCounts]
    particle_verbs: Mapping[str, VerbCounts]
    nouns: Mapping[str, NounCounts]
    adjectives: Mapping[str, AdjectiveCounts]

    def verb(self, lemma: str) -> VerbCounts | None:
        """A verb, or a verb with its particle after a space."""
        small = lemma.casefold()
        return self.particle_verbs.get(small) if " " in small else self.verbs.get(small)

    def noun(self, lemma: str) -> NounCounts | None:
        """A noun, in the singular."""
        return self.nouns.get(lemma.casefold())

    def adjective(self, lemma: str) -> AdjectiveCounts | None:
        """An adjective, in the positive."""
        return self.adjectives.get(lemma.casefold())

    def per_million(self, counts: VerbCounts | NounCounts | AdjectiveCounts) -> float:
        """How often a word occurs in a million words of running text."""
        return counts.n * 1e6 / self.words


@lru_cache(maxsize=1)
def load_word_rates() -> WordRates:
    """The shipped tables, read once."""
    heads: dict[str, str] = {}
    rows: dict[str, dict[str, list[int]]] = {}
    for table, columns in COLUMNS.items():
        packed = (resources.files("gapsmith.vetting") / "wordrates" / f"{table}.tsv.xz").read_bytes()
        lines = lzma.decompress(packed).decode("utf-8").splitlines()
        heads = dict(line[2:].split("\t", 1) for line in lines if line.startswith("# "))
        body = [line.split("\t") for line in lines if not line.startswith("# ")]
        assert body[0] == ["word", *columns], f"{table} was made by another version of tools/count_word_rates.py"
        rows[table] = {word: [int(count) for count in counts] for word, *counts in body[1:]}
    return WordRates(
        words=int(heads["words"]),
        sentences=int(heads["sentences"]),
        source=heads["source"],
        verbs={word: VerbCounts(*counts) for word, counts in rows["verbs"].items()},
        particle_verbs={word: VerbCounts(*counts) for word, counts in rows["particle_verbs"].items()},
        nouns={word: NounCounts(*counts) for word, counts in rows["nouns"].items()},
        adjectives={word: AdjectiveCounts(*counts) for word, counts in rows["adjectives"].items()},
    )


@dataclass(frozen=True, slots=True)
class Guess:
    """What a word in no list probably is, by the company it keeps; of a listed word, what was guessed without its entry."""

    kinds: Mapping[str, float]
    """Class of the list to its probability, the likeliest first; classes are not exclusive, and improbable ones are left out.
    Of nouns also their prepositions: ``+about``."""
    like: tuple[str, ...]
    """Listed words of the likeliest class that stand beside the same words."""

    def share(self, kind: str) -> float:
        """The probability of a class."""
        return self.kinds.get(kind, 0.0)


@lru_cache(maxsize=len(KIND_TABLES))
def load_kinds(table: str) -> Mapping[str, Guess]:
    """A shipped table of guesses, word to guess, read once."""
    guesses: dict[str, Guess] = {}
    for word, kinds, like in _cells(f"kinds-{table}"):
        pairs = (cell.rpartition(":") for cell in kinds.split())
        guesses[word] = Guess({name: int(percent) / 100 for name, _, percent in pairs}, tuple(like.split()))
    return guesses


@lru_cache(maxsize=2)
def load_subjects(part_of_speech: str) -> Mapping[str, Rate]:
    """Of words with an infinitive (``a`` after a form of *be*: *it is likely to*, ``v`` verbs: *it seems to*) how many of their
    subjects were things (*it, there, that, this, which*), among these and personal pronouns."""
    return {word: Rate(int(things), int(all_of)) for word, things, all_of in _cells(f"subjects-{part_of_speech}")}


def _cells(table: str) -> Iterator[list[str]]:
    """The rows of a shipped table under its head."""
    packed = (resources.files("gapsmith.vetting") / "wordrates" / f"{table}.tsv.xz").read_bytes()
    lines = (line for line in lzma.decompress(packed).decode("utf-8").splitlines() if not line.startswith("# "))
    next(lines)
    return (line.split("\t") for line in lines)
