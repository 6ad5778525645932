"""What people and policies say: events that are only ever added, and the state that follows from them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from bank import projection
from bank.connection import Db, canonical, now
from bank.errors import BankError
from bank.records import Decision, Judgement, Verdict

__all__ = ["DecisionTable", "add_events", "record_edit", "stacks"]

_UNDOABLE = ("decision", "judgement", "edit", "comment")
_RATINGS = ("ok", "?", "*")


class DecisionTable:
    """Decisions, judgements, undo and redo."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def decide(
        self,
        item_ids: Sequence[int],
        verdict: Verdict,
        *,
        author: str,
        kind: str = "person",
        reason: str | None = None,
        comment: str | None = None,
    ) -> list[int]:
        """Decide on items, each at its current revision, as one action that one undo takes back; the event ids.

        `kind` is ``person``, ``policy`` or ``adjudication``. An exclusion needs a reason. Raises `BankError`."""
        if kind not in ("person", "policy", "adjudication"):
            raise BankError(f"a decision is by a person, a policy or an adjudication, not {kind!r}")
        if verdict is Verdict.EXCLUDE and not reason:
            raise BankError("an exclusion needs a reason", hint="Say why, so that others can follow: --reason TEXT.")
        payload = {"verdict": verdict.value, "by": kind, "reason": reason, "comment": comment}
        return add_events(self._db, "decision", [(item_id, payload) for item_id in item_ids], author=author)

    def judge(self, item_id: int, condition: str, rating: str, *, author: str) -> int:
        """Judge one sentence as ``ok``, ``?`` or ``*``; the event id."""
        if rating not in _RATINGS:
            raise BankError(f"a sentence is judged as one of {', '.join(_RATINGS)}, not {rating!r}")
        (event_id,) = add_events(
            self._db, "judgement", [(item_id, {"condition": condition, "rating": rating})], author=author
        )
        return event_id

    def undo(self, author: str) -> list[int] | None:
        """Take back the author's newest action that still stands; the items it touched, or None where there is none.

        Raises `BankError` where that is an edit on which somebody else has built."""
        return self._step(author, "undo")

    def redo(self, author: str) -> list[int] | None:
        """Do again what the author's newest undo took back; the items it touched, or None where there is none."""
        return self._step(author, "redo")

    def _step(self, author: str, kind: str) -> list[int] | None:
        with self._db.write():
            done, undone = stacks(self._db, author)
            stack = done if kind == "undo" else undone
            if not stack:
                return None
            action = stack[-1]
            if kind == "undo":
                _refuse_if_built_upon(self._db, action)
            _add_event(self._db, kind, None, None, {"action": action}, author=author, action=None)
            rows = self._db.execute("SELECT DISTINCT item_id FROM event WHERE action = ? ORDER BY id", (action,))
            return [row["item_id"] for row in rows]

    def of(self, item_id: int) -> list[Decision]:
        """The decisions on an item that count now, one per author and kind, oldest first."""
        rows = self._db.execute(
            "SELECT event.* FROM decision_state d JOIN event ON event.id = d.event_id"
            " WHERE d.item_id = ? ORDER BY event.id",
            (item_id,),
        )
        return [_decision(row) for row in rows]

    def current(self) -> list[Decision]:
        """Every decision that counts now, oldest first."""
        rows = self._db.execute(
            "SELECT event.* FROM decision_state d JOIN event ON event.id = d.event_id ORDER BY event.id"
        )
        return [_decision(row) for row in rows]

    def history(self, item_id: int) -> list[Decision]:
        """Every decision ever made on an item, oldest first, taken back or not."""
        rows = self._db.execute("SELECT * FROM event WHERE item_id = ? AND kind = 'decision' ORDER BY id", (item_id,))
        return [_decision(row) for row in rows]

    def judgements(self, item_id: int) -> list[Judgement]:
        """The judgements on an item's sentences that count now."""
        rows = self._db.execute(
            "SELECT event.* FROM judgement_state j JOIN event ON event.id = j.event_id"
            " WHERE j.item_id = ? ORDER BY event.id",
            (item_id,),
        )
        return [
            Judgement(
                event_id=row["id"],
                item_id=row["item_id"],
                revision_id=row["revision_id"],
                condition=json.loads(row["payload"])["condition"],
                rating=json.loads(row["payload"])["rating"],
                author=row["author"],
                at=row["at"],
            )
            for row in rows
        ]

    def rebuild_projection(self) -> None:
        """Make the current state again from the events; changes nothing unless the state was damaged."""
        projection.rebuild(self._db)


def _refuse_if_built_upon(db: Db, action: int) -> None:
    later = db.execute(
        "SELECT later.author FROM event mine JOIN event later ON later.item_id = mine.item_id AND later.id > mine.id"
        " WHERE mine.action = ? AND mine.kind = 'edit' AND later.kind = 'edit' AND later.author <> mine.author"
        " AND later.action NOT IN (SELECT action FROM undone) LIMIT 1",
        (action,),
    ).fetchone()
    if later is not None:
        raise BankError(
            f"{later['author']} has edited the item since, on top of your edit",
            hint="Edit it again instead, or let them take theirs back first. Nothing was undone.",
        )


def stacks(db: Db, author: str) -> tuple[list[int], list[int]]:
    """The author's actions that stand and those that an undo took back, each with the next one to touch at its end."""
    done: list[int] = []
    undone: list[int] = []
    for row in db.execute("SELECT kind, action, payload FROM event WHERE author = ? ORDER BY id", (author,)):
        if row["kind"] in _UNDOABLE:
            if not done or done[-1] != row["action"]:
                done.append(row["action"])
            undone.clear()
        elif row["kind"] == "undo":
            undone.append(done.pop())
        elif row["kind"] == "redo":
            done.append(undone.pop())
    return done, undone


def record_edit(db: Db, item_id: int, before: int, after: int, *, author: str, note: str | None) -> int:
    """The event that makes revision `after` the current one; its id."""
    payload = {"from": before, "to": after, "note": note}
    return _add_event(db, "edit", item_id, before, payload, author=author, action=None)


def add_events(db: Db, kind: str, entries: Sequence[tuple[int, Mapping[str, Any]]], *, author: str) -> list[int]:
    """Add one event per (item id, payload), all of one action, each at the item's current revision; the event ids.

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
            ids.append(_add_event(db, kind, item_id, row["revision_id"], payload, author=author, action=action))
    return ids


def _add_event(
    db: Db,
    kind: str,
    item_id: int | None,
    revision_id: int | None,
    payload: Mapping[str, Any],
    *,
    author: str,
    action: int | None,
) -> int:
    cursor = db.execute(
        "INSERT INTO event (action, kind, item_id, revision_id, author, at, payload) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (action or 0, kind, item_id, revision_id, author, now(), canonical(payload)),
    )
    event_id = cursor.lastrowid
    assert event_id is not None
    if action is None:
        db.execute("UPDATE event SET action = id WHERE id = ?", (event_id,))
    projection.apply_event(db, db.execute("SELECT * FROM event WHERE id = ?", (event_id,)).fetchone())
    return event_id


def _decision(row: sqlite3.Row) -> Decision:
    payload = json.loads(row["payload"])
    return Decision(
        event_id=row["id"],
        item_id=row["item_id"],
        revision_id=row["revision_id"],
        verdict=Verdict(payload["verdict"]),
        author=row["author"],
        kind=payload["by"],
        reason=payload.get("reason"),
        comment=payload.get("comment"),
        at=row["at"],
    )
