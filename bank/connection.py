"""One SQLite connection with our settings, explicit transactions, our clock, and errors that say what to do."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bank.errors import BankError, BankMovedError
from bank.place import Moved, Place

DURABILITY = "FULL"
"""What SQLite's `synchronous` is set to: a commit returns once the disk has it."""


def now() -> str:
    """The time in UTC, ISO 8601, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def canonical(value: Mapping[str, Any] | Sequence[Any]) -> str:
    """JSON that is equal for equal values: keys sorted, no spaces, non-ASCII kept."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def new_uid() -> bytes:
    """16 random bytes that no other bank has."""
    return os.urandom(16)


def as_uid(text: str) -> bytes:
    """The 16 bytes of a uid that was written in hexadecimal."""
    return bytes.fromhex(text)


def explained(error: sqlite3.Error, path: Path) -> BankError:
    """What an error of SQLite means for the user. The one place that turns the one into the other."""
    code = getattr(error, "sqlite_errorname", "") or ""
    if code.startswith("SQLITE_FULL"):
        return BankError(
            f"{path}: the disk is full, so nothing more could be written",
            hint="Make room and run the same command again; what was committed before is kept.",
        )
    if code.startswith("SQLITE_IOERR"):
        return BankError(
            f"{path}: the disk failed while reading or writing ({error})",
            hint="Look at its free space and health, then run the same command again; what was committed is kept.",
        )
    if code.startswith("SQLITE_READONLY"):
        return BankError(
            f"{path}: may not be written to, so nothing was recorded",
            hint="Work on a copy of the workspace that is yours, or ask for the right to write here.",
        )
    if code.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return BankError(
            f"{path}: cannot be written to now ({error}); nothing was recorded",
            hint="Another program may be writing to it: try again in a moment.",
        )
    if code.startswith("SQLITE_NOTADB"):
        return BankError(
            f"{path}: is not a gapsmith bank, or its beginning is damaged",
            hint="Nothing was changed. `gapsmith bank restore FILE` puts a copy in its place.",
        )
    if code.startswith("SQLITE_CORRUPT"):
        return BankError(
            f"{path}: is damaged ({error})",
            hint="`gapsmith bank check` says how far; `gapsmith bank restore FILE` puts a copy in its place.",
        )
    return BankError(f"{path}: {error}")


class Db:
    """A connection whose writes happen in explicit transactions, which nest by joining the outer one.

    Threads that share it write one after another: each waits until the transaction of another one has ended.

    With a `place`, what was written is there for others: after each commit the file at the path is compared with the open one.
    Where it is another one, all that the open one holds is saved as a copy, and nothing is written any more."""

    def __init__(self, connection: sqlite3.Connection, path: Path, *, place: Place | None = None) -> None:
        self.raw = connection
        self.path = path
        self.place = place
        self._moved: Moved | None = None
        self._writing = threading.RLock()
        self._depth = 0
        self.rollbacks = 0
        """How many transactions were taken back; what was remembered of their rows is void."""

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement. Raises `BankError` for what the disk or another program does; `IntegrityError` passes."""
        try:
            return self.raw.execute(sql, parameters)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def tuples(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one query whose rows come as plain tuples: where there are many, names would take as long as the rest."""
        cursor = self.raw.cursor()
        cursor.row_factory = None
        try:
            return cursor.execute(sql, parameters)
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run one statement for every row; errors as in `execute`."""
        try:
            self.raw.executemany(sql, rows)
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction that holds the write lock from its start; committed at the end, rolled back on any error.

        The one way to write to a bank. Raises `BankMovedError` where the bank is not at its path any more; what the transaction
        wrote is in the copy that the error names then, or nothing of it was done."""
        with self._writing:
            if self._depth:
                yield
                return
            if self._moved is not None:
                self._tell()
            with self._looking_on_errors():
                self.execute("BEGIN IMMEDIATE")
                changes = self.raw.total_changes
                self._depth = 1
                try:
                    yield
                    self.execute("COMMIT")
                except BaseException:
                    self.rollbacks += 1
                    # On a full disk SQLite has rolled back by itself.
                    if self.raw.in_transaction:
                        self.raw.execute("ROLLBACK")
                    raise
                finally:
                    self._depth = 0
            if self.place is not None and self.raw.total_changes != changes:
                self.place.file.commits += 1
            self.look()

    @contextmanager
    def _looking_on_errors(self) -> Iterator[None]:
        # SQLite itself may stumble over a file that was taken away, and calls it damaged or read-only.
        try:
            yield
        except BankMovedError:
            raise
        except (BankError, sqlite3.Error):
            self.look()
            raise

    def look(self) -> None:
        """Raise `BankMovedError` where the file at the path is not the one that is open; what was written here has been saved
        elsewhere then, if any place took it."""
        with self._writing:
            if self.place is None or self._depth:
                return
            if self._moved is None:
                self._moved = self.place.moved(self.raw)
            if self._moved is not None:
                self._tell()

    def look_at_the_end(self) -> None:
        """`look`, for who closes the bank and has written to it: what was said to be recorded has to be there."""
        if self.place is None or not self.place.file.commits:
            return
        if self._moved is not None and self.place.file.saved_at == self.place.file.commits:
            # It was told, and all is in the copy.
            return
        self.look()

    def _tell(self) -> None:
        # It opens banks, and so cannot be known here from the start.
        from bank.rescue import moved_error

        assert self.place is not None
        assert self._moved is not None
        raise moved_error(self.raw, self.place, self._moved)


def connect(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open the file with WAL, foreign keys, full durability and a patient lock. Raises `BankError`."""
    if not create:
        refuse_what_is_no_bank(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30.0, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {DURABILITY}")
        connection.execute("PRAGMA journal_mode = WAL")
        # 64 MB instead of 2: keys are random, and an import of 100,000 rows touches pages all over the file.
        connection.execute("PRAGMA cache_size = -65536")
    except sqlite3.DatabaseError as error:
        if (getattr(error, "sqlite_errorname", "") or "").startswith(("SQLITE_IOERR", "SQLITE_FULL")):
            raise explained(error, path) from None
        raise BankError(f"{path}: cannot be opened as a bank ({error})") from None
    return connection


def connect_reading(path: Path) -> sqlite3.Connection:
    """Open the file for reading; nothing in it is changed. Raises `BankError`, and `sqlite3.OperationalError` where SQLite
    would have to write beside it and may not."""
    refuse_what_is_no_bank(path)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30.0, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.DatabaseError as error:
        connection.close()
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise explained(error, path) from None
    return connection


def refuse_what_is_no_bank(path: Path) -> None:
    """Raise `BankError` for a path where no bank can be, among them an empty file: SQLite would take that for a new one."""
    if not path.is_file():
        raise BankError(f"{path}: there is no bank here", hint="Run `gapsmith init`, or give the workspace with -w.")
    if path.stat().st_size == 0 and not _has_log(path):
        raise BankError(
            f"{path}: is empty, which a bank never is; what was in it is not in this file",
            hint="Put a copy in its place: gapsmith bank restore FILE. Or move it away, and `gapsmith init` makes a new one.",
        )


def _has_log(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False
