"""From events to where things stand: the only place that changes the status and current revision of an item that is there. The
same functions run on one new event and on all of them again.

Rules: a person's newest decision that is not undone counts while the item's texts are those it was made on. An item's
status is that of its newest adjudication; else of the people who decided, if they agree, else it is disputed; else of
the newest policy decision, unless a person has decided since on other texts; else it is pending. An item that two
copies of the bank edited apart has two newest revisions: it is disputed until an adjudication picks one.

Events have one order, whichever bank they are in and in whatever order they came there: by time, then by the number that
they got in their own bank (which is above all that this bank had seen), then by uid.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from gapsmith.bank.connection import Db, as_uid
from gapsmith.bank.records import ItemStatus, Verdict

IN_ORDER = "event.at, event.seq, event.uid"
"""The order of events, the same in every bank."""

_NEWEST_FIRST = "event.at DESC, event.seq DESC, event.uid DESC"
_STATUS = {
    Verdict.APPROVE.value: ItemStatus.APPROVED,
    Verdict.EXCLUDE.value: ItemStatus.EXCLUDED,
    Verdict.FLAG.value: ItemStatus.FLAGGED,
}


def apply_event(db: Db, event: sqlite3.Row) -> None:
    """Bring the projections up to date with one event that is already stored."""
    if event["kind"] in ("undo", "redo"):
        action = target_of(db, event["payload"])
        if action is not None:
            _mark(db, event["kind"], action)
            _refresh_action(db, action)
    elif event["kind"] == "decision":
        payload = json.loads(event["payload"])
        _refresh_decision(db, event["item_id"], event["author"], payload["by"])
        refresh_item(db, event["item_id"])
    elif event["kind"] == "judgement":
        _refresh_judgement(db, event["item_id"], event["author"], json.loads(event["payload"])["condition"])
    elif event["kind"] == "edit":
        _refresh_revision(db, event["item_id"])
        refresh_item(db, event["item_id"])
    elif event["kind"] == "dataset":
        _refresh_dataset(db, json.loads(event["payload"])["dataset"])


def rebuild(db: Db) -> None:
    """Forget all projections and make them again from the events. Call it within a transaction."""
    # Removed and made, not changed: of a damaged row nothing is gone on with.
    for table in ("undone", "decision_state", "judgement_state", "item_state"):
        db.execute(f"DELETE FROM {table}")
    db.execute(
        "INSERT OR IGNORE INTO item_state (item_id, revision_id, texts, status)"
        " SELECT item_id, id, texts, ? FROM revision WHERE parent IS NULL ORDER BY id",
        (ItemStatus.PENDING.value,),
    )
    events = list(db.checked("event", f"SELECT * FROM event ORDER BY {IN_ORDER}"))
    # What was taken back comes first: in a merged bank an undo can stand before the event that it is about.
    for event in events:
        if event["kind"] in ("undo", "redo") and (action := target_of(db, event["payload"])) is not None:
            _mark(db, event["kind"], action)
    # Until all have their names again, none is in another's way.
    db.execute("UPDATE dataset_state SET removed = 1")
    for row in db.execute("SELECT uid FROM dataset ORDER BY uid").fetchall():
        _refresh_dataset(db, row["uid"].hex())
    for event in events:
        if event["kind"] not in ("undo", "redo", "dataset"):
            apply_event(db, event)


def refresh_item(db: Db, item_id: int) -> None:
    """Work out an item's status again from the decisions on its current revision."""
    rows = db.execute(
        "SELECT d.*, d.texts = s.texts AS is_current FROM decision_state d JOIN event ON event.id = d.event_id"
        f" JOIN item_state s ON s.item_id = d.item_id WHERE d.item_id = ? ORDER BY {IN_ORDER}",
        (item_id,),
    ).fetchall()
    # A policy decided before a person did, on whatever revision, has nothing to say any more.
    spoken = max((place for place, row in enumerate(rows) if row["kind"] != "policy"), default=-1)
    status, reason = _standing(
        [row for place, row in enumerate(rows) if row["is_current"] and (row["kind"] != "policy" or place > spoken)]
    )
    if _is_forked(db, item_id):
        status, reason = ItemStatus.DISPUTED, None
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


