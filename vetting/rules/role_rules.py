"""Word rules carried out on roles: which of them can look at an item, what they say, and what they could not look at. The only place
that calls a word rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from gapsmith.bank import Finding, FindingPlace
from gapsmith.templates import ROLES, count
from gapsmith.vetting.roles import ItemRoles
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import READ, SENTENCE, SentenceRule, Word, WordRule, Words
from gapsmith.vetting.rules.sentence import SentenceReading

ALSO_VERBS = ("adjunct_verb", "conjunct")
"""Roles of verbs whose object is a gap as well: every rule on verbs reads them."""
UNKNOWN_WORDS = frozenset({"L105", "L200", "L250", "L400", "L500", "L600"})
"""Rules that say that a word is in no list. Of a whole set each such word is told once."""
OTHER_WORDS: Mapping[str, str] = {
    "L603": "{slot} has several words where the paradigm has one adverb",
    "T010": "the question word is another than the paradigm's in all sentences that have one",
    "T022": "critical regions have several words",
    "T101": "{slot} has words that are not in the paradigm's list",
    "T103": "{slot} has more words than the paradigm asks a model for",
}
"""Rules that say, as information, that words are not the paradigm's own kind, and how that is told once of a whole set."""


def words_of(roles: ItemRoles, knowledge: Knowledge) -> Words:
    """The roles as word rules read them."""
    by_role: dict[str, tuple[Word, ...]] = {}
    numbers: Counter[str] = Counter()
    for role in roles.roles:
        place = role.slot
        if place is None and role.at is not None:
            place = f"{READ}{role.name}:{numbers[role.name]}"
            numbers[role.name] += 1
        for name in (role.name, "verb") if role.name in ALSO_VERBS else (role.name,):
            same = by_role.get(name, ())
            by_role[name] = (*same, Word(place, role.form))
    return Words(by_role, knowledge, roles.fillers, dict.fromkeys(roles.future, True))


