"""What people and policies say: events that are only ever added, and the state that follows from them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from gapsmith.bank import projection
from gapsmith.bank.connection import Db
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event, add_events
from gapsmith.bank.records import ELSEWHERE, Decision, Judgement, Verdict
from gapsmith.bank.seeing import Gate

_UNDOABLE = ("decision", "judgement", "edit", "comment", "dataset")
_RATINGS = ("ok", "?", "*")


class DecisionTable:
    """Decisions, judgements, undo and redo."""

    def __init__(self, db: Db, gate: Gate) -> None:
        self._db = db
        self._gate = gate

    def decide(
        self,
        item_ids: Sequence[int],
        verdict: Verdict,
        *,
        author: str,
        kind: str = "person",
        reason: str | None = None,
        comment: str | None = None,
        versions: Mapping[int, int] | None = None,
    ) -> list[int]:
        """Decide on items, each at its current revision, as one action that one undo takes back; the event ids.

        `kind` is ``person``, ``policy`` or ``adjudication``. An exclusion needs a reason. `versions` picks, for items that two
        copies edited apart, the revision to go on with. Raises `BankError`."""
        if kind not in ("person", "policy", "adjudication"):
            raise BankError(f"a decision is by a person, a policy or an adjudication, not {kind!r}")
        if verdict is Verdict.EXCLUDE and not reason:
            raise BankError("an exclusion needs a reason", hint="Say why, so that others can follow: --reason TEXT.")
        payload = {"verdict": verdict.value, "by": kind, "reason": reason, "comment": comment}
        chosen = [(item_id, payload) for item_id in item_ids]
        return add_events(self._db, "decision", chosen, author=author, versions=versions)

    def judge(self, item_id: int, condition: str, rating: str, *, author: str) -> int:
        """Judge one sentence as ``ok``, ``?`` or ``*``; the event id."""
        if rating not in _RATINGS:
            raise BankError(f"a sentence is judged as one of {', '.join(_RATINGS)}, not {rating!r}")
        (event_id,) = add_events(self._db, "judgement", [(item_id, {"condition": condition, "rating": rating})], author=author)
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
            if kind == "redo":
                _refuse_if_moved_on(self._db, action)
            (target,) = self._db.execute("SELECT uid FROM event WHERE id = ?", (action,)).fetchone()
            try:
                add_event(self._db, kind, None, None, {"target": target.hex()}, author=author)
            except sqlite3.IntegrityError:
                raise BankError(
                    "the name that the data set would have again is another one's now, so nothing was changed",
                    hint="Give that one another name first: gapsmith dataset rename NAME NEW.",
                ) from None
            rows = self._db.execute(
                "SELECT DISTINCT item_id FROM event WHERE action = ? AND item_id IS NOT NULL ORDER BY id", (action,)
            )
            return [row["item_id"] for row in rows]

    def for_item(self, item_id: int) -> list[Decision]:
        """The decisions on an item that count now, one per author and kind, oldest first."""
        rows = self._db.checked(
            ("event", "decision_state"),
            f"SELECT event.*, d.* FROM {self._gate.decisions} d JOIN event ON event.id = d.event_id"
            f" WHERE d.item_id = ? ORDER BY {projection.IN_ORDER}",
            (item_id,),
        )
        return [_decision(row) for row in rows]

    def current(self) -> list[Decision]:
        """Every decision on the texts that an item has now, oldest first."""
        rows = self._db.checked(
            ("event", "decision_state"),
            f"SELECT event.*, d.* FROM {self._gate.decisions} d JOIN event ON event.id = d.event_id"
            " JOIN current_item AS item ON item.id = d.item_id WHERE d.texts = item.texts"
            f" ORDER BY {projection.IN_ORDER}",
        )
        return [_decision(row) for row in rows]

    def people(self, item_ids: Sequence[int]) -> set[str]:
        """Who has decided on any of these items, whoever asks: names, and nothing of what they said."""
        rows = self._db.execute(
            "SELECT DISTINCT d.author FROM decision_state d"
            " WHERE d.kind = 'person' AND d.item_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(item_ids)),),
        )
        return {row["author"] for row in rows}

    def history(self, item_id: int) -> list[Decision]:
        """Every decision ever made on an item, oldest first, taken back or not."""
        rows = self._db.checked(
            "event",
            "SELECT * FROM event WHERE item_id = ? AND kind = 'decision'"
            f" AND (payload ->> 'by' <> 'person' OR {self._gate.may_see('author', 'item_id')})"
            f" ORDER BY {projection.IN_ORDER}",
            (item_id,),
        )
        return [_decision(row) for row in rows]

    def judgements(self, item_id: int) -> list[Judgement]:
        """The judgements on an item's sentences that count now."""
        rows = self._db.checked(
            ("event", "judgement_state"),
            f"SELECT event.*, j.* FROM {self._gate.judgements} j JOIN event ON event.id = j.event_id"
            f" WHERE j.item_id = ? ORDER BY {projection.IN_ORDER}",
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
        with self._db.write():
            projection.rebuild(self._db)


def _refuse_if_built_upon(db: Db, action: int) -> None:
    later = db.execute(
        "SELECT 1 FROM event mine JOIN event later ON later.item_id = mine.item_id"
        " AND (later.at, later.seq, later.uid) > (mine.at, mine.seq, mine.uid)"
        " WHERE mine.action = ? AND mine.kind = 'edit' AND later.kind = 'edit' AND later.author <> mine.author"
        " AND later.action NOT IN (SELECT action FROM undone) LIMIT 1",
        (action,),
    ).fetchone()
    if later is not None:
        raise BankError(
            "somebody else has edited the item since, on top of your edit",
            hint="Edit it again instead, or let them take theirs back first. Nothing was undone.",
        )


def _refuse_if_moved_on(db: Db, action: int) -> None:
    row = db.execute(
        "SELECT event.revision_id <> item_state.revision_id AS moved FROM event"
        " JOIN item_state ON item_state.item_id = event.item_id WHERE event.action = ? AND event.kind = 'edit'"
        " ORDER BY moved DESC LIMIT 1",
        (action,),
    ).fetchone()
    if row is not None and row["moved"]:
        raise BankError(
            "the item has been edited since, so your edit cannot be done again on top",
            hint="Edit it as it stands now. Nothing was changed.",
        )


def stacks(db: Db, author: str) -> tuple[list[int], list[int]]:
    """The author's actions that stand and those that an undo took back, each with the next one to touch at its end."""
    done: list[int] = []
    undone: list[int] = []
    for row in db.execute("SELECT kind, action, payload FROM event WHERE author = ? ORDER BY at, seq, uid", (author,)):
        if row["kind"] in _UNDOABLE:
            if not done or done[-1] != row["action"]:
                done.append(row["action"])
            undone.clear()
        elif row["kind"] in ("undo", "redo"):
            # An undo that came from another copy may be about an action that this one has in another place, or not.
            action = projection.target_of(db, row["payload"])
            source, sink = (done, undone) if row["kind"] == "undo" else (undone, done)
            if action in source:
                source.remove(action)
                sink.append(action)
    return done, undone


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


def kind_of(payload: Mapping[str, Any]) -> str:
    """Of which kind a decision is, from what its event keeps: a person's that came back in a packet or a file is told apart."""
    by = str(payload["by"])
    return next((way for way in ELSEWHERE if way in payload), by) if by == "person" else by


def opened_of(payload: Mapping[str, Any]) -> bool | None:
    """Whether the item was on screen when it was decided on; None where nobody here can know."""
    return True if "seen" in payload else None if kind_of(payload) in ELSEWHERE else False


def _decision(row: sqlite3.Row) -> Decision:
    payload = json.loads(row["payload"])
    return Decision(
        event_id=row["id"],
        item_id=row["item_id"],
        revision_id=row["revision_id"],
        verdict=Verdict(payload["verdict"]),
        author=row["author"],
        kind=kind_of(payload),
        reason=payload.get("reason"),
        comment=payload.get("comment"),
        at=row["at"],
        opened=opened_of(payload),
    )
