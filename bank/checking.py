"""Whether a bank is whole: the file, its references, its texts against their digests, and what follows from its events."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from gapsmith.bank import migrations, projection
from gapsmith.bank.connection import Db
from gapsmith.bank.digests import text_digest, texts_digest
from gapsmith.bank.errors import BankError
from gapsmith.bank.paradigms import ParadigmTable
from gapsmith.bank.schema import KEPT

_STATES = ("item_state", "decision_state", "judgement_state", "undone", "dataset_state")


def faults(db: Db) -> Iterator[str]:
    """What is wrong with the bank, a sentence each; nothing where all is well, and nothing is changed."""
    looks: tuple[tuple[str, Callable[[Db], Iterator[str]]], ...] = (
        ("the file", _file),
        ("its tables", _tables),
        ("its rows", _rows),
        ("its references", _references),
        ("its texts", _texts),
        ("its revisions", _revisions),
        ("its paradigms", _paradigms),
        ("its events", _states),
    )
    for what, look in looks:
        try:
            yield from look(db)
        except Exception as error:  # noqa: BLE001 - a damaged bank may answer with anything, and that is what is asked
            said = error.message if isinstance(error, BankError) else f"{type(error).__name__}: {error}"
            yield f"{what} cannot be read whole ({said})"


def _file(db: Db) -> Iterator[str]:
    for row in db.execute("PRAGMA integrity_check(20)").fetchall():
        if row[0] != "ok":
            yield f"the file is damaged: {row[0]}"


_TABLES = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"


@cache
def _as_made() -> Mapping[str, tuple[Any, ...]]:
    """What a new bank has of tables, triggers, indexes and views, by name."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as new:
        new.row_factory = sqlite3.Row
        migrations.migrate(new, Path("a new bank"))
        return {row["name"]: tuple(row) for row in new.execute(_TABLES)}


def _tables(db: Db) -> Iterator[str]:
    """Tables, triggers, indexes and views are those that this schema has; an index or a view more does no harm."""
    wanted = _as_made()
    found = {row["name"]: tuple(row) for row in db.execute(_TABLES)}
    for name, said in wanted.items():
        if name not in found:
            yield f"its {said[0]} {name} is not there"
        elif found[name] != said:
            yield f"its {said[0]} {name} is not the one that gapsmith made"
    for name, said in found.items():
        if name not in wanted and said[0] in ("table", "trigger"):
            yield f"holds a {said[0]} {name} that gapsmith did not make and cannot vouch for"


def _rows(db: Db) -> Iterator[str]:
    """Every row of every table against its checksum."""
    for table in KEPT:
        changed, first = 0, ""
        try:
            for row in db.execute(f"SELECT * FROM {table}"):
                try:
                    db.compare((table,), row)
                except BankError as error:
                    changed += 1
                    first = first or error.message.partition("(")[2].rpartition(")")[0]
        except sqlite3.DatabaseError as error:
            yield f"its table {table} cannot be read whole ({error})"
        if changed == 1:
            yield f"a row of its table {table} is not what was kept ({first})"
        elif changed:
            yield f"{changed:,} rows of its table {table} are not what was kept (the first: {first})"


def _references(db: Db) -> Iterator[str]:
    references = db.execute("PRAGMA foreign_key_check").fetchall()
    if references:
        tables = ", ".join(sorted({f"{row['table']} to {row['parent']}" for row in references}))
        yield f"{len(references):,} rows refer to rows that are not there ({tables})"


def _texts(db: Db) -> Iterator[str]:
    changed = sum(text_digest(row["text"]) != row["hash"] for row in db.execute("SELECT text, hash FROM text"))
    if changed:
        yield f"{changed:,} texts are not what they were when they were kept"


def _revisions(db: Db) -> Iterator[str]:
    rows = db.execute(
        "SELECT revision.id, revision.texts, layout.condition, text.text FROM revision"
        " LEFT JOIN sentence ON sentence.revision_id = revision.id LEFT JOIN layout ON layout.id = sentence.layout_id"
        " LEFT JOIN text ON text.id = sentence.text_id ORDER BY revision.id, sentence.position"
    )
    changed = 0
    for (_, digest), members in groupby(rows, key=lambda row: (row["id"], row["texts"])):
        pairs = [(row["condition"], row["text"]) for row in members if row["text"] is not None]
        changed += texts_digest(pairs) != digest
    if changed:
        yield f"{changed:,} revisions do not hold the sentences that they were made with"


def _paradigms(db: Db) -> Iterator[str]:
    table = ParadigmTable(db)
    for row in db.execute("SELECT id, name FROM paradigm ORDER BY id").fetchall():
        if table.is_another(row["id"]):
            yield f"the file of paradigm {row['name']} that the bank keeps is not the one that items were made with"


class _Compared(Exception):  # noqa: N818 - no error: it carries the comparison out of the transaction it takes back
    def __init__(self, differing: list[str]) -> None:
        super().__init__()
        self.differing = differing


def _states(db: Db) -> Iterator[str]:
    """The tables that come out otherwise when they are made again; they are left as they are."""
    before = {table: _content(db, table) for table in _STATES}
    try:
        with db.write():
            projection.rebuild(db)
            raise _Compared([table for table in _STATES if _content(db, table) != before[table]])
    except _Compared as compared:
        if compared.differing:
            yield f"where things stand does not follow from the events ({', '.join(compared.differing)})"
    except sqlite3.IntegrityError as error:
        yield f"where things stand does not follow from the events ({error})"


def _content(db: Db, table: str) -> list[tuple[object, ...]]:
    return sorted((tuple(row) for row in db.execute(f"SELECT * FROM {table}")), key=repr)