@dataclass
class RoleRules:
    """Word rules, ready to read the roles of one item after the other; rules on the same words have one answer together."""

    rules: Iterable[WordRule | SentenceRule]
    knowledge: Knowledge
    finding: Callable[[WordRule | SentenceRule, Hit], Finding]
    _groups: dict[tuple[str, ...], list[WordRule]] = field(default_factory=dict)
    _said: dict[tuple[object, ...], tuple[Finding, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.asked = {rule.code: rule.needs for rule in self.rules}
        self._of_sentences = [rule for rule in self.rules if isinstance(rule, SentenceRule)]
        for rule in self.rules:
            if isinstance(rule, WordRule):
                self._groups.setdefault(rule.roles, []).append(rule)

    def note(self, looked: Looked, roles: ItemRoles) -> None:
        """Count what the rules can look at in an item."""
        have = {role.name for role in roles.roles}
        if have.intersection(ALSO_VERBS):
            have.add("verb")
        if roles.tree is not None:
            have.add(SENTENCE)
        looked.add(have, self.asked, roles.unread)

    def check(self, roles: ItemRoles) -> list[Finding]:
        """What they say of an item, in no particular order."""
        words = words_of(roles, self.knowledge)
        found: list[Finding] = []
        have = words.by_role
        for group, rules in self._groups.items():
            values = [(role, have[role]) for role in group if role in have]
            if not values:
                continue
            key = (group, words.fillers, *values)
            said = self._said.get(key)
            if said is None:
                said = tuple(
                    self.finding(rule, hit)
                    for rule in rules
                    if any(role in words.by_role for role in rule.needs)
                    for hit in rule.check(words)
                )
                self._said[key] = said
            if said:
                found += [_placed(finding, roles) for finding in said]
        if self._of_sentences and roles.tree is not None and roles.differences is not None:
            reading = SentenceReading(roles, roles.tree, roles.differences, self.knowledge)
            found += [self.finding(rule, hit) for rule in self._of_sentences for hit in rule.check(reading)]
        return found


def _placed(finding: Finding, roles: ItemRoles) -> Finding:
    """The finding with the place of its role in the fullest condition instead of a slot's name."""
    name = finding.place.slot
    if name is None or not name.startswith(READ):
        return finding
    kind, _, number = name.removeprefix(READ).rpartition(":")
    role = roles.named(kind)[int(number)]
    start, end = role.at if role.at is not None else (None, None)
    return replace(finding, place=FindingPlace(role.condition or roles.base, start, end, None))


@dataclass
class Looked:
    """What rules on words could look at, over the items that were read."""

    n_items: int = 0
    roles: Counter[str] = field(default_factory=Counter)
    """Role to the items that have it."""
    rules: Counter[str] = field(default_factory=Counter)
    """Code of each word rule that was asked, to the items at which it could look."""
    needs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Code to the roles one of which the rule needs."""
    why: Counter[str] = field(default_factory=Counter)
    """Why roles could not be read, to the items of which that holds."""

    def add(self, roles: Iterable[str], asked: Mapping[str, tuple[str, ...]], unread: str = "") -> None:
        """Count an item that has these roles; `asked` are the rules' codes with the roles one of which each needs."""
        have = frozenset(roles)
        self.n_items += 1
        self.roles.update(have)
        for code, needs in asked.items():
            self.rules[code] += not have.isdisjoint(needs)
            self.needs[code] = needs
        if unread:
            self.why[unread] += 1

    def merge(self, other: Looked) -> None:
        """Count what the other has counted as well."""
        self.n_items += other.n_items
        self.roles.update(other.roles)
        for code, number in other.rules.items():
            self.rules[code] += number
        self.needs |= other.needs
        self.why.update(other.why)

    @property
    def blind(self) -> tuple[str, ...]:
        """The codes of the rules that could look at no item."""
        return tuple(sorted(code for code, count in self.rules.items() if not count))

    def told(self) -> str:
        """What was looked at and what was not, in one sentence for people; empty where no rule on words was asked."""
        if not self.rules or not self.n_items:
            return ""
        seen = [(name, self.roles[name]) for name in ROLES if self.roles[name] and name != "rest"]
        kinds = [f"{_KINDS.get(name, name)} in {number:,}" for name, number in seen]
        said = f"looked at {count(self.n_items, 'item')}: {', '.join(kinds) or 'no words in any'}"
        if self.blind:
            lacking = sorted({_KINDS.get(name, name) for code in self.blind for name in self.needs.get(code, ())})
            few = f"{', '.join(lacking[:_NAMED])}{' and others' if len(lacking) > _NAMED else ''}"
            said += f"; {count(len(self.blind), 'rule')} of {len(self.rules)} on words could not look, because no item has {few}"
        for why, number in self.why.most_common():
            said += f"; of {count(number, 'item')} roles could not be read: {why}"
        return said


_NAMED = 4
_KINDS: Mapping[str, str] = {
    "matrix": "matrix frames",
    "determiner": "determiners of islands",
    "noun": "head nouns of islands",
    "preposition": "prepositions of islands",
    "island": "islands",
    "name": "names in gaps",
    "object": "other words in gaps",
    "linker": "linkers",
    "verb": "verbs before gaps",
    "verb_phrase": "verb phrases before gaps",
    "adverb": "adverbs after gaps",
    "subject": "embedded subjects",
    "subject_head": "head nouns of subjects",
    "bridge": "verbs that gaps go through",
    "question": "verbs of questions above gaps",
    "content_verb": "verbs of complex noun phrases",
    "content_noun": "nouns with a clause",
    "extraposing": "predicates with an extraposed clause",
    "tough": "tough adjectives",
    "plural": "plural nouns in gaps",
    "shared": "nouns that two gaps share",
    "adjunct_verb": "verbs of adjuncts",
    "conjunct": "verbs of second conjuncts",
    "time": "phrases after gaps",
    "controller": "nouns that a verb agrees with",
    "target": "verbs that agree",
    "attractor": "nouns between the two",
    "licensor": "licensors",
    "licensee": "polarity items",
    "rest": "words",
    SENTENCE: "sentences that were parsed",
}
"""Roles as people read them."""
