"""P1: what a parser should see in the sound conditions of an item: see `gapsmith.vetting.rules.parses` for how it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gapsmith.bank import Severity
from gapsmith.parsing import Role, Tree
from gapsmith.templates import Condition, Paradigm, Status, word_patterns
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import ParseRule
from gapsmith.vetting.rules.parses import Claim, FilledCondition, ParsedItem

_CLAUSE = frozenset({Role.COMPLEMENT_CLAUSE, Role.CLAUSAL_SUBJECT})
_SUBJECT = frozenset({Role.SUBJECT, Role.PASSIVE_SUBJECT, Role.CLAUSAL_SUBJECT})
_OBJECT = frozenset({Role.OBJECT, Role.INDIRECT_OBJECT})
_VERBAL = frozenset({"AUX", "VERB"})


def claims_of(paradigm: Paradigm) -> tuple[Claim, ...]:
    """What can be said of the paradigm's sound conditions, by the roles of its slots."""
    return () if paradigm.given else tuple(_claims(paradigm))


def _claims(paradigm: Paradigm) -> Iterator[Claim]:
    slots: dict[str, list[str]] = {}
    for slot in paradigm.visible_slots:
        slots.setdefault(slot.role, []).append(slot.name)
    names = [region.name for region in paradigm.regions]
    gaps = [region.name for region in paradigm.regions if region.role == "gap"]
    filler = next((region.name for region in paradigm.regions if region.role == "filler"), None)
    verbs = slots.get("verb", [])
    predicate = [*slots.get("linker", []), *verbs]
    subjects = [*slots.get("noun", []), *slots.get("subject", []), *slots.get("island", [])]
    for condition in paradigm.conditions:
        if condition.status is not Status.OK or not gaps:
            continue
        empty = [gap for gap in gaps if not condition.regions[gap]]
        before = {gap: _slot_before(paradigm, condition, gap) for gap in gaps}
        if not empty:
            if filler and predicate and names.index(filler) > 0:
                matrix = names[: names.index(filler)]
                yield _relation("P101", condition, _CLAUSE, matrix, predicate, "as a clause under")
            if subjects and predicate:
                yield _relation("P102", condition, _SUBJECT, predicate, subjects, "as the subject of")
            for gap in gaps:
                if before[gap] in slots.get("preposition", []) and slots.get("noun"):
                    yield _relation("P103", condition, {Role.MODIFIER}, slots["noun"], [gap], "in a phrase of")
                if before[gap] in verbs:
                    yield _relation("P104", condition, _OBJECT, verbs, [gap], "as the object of")
            for time in slots.get("time", []):
                if verbs:
                    yield _relation("P108", condition, set(Role) - _OBJECT, verbs, [time], "as a part of the clause of")
            yield from _possessives(paradigm, condition)
        for gap in empty:
            following = names[names.index(gap) + 1 :]
            if len(empty) == 1 and before[gap] in verbs and following:
                yield _no_object(condition, verbs, following[:1])
            if before[gap] in slots.get("preposition", []):
                yield _preposition(condition, str(before[gap]))


def _slot_before(paradigm: Paradigm, condition: Condition, gap: str) -> str | None:
    """The slot whose word stands right before a region, if it is a slot's."""
    names = [region.name for region in paradigm.regions]
    for name in reversed(names[: names.index(gap)]):
        pieces = word_patterns(condition.regions[name])
        if pieces:
            return pieces[-1].slot
    return None


def _relation(
    code: str,
    condition: Condition,
    roles: frozenset[Role] | set[Role],
    heads: Sequence[str],
    dependents: Sequence[str],
    what: str,
) -> Claim:
    def holds(tree: Tree, layout: FilledCondition) -> bool:
        above = layout.words(tree, heads)
        return any(tree.heads[word] in above and tree.roles[word] in roles for word in layout.words(tree, dependents))

    def says(layout: FilledCondition) -> str:
        return f"{layout.text_of(dependents)} is not read {what} {layout.text_of(heads)}"

    return Claim(code, condition.name, holds, says, (*dependents, *heads))


def _no_object(condition: Condition, verbs: Sequence[str], following: Sequence[str]) -> Claim:
    def holds(tree: Tree, layout: FilledCondition) -> bool:
        above = layout.words(tree, verbs)
        return not any(tree.heads[word] in above and tree.roles[word] in _OBJECT for word in layout.words(tree, following))

    def says(layout: FilledCondition) -> str:
        return f"{layout.text_of(following)} is read as the object of {layout.text_of(verbs)}, where the gap is,"

    return Claim("P105", condition.name, holds, says, tuple(following))


def _preposition(condition: Condition, slot: str) -> Claim:
    def holds(tree: Tree, layout: FilledCondition) -> bool:
        return all(tree.parse.tokens[word].upos == "ADP" for word in layout.words(tree, [slot]))

    def says(layout: FilledCondition) -> str:
        return f"{layout.text_of([slot])} before the gap is not read as a preposition"

    return Claim("P106", condition.name, holds, says, (slot,))


def _possessives(paradigm: Paradigm, condition: Condition) -> Iterator[Claim]:
    for region in paradigm.regions:
        for piece in word_patterns(condition.regions[region.name]):
            if piece.slot is not None and piece.suffix in {"'s", "’s"}:
                yield _possessive(condition, region.name, piece.slot)


def _possessive(condition: Condition, region: str, slot: str) -> Claim:
    def holds(tree: Tree, layout: FilledCondition) -> bool:
        end = layout.slots[slot][1]
        return all(tree.parse.tokens[word].upos not in _VERBAL for word in tree.parse.at(end, end + 2))

    def says(layout: FilledCondition) -> str:
        return f"the ’s of {layout.text_of([region])} is read as a verb"

    return Claim("P107", condition.name, holds, says, (slot,))


def _rule(code: str) -> ParseRule:
    def check(item: ParsedItem) -> Iterator[Hit]:
        return item.hits(code)

    return ParseRule(code, Severity.INFO, check)


RULES = tuple(_rule(f"P10{number}") for number in range(1, 9))
