"""Bringing the log of another bank into this one: what is known by its uid stays, what is not is added, and where things
stand follows from all events together.

So the result is the same whichever bank takes in the other, and a second time there is nothing to do. Two copies that
edited one item leave a fork, which somebody adjudicates. An item that both sides brought in by themselves (the same data
set, id and sentences) is one item. Nothing that is here is changed; a log that contradicts it, or itself, is refused as a
whole.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import struct
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gapsmith.bank import projection
from gapsmith.bank.connection import Db, as_uid, canonical
from gapsmith.bank.decisions import choice_fault, decision_fault, judgement_fault
from gapsmith.bank.digests import alike_digest, texts_digest
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import SEEN_ELSEWHERE, insert_event
from gapsmith.bank.locks import OF_SETS
from gapsmith.bank.log import (
    DatasetEntry,
    Entry,
    EventEntry,
    ItemEntry,
    LintEntry,
    ParadigmEntry,
    RevisionEntry,
)
from gapsmith.bank.looks import Look
from gapsmith.bank.names import PERSON, as_name
from gapsmith.bank.paradigms import ParadigmTable
from gapsmith.bank.plans import plan_fault
from gapsmith.bank.records import CallRecord, ItemStatus, RunRecord, Severity, Verdict
from gapsmith.bank.store import Bank
from gapsmith.bank.texts import Layout, TextTable, unpacked_offsets
from gapsmith.templates import Alignment, Source


@dataclass(slots=True)
class Merged:
    """What a merge brought in."""

    added: Counter[str] = field(default_factory=Counter)
    """How many of each kind: ``data sets``, ``items``, ``edits``, ``decisions`` …"""
    authors: set[str] = field(default_factory=set)
    """Whose events came in."""
    same_items: int = 0
    """Items that both sides had brought in by themselves."""
    renamed: dict[str, str] = field(default_factory=dict)
    """Ids of items that were taken here, and the ids that these items have now: ``generated/25`` to ``25-2``."""
    other_forms: set[str] = field(default_factory=set)
    """Paradigms of which items came in that follow another form than any here."""
    forked: list[str] = field(default_factory=list)
    """Items that two copies edited apart, and nobody has adjudicated."""
    not_blind: dict[str, str] = field(default_factory=dict)
    """Who has locked data sets in which they have items now that are new to them, and by what they take the lock back."""
    item_ids: dict[str, int] = field(default_factory=dict, repr=False)
    """The uid of each item there to its id here."""

    @property
    def nothing(self) -> bool:
        """Whether all was here already."""
        return not self.added


def merge(bank: Bank, log: Iterable[Entry], source: str) -> Merged:
    """Bring in a log, whole or not at all. `source` names it in errors. Raises `BankError`."""
    try:
        with bank.transaction():
            before = bank.assignments.readers()
            done = _Merge(bank.db, source).run(log)
            if done.added[_NOUNS["assign"]]:
                done.not_blind = bank.assignments.new_to_locked(bank.assignments.readers(), before)
            return done
    except sqlite3.IntegrityError as error:
        raise BankError(f"{source}: does not go together with this bank ({error})", hint=_UNCHANGED) from None


_UNCHANGED = "Nothing was brought in."
_DAMAGED = f"Somebody has changed that file, or it is damaged. {_UNCHANGED}"
_PAYLOADS: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "decision": {"verdict": str, "by": str},
    "judgement": {"condition": str, "rating": str},
    "choice": {"chosen": str, "other": str},
    "edit": {"from": str, "to": str},
    "comment": {"text": str},
    "peek": {"what": str},
    "assign": {"to": list},
    "lock": {"locked": bool},
    "lead": {"to": str},
    "plan": {"paradigm": str, "plan": dict, "digest": str, "scored": int},
    "dataset": {"dataset": str},
    "undo": {"target": str},
    "redo": {"target": str},
}
"""What the payload of each kind of event must have."""
_WITHOUT_ITEM = {"lock", "lead", "plan", "dataset", "undo", "redo"}
_NOUNS = {
    "decision": "decisions",
    "judgement": "judgements",
    "choice": "forced choices",
    "edit": "edits",
    "comment": "comments",
    "peek": "looks at others",
    "assign": "assignments",
    "lock": "locks",
    "lead": "changes of the lead",
    "plan": "plans",
    "dataset": "renamings and removals",
    "undo": "undos",
    "redo": "redos",
}


_FAULTS: Mapping[str, Callable[[Mapping[str, Any]], str | None]] = {
    "decision": decision_fault,
    "judgement": judgement_fault,
    "choice": choice_fault,
    "plan": plan_fault,
}
"""What our own writer would refuse comes in from no file either."""


class _Waiting:
    """Events until all of a log was read. They wait in a file that SQLite makes for this connection alone and takes away with it: as objects
    a million of them would take more than a gigabyte."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("CREATE TABLE waiting (uid, bank, seq, action, what, item, revision, author, at, payload, number)")
        self._db.execute("BEGIN")

    def add(self, event: EventEntry) -> None:
        """Keep an event of the log."""
        row = [json.dumps(event.payload) if name == "payload" else getattr(event, name) for name in _OF_EVENTS]
        self._db.execute(f"INSERT INTO waiting VALUES ({'?, ' * len(row)}NULL)", row)

    def in_order(self) -> Iterator[tuple[int, EventEntry]]:
        """Each with its place, in the order in which banks hold events."""
        for place, *row in self._db.execute(f"SELECT rowid, {', '.join(_OF_EVENTS)} FROM waiting ORDER BY at, seq, uid, rowid"):
            yield place, _event(row)

    def number(self, place: int, number: int, event: EventEntry) -> None:
        """Give the event of a place, as it is here, the id that it will have."""
        self._db.execute("UPDATE waiting SET number = ?, payload = ? WHERE rowid = ?", (number, json.dumps(event.payload), place))

    def numbered(self) -> Iterator[tuple[int, EventEntry]]:
        """Those that have an id, in its order."""
        self._db.execute("CREATE INDEX by_uid ON waiting(uid)")
        for number, *row in self._db.execute(
            f"SELECT number, {', '.join(_OF_EVENTS)} FROM waiting WHERE number IS NOT NULL ORDER BY number"
        ):
            yield number, _event(row)

    def number_of(self, uid: str) -> int | None:
        """The id that an event will have; None for one that does not come in."""
        row = self._db.execute("SELECT number FROM waiting WHERE uid = ? AND number IS NOT NULL", (uid,)).fetchone()
        return row[0] if row is not None else None

    @property
    def newest(self) -> tuple[str, int] | None:
        """The latest time and the highest number, by their banks, of what comes in."""
        at, seq = self._db.execute("SELECT max(at), max(seq) FROM waiting WHERE number IS NOT NULL").fetchone()
        return (at, seq) if at is not None else None