def _mark(db: Db, kind: str, action: int) -> None:
    change = "INSERT OR IGNORE INTO undone (action) VALUES (?)"
    db.execute(change if kind == "undo" else "DELETE FROM undone WHERE action = ?", (action,))


def _is_forked(db: Db, item_id: int) -> bool:
    (forked,) = db.execute("SELECT forked FROM item_state WHERE item_id = ?", (item_id,)).fetchone()
    return bool(forked)


def target_of(db: Db, payload: str) -> int | None:
    """The action that an undo or a redo is about, here; None where its event has not come to this bank."""
    row = db.execute("SELECT action FROM event WHERE uid = ?", (as_uid(json.loads(payload)["target"]),)).fetchone()
    return int(row["action"]) if row is not None else None


def _refresh_action(db: Db, action: int) -> None:
    items = set()
    for event in db.execute("SELECT * FROM event WHERE action = ?", (action,)).fetchall():
        if event["kind"] == "decision":
            _refresh_decision(db, event["item_id"], event["author"], json.loads(event["payload"])["by"])
        elif event["kind"] == "judgement":
            _refresh_judgement(db, event["item_id"], event["author"], json.loads(event["payload"])["condition"])
        elif event["kind"] == "edit":
            _refresh_revision(db, event["item_id"])
        elif event["kind"] == "dataset":
            _refresh_dataset(db, json.loads(event["payload"])["dataset"])
        items.add(event["item_id"])
    for item_id in items - {None}:
        refresh_item(db, item_id)


def _refresh_decision(db: Db, item_id: int, author: str, by: str) -> None:
    newest = db.execute(
        "SELECT * FROM event WHERE item_id = ? AND author = ? AND kind = 'decision' AND payload ->> 'by' = ?"
        f" AND action NOT IN (SELECT action FROM undone) ORDER BY {_NEWEST_FIRST} LIMIT 1",
        (item_id, author, by),
    ).fetchone()
    db.execute("DELETE FROM decision_state WHERE item_id = ? AND author = ? AND kind = ?", (item_id, author, by))
    if by == "adjudication":
        # It picks one of the revisions of an item that was edited in two copies.
        _refresh_revision(db, item_id)
    if newest is None:
        return
    payload = json.loads(newest["payload"])
    db.execute(
        "INSERT INTO decision_state (item_id, author, kind, revision_id, texts, verdict, reason, comment, event_id)"
        " SELECT ?, ?, ?, id, texts, ?, ?, ?, ? FROM revision WHERE id = ?",
        (
            item_id,
            author,
            by,
            payload["verdict"],
            payload.get("reason"),
            payload.get("comment"),
            newest["id"],
            newest["revision_id"],
        ),
    )


def _refresh_judgement(db: Db, item_id: int, author: str, condition: str) -> None:
    newest = db.execute(
        "SELECT * FROM event WHERE item_id = ? AND author = ? AND kind = 'judgement' AND payload ->> 'condition' = ?"
        f" AND action NOT IN (SELECT action FROM undone) ORDER BY {_NEWEST_FIRST} LIMIT 1",
        (item_id, author, condition),
    ).fetchone()
    db.execute("DELETE FROM judgement_state WHERE item_id = ? AND author = ? AND condition = ?", (item_id, author, condition))
    if newest is None:
        return
    rating = json.loads(newest["payload"])["rating"]
    db.execute(
        "INSERT INTO judgement_state (item_id, author, condition, revision_id, texts, rating, event_id)"
        " SELECT ?, ?, ?, id, texts, ?, ? FROM revision WHERE id = ?",
        (item_id, author, condition, rating, newest["id"], newest["revision_id"]),
    )


