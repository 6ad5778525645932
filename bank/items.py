"""Items and their revisions."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from sys import intern
from typing import Any, NamedTuple

from gapsmith.bank.connection import Db, new_uid, now
from gapsmith.bank.datasets import DatasetTable
from gapsmith.bank.digests import alike_digest, texts_digest
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import record_edit
from gapsmith.bank.locks import refuse_if_locked
from gapsmith.bank.paradigms import ParadigmTable
from gapsmith.bank.projection import heads
from gapsmith.bank.records import DEFAULT_DATASET, ItemFilter, ItemStatus, NewItem, Revision, StoredItem
from gapsmith.bank.seeing import SOMEBODY, Gate
from gapsmith.bank.texts import Layout, TextTable, packed_offsets, unpacked_offsets
from gapsmith.templates import Alignment, Sentence, Source

_TABLES = ("item", "revision", "item_state", "dataset_state")
_PAGE = (
    "SELECT kept.*, revision.*, state.*, place.*, item.dataset, revision.texts AS checksum, revision.paradigm_id AS form_id,"
    " item.status AS shown_status, item.reason AS shown_reason, {label} AS shown_label"
    " FROM json_each(?) AS wanted CROSS JOIN {items} AS item ON item.id = wanted.value"
    " CROSS JOIN item AS kept ON kept.id = wanted.value CROSS JOIN revision ON revision.id = item.revision_id"
    " CROSS JOIN item_state AS state ON state.item_id = wanted.value"
    " CROSS JOIN dataset_state AS place ON place.dataset_id = item.dataset_id"
)
"""Rows of `_TABLES`, side by side, of the items with these ids (a JSON array) as they stand, in the order of the ids: SQLite takes the
tables of a CROSS JOIN in the order in which they are written. A name that several have is the first one's."""


_REVISION = "uid, item_id, number, parent, texts, alike, slots, raw, paradigm_id, author, note, at, call_id"
_REVISION_PLACES = ", ".join("?" * 13)
_BATCH = 5000


class Revised(NamedTuple):
    """A new revision, and the action that one undo takes back."""

    revision_id: int
    action: int


