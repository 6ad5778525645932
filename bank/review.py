"""What reviewing needs beyond decisions: rows for a queue, comments, locks, peeks, drafts and an annotator's habits.

Comments are events that can be undone like decisions. Locks and peeks are events that stay: they say what an
annotator could know when deciding. Drafts are text that is still being typed; they are not part of the record.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gapsmith.bank.connection import Db, now
from gapsmith.bank.datasets import DatasetTable
from gapsmith.bank.decisions import stacks
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event, add_events
from gapsmith.bank.locks import OF_SETS, Lock, read_locks, sets_called
from gapsmith.bank.projection import IN_ORDER, target_of
from gapsmith.bank.records import Comment, ItemFilter, ItemStatus, Verdict
from gapsmith.bank.seeing import SOMEBODY, Gate
from gapsmith.bank.texts import Layout, TextTable, unpacked_offsets
from gapsmith.templates import Sentence


class QueueRow(NamedTuple):
    """One item as a queue shows it. A named tuple, because a queue holds tens of thousands of them."""

    id: int
    label: str
    dataset: str
    paradigm: str
    run_id: int
    revision_id: int
    status: ItemStatus
    """Where the item stands by the decisions that the reader may see (`gapsmith.bank.seeing`)."""
    reason: str | None
    text: str
    """Its first sentence; empty where it has none."""
    findings: int
    worst: int
    """Rank of the worst finding (see `Severity.rank`), -1 without findings."""
    mine: Verdict | None
    """What the annotator who asks has decided on the current text."""
    my_reason: str | None
    outdated: bool
    """The annotator has decided, but on an earlier text."""
    policy: Verdict | None
    """What a policy has decided on the current text."""
    people: int
    """How many people have decided on the current text, as far as the reader may see."""
    commented: bool
    """The annotator who asks has remarked on it, by itself or with a decision; to who adjudicates, anybody has."""
    paradigm_id: int
    """The paradigm as the item's sentences were made with."""
    first: Layout | None
    """Condition and regions of its first sentence; None where it has none."""
    spans: bytes | None
    """Where these regions are in the text, as the bank keeps it."""
    handed_on: bool
    """The annotator has not decided on the current text and need not, since who adjudicates edited or settled it; the bank leaves
    it at no, since that is for the review to work out."""
    as_of: int
    """The newest event of the bank when the row was read: of two rows of an item, the one with the larger number is the newer
    one, over whatever connections they were read and in whatever order they come."""

    def says_the_same(self, other: QueueRow) -> bool:
        """Whether both say the same, whenever they were read."""
        return self[:-1] == other[:-1]


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit of an item: from which revision to which."""

    event_id: int
    before: int
    after: int
    author: str
    note: str | None
    at: str
    undone: bool
    """It was taken back and not done again."""


@dataclass(frozen=True, slots=True)
class Peek:
    """An annotator looked at what others say, or at scores, before locking."""

    event_id: int
    author: str
    item_id: int
    what: str
    at: str


@dataclass(frozen=True, slots=True)
class UndoableAction:
    """Something that one undo takes back: a decision on one item or many, a judgement, an edit, a comment."""

    id: int
    kind: str
    item_ids: tuple[int, ...]
    by: str | None
    """For decisions: ``person``, ``policy`` or ``adjudication``."""
    detail: str
    """The verdict, the rating with its condition, the edit's note, or the comment."""
    group: str | None = None
    """For a decision on items that share a finding or a word: which."""


class Label(NamedTuple):
    """What one person says now of one item, or of one of its sentences."""

    item_id: int
    author: str
    value: str
    """A verdict, or a rating."""
    reason: str | None
    """For verdicts that exclude."""
    condition: str | None
    """For ratings."""
    event_id: int
    points: int | None = None
    """For ratings on a scale: how many points that has."""
    study: str | None = None
    """For ratings in an acceptability study: its digest."""
    texts: str = ""
    """The digest of the item's texts that it was said of."""
    current: bool = True
    """Whether these are the item's texts now."""


class Norm(NamedTuple):
    """What one person says of a sentence that was shown alone, on the text as it stands."""

    item_id: int
    condition: str
    author: str
    rating: str
    """``ok``, ``?`` or ``*``, or a point of a Likert scale."""
    points: int | None
    """How many points the scale has; None for the three categories."""


