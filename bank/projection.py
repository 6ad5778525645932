"""From events to where things stand. The same functions run on one new event and on all of them again.

Rules: a person's newest decision that is not undone counts, on the revision it was made on. An item's status is that
of its newest adjudication; else of the people who decided, if they agree, else it is disputed; else of the newest
policy decision, unless a person has decided since on another revision; else it is pending.
"""

from __future__ import annotations

import json
import sqlite3

from bank.connection import Db
from bank.records import ItemStatus, Verdict

__all__ = ["apply_event", "refresh_item", "rebuild"]

_STATUS = {
    Verdict.APPROVE.value: ItemStatus.APPROVED,
    Verdict.EXCLUDE.value: ItemStatus.EXCLUDED,
    Verdict.FLAG.value: ItemStatus.FLAGGED,
}


def apply_event(db: Db, event: sqlite3.Row) -> None:
    """Bring the projections up to date with one event that is already stored."""
    if event["kind"] == "undo":
        db.execute("INSERT OR IGNORE INTO undone VALUES (?)", (_target(event),))
        _refresh_action(db, _target(event))
    elif event["kind"] == "redo":
        db.execute("DELETE FROM undone WHERE action = ?", (_target(event),))
        _refresh_action(db, _target(event))
    elif event["kind"] == "decision":
        payload = json.loads(event["payload"])
        _refresh_decision(db, event["item_id"], event["author"], payload["by"])
        refresh_item(db, event["item_id"])
    elif event["kind"] == "judgement":
        _refresh_judgement(db, event["item_id"], event["author"], json.loads(event["payload"])["condition"])
    elif event["kind"] == "edit":
        _refresh_revision(db, event["item_id"])
        refresh_item(db, event["item_id"])


def rebuild(db: Db) -> None:
    """Forget all projections and make them again from the events."""
    with db.write():
        for table in ("undone", "decision_state", "judgement_state"):
            db.execute(f"DELETE FROM {table}")
        db.execute(
            "UPDATE item_state SET status = ?, reason = NULL, revision_id ="
            " (SELECT id FROM revision WHERE revision.item_id = item_state.item_id AND number = 1)",
            (ItemStatus.PENDING.value,),
        )
        for event in db.execute("SELECT * FROM event ORDER BY id").fetchall():
            apply_event(db, event)


def refresh_item(db: Db, item_id: int) -> None:
    """Work out an item's status again from the decisions on its current revision."""
    rows = db.execute(
        "SELECT d.*, d.revision_id = s.revision_id AS is_current FROM decision_state d"
        " JOIN item_state s ON s.item_id = d.item_id WHERE d.item_id = ? ORDER BY d.event_id",
        (item_id,),
    ).fetchall()
    current = [row for row in rows if row["is_current"]]
    # A policy decided before a person did, on whatever revision, has nothing to say any more.
    spoken = max((row["event_id"] for row in rows if row["kind"] != "policy"), default=0)
    status, reason = _standing([row for row in current if row["kind"] != "policy" or row["event_id"] > spoken])
    db.execute("UPDATE item_state SET status = ?, reason = ? WHERE item_id = ?", (status.value, reason, item_id))


def _standing(rows: list[sqlite3.Row]) -> tuple[ItemStatus, str | None]:
    for kind in ("adjudication", "person", "policy"):
        those = [row for row in rows if row["kind"] == kind]
        if not those:
            continue
        if kind == "person" and len({row["verdict"] for row in those}) > 1:
            return ItemStatus.DISPUTED, None
        return _STATUS[those[-1]["verdict"]], those[-1]["reason"]
    return ItemStatus.PENDING, None


def _target(event: sqlite3.Row) -> int:
    return int(json.loads(event["payload"])["action"])


def _refresh_action(db: Db, action: int) -> None:
    items = set()
    for event in db.execute("SELECT * FROM event WHERE action = ?", (action,)).fetchall():
        if event["kind"] == "decision":
            _refresh_decision(db, event["item_id"], event["author"], json.loads(event["payload"])["by"])
        elif event["kind"] == "judgement":
            _refresh_judgement(db, event["item_id"], event["author"], json.loads(event["payload"])["condition"])
        elif event["kind"] == "edit":
            _refresh_revision(db, event["item_id"])
        items.add(event["item_id"])
    for item_id in items:
        refresh_item(db, item_id)


def _refresh_decision(db: Db, item_id: int, author: str, by: str) -> None:
    newest = db.execute(
        "SELECT * FROM event WHERE item_id = ? AND author = ? AND kind = 'decision' AND payload ->> 'by' = ?"
        " AND action NOT IN (SELECT action FROM undone) ORDER BY id DESC LIMIT 1",
        (item_id, author, by),
    ).fetchone()
    db.execute("DELETE FROM decision_state WHERE item_id = ? AND author = ? AND kind = ?", (item_id, author, by))
    if newest is None:
        return
    payload = json.loads(newest["payload"])
    db.execute(
        "INSERT INTO decision_state VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            item_id, author, by, newest["revision_id"], payload["verdict"],
            payload.get("reason"), payload.get("comment"), newest["id"],
        ),
    )  # fmt: skip


def _refresh_judgement(db: Db, item_id: int, author: str, condition: str) -> None:
    newest = db.execute(
        "SELECT * FROM event WHERE item_id = ? AND author = ? AND kind = 'judgement' AND payload ->> 'condition' = ?"
        " AND action NOT IN (SELECT action FROM undone) ORDER BY id DESC LIMIT 1",
        (item_id, author, condition),
    ).fetchone()
    db.execute(
        "DELETE FROM judgement_state WHERE item_id = ? AND author = ? AND condition = ?", (item_id, author, condition)
    )
    if newest is None:
        return
    rating = json.loads(newest["payload"])["rating"]
    db.execute(
        "INSERT INTO judgement_state VALUES (?, ?, ?, ?, ?, ?)",
        (item_id, author, condition, newest["revision_id"], rating, newest["id"]),
    )


def _refresh_revision(db: Db, item_id: int) -> None:
    newest = db.execute(
        "SELECT payload FROM event WHERE item_id = ? AND kind = 'edit' AND action NOT IN (SELECT action FROM undone)"
        " ORDER BY id DESC LIMIT 1",
        (item_id,),
    ).fetchone()
    if newest is not None:
        revision_id = json.loads(newest["payload"])["to"]
    else:
        (revision_id,) = db.execute("SELECT id FROM revision WHERE item_id = ? AND number = 1", (item_id,)).fetchone()
    db.execute("UPDATE item_state SET revision_id = ? WHERE item_id = ?", (revision_id, item_id))
