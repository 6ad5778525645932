"""The only place that writes decisions and judgements, and that says whether one can be: a verdict that there is, an author, a text
that the item has now, nothing that its author has locked. Events are only ever added; the state that follows from them is here, too.

What a decision's event keeps, besides ``verdict``, ``by``, ``reason`` and ``comment``: how the item was on screen, ``{"seen":
{"painted_at": ISO time, "seconds": …, "rows": […], "of": …}}`` (``"card": true`` where it was painted as a compact card), and
nothing for a decision on many items at once or from the command line. So "by a person" can be told apart from "seen by a person"
for ever. What came back in a packet or a file keeps which one, ``{"packet": …}`` or ``{"file": …}``: whether the item was looked at
there is not known. An adjudication before its time keeps that it was: ``unlocked`` has those with a share in the data set who had not locked
it then, ``unread`` the item's readers who had not decided on it. ``group`` is what items share that were decided on for that.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gapsmith.bank import projection
from gapsmith.bank.assignments import AssignmentTable, Awaited
from gapsmith.bank.connection import Db, damaged
from gapsmith.bank.digests import code_of
from gapsmith.bank.errors import BankError, LockedError, StaleItemError
from gapsmith.bank.events import add_event, add_events
from gapsmith.bank.locks import locked_place, refuse_if_locked
from gapsmith.bank.records import ELSEWHERE, Decision, ForcedChoice, Judgement, ScreenRecord, Verdict
from gapsmith.bank.seeing import Gate
from gapsmith.templates import first_of

_UNDOABLE = ("decision", "judgement", "choice", "edit", "comment", "dataset")
_KINDS = ("person", "policy", "adjudication")
_A = {"decision": "a decision", "judgement": "a judgement", "choice": "a choice", "edit": "an edit"}
_RATINGS = ("ok", "?", "*")
_BEFORE_TIME = ("unlocked", "unread")
_NEEDS_REASON = "an exclusion needs a reason"


def decision_fault(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with what a decision's event would keep, whoever made it and wherever; None where nothing is."""
    verdict, by = payload.get("verdict"), payload.get("by")
    if verdict not in tuple(Verdict):
        return f"{verdict!r} is no decision: there are {', '.join(Verdict)}"
    if by not in _KINDS:
        return f"a decision is by a person, a policy or an adjudication, not {by!r}"
    if not all(isinstance(payload.get(name), str | None) for name in ("reason", "comment", "group", *ELSEWHERE)):
        return "its reason, its comment or where it came from is no text"
    if not all(
        isinstance(names := payload.get(name, []), list) and all(isinstance(one, str) for one in names) for name in _BEFORE_TIME
    ):
        return "who had not locked or not read is no list of names"
    if verdict == Verdict.EXCLUDE and not payload.get("reason"):
        return _NEEDS_REASON
    if "packet" in payload and (by != "person" or "file" in payload):
        return "only what a person decided comes back in a packet, and not in a file as well"
    if "seen" in payload:
        return _fault_on_screen(payload)
    return None


def _fault_on_screen(payload: Mapping[str, Any]) -> str | None:
    if any(way in payload for way in ELSEWHERE):
        return "how an item was on screen is not known of what was decided elsewhere"
    seen = payload["seen"]
    if not isinstance(seen, Mapping):
        return "what was on screen is no record"
    known = (
        isinstance(seen.get("painted_at"), str)
        and _is_time(seen.get("seconds"))
        and isinstance(rows := seen.get("rows"), list)
        and all(type(row) is int for row in rows)
        and type(seen.get("of")) is int
    )
    return None if known else "what was on screen is no record"


