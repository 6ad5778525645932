"""Word rules carried out on roles: which of them can look at an item, what they say, and what they could not look at. The only place
that calls a word rule."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from gapsmith.bank import Finding, FindingPlace, Look
from gapsmith.templates import count, first_of
from gapsmith.vetting.roles import ItemRoles, has_determiner
from gapsmith.vetting.rules.declared_grammar import ON_ROLES
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import CLAUSE, DATED, READ, SENTENCE, SentenceRule, SlotClause, Word, WordRule, Words
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


def told_in_no_list(items: Mapping[str, Collection[object]], after: str = "") -> str:
    """Which words of how many items no word list has, by word the items that have it, and what follows; empty where there are none."""
    if not items:
        return ""
    are, such = ("is", "the word, or says nothing of it") if len(items) == 1 else ("are", "such a word, or says nothing of it")
    having = count(len(set().union(*items.values())), "item")
    return (
        f"{count(len(items), 'word')} in {having} {are} in no list: {first_of(list(items), _MOST_WORDS)}. A rule that goes by what a word is"
        f" guesses {such}{after}."
    )


_MOST_WORDS = 10
_PHRASES = ("object", "subject", "noun")
"""Roles of nouns before which a determiner may stand that another role, or none, has."""


def words_of(roles: ItemRoles, knowledge: Knowledge) -> Words:
    """The roles as word rules read them."""
    found: dict[str, list[Word]] = {}
    numbers: dict[str, int] = {}
    layout = roles.layout
    texts = roles.differences.texts if roles.differences is not None else {}
    for role in roles.roles:
        name, place = role.name, role.slot
        if place is None and role.at is not None:
            number = numbers.get(name, 0)
            place = f"{READ}{name}:{number}"
            numbers[name] = number + 1
        if role.slot is not None:
            determined = layout is not None and role.slot in layout.determined
        else:
            condition = role.condition or roles.base or ""
            text = texts.get(condition, "") if name in _PHRASES and role.at is not None else ""
            determined = False
            if text and role.at is not None:
                before = text[_clause_start(roles, condition, role.at[0]) : role.at[0]]
                determined = has_determiner(before.split())
        word = Word(place, role.form, determined)
        found.setdefault(name, []).append(word)
        if name in ALSO_VERBS:
            found.setdefault("verb", []).append(word)
    by_role = {name: tuple(words) for name, words in found.items()}
    if layout is None:
        return Words(by_role, knowledge, roles.fillers, dict.fromkeys(roles.future, True))
    by_slot = {word.slot: word for own in by_role.values() for word in own if word.slot is not None}
    clauses = tuple(
        SlotClause(by_slot[subject], by_slot[verb], between, above)
        for subject, verb, between, above in layout.clauses
        if subject in by_slot and verb in by_slot
    )
    future = dict.fromkeys(roles.future, True)
    return Words(by_role, knowledge, roles.fillers, future, clauses, layout.before, layout.fixed)


def _clause_start(roles: ItemRoles, condition: str, until: int) -> int:
    """Where the words after the last filler or complementizer before a place begin, which is no determiner: *that baker*, *what baker*.
    Other words may differ together with it."""
    ends = [0]
    for site in roles.differences.sites if roles.differences is not None else ():
        start, end = site.spans.get(condition, (0, until + 1))
        if site.is_filler and start < end <= until:
            ends.append(start + len(site.texts[condition].split()[0]))
    return max(ends)


def _needs(rule: WordRule | SentenceRule) -> tuple[str, ...]:
    """The roles one of which has to be there: a rule on whole sentences may do with what slots declare instead of a parse."""
    on = ON_ROLES.get(rule.code) if isinstance(rule, SentenceRule) else None
    return rule.needs if on is None else (*rule.needs, *on.needs)


_DECLARED = -1
"""Stands in keys for the rules on what slots declare around each other, which read all roles."""
_Asked = tuple[int, tuple[str, ...], list[WordRule]]
"""Rules on the same words, with the number of their group and the roles that they find in an item."""


@dataclass
class RoleRules:
    """Word rules, ready to read the roles of one item after the other; rules on the same words have one answer together."""

    rules: Iterable[WordRule | SentenceRule]
    knowledge: Knowledge
    finding: Callable[[WordRule | SentenceRule, Hit], Finding]
    _groups: dict[tuple[str, ...], list[WordRule]] = field(default_factory=dict)
    _plans: dict[frozenset[str], list[_Asked]] = field(default_factory=dict)
    _numbers: dict[object, int] = field(default_factory=dict)
    """The words of a role, and fillers, to a number that stands for them in keys."""
    _looks: dict[tuple[tuple[str, ...], str], Look] = field(default_factory=dict)
    _said: dict[tuple[int, ...], tuple[Finding, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._needs = tuple((rule.code, _needs(rule)) for rule in self.rules)
        self._of_sentences = [rule for rule in self.rules if isinstance(rule, SentenceRule)]
        self._on_roles = [(rule, ON_ROLES[rule.code]) for rule in self._of_sentences if rule.code in ON_ROLES]
        for rule in self.rules:
            if isinstance(rule, WordRule):
                self._groups.setdefault(rule.roles, []).append(rule)

    def look(self, roles: ItemRoles) -> Look:
        """What the rules can look at in an item."""
        have = {role.name for role in roles.roles}
        if have.intersection(ALSO_VERBS):
            have.add("verb")
        if roles.tree is not None:
            have.add(SENTENCE)
        if roles.layout is not None and roles.layout.clauses:
            have.add(CLAUSE)
            if have & {"time", "adverb"}:
                have.add(DATED)
        seen = tuple(sorted(have)), roles.unread
        if seen not in self._looks:
            self._looks[seen] = Look(seen[0], self._needs, seen[1])
        return self._looks[seen]

    def _plan(self, have: frozenset[str]) -> list[_Asked]:
        """The rules that can look at an item with words in these roles."""
        plan = self._plans.get(have)
        if plan is None:
            plan = self._plans[have] = [
                (number, present, asked)
                for number, (group, rules) in enumerate(self._groups.items())
                if (present := tuple(role for role in group if role in have))
                and (asked := [rule for rule in rules if not have.isdisjoint(rule.needs)])
            ]
        return plan

    def check(self, roles: ItemRoles) -> list[Finding]:
        """What they say of an item, in no particular order."""
        words = words_of(roles, self.knowledge)
        found: list[Finding] = []
        have = words.by_role
        numbers = self._numbers
        of_role = {own[0]: numbers.setdefault(own, len(numbers)) for own in have.items()}
        fillers = numbers.setdefault(words.fillers, len(numbers))
        for group, present, rules in self._plan(frozenset(have)):
            key = (group, fillers, *[of_role[role] for role in present])
            said = self._said.get(key)
            if said is None:
                said = tuple(self.finding(rule, hit) for rule in rules for hit in rule.check(words))
                self._said[key] = said
            if said:
                found += [_placed(finding, roles) for finding in said]
        if roles.layout is not None and self._on_roles:
            key = (_DECLARED, fillers, *of_role.values())
            said = self._said.get(key)
            if said is None:
                seeing = self.look(roles).seeing
                said = tuple(
                    self.finding(rule, hit) for rule, on in self._on_roles if rule.code in seeing for hit in on.check(words)
                )
                self._said[key] = said
            found += said
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
