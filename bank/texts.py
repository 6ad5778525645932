"""Texts, contexts, and where regions lie: each kept once."""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from gapsmith.bank.asked import REQUEST, with_request, without_request
from gapsmith.bank.connection import Db, canonical, new_uid
from gapsmith.bank.digests import folded, text_digest
from gapsmith.bank.errors import BankError
from gapsmith.bank.names import as_name
from gapsmith.templates import RegionSpan

_BATCH = 5000
_FEW = 50
"""Fewer contexts than this are read one by one; for more, all are."""
T = TypeVar("T")


def batched(values: Sequence[T]) -> Iterator[Sequence[T]]:
    """The values in runs that fit into one statement."""
    for start in range(0, len(values), _BATCH):
        yield values[start : start + _BATCH]


def places(values: Sequence[object]) -> str:
    """So many question marks."""
    return ",".join("?" * len(values))


class Layout(NamedTuple):
    """What many sentences have in common."""

    condition: str
    regions: tuple[str, ...] | None
    """Region names in order; None where the sentence has no spans."""
    origin: str
    how: str


class TextTable:
    """Texts by their digest, and the region layouts of sentences."""

    def __init__(self, db: Db) -> None:
        self._db = db
        self._layouts: dict[Layout, int] = {}
        self._by_id: dict[int, Layout] = {}
        self._read_at = -1
        """How many rollbacks there had been when these were read: after another one, an id may be another layout's."""
        self._rollbacks = db.rollbacks

    def ids(self, texts: Iterable[str]) -> dict[str, int]:
        """The id of every text, new or known. Call it within a transaction."""
        wanted = {text: text_digest(text) for text in texts}
        self._db.executemany(
            "INSERT OR IGNORE INTO text (hash, text, folded) VALUES (?, ?, ?)",
            ((digest, text, folded(text)) for text, digest in wanted.items()),
        )
        found: dict[bytes, int] = {}
        for some in batched(list(wanted.values())):
            found.update(self._db.tuples(f"SELECT hash, id FROM text WHERE hash IN ({places(some)})", some))
        return {text: found[digest] for text, digest in wanted.items()}

    def layout(self, layout: Layout) -> int:
        """The id of this layout, new or known. Call it within a transaction."""
        if self._rollbacks != self._db.rollbacks:
            # What a transaction made and took back is not there any more.
            self._layouts.clear()
            self._rollbacks = self._db.rollbacks
        if layout not in self._layouts:
            regions = json.dumps(layout.regions, ensure_ascii=False)
            key = (layout.condition, regions, layout.origin, layout.how)
            insert = "INSERT OR IGNORE INTO layout (condition, regions, origin, how) VALUES (?, ?, ?, ?)"
            self._db.execute(insert, key)
            (self._layouts[layout],) = self._db.execute(
                "SELECT id FROM layout WHERE condition = ? AND regions = ? AND origin = ? AND how = ?", key
            ).fetchone()
        return self._layouts[layout]

    def layouts(self) -> dict[int, Layout]:
        """Every layout by its id."""
        found = {}
        for row in self._db.checked("layout", "SELECT * FROM layout"):
            regions = json.loads(row["regions"])
            names = tuple(regions) if regions is not None else None
            found[row["id"]] = Layout(row["condition"], names, row["origin"], row["how"])
        return found

    def layouts_by_id(self, wanted: Iterable[int | None]) -> Mapping[int, Layout]:
        """Layouts by their id, at least those that are wanted; read only where one of them is new."""
        if self._db.rollbacks != self._read_at or not set(wanted) - {None} <= self._by_id.keys():
            self._by_id, self._read_at = self.layouts(), self._db.rollbacks
        return self._by_id


def packed_offsets(spans: Sequence[RegionSpan]) -> bytes:
    """Starts and ends in order, as numbers of one, two or four bytes, whichever all of them fit into."""
    flat = [offset for span in spans for offset in (span.start, span.end)]
    largest = max(flat, default=0)
    kind = "B" if largest < 0x100 else "H" if largest < 0x10000 else "I"
    return struct.pack(f"<{len(flat)}{kind}", *flat)


@lru_cache(maxsize=65_536)
def unpacked_offsets(regions: tuple[str, ...], packed: bytes) -> tuple[RegionSpan, ...]:
    """The spans of a sentence, from its layout and the bytes that `packed_offsets` made."""
    n = 2 * len(regions)
    flat = struct.unpack(f"<{n}{_WIDTH[len(packed) // n] if n else 'B'}", packed)
    return tuple(map(RegionSpan, regions, flat[::2], flat[1::2]))


_WIDTH = {1: "B", 2: "H", 4: "I"}


class ContextSet(NamedTuple):
    """Contexts under one name, and how they were drawn."""

    id: int
    name: str
    sampler: Mapping[str, Any]
    request: Mapping[str, Any] | None = None
    """By which request; None where that is not known."""


