"""From an `ItemFilter` to SQL: the only place, so that listing, counting and iterating select the same items."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gapsmith.bank.records import ItemFilter


def where(
    selection: ItemFilter,
    *,
    decisions: str = "decision_state",
    names: Sequence[str] = ("item.label",),
    calibrating: str = "",
) -> tuple[str, list[Any]]:
    """A WHERE clause over ``current_item AS item`` (empty string for no filter) and its parameters. `decisions` is the relation
    of decisions that the reader may see, `names` are by what the reader may name an item, and `calibrating` selects the items whose
    right verdict is known, empty where there are none (`gapsmith.bank.seeing`)."""
    clauses: list[str] = []
    values: list[Any] = []

    def one_of(column: str, wanted: tuple[Any, ...]) -> None:
        clauses.append(f"{column} IN ({', '.join('?' * len(wanted))})")
        values.extend(wanted)

    if selection.paradigm is not None:
        clauses.append("item.paradigm = ?")
        values.append(selection.paradigm)
    if selection.dataset is not None:
        clauses.append("item.dataset = ?")
        values.append(selection.dataset)
    if selection.paradigms:
        one_of("item.paradigm", selection.paradigms)
    if selection.datasets:
        one_of("item.dataset", selection.datasets)
    if selection.statuses:
        one_of("item.status", tuple(s.value for s in selection.statuses))
    if selection.standing:
        one = ", ".join("?" * len(selection.standing))
        clauses.append(f"item.id IN (SELECT stands.item_id FROM item_state stands WHERE stands.status IN ({one}))")
        values.extend(s.value for s in selection.standing)
    if selection.ids:
        # json_each has no limit on the number of values, unlike a list of question marks.
        clauses.append("item.id IN (SELECT value FROM json_each(?))")
        values.append(json.dumps(list(selection.ids)))
    if selection.labels:
        clauses.append("(" + " OR ".join(f"{name} IN (SELECT value FROM json_each(?))" for name in names) + ")")
        values.extend([json.dumps(list(selection.labels))] * len(names))
    if selection.run_id is not None:
        clauses.append("item.run_id = ?")
        values.append(selection.run_id)
    if selection.codes or selection.severity is not None:
        inner = ["finding.item_id = item.id"]
        if selection.codes:
            inner.append("(" + " OR ".join("finding.code LIKE ? || '%'" for _ in selection.codes) + ")")
            values.extend(selection.codes)
        if selection.severity is not None:
            inner.append("finding.rank >= ?")
            values.append(selection.severity.rank)
        clauses.append(f"EXISTS (SELECT 1 FROM finding WHERE {' AND '.join(inner)})")
    if selection.text is not None:
        clauses.append(
            "EXISTS (SELECT 1 FROM sentence JOIN text ON text.id = sentence.text_id"
            " WHERE sentence.revision_id = item.revision_id AND instr(coalesce(text.folded, lower(text.text)), ?) > 0)"
        )
        values.append(selection.text.casefold())
    if selection.author is not None:
        clauses.append(f"EXISTS (SELECT 1 FROM {decisions} d WHERE d.item_id = item.id AND d.author = ?)")
        values.append(selection.author)
    for name, value in selection.attributes.items():
        clauses.append("CAST(item.attributes ->> ? AS TEXT) = ?")
        values.extend((f'$."{name}"', value))
    if selection.in_results and calibrating:
        counts = f"item.id NOT IN ({calibrating})"
        if selection.dataset is not None or selection.datasets:
            others = f"SELECT 1 FROM item other WHERE other.dataset_id = item.dataset_id AND other.id NOT IN ({calibrating})"
            counts = f"({counts} OR NOT EXISTS ({others}))"
        clauses.append(counts)
    return (f" WHERE {' AND '.join(clauses)}" if clauses else "", values)