class ItemTable:
    """What is in the bank, as it stands now."""

    def __init__(self, db: Db, paradigms: ParadigmTable, datasets: DatasetTable, texts: TextTable, gate: Gate) -> None:
        self._db = db
        self._gate = gate
        self._paradigms = paradigms
        self._datasets = datasets
        self._texts = texts

    def add(
        self,
        paradigm_id: int,
        items: Sequence[NewItem],
        *,
        run_id: int,
        call_id: int | None = None,
        progress: Callable[[int], None] = lambda _: None,
    ) -> list[int]:
        """Keep new items, all or none; their ids. Raises `BankError` where a label is already taken.

        `progress` is told how many are written so far."""
        name = self._paradigms.name(paradigm_id)
        ids: list[int] = []
        with self._db.write():
            numbers = _Numbering(self._db, {(i.dataset, i.label) for i in items if i.label is not None})
            datasets = {dataset: self._datasets.make(name, dataset) for dataset in dict.fromkeys(item.dataset for item in items)}
            for start in range(0, len(items), _BATCH):
                some = items[start : start + _BATCH]
                placed = []
                for item in some:
                    dataset_id = datasets[item.dataset]
                    label = item.label if item.label is not None else numbers.next(dataset_id, item.dataset)
                    placed.append((item, dataset_id, label))
                self._expect_free(name, placed)
                ids += self._add_some(paradigm_id, placed, run_id, call_id)
                progress(len(ids))
        return ids

    def _expect_free(self, name: str, placed: Sequence[tuple[NewItem, int, str]]) -> None:
        seen: set[tuple[int, str]] = set()
        for _, dataset_id, labels in _by_dataset(placed):
            rows = self._db.tuples(
                "SELECT label FROM item WHERE dataset_id = ? AND label IN (SELECT value FROM json_each(?))",
                (dataset_id, json.dumps(labels)),
            )
            seen |= {(dataset_id, label) for (label,) in rows}
        for item, dataset_id, label in placed:
            if (dataset_id, label) in seen:
                raise BankError(
                    f"{name}: data set {item.dataset!r} already has an item {label!r}",
                    hint="Give the new items a data set of their own with --dataset NAME, or change those there with --update.",
                )
            seen.add((dataset_id, label))

    def _add_some(
        self, paradigm_id: int, placed: Sequence[tuple[NewItem, int, str]], run_id: int, call_id: int | None
    ) -> list[int]:
        # The transaction holds the write lock, so the next ids are ours: rows go in by the thousand.
        (item_id,) = self._db.execute("SELECT coalesce(max(id), 0) FROM item").fetchone()
        (revision_id,) = self._db.execute("SELECT coalesce(max(id), 0) FROM revision").fetchone()
        texts = self._texts.ids([s.text for item, _, _ in placed for s in item.sentences])
        at = now()
        items, revisions, states, sentences = [], [], [], []
        layouts: dict[object, int] = {}
        for item, dataset_id, label in placed:
            item_id, revision_id = item_id + 1, revision_id + 1
            expects = _as_json_list(item.expects) if item.expects is not None else None
            attributes = _json(item.attributes) if item.attributes else None
            items.append((item_id, new_uid(), paradigm_id, dataset_id, label, expects, attributes, run_id, call_id, at))
            row = self._revision_row(item_id, 1, None, paradigm_id, item.slots, item.sentences, item.raw, None, None, at, call_id)
            revisions.append((revision_id, *row))
            states.append((item_id, revision_id, row[4], ItemStatus.PENDING.value))
            for position, s in enumerate(item.sentences):
                key = (
                    s.condition,
                    s.source,
                    s.how,
                    tuple(r.name for r in s.regions) if s.regions is not None else None,
                )
                if key not in layouts:
                    layouts[key] = self._layout(s)
                spans = packed_offsets(s.regions) if s.regions is not None else None
                sentences.append((revision_id, position, layouts[key], texts[s.text], spans, s.why))
        self._db.executemany(
            "INSERT INTO item (id, uid, paradigm_id, dataset_id, label, expects, attributes, run_id, call_id, at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            items,
        )
        self._db.executemany(f"INSERT INTO revision (id, {_REVISION}) VALUES (?, {_REVISION_PLACES})", revisions)
        self._db.executemany("INSERT INTO item_state (item_id, revision_id, texts, status) VALUES (?, ?, ?, ?)", states)
        self._add_sentences(sentences)
        return [item[0] for item in items]

    def _add_sentences(self, rows: Sequence[tuple[Any, ...]]) -> None:
        self._db.executemany(
            "INSERT INTO sentence (revision_id, position, layout_id, text_id, spans, why) VALUES (?, ?, ?, ?, ?, ?)",
            rows,
        )

    @staticmethod
    def _revision_row(
        item_id: int,
        number: int,
        parent: int | None,
        paradigm_id: int,
        slots: Mapping[str, str] | None,
        sentences: Sequence[Sentence],
        raw: Mapping[str, Any] | None,
        author: str | None,
        note: str | None,
        at: str,
        call_id: int | None,
    ) -> tuple[Any, ...]:
        """The columns of `_REVISION`."""
        pairs = [(s.condition, s.text) for s in sentences]
        return (
            new_uid(),
            item_id,
            number,
            parent,
            texts_digest(pairs),
            alike_digest(pairs),
            _json(slots) if slots is not None else None,
            _json(raw) if raw is not None else None,
            paradigm_id,
            author,
            note,
            at,
            call_id,
        )

    def _add_revision(
        self,
        item_id: int,
        number: int,
        parent: int | None,
        paradigm_id: int,
        slots: Mapping[str, str] | None,
        sentences: Sequence[Sentence],
        texts: Mapping[str, int],
        *,
        raw: Mapping[str, Any] | None = None,
        author: str | None = None,
        note: str | None = None,
        call_id: int | None = None,
    ) -> int:
        row = self._revision_row(item_id, number, parent, paradigm_id, slots, sentences, raw, author, note, now(), call_id)
        cursor = self._db.execute(f"INSERT INTO revision ({_REVISION}) VALUES ({_REVISION_PLACES})", row)
        revision_id = cursor.lastrowid
        assert revision_id is not None
        self._add_sentences([self._row(revision_id, i, s, texts[s.text]) for i, s in enumerate(sentences)])
        return revision_id

    def _row(self, revision_id: int, position: int, s: Sentence, text_id: int) -> tuple[Any, ...]:
        spans = packed_offsets(s.regions) if s.regions is not None else None
        return (revision_id, position, self._layout(s), text_id, spans, s.why)

    def _layout(self, s: Sentence) -> int:
        names = tuple(span.name for span in s.regions) if s.regions is not None else None
        return self._texts.layout(Layout(s.condition, names, s.source.value, s.how.value))

    def get(self, item_id: int) -> StoredItem:
        """One item as it stands now. Raises `BankError`."""
        for item in self.iterate(ItemFilter(ids=(item_id,))):
            return item
        raise BankError(f"there is no item with the bank id {item_id}")

    def iterate(self, selection: ItemFilter | None = None, *, chunk: int = 500) -> Iterator[StoredItem]:
        """The selected items in the order in which they came, a chunk at a time.

        Which these are is settled when the first one is asked for, and each chunk is then found by its ids: a page that was
        filtered anew would make SQLite sort all that is left of the selection, once per page. An item whose data set is taken
        out meanwhile is left out; what else changes meanwhile does not change the selection."""
        ids = self.ids(selection)
        select = _PAGE.format(items=self._gate.items, label=self._gate.label)
        for start in range(0, len(ids), chunk):
            page = ids[start : start + chunk]
            rows = list(self._db.checked(_TABLES, select, (json.dumps(page),)))
            self._gate.compare(page)
            sentences = self._sentences([row["revision_id"] for row in rows])
            for row in rows:
                of_item = sentences[row["revision_id"]]
                self._refuse_if_changed(row["checksum"], of_item, f"item {row['shown_label']} of data set {row['dataset']}")
                yield _item(row, tuple(of_item))

    def _sentences(self, revision_ids: Sequence[int]) -> dict[int, list[Sentence]]:
        layouts = {
            number: (layout.condition, layout.regions, _SOURCE[layout.origin], _HOW[layout.how])
            for number, layout in self._texts.layouts().items()
        }
        found: dict[int, list[Sentence]] = defaultdict(list)
        # The texts themselves are compared with the revision's digest over them.
        rows = self._db.tuples(
            "SELECT s.*, t.text, s.revision_id, s.layout_id, s.spans, s.why"
            " FROM json_each(?) AS wanted JOIN sentence s ON s.revision_id = wanted.value"
            " JOIN text t ON t.id = s.text_id ORDER BY s.revision_id, s.position",
            (json.dumps(list(revision_ids)),),
        )
        for row in rows:
            self._db.compare(("sentence",), row)
            text, revision_id, layout, packed, why = row[-5:]
            condition, names, source, how = layouts[layout]
            regions = unpacked_offsets(names, packed) if names is not None else None
            found[revision_id].append(Sentence(condition, text, regions, source, how, why))
        return found

    def _refuse_if_changed(self, checksum: bytes, sentences: Sequence[Sentence], what: str) -> None:
        """Sentences that are not those that the revision was made with are never handed out."""
        if texts_digest([(s.condition, s.text) for s in sentences]) != checksum:
            raise BankError(
                f"{self._db.path}: is damaged: the sentences of {what} are not those that were kept",
                hint="`gapsmith bank check` says how far; `gapsmith bank restore FILE` puts a copy in its place.",
            )

    def ids(self, selection: ItemFilter | None = None) -> list[int]:
        """The bank ids of the selected items, in the order in which they came."""
        clause, values = self._gate.where(selection)
        rows = self._db.execute(f"SELECT item.id FROM {self._gate.items} AS item{clause} ORDER BY item.id", values)
        return [row["id"] for row in rows]

    def count(self, selection: ItemFilter | None = None) -> int:
        """How many items are selected."""
        clause, values = self._gate.where(selection)
        (count,) = self._db.execute(f"SELECT count(*) FROM {self._gate.items} AS item{clause}", values).fetchone()
        return int(count)

    def count_by_status(self, selection: ItemFilter | None = None) -> dict[ItemStatus, int]:
        """How many of the selected items stand where; statuses without items are left out."""
        clause, values = self._gate.where(selection)
        rows = self._db.execute(
            f"SELECT item.status, count(*) AS n FROM {self._gate.items} AS item{clause} GROUP BY item.status", values
        )
        return {ItemStatus(row["status"]): row["n"] for row in rows}

    def datasets(self, paradigm: str | None = None) -> list[str]:
        """The names of the data sets that have items, in the order of their first item."""
        clause, values = self._gate.where(ItemFilter(paradigm=paradigm))
        rows = self._db.execute(
            f"SELECT item.dataset, min(item.id) AS first FROM {self._gate.items} AS item{clause}"
            " GROUP BY item.dataset ORDER BY first",
            values,
        )
        return [row["dataset"] for row in rows]

    def alike_digests(self, selection: ItemFilter | None = None) -> set[bytes]:
        """What stands for the sentences of each selected item, as `gapsmith.bank.digests.alike_digest` makes it; no text is read."""
        clause, values = self._gate.where(selection)
        rows = self._db.tuples(
            f"SELECT revision.alike FROM {self._gate.items} AS item JOIN revision ON revision.id = item.revision_id{clause}",
            values,
        )
        return {digest for (digest,) in rows}

    def revise(
        self,
        item_id: int,
        *,
        slots: Mapping[str, str] | None,
        sentences: Sequence[Sentence],
        author: str,
        note: str | None = None,
        paradigm_id: int | None = None,
        raw: Mapping[str, Any] | None = None,
        action: int | None = None,
        call_id: int | None = None,
    ) -> Revised:
        """Keep a new revision of an item beside the old ones and make it the current one.

        A decision belongs to the texts it was made on: where these change, the item waits for a new one. The edit is an
        event like a decision and can be undone like one, together with those of the same `action`. `paradigm_id` names the form
        that the sentences follow now, `call_id` the call whose answer they come from, where it is one. Raises `LockedError` where the
        bank's reader has locked their decisions on the item and does not adjudicate: these are about its texts."""
        with self._db.write():
            if not self._gate.adjudicating:
                refuse_if_locked(self._db, self._gate.reader, [item_id])
            item = self.get(item_id)
            (number,) = self._db.execute("SELECT max(number) FROM revision WHERE item_id = ?", (item_id,)).fetchone()
            revision_id = self._add_revision(
                item_id,
                number + 1,
                item.revision_id,
                paradigm_id if paradigm_id is not None else item.paradigm_id,
                slots,
                sentences,
                self._texts.ids([s.text for s in sentences]),
                raw=raw if raw is not None else item.raw,
                author=author,
                note=note,
                call_id=call_id,
            )
            event_id = record_edit(self._db, item_id, item.revision_id, revision_id, author=author, note=note, action=action)
        return Revised(revision_id, event_id if action is None else action)

    def at(self, item_id: int, revision_id: int) -> StoredItem:
        """An item as one of its revisions has it. Raises `BankError`."""
        item = self.get(item_id)
        chosen = "SELECT * FROM revision WHERE id = ? AND item_id = ?"
        for row in self._db.checked("revision", chosen, (revision_id, item_id)):
            sentences = tuple(self._sentences([revision_id])[revision_id])
            self._refuse_if_changed(row["texts"], sentences, f"item {item.label} of data set {item.dataset}")
            return replace(
                item,
                revision_id=revision_id,
                revision_number=row["number"],
                paradigm_id=row["paradigm_id"],
                slots=json.loads(row["slots"]) if row["slots"] is not None else None,
                raw=json.loads(row["raw"]) if row["raw"] is not None else None,
                sentences=sentences,
            )
        raise BankError(f"item {item.label} has no revision {revision_id}")

    def revision_uids(self, item_id: int, texts: bytes) -> list[str]:
        """The uids of the revisions of an item that have the texts of this digest, oldest first."""
        rows = self._db.tuples("SELECT uid FROM revision WHERE item_id = ? AND texts = ? ORDER BY number, id", (item_id, texts))
        return [uid.hex() for (uid,) in rows]

    def versions(self, item_id: int) -> list[int]:
        """The newest revisions of an item: one, or several where copies of the bank edited it apart."""
        return heads(self._db, item_id)

    def history(self, item_id: int) -> list[Revision]:
        """All revisions of an item, oldest first; none is ever removed."""
        item = self.get(item_id)
        chosen = (
            f"SELECT *, author IS NULL OR call_id IS NOT NULL OR {self._gate.may_see('author', 'item_id')} AS may_name"
            " FROM revision WHERE item_id = ? ORDER BY number, id"
        )
        rows = list(self._db.checked("revision", chosen, (item_id,)))
        sentences = self._sentences([row["id"] for row in rows])
        for row in rows:
            what = f"item {item.label} of data set {item.dataset} in revision {row['number']}"
            self._refuse_if_changed(row["texts"], sentences[row["id"]], what)
        return [
            Revision(
                row["id"],
                row["number"],
                json.loads(row["slots"]) if row["slots"] is not None else None,
                tuple(sentences[row["id"]]),
                row["author"] if row["may_name"] else SOMEBODY,
                row["note"],
                row["at"],
                row["call_id"],
            )
            for row in rows
        ]