class ContextTable:
    """What stands before a sentence when it is measured: chains of sentences, shared by all that begin alike."""

    def __init__(self, db: Db, texts: TextTable) -> None:
        self._db = db
        self._texts = texts

    def register(self, sentences: Sequence[str]) -> int:
        """The id of the context that these sentences make, in their order, new or known; 0 for none."""
        with self._db.write():
            ids = self._texts.ids(sentences)
            parent = 0
            for sentence in sentences:
                key = (parent, ids[sentence])
                row = self._db.execute("SELECT id FROM context WHERE parent = ? AND text_id = ?", key).fetchone()
                if row is not None:
                    parent = int(row["id"])
                    continue
                cursor = self._db.execute("INSERT INTO context (parent, text_id) VALUES (?, ?)", key)
                assert cursor.lastrowid is not None
                parent = cursor.lastrowid
        return parent

    def sentences(self, context_id: int) -> tuple[str, ...]:
        """The sentences of a context, the first one first. Raises `BankError`."""
        found: list[str] = []
        while context_id != 0:
            rows = self._db.checked(
                ("context", "text"),
                "SELECT context.*, text.* FROM context JOIN text ON text.id = text_id WHERE context.id = ?",
                (context_id,),
            )
            row = next(rows, None)
            if row is None:
                raise BankError(f"there is no context {context_id}")
            found.append(row["text"])
            context_id = int(row["parent"])
        return tuple(reversed(found))

    def text(self, context_id: int) -> str:
        """The context as it is measured: its sentences joined by one space."""
        return " ".join(self.sentences(context_id))

    def joined(self, context_ids: Collection[int]) -> dict[int, str]:
        """The contexts as they are measured, by id. Raises `BankError` for one that is not there."""
        if len(context_ids) < _FEW:
            return {own: self.text(own) for own in context_ids}
        rows = {
            row["id"]: (row["parent"], row["text"])
            for row in self._db.checked(
                ("context", "text"), "SELECT context.*, text.* FROM context JOIN text ON text.id = text_id"
            )
        }
        known = {0: ""}
        # A parent is made before its children.
        for own in sorted(rows):
            parent, text = rows[own]
            known[own] = f"{known[parent]} {text}" if parent else text
        unknown = [own for own in context_ids if own not in known]
        if unknown:
            raise BankError(f"there is no context {unknown[0]}")
        return {own: known[own] for own in context_ids}

    def define(self, name: str, sampler: Mapping[str, Any]) -> int:
        """The context set of that name, new or known: `sampler` says how its contexts are drawn. Raises `BankError` where the
        name stands for another sampler."""
        with self._db.write():
            row = self._db.execute("SELECT id, sampler FROM context_set WHERE name = ?", (name,)).fetchone()
            if row is not None:
                if canonical(without_request(json.loads(row["sampler"]))) != canonical(without_request(sampler)):
                    raise BankError(f"the context set {name!r} is there with other settings", hint="Give another name.")
                return int(row["id"])
            as_name(name, "a context set")
            kept = canonical(with_request(sampler))
            cursor = self._db.execute("INSERT INTO context_set (uid, name, sampler) VALUES (?, ?, ?)", (new_uid(), name, kept))
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def sets(self) -> list[ContextSet]:
        """Every context set, oldest first."""
        rows = self._db.checked("context_set", "SELECT * FROM context_set ORDER BY id")
        kept = [(row["id"], row["name"], json.loads(row["sampler"])) for row in rows]
        return [ContextSet(own, name, without_request(said), said.get(REQUEST)) for own, name, said in kept]

    def find(self, name: str) -> ContextSet:
        """The context set of that name. Raises `BankError`."""
        known = {own.name: own for own in self.sets()}
        if name not in known:
            there = f"There are: {', '.join(known)}." if known else "Make one with `gapsmith context draw`."
            raise BankError(f"there is no context set {name!r}", hint=there)
        return known[name]

    def assign(self, set_id: int, contexts: Mapping[tuple[int, int], int], *, lengths: Mapping[int, int] | None = None) -> None:
        """Keep which context an item has at a step: (item id, step) to context id; `lengths`, by context id, in tokens of
        the tokenizer that the set names. What is there stays."""
        known = lengths or {}
        with self._db.write():
            self._db.executemany(
                "INSERT OR IGNORE INTO context_of (set_id, item_id, step, context_id, n_tokens) VALUES (?, ?, ?, ?, ?)",
                [(set_id, item, step, context, known.get(context)) for (item, step), context in contexts.items()],
            )

    def assigned(self, set_id: int) -> dict[tuple[int, int], int]:
        """(item id, step) to context id."""
        rows = self._db.checked("context_of", "SELECT * FROM context_of WHERE set_id = ? ORDER BY item_id, step", (set_id,))
        return {(row["item_id"], row["step"]): row["context_id"] for row in rows}

    def lengths(self, set_id: int) -> dict[int, int]:
        """Context id to its length in tokens, where that was counted."""
        counted = "SELECT * FROM context_of WHERE set_id = ? AND n_tokens IS NOT NULL"
        return {row["context_id"]: row["n_tokens"] for row in self._db.checked("context_of", counted, (set_id,))}
