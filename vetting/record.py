"""Decisions as the review keeps them: with how the item was looked at.

What was on screen travels in the payload of the decision's event: ``{"seen": {"painted_at": ISO time, "seconds": …,
"rows": […], "of": …}}`` for an item that was opened and painted (``"card": true`` where it was painted as a compact card),
nothing for a decision on many items at once or from
the command line. So "by a person" can be told apart from "seen by a person" for ever. What came back in a packet or a file
keeps which one, ``{"packet": …}`` or ``{"file": …}``: whether the item was looked at there is not known.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.bank import IN_ORDER, Bank, BankError, Verdict, add_events, kind_of, opened_of

REASON_SEPARATOR = "; "
"""Between the reasons of one exclusion, which the bank keeps as one text."""


@dataclass(frozen=True, slots=True)
class ScreenRecord:
    """How an item was on screen before it was decided on."""

    painted_at: str
    """When this text was first painted, ISO 8601 in UTC."""
    seconds: float
    """From that paint to the key that decided."""
    rows: tuple[int, ...]
    """The numbers of the rows that were painted at some time."""
    total: int
    """How many rows the item has."""
    card: bool = False
    """Shown as a compact card, which has no rows of its own."""

    def as_payload(self) -> dict[str, Any]:
        """As the event keeps it."""
        return {
            "painted_at": self.painted_at,
            "seconds": round(self.seconds, 3),
            "rows": list(self.rows),
            "of": self.total,
            **({"card": True} if self.card else {}),
        }


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decision that stands, with how it was made."""

    event_id: int
    item_id: int
    revision_id: int
    author: str
    kind: str
    """As `gapsmith.bank.Decision` has it."""
    verdict: str
    reason: str | None
    comment: str | None
    at: str
    seen: ScreenRecord | None
    """None for decisions on many items at once, and for those made outside of the review."""
    opened: bool | None
    """As `gapsmith.bank.Decision` has it: None where it is not known."""
    text_digest: str
    """Of the texts that it was made on."""


@dataclass(frozen=True, slots=True)
class JudgementRecord:
    """One judgement of a sentence that stands, with how it was made."""

    event_id: int
    item_id: int
    revision_id: int
    condition: str
    author: str
    value: str
    """``ok``, ``?`` or ``*``, or a point of a Likert scale."""
    points: int | None
    """How many points the scale has; None for the three categories."""
    seconds: float | None
    """From the sentence's first paint to the key; None where it was judged beside others."""
    at: str
    text_digest: str
    """Of the item's texts that it was made on."""


def record_judgement(
    bank: Bank,
    item_id: int,
    condition: str,
    value: str,
    *,
    author: str,
    points: int | None,
    seconds: float | None,
) -> int:
    """Keep a judgement of a sentence that was shown alone; the event id."""
    payload: dict[str, Any] = {"condition": condition, "rating": value, "alone": True}
    if points is not None:
        payload["points"] = points
    if seconds is not None:
        payload["seconds"] = round(seconds, 3)
    (event_id,) = add_events(bank.db, "judgement", [(item_id, payload)], author=author)
    return event_id


def judgement_records(bank: Bank) -> Iterator[JudgementRecord]:
    """Every judgement that counts now, in the order in which they were made."""
    rows = bank.db.checked(
        ("event", "judgement_state"),
        f"SELECT event.*, j.* FROM {bank.gate.judgements} j JOIN event ON event.id = j.event_id ORDER BY {IN_ORDER}",
    )
    for row in rows:
        payload = json.loads(row["payload"])
        yield JudgementRecord(
            event_id=row["id"],
            item_id=row["item_id"],
            revision_id=row["revision_id"],
            condition=payload["condition"],
            author=row["author"],
            value=payload["rating"],
            points=payload.get("points"),
            seconds=payload.get("seconds"),
            at=row["at"],
            text_digest=row["texts"].hex(),
        )


def record_decision(
    bank: Bank,
    item_ids: Sequence[int],
    verdict: Verdict,
    *,
    author: str,
    kind: str,
    reason: str | None,
    comment: str | None,
    seen: ScreenRecord | None,
    versions: Mapping[int, int] | None = None,
    packet: str | None = None,
    file: str | None = None,
    group: str | None = None,
) -> list[int]:
    """Keep a decision on items as one action; the event ids. `versions`: which of the versions of an item that was edited
    apart it is about; `packet`: the review packet that it came back in; `file`: the file of decisions; `group`: what the items
    share, where they were decided on for that. Raises `BankError` for an exclusion without a reason."""
    if verdict is Verdict.EXCLUDE and not reason:
        raise BankError("an exclusion needs a reason", hint="Take one from the list, or write your own.")
    payload: dict[str, Any] = {"verdict": verdict.value, "by": kind, "reason": reason, "comment": comment}
    if seen is not None:
        payload["seen"] = seen.as_payload()
    if packet is not None:
        payload["packet"] = packet
    if file is not None:
        payload["file"] = file
    if group is not None:
        payload["group"] = group
    chosen = [(item_id, payload) for item_id in item_ids]
    return add_events(bank.db, "decision", chosen, author=author, versions=versions)


def decision_records(bank: Bank, item_id: int | None = None) -> Iterator[DecisionRecord]:
    """Every decision that counts now, on one item or all, in the order in which they were made."""
    clause, values = (" WHERE d.item_id = ?", [item_id]) if item_id is not None else ("", [])
    rows = bank.db.checked(
        ("event", "decision_state"),
        f"SELECT event.*, d.* FROM {bank.gate.decisions} d JOIN event ON event.id = d.event_id{clause} ORDER BY {IN_ORDER}",
        values,
    )
    for row in rows:
        payload = json.loads(row["payload"])
        seen = payload.get("seen")
        yield DecisionRecord(
            event_id=row["id"],
            item_id=row["item_id"],
            revision_id=row["revision_id"],
            author=row["author"],
            kind=kind_of(payload),
            verdict=payload["verdict"],
            reason=payload.get("reason"),
            comment=payload.get("comment"),
            at=row["at"],
            seen=_seen(seen) if seen else None,
            opened=opened_of(payload),
            text_digest=row["texts"].hex(),
        )


def _seen(payload: Mapping[str, Any]) -> ScreenRecord:
    rows, card = tuple(payload["rows"]), bool(payload.get("card"))
    return ScreenRecord(payload["painted_at"], payload["seconds"], rows, payload["of"], card)


def reasons_of(reason: str | None) -> tuple[str, ...]:
    """The single reasons of an exclusion."""
    return tuple(part for part in (reason or "").split(REASON_SEPARATOR) if part)
