"""One SQLite connection with our settings, explicit transactions and our clock."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bank.errors import BankError

__all__ = ["Db", "canonical", "connect", "now"]


def now() -> str:
    """The time in UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def canonical(value: Mapping[str, Any]) -> str:
    """JSON that is equal for equal values: keys sorted, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


class Db:
    """A connection whose writes happen in explicit transactions, which nest by joining the outer one."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.raw = connection
        self.path = path
        self._depth = 0

    def execute(self, sql: str, parameters: tuple[Any, ...] | list[Any] = ()) -> sqlite3.Cursor:
        """Run one statement."""
        return self.raw.execute(sql, parameters)

    def executemany(self, sql: str, rows: Iterator[tuple[Any, ...]] | list[tuple[Any, ...]]) -> None:
        """Run one statement for every row."""
        self.raw.executemany(sql, rows)

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction that holds the write lock from its start; committed at the end, rolled back on any error."""
        if self._depth:
            yield
            return
        try:
            self.raw.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise BankError(
                f"{self.path}: cannot be written to now ({error}); nothing was recorded",
                hint="Another program may be writing to it: try again in a moment.",
            ) from None
        self._depth = 1
        try:
            yield
            self.raw.execute("COMMIT")
        except BaseException as error:
            # SQLite itself takes a transaction back where the disk is full.
            if self.raw.in_transaction:
                self.raw.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise BankError(
                    f"{self.path}: cannot be written to ({error}); nothing of this step was recorded",
                    hint="If the disk is full, make room; then run the same command again.",
                ) from None
            raise
        finally:
            self._depth = 0


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open the file with WAL, foreign keys, full durability and a patient lock. Raises `BankError`."""
    if not create and not path.is_file():
        raise BankError(f"{path}: there is no bank here", hint="Run `gapsmith init`, or give the workspace with -w.")
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30.0, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
    except sqlite3.DatabaseError as error:
        raise BankError(f"{path}: cannot be opened as a bank ({error})") from None
    return connection