_OF_EVENTS = ("uid", "bank", "seq", "action", "what", "item", "revision", "author", "at", "payload")


def _event(row: Sequence[Any]) -> EventEntry:
    said = dict(zip(_OF_EVENTS, row, strict=True))
    return EventEntry("event", **(said | {"payload": json.loads(said["payload"])}))


class _Merge:
    def __init__(self, db: Db, source: str) -> None:
        self._db = db
        self._source = source
        self._texts = TextTable(db)
        self._done = Merged()
        self._paradigms: dict[int, tuple[int, str]] = {}
        """The number in the log to our id and the paradigm's name."""
        self._known_forms = {(row["name"], row["form"]) for row in db.execute("SELECT name, form FROM paradigm")}
        self._forms: dict[int, str] = {}
        self._datasets: dict[str, DatasetEntry] = {}
        self._dataset_ids: dict[str, int] = {}
        self._runs: dict[str, RunRecord] = {}
        self._run_ids: dict[str, int] = {}
        self._calls: dict[str, dict[str, CallRecord]] = {}
        """By run, then by uid."""
        self._call_ids: dict[str, int] = {}
        self._item_ids: dict[str, int] = {}
        self._revisions: dict[str, tuple[int, str]] = {}
        """The uid in the log to our id and our uid."""
        self._names: dict[str, str] = {}
        self._events = _Waiting()

    def run(self, log: Iterable[Entry]) -> Merged:
        """Take in every entry, then work out where things stand, and what lints said of that, which comes last in a log."""
        settled = False
        for entry in log:
            if isinstance(entry, LintEntry):
                if not settled:
                    self._settle()
                settled = True
                self._lint(entry)
            elif settled:
                raise self._refuse("has more that was recorded behind what lints said of it")
            elif isinstance(entry, ParadigmEntry):
                self._paradigm(entry)
            elif isinstance(entry, DatasetEntry):
                self._datasets[entry.uid] = entry
            elif isinstance(entry, RunRecord):
                self._runs[entry.uid] = entry
                self._calls[entry.uid] = {}
            elif isinstance(entry, CallRecord):
                self._calls_of(entry.run)[entry.uid] = entry
            elif isinstance(entry, ItemEntry):
                self._item(entry)
            else:
                self._events.add(entry)
        if not settled:
            self._settle()
        self._done.item_ids = self._item_ids
        self._done.forked = [
            f"{row['dataset']}/{row['label']}"
            for row in self._db.execute("SELECT dataset, label FROM current_item WHERE forked = 1 ORDER BY id")
        ]
        return self._done

    def _settle(self) -> None:
        """Bring in the events, now that all is there of which they speak."""
        for uid in self._datasets:
            self._dataset(uid)
        for uid in self._runs:
            self._remaining_run(uid)
        self._add_events()
        if not self._done.nothing:
            try:
                projection.rebuild(self._db)
            except sqlite3.IntegrityError:
                raise BankError(
                    f"{self._source}: two data sets would have one name",
                    hint=f"Rename one of them first: gapsmith dataset rename NAME NEW. {_UNCHANGED}",
                ) from None

    def _refuse(self, what: str, hint: str = _DAMAGED) -> BankError:
        return BankError(f"{self._source}: {what}", hint=hint)

    def _expect_name(self, name: str, what: str, *, slashes: bool = False) -> None:
        """Raise `BankError` for a name that would be refused here, too (`gapsmith.bank.names`)."""
        try:
            as_name(name, what, slashes=slashes)
        except BankError as error:
            raise self._refuse(error.message, f"Who made it can give it another name, and write it anew. {_UNCHANGED}") from None

    def _paradigm(self, entry: ParadigmEntry) -> None:
        key = (entry.name, entry.form, entry.words, entry.predictions)
        row = self._db.execute(
            "SELECT id, at FROM paradigm WHERE name = ? AND form = ? AND words = ? AND predictions = ?", key
        ).fetchone()
        self._forms[entry.number] = entry.form
        if row is not None:
            if entry.at < row["at"]:
                # What is predicted, and of what size, was fixed when the first of the two banks kept it.
                self._db.execute("UPDATE paradigm SET at = ? WHERE id = ?", (entry.at, row["id"]))
                self._done.added["earlier times of paradigms"] += 1
            self._paradigms[entry.number] = int(row["id"]), entry.name
            return
        # Today's file of a paradigm is looked for where ours was, not where theirs was on another machine.
        ours = self._db.execute("SELECT path FROM paradigm WHERE name = ? ORDER BY id DESC LIMIT 1", (entry.name,)).fetchone()
        cursor = self._db.execute(
            "INSERT INTO paradigm (name, form, words, predictions, version, file, path, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*key, entry.version, entry.file, ours["path"] if ours is not None else "", entry.at),
        )
        if ParadigmTable(self._db).is_another(_id(cursor)):
            raise self._refuse(f"the file of paradigm {entry.name} is not the one that its items were made with")
        self._paradigms[entry.number] = _id(cursor), entry.name
        self._done.added["versions of paradigms"] += 1

    def _paradigm_id(self, number: int) -> int:
        if number not in self._paradigms:
            raise self._refuse(f"speaks of a paradigm {number} that is not in it")
        return self._paradigms[number][0]

    def _dataset(self, uid: str) -> int:
        if uid in self._dataset_ids:
            return self._dataset_ids[uid]
        if uid not in self._datasets:
            raise self._refuse(f"speaks of a data set {uid} that is not in it")
        entry = self._datasets[uid]
        row = self._db.execute("SELECT id FROM dataset WHERE uid = ?", (as_uid(uid),)).fetchone()
        if row is None and not entry.removed:
            row = self._db.execute(
                "SELECT dataset.id, dataset.uid FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id"
                " WHERE state.paradigm = ? AND state.name = ? AND state.removed = 0",
                (entry.paradigm, entry.name),
            ).fetchone()
            if row is not None and row["uid"].hex() in self._datasets:
                # That one is theirs too, and has another name there.
                row = None
        if row is not None:
            self._dataset_ids[uid] = int(row["id"])
            return self._dataset_ids[uid]
        self._expect_name(entry.name, "a data set")
        cursor = self._db.execute(
            "INSERT INTO dataset (uid, paradigm, meta) VALUES (?, ?, ?)",
            (as_uid(uid), entry.paradigm, canonical(entry.meta)),
        )
        # Its name may be another one's until all events are in.
        self._db.execute(
            "INSERT INTO dataset_state (dataset_id, paradigm, name, removed) VALUES (?, ?, ?, 1)",
            (_id(cursor), entry.paradigm, entry.name),
        )
        self._dataset_ids[uid] = _id(cursor)
        self._done.added["data sets"] += 1
        return self._dataset_ids[uid]

    def _calls_of(self, run: str) -> dict[str, CallRecord]:
        if run not in self._calls:
            raise self._refuse(f"speaks of a run {run} that is not in it")
        return self._calls[run]

    def _run(self, uid: str) -> int:
        """Our id of a run that is known by its uid, or of one that is added now."""
        if uid in self._run_ids:
            return self._run_ids[uid]
        calls, entry = self._calls_of(uid), self._runs[uid]
        row = self._db.execute("SELECT id, finished_at FROM run WHERE uid = ?", (as_uid(uid),)).fetchone()
        if row is not None:
            self._run_ids[uid] = int(row["id"])
            if row["finished_at"] is None and entry.finished_at is not None:
                self._db.execute("UPDATE run SET finished_at = ? WHERE id = ?", (entry.finished_at, row["id"]))
                self._done.added["runs that were finished there"] += 1
        else:
            taken = self._db.execute("SELECT 1 FROM run WHERE identity = ?", (entry.identity,)).fetchone()
            cursor = self._db.execute(
                "INSERT INTO run (uid, kind, paradigm_id, provider, model, identity, parameters, prompt_name, prompt_hash,"
                " prompt_text, started_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    as_uid(uid),
                    entry.kind,
                    self._paradigm_id(entry.paradigm_id),
                    entry.provider,
                    entry.model,
                    # The same command on both sides: here it goes on with the run that it began here.
                    f"{entry.identity}:{uid}" if taken else entry.identity,
                    canonical(entry.parameters),
                    entry.prompt_name,
                    entry.prompt_hash,
                    entry.prompt_text,
                    entry.started_at,
                    entry.finished_at,
                ),
            )
            self._run_ids[uid] = _id(cursor)
            self._done.added["runs"] += 1
        for call in calls.values():
            self._call(call, self._run_ids[uid])
        return self._run_ids[uid]

    def _remaining_run(self, uid: str) -> None:
        known = self._db.execute("SELECT 1 FROM run WHERE uid = ?", (as_uid(uid),)).fetchone()
        alike = self._db.execute("SELECT 1 FROM run WHERE identity = ?", (self._runs[uid].identity,)).fetchone()
        free = self._runs[uid].provider in ("file", "lexicon")
        if known is not None or alike is None or not free:
            self._run(uid)
        # Else both sides ran it by themselves, and it made the same items there as here.

    def _call(self, entry: CallRecord, run_id: int) -> None:
        uid = as_uid(entry.uid)
        row = self._db.execute("SELECT id, reply, outcome, replied_at FROM call WHERE uid = ?", (uid,)).fetchone()
        if row is not None:
            self._call_ids[entry.uid] = int(row["id"])
            if entry.replied_at is None or (row["replied_at"] is not None and _answer(row) == (entry.outcome, entry.reply)):
                return
            if row["replied_at"] is None:
                self._db.execute(
                    "UPDATE call SET replied_at = ?, reply = ?, outcome = ?, finish_reason = ?, usage = ?, attempts = ?,"
                    " latency_ms = ?, cost_usd = ?, error = ?, details = ? WHERE id = ?",
                    (*_reply_of(entry), row["id"]),
                )
                self._done.added["answers"] += 1
                return
            # Both copies asked it again: the other answer is kept as a call of its own.
            uid = hashlib.blake2b(uid + canonical([entry.outcome, entry.reply]).encode(), digest_size=16).digest()
            again = self._db.execute("SELECT id FROM call WHERE uid = ?", (uid,)).fetchone()
            if again is not None:
                self._call_ids[entry.uid] = int(again["id"])
                return
        (number,) = self._db.execute(
            "SELECT CASE WHEN EXISTS (SELECT 1 FROM call WHERE run_id = ? AND number = ?)"
            " THEN (SELECT max(number) + 1 FROM call WHERE run_id = ?) ELSE ? END",
            (run_id, entry.number, run_id, entry.number),
        ).fetchone()
        cursor = self._db.execute(
            "INSERT INTO call (replied_at, reply, outcome, finish_reason, usage, attempts, latency_ms, cost_usd, error,"
            " details, uid, run_id, number, request, intended_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*_reply_of(entry), uid, run_id, number, canonical(entry.request), entry.intended_at),
        )
        self._call_ids[entry.uid] = _id(cursor)
        self._done.added["calls"] += 1

    def _call_id(self, uid: str | None) -> int | None:
        if uid is None or uid in self._call_ids:
            return self._call_ids[uid] if uid is not None else None
        for run, calls in self._calls.items():
            if uid in calls:
                self._run(run)
                return self._call_ids[uid]
        raise self._refuse(f"speaks of a call {uid} that is not in it")

    def _item(self, entry: ItemEntry) -> None:
        name = self._name(entry)
        roots = [revision for revision in entry.revisions if revision.parent is None]
        if len(roots) != 1 or entry.revisions[0] is not roots[0]:
            raise self._refuse(f"item {name} does not begin with one first revision")
        for revision in entry.revisions:
            self._check(revision, name)
        dataset_id = self._dataset(entry.dataset)
        row = self._db.execute(
            "SELECT item.id, revision.uid, revision.texts, revision.id AS revision_id FROM item"
            " JOIN revision ON revision.item_id = item.id AND revision.parent IS NULL WHERE item.uid = ?",
            (as_uid(entry.uid),),
        ).fetchone()
        if row is not None and row["texts"].hex() != roots[0].texts:
            raise self._refuse(f"item {name} came in with other sentences there than here")
        if row is None:
            row = self._db.execute(
                "SELECT item.id, revision.uid, revision.texts, revision.id AS revision_id FROM item"
                " JOIN revision ON revision.item_id = item.id AND revision.parent IS NULL"
                " WHERE item.dataset_id = ? AND item.label = ? AND revision.texts = ?",
                (dataset_id, entry.label, as_uid(roots[0].texts)),
            ).fetchone()
            self._done.same_items += row is not None
        if row is not None:
            item_id = int(row["id"])
            self._revisions[roots[0].uid] = int(row["revision_id"]), row["uid"].hex()
        else:
            item_id = self._new_item(entry, dataset_id)
        self._item_ids[entry.uid] = item_id
        self._names[entry.uid] = name
        for revision in entry.revisions:
            self._revision(revision, item_id, name)
        if row is None:
            self._db.execute(
                "INSERT INTO item_state (item_id, revision_id, texts, status) SELECT item_id, id, texts, ? FROM revision"
                " WHERE item_id = ? AND parent IS NULL",
                (ItemStatus.PENDING.value, item_id),
            )

    def _name(self, entry: ItemEntry) -> str:
        dataset = self._datasets.get(entry.dataset)
        return f"{dataset.name if dataset is not None else entry.dataset}/{entry.label}"

    def _new_item(self, entry: ItemEntry, dataset_id: int) -> int:
        label = self._free_label(dataset_id, entry.label)
        if label != entry.label:
            self._done.renamed[self._name(entry)] = label
        paradigm_id, paradigm = self._paradigm_id(entry.paradigm), self._paradigms[entry.paradigm][1]
        known = {form for name, form in self._known_forms if name == paradigm}
        if known and self._forms[entry.paradigm] not in known:
            self._done.other_forms.add(paradigm)
        run_id = self._run(entry.run)
        cursor = self._db.execute(
            "INSERT INTO item (uid, paradigm_id, dataset_id, label, expects, attributes, run_id, call_id, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                as_uid(entry.uid),
                paradigm_id,
                dataset_id,
                label,
                json.dumps(list(entry.expects), ensure_ascii=False) if entry.expects is not None else None,
                _json(entry.attributes),
                run_id,
                self._call_id(entry.call),
                entry.at,
            ),
        )
        self._done.added["items"] += 1
        return _id(cursor)

    def _free_label(self, dataset_id: int, label: str) -> str:
        free, number = label, 1
        while self._db.execute("SELECT 1 FROM item WHERE dataset_id = ? AND label = ?", (dataset_id, free)).fetchone():
            number += 1
            free = f"{label}-{number}"
        return free

    def _check(self, revision: RevisionEntry, name: str) -> None:
        """Its sentences must be those that its checksum was made over, and what they say of themselves must hold."""
        pairs = [(s.condition, s.text) for s in revision.sentences]
        if texts_digest(pairs).hex() != revision.texts:
            raise self._refuse(f"the sentences of item {name}, revision {revision.number}, do not fit their checksum")
        for s in revision.sentences:
            try:
                Source(s.origin)
                how = Alignment(s.how)
                whole = (how is Alignment.NONE) == (s.regions is None) == (s.spans is None)
                if s.regions is not None and s.spans is not None:
                    spans = unpacked_offsets(s.regions, as_uid(s.spans))
                    whole = whole and all(0 <= span.start <= span.end <= len(s.text) for span in spans)
            except (ValueError, KeyError, ZeroDivisionError, struct.error):
                whole = False
            if not whole:
                raise self._refuse(f"the regions of item {name}, revision {revision.number}, do not fit “{s.text}”")

    def _revision(self, entry: RevisionEntry, item_id: int, name: str) -> None:
        if entry.uid in self._revisions:
            return
        row = self._db.execute("SELECT id, item_id, texts FROM revision WHERE uid = ?", (as_uid(entry.uid),)).fetchone()
        if row is not None:
            if row["item_id"] != item_id or row["texts"].hex() != entry.texts:
                raise self._refuse(f"revision {entry.number} of item {name} has other sentences there than here")
            self._revisions[entry.uid] = int(row["id"]), entry.uid
            return
        parent = None
        if entry.parent is not None:
            if entry.parent not in self._revisions:
                raise self._refuse(f"revision {entry.number} of item {name} builds on one that is not there")
            parent = self._revisions[entry.parent][0]
        pairs = [(s.condition, s.text) for s in entry.sentences]
        cursor = self._db.execute(
            "INSERT INTO revision (uid, item_id, number, parent, texts, alike, slots, raw, paradigm_id, call_id, author,"
            " note, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                as_uid(entry.uid),
                item_id,
                entry.number,
                parent,
                as_uid(entry.texts),
                alike_digest(pairs),
                _json(entry.slots),
                _json(entry.raw),
                self._paradigm_id(entry.paradigm),
                self._call_id(entry.call),
                entry.author,
                entry.note,
                entry.at,
            ),
        )
        ids = self._texts.ids([s.text for s in entry.sentences])
        self._db.executemany(
            "INSERT INTO sentence (revision_id, position, layout_id, text_id, spans, why) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (
                    _id(cursor),
                    position,
                    self._texts.layout(Layout(s.condition, s.regions, s.origin, s.how)),
                    ids[s.text],
                    as_uid(s.spans) if s.spans is not None else None,
                    s.why,
                )
                for position, s in enumerate(entry.sentences)
            ],
        )
        self._revisions[entry.uid] = _id(cursor), entry.uid
        if entry.parent is not None:
            self._done.added["revisions"] += 1

    # Events

    def _add_events(self) -> None:
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()
        for place, there in self._events.in_order():
            event = self._ours(there)
            if self._is_known(event):
                continue
            last += 1
            self._events.number(place, last, event)
        for event_id, event in self._events.numbered():
            self._add_event(event, event_id)
        if self._events.newest is not None:
            self._note_newest(*self._events.newest)

    def _is_known(self, event: EventEntry) -> bool:
        """Whether the bank has the event. Raises `BankError` where it says something else there."""
        uid = as_uid(event.uid)
        if self._db.execute("SELECT 1 FROM event WHERE uid = ?", (uid,)).fetchone() is None:
            return False
        row = next(iter(self._db.checked("event", "SELECT * FROM event WHERE uid = ?", (uid,))))
        (action,) = self._db.execute("SELECT uid FROM event WHERE id = ?", (row["action"],)).fetchone()
        if (row["kind"], row["author"], row["at"], row["payload"], action.hex()) != (
            event.what,
            event.author,
            event.at,
            canonical(event.payload),
            event.action,
        ):
            raise self._refuse(f"the {event.what} of {event.author} at {event.at} says something else there than here")
        return True

    def _action_id(self, event: EventEntry, event_id: int) -> int:
        """Our id of the first event of an event's action, which comes in as well or is here."""
        if event.action == event.uid:
            return event_id
        if (coming := self._events.number_of(event.action)) is not None:
            return coming
        row = self._db.execute("SELECT id FROM event WHERE uid = ?", (as_uid(event.action),)).fetchone()
        if row is None:
            raise self._refuse(f"the {event.what} of {event.author} at {event.at} is part of an action that is not there")
        return int(row["id"])

    def _ours(self, event: EventEntry) -> EventEntry:
        """The event with our uids where an item or a data set has other ones there. Raises `BankError` where it cannot be."""
        what = f"the {event.what} of {event.author} at {event.at}"
        wanted = _PAYLOADS.get(event.what)
        if wanted is None:
            raise self._refuse(f"{what}: this gapsmith knows no such event", f"Use the newer one. {_UNCHANGED}")
        payload = event.payload
        if not all(isinstance(payload.get(name), kind) for name, kind in wanted.items()) or not event.author.strip():
            raise self._refuse(f"{what} does not say what it should")
        if event.what in _FAULTS and (fault := _FAULTS[event.what](payload)):
            raise self._refuse(f"{what} cannot be: {fault}")
        if event.what == "assign" and not (
            all(isinstance(name, str) for name in payload["to"])
            and payload.get("known") in {None, *Verdict}
            and isinstance(named := payload.get("adjudicators", []), list)
            and all(isinstance(name, str) for name in named)
        ):
            raise self._refuse(f"{what} does not say what it should")
        if event.what == "dataset" and not (
            payload.get("removed") is True or all(isinstance(payload.get(end), str) for end in ("from", "to"))
        ):
            raise self._refuse(f"{what} does not say what it should")
        if event.what == "lock" and not (
            all(isinstance(payload.get(name, 0), str | None) for name in ("paradigm", "dataset"))
            and isinstance(sets := payload.get(OF_SETS, []), list)
            and all(isinstance(uid, str) for uid in sets)
        ):
            raise self._refuse(f"{what} does not say what it should")
        if (event.item is None) != (event.what in _WITHOUT_ITEM) or (event.item is None) != (event.revision is None):
            raise self._refuse(f"{what} does not say which item it is about")
        if event.what == "edit":
            ends = {end: self._revision_uid(payload[end], what) for end in ("from", "to")}
            others = [self._revision_uid(uid, what) for uid in payload.get("settles", ())]
            payload = {**payload, **ends, **({"settles": others} if others else {})}
        elif event.what == "dataset":
            payload = {**payload, "dataset": self._dataset_uid(payload["dataset"])}
        elif event.what == "lock" and OF_SETS in payload:
            payload = {**payload, OF_SETS: sorted(self._dataset_uid(uid) for uid in payload[OF_SETS])}
        elif event.what in ("undo", "redo"):
            try:
                as_uid(payload["target"])
            except ValueError:
                raise self._refuse(f"{what} does not say what it takes back") from None
        if event.item is not None:
            if event.item not in self._item_ids:
                raise self._refuse(f"{what} is about an item that is not there")
            assert event.revision is not None
            self._revision_uid(event.revision, what)
            if self._item_of(event.revision) != self._item_ids[event.item]:
                raise self._refuse(f"{what} is about a text that item {self._names[event.item]} never had")
        return replace(event, payload=payload)

    def _dataset_uid(self, uid: str) -> str:
        """Our uid of a data set that has another one there."""
        (own,) = self._db.execute("SELECT uid FROM dataset WHERE id = ?", (self._dataset(uid),)).fetchone()
        return str(own.hex())

    def _revision_uid(self, uid: str, what: str) -> str:
        if uid not in self._revisions:
            raise self._refuse(f"{what} is about a revision that is not there")
        return self._revisions[uid][1]

    def _item_of(self, revision: str) -> int:
        row = self._db.execute("SELECT item_id FROM revision WHERE id = ?", (self._revisions[revision][0],)).fetchone()
        return int(row["item_id"])

    def _add_event(self, event: EventEntry, event_id: int) -> None:
        people = event.payload.get("to", ()) if event.what == "assign" else [event.payload["to"]] if event.what == "lead" else []
        for name in (event.author, *people, *event.payload.get("adjudicators", ())):
            self._expect_name(name, PERSON, slashes=True)
        if event.what == "dataset" and "to" in event.payload:
            self._expect_name(str(event.payload["to"]), "a data set")
        # Copies of one file count their own events under one name.
        taken = self._db.execute("SELECT 1 FROM event WHERE bank = ? AND seq = ?", (event.bank, event.seq)).fetchone()
        insert_event(
            self._db,
            event_id=event_id,
            uid=as_uid(event.uid),
            bank=f"{event.bank}:{event.uid}" if taken else event.bank,
            seq=event.seq,
            action=self._action_id(event, event_id),
            kind=event.what,
            item_id=self._item_ids[event.item] if event.item is not None else None,
            revision_id=self._revisions[event.revision][0] if event.revision is not None else None,
            author=event.author,
            at=event.at,
            payload=event.payload,
        )
        self._done.added[_NOUNS[event.what]] += 1
        self._done.authors.add(event.author)

    def _note_newest(self, at: str, seq: int) -> None:
        seen = self._db.property(SEEN_ELSEWHERE)
        before: dict[str, Any] = json.loads(seen) if seen is not None else {"at": "", "seq": 0}
        newest = {"at": max(str(before["at"]), at), "seq": max(int(before["seq"]), seq)}
        self._db.execute("INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)", (SEEN_ELSEWHERE, canonical(newest)))

    # What the linter said

    def _lint(self, entry: LintEntry) -> None:
        """Take over what a lint said of an item's current revision, where none has read that here."""
        if entry.item not in self._item_ids or entry.revision not in self._revisions:
            raise self._refuse("speaks of a lint of an item that is not in it")
        item_id, revision_id = self._item_ids[entry.item], self._revisions[entry.revision][0]
        row = self._db.execute(
            "SELECT s.revision_id, l.revision_id AS read, item.dataset_id FROM item_state s JOIN item ON item.id = s.item_id"
            " LEFT JOIN lint_state l ON l.item_id = s.item_id WHERE s.item_id = ?",
            (item_id,),
        ).fetchone()
        if row["revision_id"] != revision_id or row["read"] == revision_id:
            return
        self._db.execute("INSERT OR IGNORE INTO ruleset (identity) VALUES (?)", (entry.ruleset,))
        self._db.execute(
            "INSERT OR REPLACE INTO lint_state (item_id, revision_id, ruleset_id, at)"
            " SELECT ?, ?, id, ? FROM ruleset WHERE identity = ?",
            (item_id, revision_id, entry.at, entry.ruleset),
        )
        if entry.looked is not None:
            try:
                Look.of(entry.looked)
            except (ValueError, TypeError, KeyError, AttributeError):
                raise self._refuse("says what a lint looked at in a form that this version cannot read") from None
            self._db.execute("INSERT OR IGNORE INTO look (said) VALUES (?)", (entry.looked,))
            self._db.execute(
                "INSERT OR REPLACE INTO look_state (item_id, look_id) SELECT ?, id FROM look WHERE said = ?",
                (item_id, entry.looked),
            )
        self._db.execute("DELETE FROM finding WHERE item_id = ? AND items IS NULL", (item_id,))
        self._db.executemany(
            "INSERT INTO finding (dataset_id, item_id, code, severity, rank, title, message, remedy, condition, start,"
            ' "end", slot) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
            [
                (
                    row["dataset_id"],
                    item_id,
                    f.code,
                    f.severity,
                    Severity(f.severity).rank,
                    f.title,
                    f.message,
                    f.remedy,
                    f.condition,
                    f.start,
                    f.end,
                    f.slot,
                )
                for f in entry.findings
                if not f.code.startswith(_OF_SETS)
            ],
        )


_OF_SETS = "C"
"""Begins the codes of rules on sets as wholes: older logs have what these found at an item as if it were of the item alone."""


def _id(cursor: sqlite3.Cursor) -> int:
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def _json(value: Mapping[str, Any] | None) -> str | None:
    return json.dumps(dict(value), ensure_ascii=False, separators=(",", ":")) if value is not None else None


def _answer(row: sqlite3.Row) -> tuple[str | None, str | None]:
    return row["outcome"], row["reply"]


def _reply_of(entry: CallRecord) -> tuple[Any, ...]:
    return (
        entry.replied_at,
        entry.reply,
        entry.outcome,
        entry.finish_reason,
        canonical(entry.usage),
        entry.attempts,
        entry.latency_ms,
        entry.cost_usd,
        entry.error,
        canonical(entry.details),
    )
