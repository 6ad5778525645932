"""What the rules on words looked at in items, and what they could not look at. The only place that says it in words, for every door."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gapsmith.templates import NO_PART, ROLES, count

NOT_KEPT = "left no record of what they looked at; `gapsmith lint` with all rules makes one"
"""What is said where no lint has kept what it looked at: there was none, or it was one of an older gapsmith."""


@dataclass(frozen=True)
class Look:
    """One item as the rules on words saw it."""

    roles: tuple[str, ...]
    """The roles that were found in it, in alphabetical order."""
    needs: tuple[tuple[str, tuple[str, ...]], ...]
    """Code of each rule on words that was asked, with the roles one of which it needs."""
    unread: str = ""
    """Why there are no roles, or fewer; empty where nothing stood in the way."""

    def __hash__(self) -> int:
        # Items are counted by their looks, and the needs of all rules are long.
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.roles, self.needs, self.unread))

    @cached_property
    def seeing(self) -> frozenset[str]:
        """The codes of the rules that could look at the item."""
        return frozenset(code for code, needs in self.needs if not set(needs).isdisjoint(self.roles))

    @property
    def is_partial(self) -> bool:
        """Whether rules on words were asked and could not read all words or none, so that nothing found says less."""
        return bool(self.needs) and (bool(self.unread) or not self.seeing)

    @cached_property
    def kept(self) -> str:
        """As a bank keeps it."""
        return json.dumps({"roles": self.roles, "needs": dict(self.needs), "unread": self.unread}, ensure_ascii=False)

    @property
    def short(self) -> str:
        """How many of the rules could look, for a line with little room."""
        return f"{len(self.seeing)} of {len(self.needs)} rules on words looked"

    @property
    def told(self) -> str:
        """What was looked at and what was not, in a few words for people."""
        kinds = [_KINDS.get(name, name) for name in ROLES if name in self.roles and name not in NO_PART]
        said = f"looked at {', '.join(kinds) or 'no words'}"
        if blind := len(self.needs) - len(self.seeing):
            said += f"; {len(self.needs) - blind} of {len(self.needs)} rules on words apply to it"
            own = [
                f"{code} (role {' or '.join(needs)})" for code, needs in self.needs if is_own(code) and code not in self.seeing
            ]
            said += f", of your own not {', '.join(own)}" if own else ""
        return f"{said}: {self.unread}" if self.unread else said

    def as_data(self) -> dict[str, Any]:
        """The same for programs: in words (``said``), the roles, and each rule that could not look with the roles one of which it needs."""
        blind = {code: list(needs) for code, needs in self.needs if code not in self.seeing}
        return {"said": self.told, "roles": list(self.roles), "could_not_look": blind}

    @classmethod
    def of(cls, kept: str) -> Look:
        """What a bank has kept."""
        said = json.loads(kept)
        return cls(tuple(said["roles"]), tuple((code, tuple(needs)) for code, needs in said["needs"].items()), said["unread"])


@dataclass
class Looked:
    """What rules on words could look at, over the items that were read."""

    looks: Counter[Look] = field(default_factory=Counter)
    """Each item as it was seen, to the items that were seen so."""
    named: dict[tuple[str, Look], list[str]] = field(default_factory=dict)
    """Paradigm and look to the labels of the items, where whoever counts says them."""

    def add(self, look: Look, items: int = 1) -> None:
        """Count items that were seen so."""
        self.looks[look] += items

    def add_item(self, look: Look, paradigm: str, label: str) -> None:
        """Count an item that was seen so, by its name."""
        self.looks[look] += 1
        self.named.setdefault((paradigm, look), []).append(label)

    def merge(self, other: Looked) -> None:
        """Count what the other has counted as well."""
        self.looks.update(other.looks)
        for key, labels in other.named.items():
            self.named.setdefault(key, []).extend(labels)

    @property
    def nameless(self) -> Looked:
        """The same counts without any item's name."""
        return Looked(self.looks)

    @property
    def n_items(self) -> int:
        """How many items were read."""
        return self.looks.total()

    @property
    def roles(self) -> Counter[str]:
        """Role to the items that have it."""
        return _counted((name, items) for look, items in self.looks.items() for name in look.roles)

    @property
    def rules(self) -> Counter[str]:
        """Code of each word rule that was asked, to the items at which it could look."""
        return _counted((code, items * (code in look.seeing)) for look, items in self.looks.items() for code, _ in look.needs)

    @property
    def blind(self) -> tuple[str, ...]:
        """The codes of the rules that could look at no item."""
        return tuple(sorted(code for code, items in self.rules.items() if not items))

    @property
    def nothing(self) -> bool:
        """Whether rules on words were asked, and not one could look at any item."""
        return bool(self.rules) and len(self.blind) == len(self.rules)

    @property
    def told(self) -> str:
        """What was looked at and what was not, in one sentence for people."""
        asked, found = self.rules, self.roles
        why: Counter[str] = _counted((look.unread, items) for look, items in self.looks.items() if look.unread)
        if not self.n_items:
            return NOT_KEPT
        if not asked:
            return "looked at nothing: no rule on words was asked"
        if self.nothing:
            reasons = [f"{reason} ({count(items, 'item')})" for reason, items in why.most_common()]
            since = "; ".join(reasons) or f"no item has {self._lacking()}"
            looked = f"looked at no words in {count(self.n_items, 'item')}, since {since}"
            return (
                f"{looked}: none of {count(len(asked), 'rule')} on words applies, and the others look at spelling and form alone"
                + self._told_missing()
            )
        kinds = [f"{_KINDS.get(name, name)} in {found[name]:,}" for name in ROLES if found[name] and name not in NO_PART]
        said = f"looked at {count(self.n_items, 'item')}: {', '.join(kinds) or 'no words in any'}"
        if self.blind:
            apply = len(asked) - len(self.blind)
            said += f"; {apply} of {count(len(asked), 'rule')} on words {'applies' if apply == 1 else 'apply'} to these items, the others"
            said += f" to what none has: {self._lacking()}"
        for reason, items in why.most_common():
            said += f"; the words of {'all ' if items == self.n_items > 1 else ''}{count(items, 'item')} could not be told apart: {reason}"
        return said + self._told_missing()

    def _told_missing(self) -> str:
        """The items without a kind of word that most of their paradigm's items have and a rule asks for, and those at which rules of one's
        own could not look."""
        several = len({paradigm for paradigm, _ in self.named}) > 1
        asked = {role for look in self.looks for _, needs in look.needs for role in needs}
        usual = [
            (len(labels), f"{_KINDS.get(role, role)} were found, in {_listed(labels, paradigm if several else '')} none")
            for paradigm, roles in self.not_in.items()
            for role, labels in roles.items()
            if role in asked and 2 * len(labels) < self._size(paradigm)
        ]
        said = "".join(f"; in most items {told}" for _, told in sorted(usual)[:_TOLD])
        if (more := len(usual) - _TOLD) > 0:
            said += f"; {count(more, 'more kind')} of words {'is' if more == 1 else 'are'} in most items and not in all"
        for code, paradigms in self.own_not_in.items():
            needs = next(own for look in self.looks for name, own in look.needs if name == code)
            where = ", ".join(_listed(labels, paradigm if several else "") for paradigm, labels in paradigms.items())
            said += f"; {code} reads the role {' or '.join(needs)}, which is not in {where}"
            if code in self.blind and (have := [role for role in ROLES if self.roles[role] and role != "rest"]):
                said += f" (there are {', '.join(have)})"
        return said

    def _size(self, paradigm: str) -> int:
        return sum(len(labels) for (name, _), labels in self.named.items() if name == paradigm)

    @property
    def not_in(self) -> dict[str, dict[str, list[str]]]:
        """By paradigm each role that some of its items have, to the labels of the others."""
        found: dict[str, dict[str, list[str]]] = {}
        for paradigm in dict.fromkeys(name for name, _ in self.named):
            looks = {look: labels for (name, look), labels in self.named.items() if name == paradigm}
            roles = [role for role in ROLES if role not in NO_PART and any(role in look.roles for look in looks)]
            lacking = {role: [n for look, labels in looks.items() if role not in look.roles for n in labels] for role in roles}
            if some := {role: labels for role, labels in lacking.items() if labels}:
                found[paradigm] = some
        return found

    @property
    def own_not_in(self) -> dict[str, dict[str, list[str]]]:
        """Each rule of one's own that could not look at some items, to their labels by paradigm."""
        found: dict[str, dict[str, list[str]]] = {}
        for (paradigm, look), labels in self.named.items():
            for code, _ in look.needs:
                if is_own(code) and code not in look.seeing:
                    found.setdefault(code, {}).setdefault(paradigm, []).extend(labels)
        return found

    def as_data(self) -> dict[str, Any]:
        """The same for programs: in words (``said``), the items that were read, role to the items that have it, rule to the items at which
        it could look, each rule that could look at none with the roles one of which it needs, and where items were named `not_in` and
        `own_not_in`."""
        blind = {code: list(needs) for look in self.looks for code, needs in look.needs if code in set(self.blind)}
        return {
            "said": self.told,
            "items": self.n_items,
            "roles": dict(sorted(self.roles.items())),
            "rules": dict(sorted(self.rules.items())),
            "could_not_look": dict(sorted(blind.items())),
            **({"not_in": self.not_in, "own_rules_not_in": self.own_not_in} if self.named else {}),
        }

    def _lacking(self) -> str:
        blind = set(self.blind)
        needs: dict[str, tuple[str, ...]] = {code: needs for look in self.looks for code, needs in look.needs if code in blind}
        lacking = sorted({_KINDS.get(name, name) for names in needs.values() for name in names})
        return f"{', '.join(lacking[:_NAMED])}{' and others' if len(lacking) > _NAMED else ''}"


def _counted(pairs: Iterator[tuple[str, int]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, number in pairs:
        counts[name] += number
    return counts


def is_own(code: str) -> bool:
    """Whether a rule is of a workspace's table or of an installed package."""
    return code.startswith("X")


def _listed(labels: Sequence[str], paradigm: str) -> str:
    more = f" and {len(labels) - _NAMED:,} more" if len(labels) > _NAMED else ""
    return f"{paradigm} item{'s' if len(labels) > 1 else ''} {', '.join(labels[:_NAMED])}{more}".lstrip()


_NAMED = 4
_TOLD = 3
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
    "wh_word": "question words of pairs",
    "gap_governor": "verbs before gaps of pairs",
    "island_governor": "verbs in islands of pairs",
    "embedding_verb": "verbs above the clauses of pairs",
    "antecedent": "antecedents",
    "anaphor": "reflexives",
    "changed": "words of starred sentences of pairs",
    "rest": "words",
    "clause": "clauses whose subject and verb are slots",
    "dated": "clauses with a phrase of time",
    "sentence": "sentences that were parsed",
}
"""Roles as people read them."""
