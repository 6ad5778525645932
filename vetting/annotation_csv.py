"""Decisions and judgements as CSV, with who made them, when, and how the item was on screen."""

from __future__ import annotations

from gapsmith.bank import TEXT_DIGEST, UID, Bank, ItemFilter, StoredItem
from gapsmith.bank.formats import DECISION_COLUMNS, JUDGEMENT_COLUMNS, csv_text
from gapsmith.vetting.record import DecisionRecord, JudgementRecord, decision_records, judgement_records


def decisions_csv(bank: Bank, selection: ItemFilter, author: str | None = None) -> str:
    """Every decision that counts now on the selected items, one per line, the oldest first; one author's, if named.

    ``current`` is no where the text was edited since. ``kind`` is packet or file where it came back in one. ``opened`` is yes
    where the item was opened and painted before the key, card where it was painted as a compact card: then ``painted_at``,
    ``seconds`` (from the paint to the key) and ``rows_seen`` of ``rows`` are filled; unknown in packets and files.
    ``text_digest`` is of the texts that were decided on. `gapsmith decide --csv` reads the table.
    """
    items = {item.id: item for item in bank.items.iterate(selection)}
    rows = []
    for record in decision_records(bank):
        item = items.get(record.item_id)
        if item is None or author not in {None, record.author}:
            continue
        seen = record.seen
        rows.append(
            {
                **_item(item, record),
                "decision": record.verdict,
                "reason": record.reason or "",
                "comment": record.comment or "",
                "author": record.author,
                "at": record.at,
                "kind": record.kind,
                "opened": _opened(record),
                "painted_at": seen.painted_at if seen is not None else "",
                "seconds": f"{seen.seconds:.3f}" if seen is not None else "",
                "rows_seen": len(seen.rows) if seen is not None else "",
                "rows": seen.total if seen is not None else "",
            }
        )
    return csv_text(rows, DECISION_COLUMNS)


def judgements_csv(bank: Bank, selection: ItemFilter, author: str | None = None) -> str:
    """Every judgement of a sentence that counts now, one per line; ``points`` and ``seconds`` where it was shown alone."""
    items = {item.id: item for item in bank.items.iterate(selection)}
    rows = []
    for record in judgement_records(bank):
        item = items.get(record.item_id)
        if item is None or author not in {None, record.author}:
            continue
        sentence = item.sentence(record.condition)
        current = record.revision_id == item.revision_id
        rows.append(
            {
                **_item(item, record),
                "condition": record.condition,
                "judgement": record.value,
                "points": record.points if record.points is not None else "",
                "author": record.author,
                "at": record.at,
                "seconds": f"{record.seconds:.3f}" if record.seconds is not None else "",
                "sentence": sentence.text if sentence is not None and current else "",
            }
        )
    return csv_text(rows, JUDGEMENT_COLUMNS)


def _opened(record: DecisionRecord) -> str:
    if record.seen is not None:
        return "card" if record.seen.card else "yes"
    return "unknown" if record.opened is None else "no"


def _item(item: StoredItem, record: DecisionRecord | JudgementRecord) -> dict[str, object]:
    return {
        "item": item.label,
        "paradigm": item.paradigm,
        "dataset": item.dataset,
        "current": "yes" if record.revision_id == item.revision_id else "no",
        UID: item.uid.hex(),
        TEXT_DIGEST: record.text_digest,
    }
