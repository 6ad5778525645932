"""Locks: who has declared their decisions on a data set to be final."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank.connection import Db
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


def read_locks(db: Db) -> list[Lock]:
    """All locks and unlocks ever made, oldest first."""
    locks = []
    for row in db.checked("event", f"SELECT * FROM event WHERE item_id IS NULL AND kind = 'lock' ORDER BY {IN_ORDER}"):
        payload = json.loads(row["payload"])
        scope = (payload["paradigm"], payload["dataset"])
        locks.append(Lock(row["id"], row["author"], *scope, locked=payload["locked"], at=row["at"]))
    return locks


def is_locked(locks: Sequence[Lock], author: str, paradigm: str, dataset: str) -> bool:
    """Whether the newest of the author's locks and unlocks that cover the data set is a lock."""
    state = False
    for lock in locks:
        if lock.author == author and lock.paradigm in {None, paradigm} and lock.dataset in {None, dataset}:
            state = lock.locked
    return state