def _refresh_revision(db: Db, item_id: int) -> None:
    """The current revision is the end of the chain of edits that stand; of two ends, the one that was adjudicated."""
    ends = heads(db, item_id)
    chosen = ends[-1]
    if len(ends) > 1:
        picked = db.execute(
            "SELECT revision_id FROM event WHERE item_id = ? AND kind = 'decision' AND payload ->> 'by' = 'adjudication'"
            f" AND action NOT IN (SELECT action FROM undone) ORDER BY {_NEWEST_FIRST} LIMIT 1",
            (item_id,),
        ).fetchone()
        if picked is not None and picked["revision_id"] in ends:
            ends = [chosen := int(picked["revision_id"])]
    texts = {db.execute("SELECT texts FROM revision WHERE id = ?", (end,)).fetchone()["texts"] for end in ends}
    # Two copies that came to the same sentences agree.
    db.execute(
        "UPDATE item_state SET (revision_id, texts) = (SELECT id, texts FROM revision WHERE id = ?), forked = ?"
        " WHERE item_id = ?",
        (chosen, int(len(texts) > 1), item_id),
    )


def heads(db: Db, item_id: int) -> list[int]:
    """The newest revisions of an item: one, or where copies of the bank edited it apart, the end of each copy's edits."""
    revisions = {
        row["uid"].hex(): row for row in db.execute("SELECT id, uid, parent FROM revision WHERE item_id = ?", (item_id,))
    }
    rows = db.execute(
        "SELECT payload FROM event WHERE item_id = ? AND kind = 'edit' AND action NOT IN (SELECT action FROM undone)"
        f" ORDER BY {IN_ORDER}",
        (item_id,),
    )
    (root,) = [uid for uid, row in revisions.items() if row["parent"] is None]
    return [revisions[end]["id"] for end in _ends(root, [json.loads(row["payload"]) for row in rows])]


def _ends(root: str, edits: list[dict[str, str]]) -> list[str]:
    """The revisions at the ends of the edits that lead there from the first one.

    Clocks of two machines may differ, so that an edit can stand before the one that it builds on. One that builds on an
    edit that was taken back elsewhere has an end of its own."""
    reached, ends, waiting = {root}, [root], list(edits)
    while waiting:
        edit = next((edit for edit in waiting if edit["from"] in reached), waiting[0])
        waiting.remove(edit)
        reached.add(edit["to"])
        ends = [end for end in ends if end not in (edit["from"], *edit.get("settles", ()))]
        ends.append(edit["to"])
    return ends


def name_after(first: str, renames: Sequence[tuple[Mapping[str, Any], bool]]) -> str:
    """What a data set is called that was called so at first, after these renamings; True: it was taken back."""
    return next((str(change["to"]) for change, undone in reversed(renames) if not undone), first)


def _refresh_dataset(db: Db, uid: str) -> None:
    """The name of a data set and whether it was removed, from the first name and the events that stand."""
    row = db.execute("SELECT id FROM dataset WHERE uid = ?", (as_uid(uid),)).fetchone()
    if row is None:
        return
    (name,) = db.execute("SELECT name FROM dataset_state WHERE dataset_id = ?", (row["id"],)).fetchone()
    every = db.execute(
        "SELECT payload, action IN (SELECT action FROM undone) AS undone FROM event WHERE kind = 'dataset'"
        f" AND payload ->> 'dataset' = ? ORDER BY {IN_ORDER}",
        (uid,),
    ).fetchall()
    removed = 0
    changes = [(json.loads(event["payload"]), bool(event["undone"])) for event in every]
    renames = [(change, undone) for change, undone in changes if "to" in change]
    if renames:
        name = name_after(renames[0][0]["from"], renames)
    removed = int(any(change.get("removed", False) for change, undone in changes if not undone))
    db.execute("UPDATE dataset_state SET name = ?, removed = ? WHERE dataset_id = ?", (name, removed, row["id"]))
