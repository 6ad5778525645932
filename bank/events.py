"""The only place that adds events to a bank: one that is made here, with the next moment of this bank, or one that a merge brings.

Which events there may be and what they have to say is decided by those who call: `gapsmith.bank.decisions` for decisions and
judgements, `gapsmith.bank.review`, `datasets` and `seeing` for the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gapsmith.bank import projection
from gapsmith.bank.asked import with_request
from gapsmith.bank.connection import Db, canonical, new_uid, now
from gapsmith.bank.errors import BankError
from gapsmith.bank.names import PERSON, as_name


def record_edit(
    db: Db, item_id: int, before: int, after: int, *, author: str, note: str | None, action: int | None = None
) -> int:
    """The event that makes revision `after` the current one; its id."""
    uids = {row["id"]: row["uid"].hex() for row in db.execute("SELECT id, uid FROM revision WHERE item_id = ?", (item_id,))}
    payload: dict[str, Any] = {"from": uids[before], "to": uids[after], "note": note}
    (forked,) = db.execute("SELECT forked FROM item_state WHERE item_id = ?", (item_id,)).fetchone()
    if not forked and (others := [uids[end] for end in projection.heads(db, item_id) if end != before]):
        # An adjudication has left these behind; the edit goes on from the one that it picked.
        payload["settles"] = others
    return add_event(db, "edit", item_id, before, payload, author=author, action=action)


def add_events(
    db: Db,
    kind: str,
    entries: Sequence[tuple[int, Mapping[str, Any]]],
    *,
    author: str,
    versions: Mapping[int, int] | None = None,
) -> list[int]:
    """Add one event per (item id, payload), all of one action, each at the item's current revision, or at that one
    which `versions` has for it; the event ids.

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
    """Add one event, as part of an action or as one of its own, and bring the projections up to date; its id. One of its own
    keeps the request by which it is done.

    Call it within a transaction."""
    as_name(author, PERSON, slashes=True)
    bank = db.property("bank")
    # One is enough for all that an action does.
    payload = with_request(payload) if action is None else payload
    (event_id,) = db.execute("SELECT coalesce(max(id), 0) + 1 FROM event").fetchone()
    at, seq = _next_moment(db, bank)
    insert_event(
        db,
        event_id=event_id,
        uid=new_uid(),
        bank=bank,
        seq=seq,
        action=action if action is not None else event_id,
        kind=kind,
        item_id=item_id,
        revision_id=revision_id,
        author=author,
        at=at,
        payload=payload,
    )
    projection.apply_event(db, db.execute("SELECT * FROM event WHERE id = ?", (event_id,)).fetchone())
    return int(event_id)


def insert_event(
    db: Db,
    *,
    event_id: int,
    uid: bytes,
    bank: str | None,
    seq: int,
    action: int,
    kind: str,
    item_id: int | None,
    revision_id: int | None,
    author: str,
    at: str,
    payload: Mapping[str, Any],
) -> None:
    """Add the row of an event and nothing else: for a merge, which works out where things stand when all are in."""
    db.execute(
        "INSERT INTO event (id, uid, bank, seq, action, kind, item_id, revision_id, author, at, payload)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (event_id, uid, bank, seq, action, kind, item_id, revision_id, author, at, canonical(payload)),
    )


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
