"""Decisions, judgements and remarks as CSV, with who made them, when, and how the item was on screen."""

from __future__ import annotations

from functools import cache

from gapsmith.bank import (
    TEXT_DIGEST,
    UID,
    Bank,
    Comment,
    Decision,
    ItemFilter,
    Judgement,
    StoredItem,
    blind_cells,
    is_on_texts_of,
)
from gapsmith.bank.formats import DECISION_COLUMNS, JUDGEMENT_COLUMNS, REMARK_COLUMNS, csv_text


def decisions_csv(bank: Bank, selection: ItemFilter, author: str | None = None) -> str:
    """Every decision that counts now on the selected items, one per line, the oldest first; one author's, if named.

    ``current`` is no where the item has other texts now. ``kind`` is packet or file where it came back in one. ``opened`` is yes
    where the item was opened and painted before the key, card where it was painted as a compact card: then ``painted_at``,
    ``seconds`` (from the paint to the key) and ``rows_seen`` of ``rows`` are filled; unknown in packets and files.
    ``blind`` is no where its author could know what others say, and ``said_blind`` what of theirs stood before that.
    A row without a ``decision`` is of one that was taken back.
    ``text_digest`` is of the texts that were decided on. `gapsmith decide --csv` reads the table. To one who may not know which items
    calibrate, no data set is named, and items are called as on the screens and stand in that order.
    """
    items = {item.id: item for item in bank.items.iterate(selection)}
    rows = []
    blind = blind_cells(bank)
    every = bank.decisions.all()
    for decision in every:
        item = items.get(decision.item_id)
        if item is None or author not in {None, decision.author}:
            continue
        seen = decision.seen
        rows.append(
            {
                **_of(bank, item, decision),
                "decision": decision.verdict.value,
                "reason": decision.reason or "",
                "comment": decision.comment or "",
                "author": decision.author,
                "at": decision.at,
                "kind": decision.kind,
                "opened": decision.opened_in_words,
                "painted_at": seen.painted_at if seen is not None else "",
                "seconds": f"{seen.seconds:.3f}" if seen is not None else "",
                "rows_seen": len(seen.rows) if seen is not None else "",
                "rows": seen.total if seen is not None else "",
                **blind.of(decision),
            }
        )
    for label, cells in blind.taken_back(every):
        if (item := items.get(label.item_id)) is not None and author in {None, label.author}:
            about = _item(bank, item, current=label.current, text_digest=label.texts)
            rows.append(dict.fromkeys(DECISION_COLUMNS, "") | about | {"author": label.author} | cells)
    return csv_text(_in_order(bank, rows), DECISION_COLUMNS)


def judgements_csv(bank: Bank, selection: ItemFilter, author: str | None = None) -> str:
    """Every judgement of a sentence that counts now, one per line; ``points`` and ``seconds`` where it was shown alone.
    One's own of a study (`author`) say what of no sentence it is as long as the sheet is not finished: it would tell what is expected
    of those to come."""
    items = {item.id: item for item in bank.items.iterate(selection)}
    rows = []
    # Once for each study: a bank has thousands of answers in a few.
    is_open = cache(bank.gate.has_open_sheet)
    for judgement in bank.decisions.judgements():
        item = items.get(judgement.item_id)
        if item is None or author not in {None, judgement.author}:
            continue
        sentence = item.sentence(judgement.condition)
        current = is_on_texts_of(judgement, item)
        unnamed = author is not None and judgement.study is not None and is_open(judgement.study)
        about = _of(bank, item, judgement) | {"condition": judgement.condition}
        rows.append(
            {
                **(dict.fromkeys(about, "") if unnamed else about),
                "judgement": judgement.rating,
                "points": judgement.points if judgement.points is not None else "",
                "author": judgement.author,
                "at": judgement.at,
                "seconds": f"{judgement.seconds:.3f}" if judgement.seconds is not None else "",
                "sentence": sentence.text if sentence is not None and current else "",
            }
        )
    return csv_text(_in_order(bank, rows), JUDGEMENT_COLUMNS)


def remarks_csv(bank: Bank, selection: ItemFilter, author: str | None = None) -> str:
    """Every remark (``c`` in the review) that was not taken back, one per line, the oldest first; one author's, if named. `gapsmith
    decide --csv` reads the table."""
    items = {item.id: item for item in bank.items.iterate(selection)}
    rows = [
        {
            **_of(bank, items[one.item_id], one),
            "condition": one.condition or "",
            "remark": one.text,
            "author": one.author,
            "at": one.at,
        }
        for one in bank.review.comments()
        if one.item_id in items and author in {None, one.author}
    ]
    return csv_text(_in_order(bank, rows), REMARK_COLUMNS)


def _in_order(bank: Bank, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    return rows if bank.gate.tells_origins else sorted(rows, key=lambda row: str(row["item"]))


def _of(bank: Bank, item: StoredItem, said: Decision | Judgement | Comment) -> dict[str, object]:
    return _item(bank, item, current=is_on_texts_of(said, item), text_digest=said.text_digest)


def _item(bank: Bank, item: StoredItem, *, current: bool, text_digest: str) -> dict[str, object]:
    return {
        "item": bank.gate.called(item),
        "paradigm": item.paradigm,
        "dataset": item.dataset if bank.gate.tells_origins else "",
        "current": "yes" if current else "no",
        UID: item.uid.hex(),
        TEXT_DIGEST: text_digest,
    }
