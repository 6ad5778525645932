"""The only place that decides whether somebody has locked an item: declared the decisions on its data set to be final.

Locks and unlocks are events. Who has locked sees everything of these items (`gapsmith.bank.seeing`) and decides, judges and edits
nothing of them any more (`gapsmith.bank.decisions`, `gapsmith.bank.items`), except as an adjudicator, until the lock is taken back.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank.connection import Db
from gapsmith.bank.errors import LockedError
from gapsmith.bank.projection import IN_ORDER


@dataclass(frozen=True, slots=True)
class Lock:
    """An annotator declared the decisions on a paradigm's data set to be final (`locked`), or took that back."""

    event_id: int
    author: str
    paradigm: str | None
    """None: every paradigm."""
    dataset: str | None
    """None: every data set."""
    locked: bool
    at: str


def is_locked(locks: Sequence[Lock], author: str, paradigm: str, dataset: str) -> bool:
    """Whether the newest of the author's locks and unlocks that cover the data set is a lock."""
    state = False
    for lock in locks:
        if lock.author == author and lock.paradigm in {None, paradigm} and lock.dataset in {None, dataset}:
            state = lock.locked
    return state


def read_locks(db: Db) -> list[Lock]:
    """All locks and unlocks ever made, oldest first."""
    locks = []
    for row in db.checked("event", f"SELECT * FROM event WHERE item_id IS NULL AND kind = 'lock' ORDER BY {IN_ORDER}"):
        payload = json.loads(row["payload"])
        scope = (payload["paradigm"], payload["dataset"])
        locks.append(Lock(row["id"], row["author"], *scope, locked=payload["locked"], at=row["at"]))
    return locks


def locked_place(db: Db, author: str, item_ids: Sequence[int]) -> str | None:
    """A data set of these items that the author has locked, as ``paradigm/data set``; None where there is none."""
    locks = [lock for lock in read_locks(db) if lock.author == author]
    if not any(lock.locked for lock in locks):
        return None
    places = db.execute(
        "SELECT DISTINCT paradigm, dataset FROM current_item WHERE id IN (SELECT value FROM json_each(?)) ORDER BY 1, 2",
        (json.dumps(list(item_ids)),),
    ).fetchall()
    locked = (f"{row[0]}/{row[1]}" for row in places if is_locked(locks, author, row[0], row[1]))
    return next(locked, None)


def refuse_if_locked(db: Db, author: str, item_ids: Sequence[int]) -> None:
    """Raise `LockedError` where the author has locked the data set of one of these items."""
    if (place := locked_place(db, author, item_ids)) is not None:
        raise LockedError(
            f"{author} has locked the decisions on {place}",
            hint="Take the lock back with “Lock or unlock” (L, or the command palette; it is recorded), or adjudicate.",
        )
