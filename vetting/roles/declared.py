"""Roles that a paradigm's file declares: of its slots, and of the named regions of sentences that are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gapsmith.bank import StoredItem
from gapsmith.templates import ROLES, Paradigm, slots_in
from gapsmith.vetting.roles.determiners import has_determiner
from gapsmith.vetting.roles.differences import Differences, differences_of
from gapsmith.vetting.roles.futurity import future_slots
from gapsmith.vetting.roles.item_role import ItemRole, ItemRoles, Origin, SlotLayout


class SlotRoles:
    """From the words in an item's slots to its roles, for the items of one paradigm."""

    def __init__(self, paradigm: Paradigm) -> None:
        self._slots = [(slot.name, slot.role) for slot in paradigm.visible_slots if slot.role]
        has_matrix = any(role == "matrix" for _, role in self._slots)
        fixed = "" if has_matrix else _fixed_words(paradigm)
        # A frame that the paradigm itself fixes ("I know") is judged like one that fills a slot.
        self._fixed = (ItemRole("matrix", fixed, Origin.SLOT, 1.0),) if fixed else ()
        self._fillers = _fillers(paradigm)
        self._future = frozenset(name for name, future in future_slots(paradigm).items() if future)
        self._layout = layout_of(paradigm)
        self.names = frozenset(role for _, role in self._slots) | {role.name for role in self._fixed}
        """The roles that the paradigm declares; none where its slots say nothing."""

    def read(self, slots: Mapping[str, str]) -> ItemRoles:
        """The roles of an item with these words."""
        found = tuple(ItemRole(role, slots[name], Origin.SLOT, 1.0, slot=name) for name, role in self._slots if slots.get(name))
        return ItemRoles((*self._fixed, *found), self._fillers, layout=self._layout, future=self._future)


_VERBS = frozenset({"verb", "adjunct_verb", "conjunct", "bridge", "question", "content_verb"})
_MOST_BETWEEN = 3


def layout_of(paradigm: Paradigm) -> SlotLayout:
    """What stands around the slots of a paradigm, as far as its conditions agree on it."""
    if paradigm.given or not paradigm.visible_slots:
        return SlotLayout()
    roles = {slot.name: slot.role for slot in paradigm.visible_slots}
    rows = [
        " ".join(condition.regions.get(region.name, "") for region in paradigm.regions).split()
        for condition in paradigm.conditions
    ]
    before: dict[str, set[str]] = {}
    determined: set[str] = set()
    clauses: dict[tuple[str, str], dict[tuple[str, ...], set[str]]] = {}
    fillers = _fillers(paradigm)
    for row in rows:
        names = [found[0] if len(found := slots_in(piece)) == 1 and piece == f"{{{found[0]}}}" else None for piece in row]
        for place, name in enumerate(names):
            if name is None:
                continue
            fixed = "" if not place or names[place - 1] is not None or slots_in(row[place - 1]) else row[place - 1].casefold()
            before.setdefault(name, set()).add(fixed)
            # A complementizer is no demonstrative: that baker.
            first = place if place and row[place - 1].casefold() in fillers else 0
            if has_determiner(row[first:place], lambda slot: roles.get(slot) in (None, "", "determiner")):
                determined.add(name)
            if roles.get(name) not in _VERBS:
                continue
            for start in range(place - 1, max(-1, place - 2 - _MOST_BETWEEN), -1):
                subject = names[start]
                if subject is None and not slots_in(row[start]):
                    continue
                if subject is not None and roles.get(subject) == "subject":
                    between = tuple(word.casefold() for word in row[start + 1 : place])
                    above = _above(row, start, roles)
                    clauses.setdefault((subject, name), {}).setdefault(between, set()).add(above)
                break
    agreed = {pair: next(iter(ways.items())) for pair, ways in clauses.items() if len(ways) == 1}
    return SlotLayout(
        tuple((*pair, between, frozenset(above)) for pair, (between, above) in agreed.items()),
        {name: next(iter(words)) for name, words in before.items() if len(words) == 1},
        frozenset(piece.casefold() for row in rows for piece in row if not slots_in(piece)),
        frozenset(determined),
    )


def _above(row: list[str], start: int, roles: Mapping[str, str]) -> str:
    """The word before a subject; ``?`` where a slot without a role stands there, which may be an auxiliary, and nothing where another
    slot or the beginning is."""
    if not start:
        return ""
    inside = slots_in(row[start - 1])
    return ("" if all(roles.get(name) for name in inside) else "?") if inside else row[start - 1].casefold()


def _fixed_words(paradigm: Paradigm) -> str:
    literal: list[str] = []
    if paradigm.given:
        return ""
    for region in paradigm.regions:
        if region.role == "filler":
            return " ".join(filter(None, literal))
        texts = {condition.regions[region.name] for condition in paradigm.conditions}
        text = texts.pop()
        if texts or "{" in text:
            return ""
        literal.append(text)
    return ""


def _fillers(paradigm: Paradigm) -> frozenset[str]:
    return frozenset(
        condition.regions[region.name].casefold()
        for region in paradigm.regions
        if region.role == "filler"
        for condition in paradigm.conditions
        if region.name in condition.regions
    )


def with_region_roles(found: ItemRoles, paradigm: Paradigm, item: StoredItem) -> ItemRoles:
    """The roles with those that named regions declare in the place of what was read."""
    declared = [(region.name, region.role) for region in paradigm.regions if region.role in ROLES]
    if not declared:
        return found
    differences: Differences | None = found.differences or differences_of({s.condition: s.text for s in item.sentences})
    base = item.sentence(differences.base) if differences is not None else None
    if base is None:
        return found
    roles = []
    for region, role in declared:
        span = base.span(region)
        if span is not None and span.start < span.end:
            words = base.text[span.start : span.end]
            roles.append(ItemRole(role, words, Origin.REGION, 1.0, (span.start, span.end)))
    named = {role.name for role in roles}
    kept = [role for role in found.roles if role.name not in named and not _inside(role, roles)]
    ordered = sorted([*kept, *roles], key=lambda role: role.at or (0, 0))
    return replace(found, roles=tuple(ordered), base=base.condition, differences=differences, unread="")


def _inside(role: ItemRole, others: list[ItemRole]) -> bool:
    """Whether words that have no role of their own lie in others that do."""
    return role.name == "rest" and any(
        other.at is not None and role.at is not None and other.at[0] <= role.at[0] < other.at[1] for other in others
    )