@dataclass(frozen=True, slots=True)
class FieldDraft:
    """Text that was typed and not yet saved. `field` says where: ``comment``, ``slot:verb``, ``sentence:pf_pg1_pg2``."""

    item_id: int
    field: str
    text: str
    base_revision_id: int
    """The revision that was on screen when the typing began."""
    at: str


_WITH_WORDS = "trim(coalesce(d.comment, '')) <> ''"
"""Whether a decision has a comment."""
_ROWS = (
    "SELECT item.id, {label}, item.dataset, item.paradigm, item.run_id, item.revision_id, item.status,"
    " item.reason, text.text, (SELECT count(*) FROM finding f WHERE f.item_id = item.id) AS findings,"
    " (SELECT max(f.rank) FROM finding f WHERE f.item_id = item.id) AS worst,"
    " m.verdict AS mine, m.reason AS my_reason, m.texts = item.texts AS my_texts,"
    " (SELECT d.verdict FROM decision_state d WHERE d.item_id = item.id AND d.kind = 'policy'"
    "   AND d.texts = item.texts ORDER BY d.event_id DESC LIMIT 1) AS policy,"
    " (SELECT count(*) FROM {decisions} d WHERE d.item_id = item.id AND d.kind = 'person'"
    "   AND d.texts = item.texts) AS people,"
    " item.id IN commented OR EXISTS (SELECT 1 FROM decision_state d WHERE d.item_id = item.id"
    "   AND (d.author = ? OR {everybody}) AND {with_words}) AS commented, (SELECT coalesce(max(id), 0) FROM event) AS as_of,"
    " revision.paradigm_id, s.layout_id, s.spans"
    " FROM {items} AS item JOIN revision ON revision.id = item.revision_id"
    " LEFT JOIN sentence s ON s.revision_id = item.revision_id AND s.position = 0"
    " LEFT JOIN text ON text.id = s.text_id"
    " LEFT JOIN decision_state m ON m.item_id = item.id AND m.author = ? AND m.kind = 'person'"
)
_OF_NOW = " AND {0}.texts = item.texts"
_COMMENTED = (
    "WITH commented AS (SELECT item_id FROM event WHERE (author = ? OR {everybody}) AND kind = 'comment'"
    " AND action NOT IN (SELECT action FROM undone)) "
)
_SPACED = "' ' || replace(replace(replace(coalesce(text.folded, lower(text.text)), '.', ' '), ',', ' '), '?', ' ') || ' '"


@dataclass(frozen=True, slots=True)
class SheetCount:
    """How far one person is on their sheet of an acceptability study. Fillers count like all others; sentences of practice, which
    are not kept, do not."""

    study: str
    """Its digest."""
    author: str
    done: int
    of: int

    @property
    def left(self) -> int:
        """Sentences (pairs, for a choice) that wait."""
        return self.of - self.done

    @property
    def words(self) -> str:
        """As every screen, page and packet says it."""
        return f"{self.done:,} of {self.of:,} done, {self.left:,} left"


