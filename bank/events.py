"""Events: the only place that adds one. Everything that people decide, say, edit or look at is an event."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gapsmith.bank import projection
from gapsmith.bank.connection import Db, canonical, new_uid, now
from gapsmith.bank.errors import BankError


def add_events(
    db: Db,
    kind: str,
    entries: Sequence[tuple[int, Mapping[str, Any]]],
    *,
    author: str,
    versions: Mapping[int, int] | None = None,
) -> list[int]:
    """Add one event per (item id, payload), all of one action, each at the item's current revision, or at that one of its
    newest revisions which `versions` has for it; the event ids.

    Raises `BankError` for an item that is not there; then nothing is added."""
    if not author.strip():
        raise BankError("a decision needs a name", hint="Say who you are: --by NAME, or `annotator` in gapsmith.toml.")
    ids: list[int] = []
    with db.write():
        for item_id, payload in entries:
            row = db.execute("SELECT revision_id FROM item_state WHERE item_id = ?", (item_id,)).fetchone()
            if row is None:
                raise BankError(f"there is no item with the bank id {item_id}")
            action = ids[0] if ids else None
            revision_id = (versions or {}).get(item_id, row["revision_id"])
            if revision_id != row["revision_id"] and revision_id not in projection.heads(db, item_id):
                raise BankError(f"revision {revision_id} is no version of that item that can be picked")
            ids.append(add_event(db, kind, item_id, revision_id, payload, author=author, action=action))
    return ids


def add_event(
    db: Db,
    kind: str,
    item_id: int | None,
    revision_id: int | None,
    payload: Mapping[str, Any],
    *,
    author: str,
    action: int | None = None,
) -> int:
    """Add one event, as part of an action or as one of its own, and bring the projections up to date; its id.

    Call it within a transaction."""
    bank = db.property("bank")
    (event_id,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM event").fetchone()
    at, seq = _next_moment(db, bank)
    db.execute(
        "INSERT INTO event (id, uid, bank, seq, action, kind, item_id, revision_id, author, at, payload)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            event_id,
            new_uid(),
            bank,
            seq,
            action if action is not None else event_id,
            kind,
            item_id,
            revision_id,
            author,
            at,
            canonical(payload),
        ),
    )
    projection.apply_event(db, db.execute("SELECT * FROM event WHERE id = ?", (event_id,)).fetchone())
    return int(event_id)


SEEN_ELSEWHERE = "newest event of other banks"
"""The property with the time and number of the newest event that a merge has brought in."""


def _next_moment(db: Db, bank: str | None) -> tuple[str, int]:
    """Time and number of the next event: after all that this bank holds, also where another machine's clock was ahead or
    ours was set back. Else a decision could lose against one that its author has just seen and changed."""
    last = db.execute("SELECT at, seq FROM event WHERE bank = ? ORDER BY seq DESC LIMIT 1", (bank,)).fetchone()
    elsewhere = db.property(SEEN_ELSEWHERE)
    known = [tuple(last)] if last is not None else []
    if elsewhere is not None:
        newest = json.loads(elsewhere)
        known.append((newest["at"], newest["seq"]))
    return max([now(), *(at for at, _ in known)]), 1 + max((seq for _, seq in known), default=0)
