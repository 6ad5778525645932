"""The only place that decides whether somebody has locked an item: declared the decisions on its data set to be final.

Locks and unlocks are events. Who has locked sees everything of these items (`gapsmith.bank.seeing`) and decides, judges and edits
nothing of them any more (`gapsmith.bank.decisions`, `gapsmith.bank.items`), except as an adjudicator, until the lock is taken back.

A lock is about the data set that it was made on, whatever that is called now: its event keeps the data set's uid. One of an older
release keeps the name only, and is about the data set that was called so then.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gapsmith.bank.connection import Db
from gapsmith.bank.errors import LockedError
from gapsmith.bank.projection import IN_ORDER, name_after, target_of

OF_SETS = "sets"
"""The key under which the event of a lock on a data set keeps its uid; several, where data sets of several paradigms have that name."""


@dataclass(frozen=True, slots=True)
class Lock:
    """An annotator declared the decisions on a paradigm's data set to be final (`locked`), or took that back."""

    event_id: int
    author: str
    paradigm: str | None
    """None: every paradigm."""
    dataset: str | None
    """None: every data set. Else what it is called now."""
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
    """All locks and unlocks ever made, oldest first, on data sets that are there; one that is on several, once for each."""
    rows = list(db.checked("event", f"SELECT * FROM event WHERE item_id IS NULL AND kind = 'lock' ORDER BY {IN_ORDER}"))
    names: _Names | None = None
    locks = []
    for row in rows:
        payload = json.loads(row["payload"])
        scope: list[tuple[str | None, str | None]] = [(payload["paradigm"], None)]
        if payload["dataset"] is not None:
            names = names or _Names(db)
            scope = list(names.places(row, payload))
        for place in scope:
            locks.append(Lock(row["id"], row["author"], *place, locked=payload["locked"], at=row["at"]))
    return locks


def sets_called(db: Db, paradigm: str | None, dataset: str) -> list[str]:
    """The uids of the data sets that a lock on this name is about."""
    rows = db.execute(
        "SELECT dataset.uid FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id"
        " WHERE state.name = ? AND state.removed = 0 AND (? IS NULL OR state.paradigm = ?) ORDER BY 1",
        (dataset, paradigm, paradigm),
    )
    return [row["uid"].hex() for row in rows]


class _Names:
    """What data sets were called, and what they are called now."""

    def __init__(self, db: Db) -> None:
        self._db = db
        rows = db.execute(
            "SELECT dataset.uid, dataset.id, state.paradigm, state.name, state.removed"
            " FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id ORDER BY dataset.id"
        )
        self._sets: dict[str, sqlite3.Row] = {row["uid"].hex(): row for row in rows}

    @cached_property
    def _changes(self) -> Mapping[str, Sequence[tuple[tuple[Any, ...], int, Mapping[str, Any]]]]:
        """Of each data set its renamings and removals: when, which action, and what."""
        found = defaultdict(list)
        for row in self._db.checked("event", f"SELECT * FROM event WHERE kind = 'dataset' ORDER BY {IN_ORDER}"):
            payload = json.loads(row["payload"])
            found[payload["dataset"]].append((_moment(row), row["action"], payload))
        return found

    @cached_property
    def _marks(self) -> Mapping[int, Sequence[tuple[tuple[Any, ...], bool]]]:
        """Of each action when it was taken back (True) and done again."""
        found = defaultdict(list)
        for row in self._db.checked("event", f"SELECT * FROM event WHERE kind IN ('undo', 'redo') ORDER BY {IN_ORDER}"):
            if (action := target_of(self._db, row["payload"])) is not None:
                found[action].append((_moment(row), row["kind"] == "undo"))
        return found

    def places(self, row: sqlite3.Row, payload: Mapping[str, Any]) -> Sequence[tuple[str, str]]:
        """Paradigm and present name of the data sets that a lock is about. None where these were removed."""
        uids = payload.get(OF_SETS)
        if uids is None:
            uids = self._called(payload["dataset"], payload["paradigm"], _moment(row))
        there = [self._sets[uid] for uid in uids if uid in self._sets]
        return [(own["paradigm"], own["name"]) for own in there if not own["removed"]]

    def _called(self, name: str, paradigm: str | None, moment: tuple[Any, ...]) -> Sequence[str]:
        """Of each paradigm, or of that one, the data set that had the name at that moment."""
        own = [uid for uid, row in self._sets.items() if paradigm in {None, row["paradigm"]}]
        found = [uid for uid in own if self._as_of(uid, moment) == name]
        # In another copy of the bank it may have been renamed without this one knowing: then it is the one that ever had the name.
        found = found or [uid for uid in own if name in self._ever(uid)]
        by_paradigm: dict[str, list[str]] = defaultdict(list)
        for uid in found:
            by_paradigm[self._sets[uid]["paradigm"]].append(uid)
        # Of several the others came later, when the name was free again.
        return [those[0] if len(those) == 1 else min(those, key=self._since) for those in by_paradigm.values()]

    def _since(self, uid: str) -> tuple[str, int]:
        """When the first of its items came in."""
        number = self._sets[uid]["id"]
        (at,) = self._db.execute("SELECT min(at) FROM item WHERE dataset_id = ?", (number,)).fetchone()
        return at or "", number

    def _as_of(self, uid: str, moment: tuple[Any, ...]) -> str | None:
        """What a data set was called then; None where it was removed."""
        changes = self._changes.get(uid, [])
        first = next((change["from"] for _, _, change in changes if "to" in change), self._sets[uid]["name"])
        before = [(change, self._undone(action, moment)) for at, action, change in changes if at < moment]
        if any(change.get("removed", False) for change, undone in before if not undone):
            return None
        return name_after(first, [(change, undone) for change, undone in before if "to" in change])

    def _ever(self, uid: str) -> set[str]:
        named = {end for _, _, change in self._changes.get(uid, []) if "to" in change for end in (change["from"], change["to"])}
        return named | {self._sets[uid]["name"]}

    def _undone(self, action: int, moment: tuple[Any, ...]) -> bool:
        marks = [undone for at, undone in self._marks.get(action, []) if at < moment]
        return bool(marks) and marks[-1]


def _moment(row: sqlite3.Row) -> tuple[Any, ...]:
    """The place of an event in the order of all (`IN_ORDER`)."""
    return row["at"], row["seq"], row["uid"]


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