class ReviewTable:
    """Queries and events of the review."""

    def __init__(self, db: Db, gate: Gate, texts: TextTable) -> None:
        self._db = db
        self._gate = gate
        self._texts = texts

    def rows(self, selection: ItemFilter | None = None, *, author: str, words: Sequence[str] = ()) -> list[QueueRow]:
        """The selected items that have each of `words` as a whole word in a sentence, in the order in which they came.

        `author` is the annotator whose own verdicts the rows carry."""
        clause, values = self._gate.where(selection)
        for word in words:
            exists = (
                "EXISTS (SELECT 1 FROM sentence JOIN text ON text.id = sentence.text_id"
                f" WHERE sentence.revision_id = item.revision_id AND instr({_SPACED}, ' ' || ? || ' ') > 0)"
            )
            clause = f"{clause} AND {exists}" if clause else f" WHERE {exists}"
            values.append(word.casefold())
        everybody = int(self._gate.adjudicating)
        rows = _ROWS.format(
            items=self._gate.items,
            decisions=self._gate.decisions,
            label=self._gate.label,
            everybody=everybody,
            with_words=_WITH_WORDS,
        )
        commented = _COMMENTED.format(everybody=everybody)
        found = self._db.execute(f"{commented}{rows}{clause} ORDER BY item.id", [author, author, author, *values]).fetchall()
        layouts = self._texts.layouts_by_id(row[19] for row in found)
        return [
            QueueRow(
                id=row[0],
                label=row[1],
                dataset=row[2],
                paradigm=row[3],
                run_id=row[4],
                revision_id=row[5],
                status=_STATUS[row[6]],
                reason=row[7],
                text=row[8] or "",
                findings=row[9],
                worst=-1 if row[10] is None else row[10],
                mine=_VERDICT[row[11]] if row[13] else None,
                my_reason=row[12] if row[13] else None,
                outdated=row[13] == 0,
                policy=_VERDICT[row[14]],
                people=row[15],
                commented=bool(row[16]),
                paradigm_id=row[18],
                first=layouts[row[19]] if row[19] is not None else None,
                spans=row[20],
                handed_on=False,
                as_of=row[17],
            )
            for row in found
        ]

    @staticmethod
    def first_sentence(row: QueueRow) -> Sentence | None:
        """The sentence that stands first in a row's item, with its regions; None where it has none."""
        if row.first is None:
            return None
        names = row.first.regions
        spans = unpacked_offsets(names, row.spans) if names is not None and row.spans is not None else None
        return Sentence(row.first.condition, row.text, spans)

    def version(self) -> int:
        """A number that changes when another connection has changed the bank."""
        (version,) = self._db.execute("PRAGMA data_version").fetchone()
        return int(version)

    def revision_of(self, item_id: int) -> int:
        """The id of an item's current revision. Raises `BankError`."""
        row = next(self._db.checked("item_state", "SELECT * FROM item_state WHERE item_id = ?", (item_id,)), None)
        if row is None:
            raise BankError(f"there is no item with the bank id {item_id}")
        return int(row["revision_id"])

    def linted_revision(self, item_id: int) -> int | None:
        """The revision that the item's findings are about, or None where it was never linted."""
        row = next(self._db.checked("lint_state", "SELECT * FROM lint_state WHERE item_id = ?", (item_id,)), None)
        return int(row["revision_id"]) if row is not None else None

    def comment(self, item_id: int, text: str, *, author: str, condition: str | None = None) -> int:
        """Keep a remark on an item; the event id. Raises `BankError` for an empty one."""
        if not text.strip():
            raise BankError("a comment needs words")
        payload = {"text": text, "condition": condition}
        (event_id,) = add_events(self._db, "comment", [(item_id, payload)], author=author)
        return event_id

    def comments(self, item_id: int | None = None) -> list[Comment]:
        """What was remarked on an item, or on all, that was not taken back and that the reader may see, oldest first: by itself, or with
        a decision that counts now, be it made in the review, in a file or in a packet."""
        rows = self._db.checked(
            "event",
            "SELECT *, (SELECT texts FROM revision WHERE revision.id = event.revision_id) AS of_texts FROM event"
            f" WHERE {'' if item_id is None else 'item_id = ? AND '}(kind = 'comment'"
            f" AND {self._gate.may_see('author', 'item_id')} AND action NOT IN (SELECT action FROM undone)"
            f" OR id IN (SELECT d.event_id FROM {self._gate.decisions} d WHERE {_WITH_WORDS}"
            f"{'' if item_id is None else ' AND d.item_id = event.item_id'})) ORDER BY {IN_ORDER}",
            () if item_id is None else (item_id,),
        )
        comments = []
        for row in rows:
            payload = json.loads(row["payload"])
            decided = row["kind"] == "decision"
            comments.append(
                Comment(
                    event_id=row["id"],
                    item_id=row["item_id"],
                    revision_id=row["revision_id"],
                    condition=None if decided else payload["condition"],
                    text=payload["comment" if decided else "text"],
                    author=row["author"],
                    at=row["at"],
                    text_digest=row["of_texts"].hex(),
                    decided=decided,
                )
            )
        return comments

    def edits(self, item_id: int) -> list[Edit]:
        """All edits of an item that the reader may know of, oldest first."""
        rows = self._db.checked(
            "event",
            "SELECT *, action IN (SELECT action FROM undone) AS is_undone,"
            f" {self._gate.may_see('author', 'item_id')} AS may_name FROM event"
            f" WHERE item_id = ? AND kind = 'edit' AND {self._gate.may_see_edit('event')} ORDER BY {IN_ORDER}",
            (item_id,),
        )
        known = self._db.execute("SELECT uid, id, call_id FROM revision WHERE item_id = ?", (item_id,)).fetchall()
        ids = {row["uid"].hex(): row["id"] for row in known}
        answers = {row["id"] for row in known if row["call_id"] is not None}
        edits = []
        for row in rows:
            payload = json.loads(row["payload"])
            edits.append(
                Edit(
                    event_id=row["id"],
                    before=ids[payload["from"]],
                    after=ids[payload["to"]],
                    author=row["author"] if row["may_name"] or ids[payload["to"]] in answers else SOMEBODY,
                    note=payload["note"],
                    at=row["at"],
                    undone=bool(row["is_undone"]),
                )
            )
        return edits

    def next_action(self, author: str, step: str, *, of_studies: bool = True) -> UndoableAction | None:
        """What the author's next ``undo`` or ``redo`` would touch, or None; with or without answers to sentences shown alone."""
        done, undone = stacks(self._db, author, of_studies=of_studies)
        stack = done if step == "undo" else undone
        return self._action(stack[-1]) if stack else None

    def last_actions(self, author: str, count: int, *, of_studies: bool = True) -> list[UndoableAction]:
        """The author's newest actions that stand, the next one to undo first; with or without answers to sentences shown alone."""
        done, _ = stacks(self._db, author, of_studies=of_studies)
        return [self._action(action) for action in reversed(done[-count:])]

    def _action(self, action: int) -> UndoableAction:
        rows = list(self._db.checked("event", "SELECT * FROM event WHERE action = ? ORDER BY id", (action,)))
        payload = json.loads(rows[0]["payload"])
        kind = rows[0]["kind"]
        details = {
            "decision": payload.get("verdict"),
            "judgement": f"{payload.get('rating')} for {payload.get('condition')}",
            "choice": f"{payload.get('chosen')} over {payload.get('other')}",
            "edit": payload.get("note"),
            "comment": payload.get("text"),
            "dataset": f"{payload.get('from')} to {payload.get('to')}" if "to" in payload else "removed",
        }
        ids = tuple(row["item_id"] for row in rows if row["item_id"] is not None)
        return UndoableAction(action, kind, ids, payload.get("by"), details.get(kind) or "", payload.get("group"))

    def lock(self, author: str, *, paradigm: str | None, dataset: str | None, locked: bool = True) -> int:
        """Declare the author's decisions on a scope to be final, or take that back; the event id. Raises `BankError` for a data set that
        is not there."""
        payload: dict[str, object] = {"paradigm": paradigm, "dataset": dataset, "locked": locked}
        with self._db.write():
            if dataset is not None:
                DatasetTable(self._db).expect([dataset], [paradigm] if paradigm is not None else [])
                payload[OF_SETS] = sets_called(self._db, paradigm, dataset)
            return self._event("lock", author, payload)

    def locks(self) -> list[Lock]:
        """All locks and unlocks ever made, oldest first."""
        return read_locks(self._db)

    def order(self) -> dict[int, int]:
        """The place of every event, by id, in the order in which events were made, in whatever bank."""
        rows = self._db.tuples(f"SELECT id FROM event ORDER BY {IN_ORDER}")
        return {event_id: place for place, (event_id,) in enumerate(rows)}

    def peek(self, item_id: int, what: str, *, author: str) -> int:
        """Record that the author looks at what others say of an item (``others``) or at its ``scores``."""
        (event_id,) = add_events(self._db, "peek", [(item_id, {"what": what})], author=author)
        return event_id

    def peeks(self, item_id: int | None = None) -> list[Peek]:
        """All peeks that the reader may know of, or those at one item, oldest first: who looks knows that there is something."""
        clause, values = ("item_id = ? AND ", (item_id,)) if item_id is not None else ("", ())
        seen = self._gate.may_see("author", "item_id")
        rows = self._db.checked(
            "event", f"SELECT * FROM event WHERE {clause}kind = 'peek' AND {seen} ORDER BY {IN_ORDER}", values
        )
        return [Peek(row["id"], row["author"], row["item_id"], json.loads(row["payload"])["what"], row["at"]) for row in rows]

    def sheets(self) -> list[SheetCount]:
        """How far everybody is on their sheets of acceptability studies, as the answers themselves say: by study and name. Only the
        reader's own where the reader may not see everybody's."""
        mine = "" if not self._gate.blind else "author = ? AND "
        rows = self._db.checked(
            "event",
            f"SELECT * FROM event WHERE {mine}kind IN ('judgement', 'choice') AND payload ->> 'of' IS NOT NULL"
            f" AND action NOT IN (SELECT action FROM undone) ORDER BY {IN_ORDER}",
            (self._gate.reader,) if mine else (),
        )
        places: dict[tuple[str, str], set[int]] = defaultdict(set)
        totals: dict[tuple[str, str], int] = {}
        for row in rows:
            said = json.loads(row["payload"])
            key = (said["study"], row["author"])
            places[key].add(said["place"])
            totals[key] = said["of"]
        return [SheetCount(*key, len(places[key]), totals[key]) for key in sorted(places)]

    def judged_in_studies(self, item_ids: Sequence[int]) -> list[int]:
        """Which of these items have answers in acceptability studies on the texts that they have now, of those answers that the reader may
        see."""
        rows = self._db.tuples(
            "SELECT DISTINCT event.item_id FROM event JOIN revision ON revision.id = event.revision_id"
            " JOIN item_state s ON s.item_id = event.item_id AND s.texts = revision.texts"
            " WHERE event.item_id IN (SELECT value FROM json_each(?)) AND event.kind IN ('judgement', 'choice')"
            " AND event.payload ->> 'study' IS NOT NULL AND event.action NOT IN (SELECT action FROM undone)"
            f" AND {self._gate.may_see_answer('event.author', 'event.item_id', 'event.payload')} ORDER BY 1",
            (json.dumps(list(item_ids)),),
        )
        return [item_id for (item_id,) in rows]

    def study_names(self) -> dict[str, str]:
        """What the acceptability studies are called, by digest: as their files are, with the beginning of the digest where several are
        called so; of answers of older releases, which do not say it, that beginning alone."""
        rows = self._db.tuples(
            "SELECT payload ->> 'study', max(payload ->> 'title') FROM event WHERE kind IN ('judgement', 'choice')"
            " AND payload ->> 'study' IS NOT NULL GROUP BY 1"
        )
        found = dict(rows)
        shared = Counter(found.values())
        return {
            study: self.study_name(study, title) + (f" {study[:8]}" if title and shared[title] > 1 else "")
            for study, title in found.items()
        }

    @staticmethod
    def study_name(study: str, title: str | None) -> str:
        """What a study is called in a sentence: as its file is, or where that is not known by the beginning of its digest."""
        if title and title.casefold().startswith("study"):
            return title
        return f"study {title or study[:8]}"

    def people(self) -> list[str]:
        """Everybody who has ever said or done anything here, or to whom items were assigned, by name."""
        rows = self._db.tuples(
            "SELECT author FROM event UNION SELECT value FROM event, json_each(event.payload, '$.to')"
            " WHERE event.kind = 'assign' ORDER BY 1"
        )
        return [name for (name,) in rows]

    def annotators(self, *, paradigm: str | None = None, dataset: str | None = None) -> dict[str, int]:
        """The people who have decided in a scope, and on how many current texts each."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm, dataset=dataset))
        rows = self._db.execute(
            f"SELECT d.author, sum(d.texts = item.texts) AS n FROM {self._gate.items} AS item"
            f" JOIN {self._gate.decisions} d ON d.item_id = item.id AND d.kind = 'person'{clause} GROUP BY d.author ORDER BY 1",
            values,
        )
        return {row["author"]: row["n"] for row in rows}

    def verdicts(self, *, paradigm: str | None = None, dataset: str | None = None, earlier: bool = False) -> list[Label]:
        """What each person has decided on each current text of a scope, by item and author; with `earlier`, what they decided on
        earlier texts and not again, too."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm, dataset=dataset))
        rows = self._db.checked(
            "decision_state",
            f"SELECT d.*, d.texts = item.texts AS is_current FROM {self._gate.items} AS item"
            f" JOIN {self._gate.decisions} d ON d.item_id = item.id"
            f" AND d.kind = 'person'{'' if earlier else _OF_NOW.format('d')}{clause} ORDER BY item.id, d.author",
            values,
        )
        return [
            Label(
                row["item_id"],
                row["author"],
                row["verdict"],
                row["reason"],
                None,
                row["event_id"],
                texts=row["texts"].hex(),
                current=bool(row["is_current"]),
            )
            for row in rows
        ]

    def standing_before(self, until: Mapping[tuple[str, int], int]) -> list[Label]:
        """What people said of items and, outside of studies, of their sentences, as it stood before a place in the order of events
        (`order`): `until` has that place by author and item. By item, author and condition; what they said and had taken back by then
        is none."""
        if not until:
            return []
        place_of = self.order()
        marks: dict[int, list[tuple[int, bool]]] = defaultdict(list)
        for row in self._db.checked("event", f"SELECT * FROM event WHERE kind IN ('undo', 'redo') ORDER BY {IN_ORDER}"):
            if (action := target_of(self._db, row["payload"])) is not None:
                marks[action].append((place_of[row["id"]], row["kind"] == "undo"))
        kind = "(event.payload ->> 'by')"
        rows = self._db.checked(
            ("event", "revision"),
            "SELECT event.*, revision.*, revision.texts = s.texts AS is_current FROM event"
            " JOIN revision ON revision.id = event.revision_id JOIN item_state s ON s.item_id = event.item_id"
            " WHERE event.item_id IN (SELECT value FROM json_each(?))"
            f" AND (event.kind = 'decision' AND {kind} = 'person'"
            f" AND {self._gate.may_see_decision(kind, 'event.author', 'event.item_id')}"
            " OR event.kind = 'judgement' AND event.payload ->> 'study' IS NULL"
            f" AND {self._gate.may_see_answer('event.author', 'event.item_id', 'event.payload')}) ORDER BY {IN_ORDER}",
            (json.dumps(sorted({item_id for _, item_id in until})),),
        )
        found: dict[tuple[int, str, str], Label] = {}
        for row in rows:
            at = until.get((row["author"], row["item_id"]))
            if at is None or place_of[row["id"]] >= at:
                continue
            own = [undone for place, undone in marks[row["action"]] if place < at]
            if own and own[-1]:
                continue
            said = json.loads(row["payload"])
            condition = said.get("condition") if row["kind"] == "judgement" else None
            found[row["item_id"], row["author"], condition or ""] = Label(
                row["item_id"],
                row["author"],
                said["verdict"] if condition is None else said["rating"],
                said.get("reason"),
                condition,
                row["id"],
                said.get("points"),
                texts=row["texts"].hex(),
                current=bool(row["is_current"]),
            )
        return [found[key] for key in sorted(found)]

    def decided_before(self) -> list[int]:
        """The items that people have decided on, all of them on earlier texts."""
        rows = self._db.execute(
            f"SELECT item.id FROM {self._gate.items} AS item JOIN {self._gate.decisions} d ON d.item_id = item.id"
            " AND d.kind = 'person' GROUP BY item.id HAVING NOT max(d.texts = item.texts) ORDER BY item.id"
        )
        return [row["id"] for row in rows]

    def adjudicated(self, *, paradigm: str | None = None, dataset: str | None = None) -> list[int]:
        """The items of a scope whose current text somebody has adjudicated."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm, dataset=dataset))
        rows = self._db.execute(
            f"SELECT DISTINCT item.id FROM {self._gate.items} AS item"
            f" JOIN {self._gate.decisions} d ON d.item_id = item.id AND d.kind = 'adjudication'"
            f" AND d.texts = item.texts{clause} ORDER BY item.id",
            values,
        )
        return [row["id"] for row in rows]

    def ratings(self, *, paradigm: str | None = None, dataset: str | None = None, earlier: bool = False) -> list[Label]:
        """How each person judges each sentence of the current texts of a scope, by item and author; with `earlier`, of earlier texts,
        too, where they have not judged it again."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm, dataset=dataset))
        rows = self._db.checked(
            ("judgement_state", "event"),
            "SELECT j.*, event.*, event.payload ->> 'points' AS points, event.payload ->> 'study' AS study,"
            " j.texts = item.texts AS is_current"
            f" FROM {self._gate.items} AS item JOIN {self._gate.judgements} j ON j.item_id = item.id"
            f"{'' if earlier else _OF_NOW.format('j')} JOIN event ON event.id = j.event_id{clause} ORDER BY item.id, j.author",
            values,
        )
        return [
            Label(
                row["item_id"],
                row["author"],
                row["rating"],
                None,
                row["condition"],
                row["event_id"],
                row["points"],
                row["study"],
                row["texts"].hex(),
                bool(row["is_current"]),
            )
            for row in rows
        ]

    def norms(self, *, paradigm: str | None = None, dataset: str | None = None) -> list[Norm]:
        """The judgements of sentences that were shown alone, on the current texts of a scope, by item and author."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm, dataset=dataset))
        joined = "AND" if clause else "WHERE"
        rows = self._db.checked(
            ("judgement_state", "event"),
            "SELECT j.*, event.*, json_extract(event.payload, '$.points') AS points"
            f" FROM {self._gate.items} AS item JOIN {self._gate.judgements} j ON j.item_id = item.id AND j.texts = item.texts"
            f" JOIN event ON event.id = j.event_id{clause} {joined} json_extract(event.payload, '$.alone')"
            " ORDER BY item.id, j.author",
            values,
        )
        return [Norm(row["item_id"], row["condition"], row["author"], row["rating"], row["points"]) for row in rows]

    def places(self) -> dict[int, tuple[str, str]]:
        """The paradigm and data set of every item, by id."""
        rows = self._db.execute("SELECT id, paradigm, dataset FROM current_item")
        return {row["id"]: (row["paradigm"], row["dataset"]) for row in rows}

    def save_draft(self, author: str, item_id: int, field: str, text: str, base_revision_id: int) -> None:
        """Keep what is being typed, in place of what was kept there before."""
        with self._db.write():
            self._db.execute(
                "INSERT OR REPLACE INTO draft (author, item_id, field, text, base_revision_id, at) VALUES (?, ?, ?, ?, ?, ?)",
                (author, item_id, field, text, base_revision_id, now()),
            )

    def drafts(self, author: str, item_id: int | None = None) -> list[FieldDraft]:
        """What the author has typed and not saved, on one item or anywhere, by item and field."""
        clause, values = (" AND item_id = ?", [author, item_id]) if item_id is not None else ("", [author])
        rows = self._db.checked("draft", f"SELECT * FROM draft WHERE author = ?{clause} ORDER BY item_id, field", values)
        return [FieldDraft(row["item_id"], row["field"], row["text"], row["base_revision_id"], row["at"]) for row in rows]

    def discard_drafts(self, author: str, item_id: int, fields: Sequence[str]) -> None:
        """Forget drafts that were saved or thrown away."""
        with self._db.write():
            self._db.executemany(
                "DELETE FROM draft WHERE author = ? AND item_id = ? AND field = ?",
                [(author, item_id, field) for field in fields],
            )

    def habit(self, author: str, name: str) -> str | None:
        """How the author left a setting of the review screen, e.g. its ``theme``."""
        chosen = "SELECT * FROM habit WHERE author = ? AND name = ?"
        row = next(self._db.checked("habit", chosen, (author, name)), None)
        return str(row["value"]) if row is not None else None

    def set_habit(self, author: str, name: str, value: str) -> None:
        """Remember a setting of the review screen for the author."""
        with self._db.write():
            self._db.execute("INSERT OR REPLACE INTO habit (author, name, value) VALUES (?, ?, ?)", (author, name, value))

    def _event(self, kind: str, author: str, payload: dict[str, object]) -> int:
        if not author.strip():
            raise BankError("this needs a name", hint="Say who you are: --by NAME, or `annotator` in gapsmith.toml.")
        with self._db.write():
            return add_event(self._db, kind, None, None, payload, author=author)


_STATUS = {status.value: status for status in ItemStatus}
_VERDICT: dict[str | None, Verdict | None] = {None: None, **{verdict.value: verdict for verdict in Verdict}}
