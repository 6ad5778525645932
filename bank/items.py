"""Items and their revisions."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from bank.connection import Db, canonical, now
from bank.errors import BankError
from bank.paradigms import ParadigmTable
from bank.query import where
from bank.records import DEFAULT_DATASET, ItemFilter, ItemStatus, NewItem, Revision, StoredItem
from templates import Paradigm, Sentence, Source, align

__all__ = ["ItemTable"]

_FROM = " FROM item JOIN item_state ON item_state.item_id = item.id"
_SELECT = (
    "SELECT item.*, item_state.status, item_state.reason, revision.id AS revision_id, revision.number, revision.slots"
    f"{_FROM} JOIN revision ON revision.id = item_state.revision_id"
)


class ItemTable:
    """What is in the bank, as it stands now."""

    def __init__(self, db: Db, paradigms: ParadigmTable) -> None:
        self._db = db
        self._paradigms = paradigms

    def add(self, paradigm_id: int, items: Sequence[NewItem], *, run_id: int, call_id: int | None = None) -> list[int]:
        """Keep new items, all or none; their ids. Raises `BankError` where a label is already taken."""
        paradigm = self._paradigms.load(paradigm_id)
        ids: list[int] = []
        with self._db.write():
            numbers = _Numbering(self._db, paradigm.name, {(i.dataset, i.label) for i in items if i.label is not None})
            for item in items:
                label = item.label if item.label is not None else numbers.next(item.dataset)
                ids.append(self._add_one(paradigm, paradigm_id, item, label, run_id, call_id))
        return ids

    def _add_one(
        self, paradigm: Paradigm, paradigm_id: int, item: NewItem, label: str, run_id: int, call_id: int | None
    ) -> int:
        at = now()
        try:
            cursor = self._db.execute(
                "INSERT INTO item (paradigm_id, paradigm, dataset, label, design, run_id, call_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (paradigm_id, paradigm.name, item.dataset, label, item.design, run_id, call_id, at),
            )
        except sqlite3.IntegrityError:
            raise BankError(
                f"{paradigm.name}: data set {item.dataset!r} already has an item {label!r}",
                hint="Give the new items a data set of their own with --dataset NAME, or change those there with --update.",
            ) from None
        item_id = cursor.lastrowid
        assert item_id is not None
        revision_id = self._add_revision(item_id, 1, item.slots, item.sentences, author=None, note=None)
        self._db.execute(
            "INSERT INTO item_state (item_id, revision_id, status) VALUES (?, ?, ?)",
            (item_id, revision_id, ItemStatus.PENDING.value),
        )
        return item_id

    def _add_revision(
        self,
        item_id: int,
        number: int,
        slots: Mapping[str, str] | None,
        sentences: Iterable[Sentence],
        *,
        author: str | None,
        note: str | None,
    ) -> int:
        cursor = self._db.execute(
            "INSERT INTO revision (item_id, number, slots, author, note, at) VALUES (?, ?, ?, ?, ?, ?)",
            (item_id, number, canonical(slots) if slots is not None else None, author, note, now()),
        )
        revision_id = cursor.lastrowid
        assert revision_id is not None
        self._db.executemany(
            "INSERT INTO sentence (revision_id, position, condition, text, source) VALUES (?, ?, ?, ?, ?)",
            [(revision_id, i, s.condition, s.text, s.source.value) for i, s in enumerate(sentences)],
        )
        return revision_id

    def get(self, item_id: int) -> StoredItem:
        """One item as it stands now. Raises `BankError`."""
        for item in self.iterate(ItemFilter(ids=(item_id,))):
            return item
        raise BankError(f"there is no item with the bank id {item_id}")

    def iterate(self, selection: ItemFilter | None = None, *, chunk: int = 500) -> Iterator[StoredItem]:
        """The selected items in the order in which they came, a chunk at a time."""
        clause, values = where(selection or ItemFilter())
        last = 0
        while True:
            narrowed = f"{clause} AND item.id > ?" if clause else " WHERE item.id > ?"
            rows = self._db.execute(f"{_SELECT}{narrowed} ORDER BY item.id LIMIT ?", [*values, last, chunk]).fetchall()
            if not rows:
                return
            sentences = self._sentences([row["revision_id"] for row in rows])
            for row in rows:
                yield self._item(row, sentences[row["revision_id"]])
            last = rows[-1]["id"]

    def _sentences(self, revision_ids: Sequence[int]) -> dict[int, list[sqlite3.Row]]:
        found: dict[int, list[sqlite3.Row]] = defaultdict(list)
        rows = self._db.execute(
            "SELECT * FROM sentence WHERE revision_id IN (SELECT value FROM json_each(?))"
            " ORDER BY revision_id, position",
            (json.dumps(list(revision_ids)),),
        )
        for row in rows:
            found[row["revision_id"]].append(row)
        return found

    def _item(self, row: sqlite3.Row, sentences: list[sqlite3.Row]) -> StoredItem:
        paradigm = self._paradigms.load(row["paradigm_id"])
        slots = _slots(paradigm, row)
        return StoredItem(
            id=row["id"],
            label=row["label"],
            dataset=row["dataset"],
            paradigm=row["paradigm"],
            paradigm_id=row["paradigm_id"],
            revision_id=row["revision_id"],
            revision_number=row["number"],
            slots=slots,
            sentences=_aligned(paradigm, slots, sentences),
            status=ItemStatus(row["status"]),
            reason=row["reason"],
            design=row["design"],
            run_id=row["run_id"],
            call_id=row["call_id"],
            created_at=row["created_at"],
        )

    def ids(self, selection: ItemFilter | None = None) -> list[int]:
        """The bank ids of the selected items, in the order in which they came."""
        clause, values = where(selection or ItemFilter())
        return [row["id"] for row in self._db.execute(f"SELECT item.id{_FROM}{clause} ORDER BY item.id", values)]

    def count(self, selection: ItemFilter | None = None) -> int:
        """How many items are selected."""
        clause, values = where(selection or ItemFilter())
        (count,) = self._db.execute(f"SELECT count(*){_FROM}{clause}", values).fetchone()
        return int(count)

    def count_by_status(self, selection: ItemFilter | None = None) -> dict[ItemStatus, int]:
        """How many of the selected items stand where; statuses without items are left out."""
        clause, values = where(selection or ItemFilter())
        rows = self._db.execute(
            f"SELECT item_state.status, count(*) AS n{_FROM}{clause} GROUP BY item_state.status", values
        )
        return {ItemStatus(row["status"]): row["n"] for row in rows}

    def datasets(self, paradigm: str | None = None) -> list[str]:
        """The names of the data sets, in the order of their first item."""
        clause, values = where(ItemFilter(paradigm=paradigm))
        rows = self._db.execute(
            f"SELECT item.dataset, min(item.id) AS first{_FROM}{clause} GROUP BY item.dataset ORDER BY first", values
        )
        return [row["dataset"] for row in rows]

    def revise(
        self,
        item_id: int,
        *,
        slots: Mapping[str, str] | None,
        sentences: Sequence[Sentence],
        author: str,
        note: str | None = None,
    ) -> int:
        """Keep a new revision of an item beside the old ones and make it the current one; its id.

        Decisions belong to the revision they were made on, so an edited item waits for a new one. The edit is an
        event like a decision and can be undone like one."""
        # Imported here because decisions project onto items and items record edits as events.
        from bank.decisions import record_edit

        with self._db.write():
            item = self.get(item_id)
            (number,) = self._db.execute("SELECT max(number) FROM revision WHERE item_id = ?", (item_id,)).fetchone()
            revision_id = self._add_revision(item_id, number + 1, slots, sentences, author=author, note=note)
            record_edit(self._db, item_id, item.revision_id, revision_id, author=author, note=note)
        return revision_id

    def history(self, item_id: int) -> list[Revision]:
        """All revisions of an item, oldest first; none is ever removed."""
        item = self.get(item_id)
        paradigm = self._paradigms.load(item.paradigm_id)
        rows = self._db.execute("SELECT * FROM revision WHERE item_id = ? ORDER BY number", (item_id,)).fetchall()
        sentences = self._sentences([row["id"] for row in rows])
        revisions = []
        for row in rows:
            slots = _slots(paradigm, row)
            aligned = _aligned(paradigm, slots, sentences[row["id"]])
            revisions.append(Revision(row["id"], row["number"], slots, aligned, row["author"], row["note"], row["at"]))
        return revisions


class _Numbering:
    """Running labels, looked up once per data set and transaction."""

    def __init__(self, db: Db, paradigm: str, taken: set[tuple[str, str | None]]) -> None:
        self._db = db
        self._paradigm = paradigm
        self._taken = taken
        self._last: dict[str, int] = {}

    def next(self, dataset: str = DEFAULT_DATASET) -> str:
        if dataset not in self._last:
            (last,) = self._db.execute(
                "SELECT coalesce(max(CAST(label AS INTEGER)), 0) FROM item WHERE paradigm = ? AND dataset = ?",
                (self._paradigm, dataset),
            ).fetchone()
            self._last[dataset] = int(last)
        self._last[dataset] += 1
        while (dataset, str(self._last[dataset])) in self._taken:
            self._last[dataset] += 1
        return str(self._last[dataset])


def _slots(paradigm: Paradigm, row: sqlite3.Row) -> dict[str, str] | None:
    if row["slots"] is None:
        return None
    values = json.loads(row["slots"])
    ordered = {slot.name: values.pop(slot.name) for slot in paradigm.slots if slot.name in values}
    return {**ordered, **values}


def _aligned(paradigm: Paradigm, slots: Mapping[str, str] | None, rows: list[sqlite3.Row]) -> tuple[Sentence, ...]:
    return tuple(align(paradigm, row["condition"], row["text"], slots or {}, Source(row["source"])) for row in rows)
