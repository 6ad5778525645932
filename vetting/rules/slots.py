"""T1: the values of an item's slots against what the paradigm allows."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import ItemRule
from gapsmith.vetting.rules.view import OPENED, PARTICLES, ItemView


def _distinct(view: ItemView) -> Iterator[Hit]:
    for constraint in view.paradigm.constraints:
        if constraint.kind != "distinct":
            continue
        seen: dict[str, str] = {}
        for name in constraint.slots:
            value = view.slots.get(name, "")
            if value and value.casefold() in seen:
                other = seen[value.casefold()]
                yield Hit(f"{other} and {name} are both {value!r}", slot=name)
            seen.setdefault(value.casefold(), name)


def _closed(view: ItemView) -> Iterator[Hit]:
    for slot in view.paradigm.visible_slots:
        value = view.slots.get(slot.name)
        if slot.closed and value and value not in slot.closed:
            # The list is what is generated from; another determiner or preposition is a choice, a question word another sentence.
            severity = Severity.INFO if value.casefold() in OPENED.get(slot.role, ()) else None
            listed = ", ".join(slot.closed)
            yield Hit(f"{slot.name} is {value!r}", slot=slot.name, remedy=f"Use one of: {listed}.", severity=severity)


def _missing(view: ItemView) -> Iterator[Hit]:
    if view.item.slots is None:
        return
    for slot in view.paradigm.visible_slots:
        if not view.item.slots.get(slot.name, "").strip():
            yield Hit(f"the slot {slot.name} has no value", slot=slot.name)


def _long(view: ItemView) -> Iterator[Hit]:
    # The limit is for words that are made to order; what people bring may be longer, and is only told.
    severity = Severity.INFO if view.is_imported else None
    for slot in view.paradigm.visible_slots:
        value = view.slots.get(slot.name, "")
        pieces = value.split()
        count = len(pieces)
        if slot.role == "verb" and count == 2 and pieces[1].casefold() in PARTICLES:
            continue  # A verb with its particle is one verb; L205 speaks of it.
        if count > slot.max_words:
            most = f"{slot.max_words} at most"
            yield Hit(f"{slot.name} has {count} words ({value!r}); {most}", slot=slot.name, severity=severity)


RULES = (
    ItemRule("T100", Severity.ERROR, _distinct),
    ItemRule("T101", Severity.ERROR, _closed),
    ItemRule("T102", Severity.ERROR, _missing),
    ItemRule("T103", Severity.ERROR, _long),
)