def judgement_fault(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with what a judgement's event would keep; None where nothing is."""
    rating, points, seconds = payload.get("rating"), payload.get("points"), payload.get("seconds")
    if not isinstance(payload.get("condition"), str):
        return "a judgement is about the sentence of a condition"
    if points is None and rating not in _RATINGS:
        return f"a sentence is judged as one of {', '.join(_RATINGS)}, not {rating!r}"
    if points is not None and not (
        type(points) is int and isinstance(rating, str) and rating.isdecimal() and 1 <= int(rating) <= points
    ):
        return f"{rating!r} is no point of a scale of {points!r}"
    if seconds is not None and not _is_time(seconds):
        return f"{seconds!r} is no number of seconds"
    return _fault_in_study(payload)


def choice_fault(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with what a forced choice's event would keep; None where nothing is."""
    chosen, other, seconds = payload.get("chosen"), payload.get("other"), payload.get("seconds")
    if not isinstance(chosen, str) or not isinstance(other, str) or chosen == other:
        return "a choice is between the sentences of two conditions"
    if not isinstance(payload.get("first"), bool) or not isinstance(payload.get("study"), str):
        return "a choice is made in a study, and says which sentence stood first"
    if seconds is not None and not _is_time(seconds):
        return f"{seconds!r} is no number of seconds"
    return _fault_in_study(payload)


def _fault_in_study(payload: Mapping[str, Any]) -> str | None:
    place = payload.get("place")
    total = payload.get("of")
    if not all(isinstance(payload.get(name), str | None) for name in ("study", "title")) or not all(
        n is None or (type(n) is int and n > 0) for n in (place, total)
    ):
        return "its study or its place in that is none"
    return None


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, int | float) and not isinstance(seconds, bool) and math.isfinite(seconds) and seconds >= 0


class DecisionTable:
    """Decisions, judgements, undo and redo."""

    def __init__(self, db: Db, gate: Gate) -> None:
        self._db = db
        self._gate = gate
        self._looked_for_awaited: tuple[int, int, Awaited | None] = (-1, 0, None)

    def decide(
        self,
        item_ids: Sequence[int],
        verdict: Verdict,
        *,
        author: str,
        kind: str = "person",
        reason: str | None = None,
        comment: str | None = None,
        seen: ScreenRecord | None = None,
        versions: Mapping[int, int] | None = None,
        texts: Mapping[int, str] | None = None,
        packet: str | None = None,
        file: str | None = None,
        group: str | None = None,
    ) -> list[int]:
        """Decide on items, each at its current revision, as one action that one undo takes back; the event ids.

        `kind` is ``person``, ``policy`` or ``adjudication``. An exclusion needs a reason. `seen` is how the one item was on screen.
        `versions` has the revisions and `texts` the digests of the texts that were decided on, by item: an adjudication picks one of
        the newest revisions of an item that copies edited apart, every other decision is on the current one. `packet` and `file`
        name what it came back in, `group` what the items share.

        Where items are shared out, a person decides on their own; who leads the bank or adjudicates an item settles it instead: what
        they decide on items of others is kept as an adjudication, and counts as nobody's vote. What comes in a packet was theirs when
        it went out.

        Raises `StaleItemError` for a text that was changed meanwhile, `LockedError` for a person who has locked these items, and
        `BankError` for what cannot be, such as a decision on an item of somebody else's; then nothing is decided."""
        payload: dict[str, Any] = {"verdict": verdict, "by": kind, "reason": reason, "comment": comment}
        if seen is not None:
            payload["seen"] = _on_screen(seen)
        named = {"packet": packet, "file": file, "group": group}
        payload |= {name: value for name, value in named.items() if value is not None}
        if fault := decision_fault(payload):
            hint = "Say why, so that others can follow: --reason TEXT." if fault == _NEEDS_REASON else ""
            raise BankError(fault, hint=hint)
        if seen is not None and len(item_ids) != 1:
            raise BankError("one item is on screen at a time, and a decision on several was not made on what was there")
        adjudicating = kind == "adjudication"
        with self._db.write():
            for item_id, revision_id in (versions or {}).items():
                self._refuse_if_stale(item_id, revision_id, adjudicating=adjudicating)
            for item_id, digest in (texts or {}).items():
                self._refuse_other_texts(item_id, digest)
            settled: set[int] = set()
            if kind == "person":
                settled = self._settled_by(author, item_ids) if packet is None else settled
                self.refuse_if_locked(author, [item_id for item_id in item_ids if item_id not in settled])
            early = self._before_time(item_ids if adjudicating else settled)
            chosen = [
                (item_id, payload | ({"by": "adjudication"} if item_id in settled else {}) | early.get(item_id, {}))
                for item_id in item_ids
            ]
            return add_events(self._db, "decision", chosen, author=author, versions=versions if adjudicating else None)

    def _before_time(self, item_ids: Collection[int]) -> dict[int, dict[str, Any]]:
        """Of items that are settled, what their events keep of who had not locked or read them."""
        if not item_ids or not self._gate.shared_out:
            return {}
        awaited = self._awaited_now(item_ids)
        if not awaited.of(item_ids):
            return {}
        query = (
            "SELECT d.item_id, d.author FROM decision_state d JOIN current_item AS item ON item.id = d.item_id AND d.texts = item.texts"
            " WHERE d.kind = 'person' AND d.item_id IN (SELECT value FROM json_each(?))"
        )
        decided = {(row["item_id"], row["author"]) for row in self._db.execute(query, (json.dumps(list(item_ids)),))}
        found: dict[int, dict[str, Any]] = {}
        for item_id in item_ids:
            # Who has not locked in its own data set, whatever else the call is about.
            if not (waiting := list(awaited.of([item_id]))):
                continue
            unread = [name for name in awaited.readers.get(item_id, ()) if (item_id, name) not in decided]
            found[item_id] = {"unlocked": waiting} | ({"unread": unread} if unread else {})
        return found

    def _awaited_now(self, item_ids: Collection[int]) -> Awaited:
        # Looked through again only where somebody has assigned, locked or moved something: a file has a decision in each of its lines.
        rollbacks, until, awaited = self._looked_for_awaited
        (newest,) = self._db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()
        changes = "SELECT 1 FROM event WHERE id > ? AND kind IN ('assign', 'lock', 'dataset', 'undo', 'redo') LIMIT 1"
        known = awaited is not None and rollbacks == self._db.rollbacks and all(one in awaited.places for one in item_ids)
        if not known or (newest > until and self._db.execute(changes, (until,)).fetchone()):
            awaited = AssignmentTable(self._db, self._gate).awaited()
        assert awaited is not None
        self._looked_for_awaited = (self._db.rollbacks, newest, awaited)
        return awaited

    def judge(
        self,
        item_id: int,
        condition: str,
        rating: str,
        *,
        author: str,
        points: int | None = None,
        seconds: float | None = None,
        alone: bool = False,
        version: int | None = None,
        adjudicating: bool = False,
        study: str | None = None,
        title: str | None = None,
        place: int | None = None,
        of: int | None = None,
    ) -> int:
        """Judge the sentence that an item has in a condition as ``ok``, ``?`` or ``*``, or on a scale of so many points; the event id.

        `seconds` is how long that took and `alone` says that nothing was shown beside the sentence; `version` is the revision that was
        shown. Who adjudicates judges what they have locked, too. `study` is the digest of the acceptability study that it belongs
        to, `title` what that is called, `place` its place on the annotator's sheet, and `of` how many places that has; a lock, which
        is about decisions, does not end a study. Raises `StaleItemError`, `LockedError` and `BankError`."""
        payload: dict[str, Any] = {"condition": condition, "rating": rating}
        if alone:
            payload["alone"] = True
        if points is not None:
            payload["points"] = points
        if seconds is not None:
            payload["seconds"] = round(seconds, 3)
        given = {"study": study, "title": title, "place": place, "of": of}
        payload |= {name: value for name, value in given.items() if value is not None}
        if fault := judgement_fault(payload):
            raise BankError(fault)
        with self._db.write():
            if version is not None:
                self._refuse_if_stale(item_id, version)
            if not adjudicating and study is None:
                self.refuse_if_locked(author, [item_id])
            if study is not None:
                self._refuse_other_answer(author, item_id, study)
            self._expect_sentence(item_id, condition)
            (event_id,) = add_events(self._db, "judgement", [(item_id, payload)], author=author)
        return event_id

    def choose(
        self,
        item_id: int,
        chosen: str,
        other: str,
        *,
        first: bool,
        author: str,
        study: str,
        title: str | None = None,
        place: int | None = None,
        of: int | None = None,
        seconds: float | None = None,
        version: int | None = None,
    ) -> int:
        """Keep which of an item's sentences in two conditions was taken for the better one, in a study with that digest; the event
        id. `first`: the chosen one stood first; `title`, `place` and `of` as in `judge`. Raises `StaleItemError` and `BankError`."""
        payload: dict[str, Any] = {"chosen": chosen, "other": other, "first": first, "study": study}
        payload |= {name: value for name, value in {"title": title, "place": place, "of": of}.items() if value is not None}
        if seconds is not None:
            payload["seconds"] = round(seconds, 3)
        if fault := choice_fault(payload):
            raise BankError(fault)
        with self._db.write():
            if version is not None:
                self._refuse_if_stale(item_id, version)
            self._refuse_other_answer(author, item_id, study)
            for condition in (chosen, other):
                self._expect_sentence(item_id, condition)
            (event_id,) = add_events(self._db, "choice", [(item_id, payload)], author=author)
        return event_id

    def choices(self) -> list[ForcedChoice]:
        """The forced choices that were not taken back, oldest first; of a person's several on one item in one study, the newest."""
        rows = self._db.checked(
            "event",
            f"SELECT * FROM event WHERE kind = 'choice' AND {self._gate.may_see_answer('author', 'item_id', 'payload')}"
            f" AND action NOT IN (SELECT action FROM undone) ORDER BY {projection.IN_ORDER}",
        )
        newest = {(one.study, one.author, one.item_id): one for one in map(_choice, rows)}
        return list(newest.values())

    def _settled_by(self, author: str, item_ids: Sequence[int]) -> set[int]:
        """The items of others that the author settles. Raises `BankError` for others of others."""
        settled, strange = AssignmentTable(self._db, self._gate).outside(author, item_ids)
        if strange:
            told = self._gate.tells_origins
            rows = [self._current(item_id) for item_id in strange]
            labels = [row["label"] if told else code_of(row["uid"]) for row in rows]
            named = f"{'item' if len(labels) == 1 else 'items'} {first_of(labels, 3)}"
            raise BankError(
                f"{named} {'is' if len(labels) == 1 else 'are'} not {author}'s: items are shared out here, to others",
                hint=f"Is the name right (--by)? {self._gate.lead} leads this bank and can share them out anew: gapsmith assign --to NAME.",
            )
        return set(settled)

    def refuse_if_locked(self, author: str, item_ids: Sequence[int]) -> None:
        """Raise `LockedError` where the author has locked the data set of one of these items."""
        refuse_if_locked(self._db, author, item_ids)

    def _refuse_if_stale(self, item_id: int, revision_id: int, *, adjudicating: bool = False) -> None:
        row = self._current(item_id)
        if row["revision_id"] == revision_id or (adjudicating and revision_id in projection.heads(self._db, item_id)):
            return
        mine = self._db.execute("SELECT 1 FROM revision WHERE id = ? AND item_id = ?", (revision_id, item_id)).fetchone()
        if mine is None:
            raise BankError(f"revision {revision_id} is no version of item {row['label']}")
        raise StaleItemError(
            f"the text of item {row['label']} was changed meanwhile",
            hint="Nothing was recorded; look at the new text first.",
        )

    def _refuse_other_texts(self, item_id: int, digest: str) -> None:
        row = self._current(item_id)
        if row["texts"].hex() != digest:
            raise StaleItemError(
                f"item {row['label']} has other texts now than those that were decided on", hint="Nothing was recorded."
            )

    def _current(self, item_id: int) -> sqlite3.Row:
        row: sqlite3.Row | None = self._db.execute(
            "SELECT item.label, item.uid, s.revision_id, s.texts FROM item_state s JOIN item ON item.id = s.item_id WHERE s.item_id = ?",
            (item_id,),
        ).fetchone()
        if row is None:
            raise BankError(f"there is no item with the bank id {item_id}")
        return row

    def _expect_sentence(self, item_id: int, condition: str) -> None:
        row = self._current(item_id)
        there = self._db.execute(
            "SELECT 1 FROM sentence JOIN layout ON layout.id = sentence.layout_id WHERE revision_id = ? AND condition = ? LIMIT 1",
            (row["revision_id"], condition),
        ).fetchone()
        if there is None:
            raise BankError(f"item {row['label']} has no sentence in the condition {condition!r}")

    def is_known(self, item_id: int, author: str, packet: str, verdict: Verdict, reason: str | None, comment: str | None) -> bool:
        """Whether this very decision has come from this packet before, even if it was taken back since. Nobody learns more from that
        than they know who hold the packet."""
        rows = self._db.checked(
            "event", "SELECT * FROM event WHERE item_id = ? AND kind = 'decision' AND author = ?", (item_id, author)
        )
        wanted = (packet, verdict, reason, comment)
        payloads = (json.loads(row["payload"]) for row in rows)
        return any((said.get("packet"), said["verdict"], said["reason"], said["comment"]) == wanted for said in payloads)

    def undo(self, author: str, *, of_studies: bool = True) -> list[int] | None:
        """Take back the author's newest action that still stands; the items it touched, or None where there is none. Without
        `of_studies`, answers to sentences shown alone (ratings and choices) are passed over.

        Raises `BankError` where that is an edit on which somebody else has built."""
        return self._step(author, "undo", of_studies)

    def redo(self, author: str, *, of_studies: bool = True) -> list[int] | None:
        """Do again what the author's newest undo took back; the items it touched, or None where there is none."""
        return self._step(author, "redo", of_studies)

    def _step(self, author: str, kind: str, of_studies: bool) -> list[int] | None:
        with self._db.write():
            done, undone = stacks(self._db, author, of_studies=of_studies)
            stack = done if kind == "undo" else undone
            if not stack:
                return None
            action = stack[-1]
            if kind == "undo":
                _refuse_if_built_upon(self._db, action)
            if kind == "redo":
                _refuse_if_moved_on(self._db, action)
            self._refuse_if_action_locked(author, action, kind)
            for (study,) in self._db.tuples(
                "SELECT payload ->> 'study' FROM event WHERE action = ? AND payload ->> 'study' IS NOT NULL", (action,)
            ):
                self._refuse_if_opened(author, study)
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

    def _refuse_other_answer(self, author: str, item_id: int, study: str) -> None:
        """Refuse a second answer in the place of one that stands, as from a screen that was left open elsewhere."""
        known = self._db.execute(
            "SELECT 1 FROM event WHERE item_id = ? AND author = ? AND kind IN ('judgement', 'choice') AND payload ->> 'study' = ?"
            " AND action NOT IN (SELECT action FROM undone) LIMIT 1",
            (item_id, author, study),
        ).fetchone()
        if known is not None:
            self._refuse_if_opened(author, study)

    def stays(self, author: str, study: str) -> bool:
        """Whether an author's answers in a study cannot be changed any more: they have finished their sheet, and that shows them what
        somebody else answered."""
        others = self._db.execute(
            "SELECT 1 FROM event WHERE kind IN ('judgement', 'choice') AND author <> ? AND payload ->> 'study' = ?"
            " AND action NOT IN (SELECT action FROM undone) LIMIT 1",
            (author, study),
        ).fetchone()
        return others is not None and Gate(self._db, author).has_finished(study)

    def _refuse_if_opened(self, author: str, study: str) -> None:
        """Refuse to change an answer that stays."""
        if self.stays(author, study):
            raise BankError(
                f"the sheet of {author} is finished, and what others answered in this study is open to {author} since",
                hint="So no answer of it is changed any more. If one is wrong, tell who leads the study: results name its place.",
            )

    def _refuse_if_action_locked(self, author: str, action: int, step: str) -> None:
        kinds = "'decision', 'judgement', 'choice'" + ("" if self._gate.adjudicating else ", 'edit'")
        rows = self._db.execute(
            f"SELECT item_id, kind FROM event WHERE action = ? AND kind IN ({kinds})"
            " AND coalesce(payload ->> 'by', 'person') = 'person' AND payload ->> 'study' IS NULL",
            (action,),
        ).fetchall()
        if rows and locked_place(self._db, author, [row["item_id"] for row in rows]) is not None:
            raise LockedError(
                f"the next thing to {step} is {_A[rows[0]['kind']]} that {author} has locked",
                hint="Take the lock back first with “Lock or unlock” (L, or the command palette); it is recorded.",
            )

    def for_item(self, item_id: int) -> list[Decision]:
        """The decisions on an item that count now, one per author and kind, oldest first."""
        return list(self._each(" WHERE d.item_id = ?", (item_id,)))

    def current(self) -> Iterator[Decision]:
        """Every decision on the texts that an item has now, oldest first, one after the other: of a large bank all at once take as
        much as its items. Raises `BankError` as `all` does."""
        self._expect_none_lost()
        yield from self._each(" JOIN current_item AS item ON item.id = d.item_id WHERE d.texts = item.texts")

    def all(self) -> list[Decision]:
        """Every decision that counts now, one per item, author and kind, on whatever texts it was made, oldest first. Raises
        `BankError` where one that is left out is not what was kept, so that damage takes no decision away in silence."""
        self._expect_none_lost()
        return list(self._each(""))

    def _expect_none_lost(self) -> None:
        others = self._db.checked(
            "decision_state",
            "SELECT d.*, event.id IS NULL AS is_alone FROM decision_state d LEFT JOIN event ON event.id = d.event_id"
            " LEFT JOIN current_item AS item ON item.id = d.item_id"
            " WHERE event.id IS NULL OR item.id IS NULL OR d.texts IS NOT item.texts",
        )
        for row in others:
            if row["is_alone"]:
                raise damaged(self._db.path, "event", f"the event of a decision on item {row['item_id']} is not there")

    def _each(self, clause: str, values: Sequence[int] = ()) -> Iterator[Decision]:
        rows = self._db.checked(
            ("event", "decision_state"),
            f"SELECT event.*, d.* FROM {self._gate.decisions} d JOIN event ON event.id = d.event_id{clause}"
            f" ORDER BY {projection.IN_ORDER}",
            values,
        )
        yield from map(self._as_seen, rows)

    def _as_seen(self, row: sqlite3.Row) -> Decision:
        """The decision; how far others were when it was made only for who may see what they say of the item."""
        made = _decision(row)
        return made if not made.unlocked or self._gate.sees(made.item_id) else replace(made, unlocked=(), unread=())

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
        kind = "(event.payload ->> 'by')"
        rows = self._db.checked(
            ("event", "revision"),
            "SELECT event.*, revision.* FROM event JOIN revision ON revision.id = event.revision_id"
            " WHERE event.item_id = ? AND event.kind = 'decision'"
            f" AND {self._gate.may_see_decision(kind, 'event.author', 'event.item_id')}"
            f" ORDER BY {projection.IN_ORDER}",
            (item_id,),
        )
        return [self._as_seen(row) for row in rows]

    def judgements(self, item_id: int | None = None) -> list[Judgement]:
        """The judgements of sentences that count now, of one item or all, oldest first."""
        clause, values = (" WHERE j.item_id = ?", [item_id]) if item_id is not None else ("", [])
        rows = self._db.checked(
            ("event", "judgement_state"),
            f"SELECT event.*, j.* FROM {self._gate.judgements} j JOIN event ON event.id = j.event_id{clause}"
            f" ORDER BY {projection.IN_ORDER}",
            values,
        )
        return [_judgement(row) for row in rows]

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


def stacks(db: Db, author: str, *, of_studies: bool = True) -> tuple[list[int], list[int]]:
    """The author's actions that stand and those that an undo took back, each with the next one to touch at its end; with or
    without answers to sentences shown alone."""
    done: list[int] = []
    undone: list[int] = []
    for row in db.execute("SELECT kind, action, payload FROM event WHERE author = ? ORDER BY at, seq, uid", (author,)):
        if row["kind"] in _UNDOABLE:
            if not of_studies and (
                row["kind"] == "choice" or (row["kind"] == "judgement" and "alone" in json.loads(row["payload"]))
            ):
                continue
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


def _decision(row: sqlite3.Row) -> Decision:
    payload = json.loads(row["payload"])
    seen = payload.get("seen")
    return Decision(
        event_id=row["id"],
        item_id=row["item_id"],
        revision_id=row["revision_id"],
        verdict=Verdict(payload["verdict"]),
        author=row["author"],
        kind=_kind_of(payload),
        reason=payload.get("reason"),
        comment=payload.get("comment"),
        at=row["at"],
        seen=_screen_record(seen) if seen is not None else None,
        text_digest=row["texts"].hex(),
        unlocked=tuple(payload.get("unlocked", ())),
        unread=tuple(payload.get("unread", ())),
    )


def _kind_of(payload: Mapping[str, Any]) -> str:
    """A person's decision that came back in a packet or a file is one of that kind."""
    by = str(payload["by"])
    return next((way for way in ELSEWHERE if way in payload), by) if by == "person" else by


def _on_screen(seen: ScreenRecord) -> dict[str, Any]:
    """As the event keeps it."""
    rounded = {"painted_at": seen.painted_at, "seconds": round(seen.seconds, 3), "rows": list(seen.rows), "of": seen.total}
    return rounded | ({"card": True} if seen.card else {})


def _screen_record(kept: Mapping[str, Any]) -> ScreenRecord:
    return ScreenRecord(kept["painted_at"], kept["seconds"], tuple(kept["rows"]), kept["of"], card=bool(kept.get("card")))


def _judgement(row: sqlite3.Row) -> Judgement:
    payload = json.loads(row["payload"])
    return Judgement(
        event_id=row["id"],
        item_id=row["item_id"],
        revision_id=row["revision_id"],
        condition=payload["condition"],
        rating=payload["rating"],
        author=row["author"],
        at=row["at"],
        points=payload.get("points"),
        seconds=payload.get("seconds"),
        text_digest=row["texts"].hex(),
        study=payload.get("study"),
        place=payload.get("place"),
    )


def _choice(row: sqlite3.Row) -> ForcedChoice:
    payload = json.loads(row["payload"])
    return ForcedChoice(
        event_id=row["id"],
        item_id=row["item_id"],
        revision_id=row["revision_id"],
        chosen=payload["chosen"],
        other=payload["other"],
        first=payload["first"],
        author=row["author"],
        at=row["at"],
        seconds=payload.get("seconds"),
        study=payload["study"],
        place=payload.get("place"),
    )