def _by_dataset(placed: Sequence[tuple[NewItem, int, str]]) -> Iterator[tuple[str, int, list[str]]]:
    """Name and id of each data set, with the labels that go into it."""
    found: dict[int, tuple[str, int, list[str]]] = {}
    for item, dataset_id, label in placed:
        found.setdefault(dataset_id, (item.dataset, dataset_id, []))[2].append(label)
    yield from found.values()


class _Numbering:
    """Running labels, looked up once per data set and transaction."""

    def __init__(self, db: Db, taken: set[tuple[str, str | None]]) -> None:
        self._db = db
        self._taken = taken
        self._last: dict[int, int] = {}

    def next(self, dataset_id: int, dataset: str = DEFAULT_DATASET) -> str:
        if dataset_id not in self._last:
            (last,) = self._db.execute(
                "SELECT coalesce(max(CAST(label AS INTEGER)), 0) FROM item WHERE dataset_id = ?", (dataset_id,)
            ).fetchone()
            self._last[dataset_id] = int(last)
        self._last[dataset_id] += 1
        while (dataset, str(self._last[dataset_id])) in self._taken:
            self._last[dataset_id] += 1
        return str(self._last[dataset_id])


_SOURCE = {source.value: source for source in Source}
_HOW = {how.value: how for how in Alignment}
_STATUS = {status.value: status for status in ItemStatus}


