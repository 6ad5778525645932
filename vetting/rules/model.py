"""What a rule is: about an item, about the words of its roles, about its fullest sentence, about its texts, about how parsers read it, or about
the whole set.

A rule is a code, a severity and a function that yields hits; everything that a person reads about it (title, reason,
example, remedy, literature) stands in its page, see `gapsmith.vetting.rules.rule_pages`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from gapsmith.bank import Severity
from gapsmith.vetting.rules.hits import Hit

if TYPE_CHECKING:
    from gapsmith.vetting.rules.knowledge import Knowledge
    from gapsmith.vetting.rules.parses import ParsedItem
    from gapsmith.vetting.rules.sentence import SentenceReading
    from gapsmith.vetting.rules.setfacts import SetFacts
    from gapsmith.vetting.rules.view import ItemView

FAMILIES: Mapping[str, str] = {
    "T": "template conformance and minimality",
    "L": "lexical",
    "G": "grammar of the whole sentence",
    "P": "parse",
    "C": "confounds over the whole set",
    "J": "judge models",
    "X": "rules of installed packages",
}
"""Family letter to what its rules are about."""


READ = "@"
"""Begins the name of a place that no slot has: the role, and which of several."""


class Word(NamedTuple):
    """The words of a role. `slot` is where they stand: the slot, or a place that the linter knows; None for words that the paradigm
    itself fixes."""

    slot: str | None
    value: str
    determined: bool = False
    """Whether its determiner stands before it and is no part of it: *the* before the slot."""

    @property
    def is_read(self) -> bool:
        """Whether it was read from the sentences, so that no slot has it and no constraint of a paradigm is about it."""
        return self.slot is not None and self.slot.startswith(READ)


class SlotClause(NamedTuple):
    """A subject and its verb that slots declare, one after the other in every condition."""

    subject: Word
    verb: Word
    between: tuple[str, ...]
    """The words that the paradigm has between the two, in small letters."""
    above: frozenset[str]
    """The words that stand before the subject in the conditions, as `gapsmith.vetting.roles.SlotLayout` has them."""


_QUESTION_WORDS = frozenset(
    [
        *("who", "whom", "whose", "what", "which", "where", "when", "why", "how"),
        *("whoever", "whatever", "whichever", "wherever"),
    ]
)


@dataclass(frozen=True)
class Words:
    """The words that a word rule may look at, by the role of their slots."""

    by_role: Mapping[str, tuple[Word, ...]]
    knowledge: Knowledge
    fillers: frozenset[str]
    """The paradigm's fillers and complementizers: who, what, that."""
    future: Mapping[str, bool]
    """Slot name to whether the verb before it stands in a clause about the future."""
    clauses: tuple[SlotClause, ...] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    """Slot name to the word that the paradigm has right before it in every condition."""
    fixed: frozenset[str] = frozenset()
    """The words that the paradigm itself has in its conditions, in small letters."""
    read: dict[tuple[str, Word], object] = field(default_factory=dict, compare=False)
    """What words were looked up as, for the rules that share one look: by list and word."""

    @property
    def asks_for_person(self) -> bool:
        """Whether a filler is *who* or *which editor*, so that what is extracted has to be a person."""
        return self.question in {"who", "whom"} or any(
            "person" in self.knowledge.classes("nouns", filler.split()[-1]) for filler in self.fillers if " " in filler
        )

    @property
    def question(self) -> str:
        """The question word that the paradigm's fillers begin with, *who* before others; *what* where there is none."""
        found = {filler.split()[0] for filler in self.fillers if filler.split()} & _QUESTION_WORDS
        return min(found, key=lambda word: (word not in {"who", "whom"}, word), default="what")

    def with_role(self, role: str) -> tuple[Word, ...]:
        """The words in slots of that role, in the paradigm's order."""
        return self.by_role.get(role, ())


@dataclass(frozen=True, slots=True)
class ItemRule:
    """A rule about an item as a whole: its conditions and their texts."""

    code: str
    severity: Severity
    check: Callable[[ItemView], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class WordRule:
    """A rule about words in slots. What it says depends on the slots of these roles alone, so that one answer serves
    every item with the same words; it is asked only where the paradigm has a slot of one of its `subjects`."""

    code: str
    severity: Severity
    roles: tuple[str, ...]
    check: Callable[[Words], Iterable[Hit]]
    subjects: tuple[str, ...] = ()
    """The roles that the rule is about; empty for the first of its roles."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The roles one of which has to be there for the rule to apply."""
        return self.subjects or self.roles[:1]


@dataclass(frozen=True, slots=True)
class SentenceRule:
    """A rule about the fullest sentence of an item as a whole, read with its parse. It runs where roles are read from sentences."""

    code: str
    severity: Severity
    check: Callable[[SentenceReading], Iterable[Hit]]

    @property
    def needs(self) -> tuple[str, ...]:
        """What has to be there for the rule to apply."""
        return (SENTENCE,)


@dataclass(frozen=True, slots=True)
class TextRule:
    """A rule about the words of the sentences as they stand; it needs no roles and no paradigm."""

    code: str
    severity: Severity
    check: Callable[[Mapping[str, str], Knowledge], Iterable[Hit]]
    """From the texts by condition."""


CLAUSE = "clause"
"""What is looked at by rules on a subject and its verb, where slots declare both and one follows the other."""
DATED = "dated"
"""What is looked at by rules on such a clause and a phrase that may say when it was."""
SENTENCE = "sentence"
"""What is looked at by rules on whole sentences, beside the roles of words."""


@dataclass(frozen=True, slots=True)
class ParseRule:
    """A rule about how parsers read an item. It runs only where the lint was given a parser."""

    code: str
    severity: Severity
    check: Callable[[ParsedItem], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class SetRule:
    """A rule about all the items of a set together. Advisory; what it says of some of the items stands with each of these."""

    code: str
    severity: Severity
    check: Callable[[SetFacts], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class JudgeRule:
    """A rule that the linter cannot check itself: its findings come from judge models. Advisory."""

    code: str
    severity: Severity


Rule = ItemRule | WordRule | SentenceRule | TextRule | ParseRule | SetRule | JudgeRule
