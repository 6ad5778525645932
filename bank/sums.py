"""Checksums of rows: every row of every table carries one in its column ``sum``, over all else that it says. The only place that
says what a row's checksum is, and whether a row agrees with it.

A row's own number and those of the rows that it speaks of are among what it says, and these rows carry checksums of their
own: a number cannot be moved to another sentence, unit, scorer or context unseen. The connections of this program write the
checksums, by triggers that no other program has, and compare them when rows are read (`gapsmith.bank.connection.Db.checked`) and
before rows are changed; `gapsmith.bank.checking` compares all. They tell accident, decay and other programs, not an adversary: whoever
can read this can compute them.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from gapsmith.bank.schema import KEPT, Keeping

COLUMN = "sum"
ABSENT = 0
"""What a row has before its checksum is computed: no checksum at all."""
DAMAGED = "a changed row of "
"""How the message of a trigger begins that refuses to change a row whose checksum does not agree."""


def row_sum(table: str, values: tuple[object, ...]) -> int:
    """The checksum of a row, 64 bits, from its table and its values in the order of its columns, as SQLite has them.

    `ascii` writes numbers, text, bytes and NULL so that no two of them look alike, on every Python. Banks hold what this
    gives: another definition needs a migration."""
    digest = _hash((table + ascii(values)).encode("ascii"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


_hash = hashlib.blake2b
Shape: TypeAlias = tuple[tuple[str, str, bool], ...]
"""Of each column of each table, in their order: the table, its name, and whether it is of the key."""


class Sums:
    """The columns of a bank's tables, and what their rows should say."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.shape = _shape(connection)
        self.columns: dict[str, list[str]] = {table: [] for table in KEPT}
        for table, name, _ in self.shape:
            if table in self.columns:
                self.columns[table].append(name)
        self._place = {table: columns.index(COLUMN) for table, columns in self.columns.items() if COLUMN in columns}

    def agrees(self, table: str, row: tuple[object, ...], start: int = 0) -> bool:
        """Whether a row is what was kept; its columns are those of `row` from `start` on."""
        place, end = start + self._place[table], start + len(self.columns[table])
        said = row[start:place]
        if place + 1 < end:
            said += row[place + 1 : end]
        return row_sum(table, said) == row[place]


def sums_of(connection: sqlite3.Connection) -> Sums | None:
    """By what the rows of a bank are compared with their checksums; None for a bank of before there were any, which a migration is
    about to change."""
    sums = Sums(connection)
    return sums if any(COLUMN in columns for columns in sums.columns.values()) else None


def install(connection: sqlite3.Connection, sums: Sums) -> None:
    """Make this connection keep the checksums: each row that it adds or changes gets its own. To be called before it changes any.

    The triggers are those of the connection and not of the file, so that another program that changes a row cannot make its
    checksum agree. Only rows of the tables that do change are given new ones."""
    _add_function(connection)
    for statement in _triggers(sums.shape):
        connection.execute(statement)


@cache
def _triggers(shape: Shape) -> tuple[str, ...]:
    """The statements that make the triggers of a bank of that shape. Banks of one version are of one shape, and putting the
    statements together takes longer than running them."""
    columns: dict[str, list[str]] = {table: [] for table in KEPT}
    keys: dict[str, list[str]] = {table: [] for table in KEPT}
    for table, name, is_key in shape:
        if table in KEPT:
            columns[table].append(name)
            if is_key:
                keys[table].append(name)
    found = []
    for table, keeping in KEPT.items():
        says = [name for name in columns[table] if name != COLUMN]
        reseal = (
            f"UPDATE {table} SET {COLUMN} = {_call(table, says, 'NEW.')}"
            f" WHERE {' AND '.join(f'{_quoted(name)} = NEW.{_quoted(name)}' for name in keys[table])};"
        )
        found.append(f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_gets_its_sum AFTER INSERT ON main.{table} BEGIN {reseal} END")
        if keeping is Keeping.CHANGED:
            found.append(
                f"CREATE TEMP TRIGGER IF NOT EXISTS {table}_gets_a_new_sum"
                f" AFTER UPDATE OF {', '.join(map(_quoted, says))} ON main.{table} BEGIN"
                f" SELECT RAISE(ABORT, '{DAMAGED}{table}') WHERE OLD.{COLUMN} IS NOT {_call(table, says, 'OLD.')};"
                f" {reseal} END"
            )
    return tuple(found)


def seal(connection: sqlite3.Connection) -> None:
    """Compute the checksums of all rows that have none, within the transaction that is open; for migrations."""
    _add_function(connection)
    for (table,) in connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'").fetchall():
        columns = _columns(connection, table)
        if COLUMN in columns:
            says = [name for name in columns if name != COLUMN]
            connection.execute(f"UPDATE {table} SET {COLUMN} = {_call(table, says, '')} WHERE {COLUMN} = {ABSENT}")


def _add_function(connection: sqlite3.Connection) -> None:
    connection.create_function("gapsmith_sum", -1, lambda table, *values: row_sum(table, values), deterministic=True)


def _call(table: str, names: Sequence[str], which: str) -> str:
    return f"gapsmith_sum('{table}', {', '.join(which + _quoted(name) for name in names)})"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]


def _shape(connection: sqlite3.Connection) -> Shape:
    made = tuple(map(tuple, connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'table' ORDER BY name")))
    # Banks of one version are made by the same words, and asking of each table takes a tenth of opening a bank.
    if (shape := _SHAPES.get(made)) is None:
        shape = _SHAPES[made] = tuple(
            (name, column[1], bool(column[5]))
            for name, _ in made
            for column in connection.execute(f"PRAGMA main.table_info({_quoted(name)})")
        )
    return shape


_SHAPES: dict[tuple[tuple[object, ...], ...], Shape] = {}