def _json(value: Mapping[str, Any]) -> str:
    # In the order given: that of the paradigm's slots, or of a file's columns.
    return _ENCODE(dict(value))


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@lru_cache(maxsize=256)
def _as_json_list(conditions: tuple[str, ...]) -> str:
    return json.dumps(list(conditions), ensure_ascii=False)


@lru_cache(maxsize=256)
def _expected(conditions: str) -> tuple[str, ...]:
    return tuple(json.loads(conditions))


def _item(row: sqlite3.Row, sentences: tuple[Sentence, ...]) -> StoredItem:
    return StoredItem(
        id=row["id"],
        uid=row["uid"],
        label=row["shown_label"],
        # What all items of a set say is kept once.
        dataset=intern(row["dataset"]),
        paradigm=intern(row["paradigm"]),
        paradigm_id=row["form_id"],
        revision_id=row["revision_id"],
        revision_number=row["number"],
        slots=json.loads(row["slots"]) if row["slots"] is not None else None,
        sentences=sentences,
        status=_STATUS[row["shown_status"]],
        reason=row["shown_reason"],
        expects=_expected(row["expects"]) if row["expects"] is not None else None,
        run_id=row["run_id"],
        call_id=row["call_id"],
        created_at=intern(row["at"]),
        attributes=json.loads(row["attributes"]) if row["attributes"] is not None else {},
        raw=json.loads(row["raw"]) if row["raw"] is not None else None,
        forked=bool(row["forked"]),
    )
