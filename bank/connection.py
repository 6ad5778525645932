"""One SQLite connection with our settings, explicit transactions, our clock, and errors that say what to do. The only place that
begins and ends a transaction of an open bank; a migration has its own, before the bank is open."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeAlias

from gapsmith.bank.digests import code_of
from gapsmith.bank.errors import BankError, BankMovedError
from gapsmith.bank.place import BankPath, Moved
from gapsmith.bank.sums import DAMAGED, install, sums_of
from gapsmith.templates import FormatError, expect_file

CODE_FUNCTION = "gapsmith_code"
"""`code_of`, as SQL calls it."""
DURABILITY = "FULL"
"""What SQLite's `synchronous` is set to: a commit returns once the disk has it."""


_TRIES, _PAUSE_S = 300, 0.1
_ONLY_READ = ("SELECT ", "PRAGMA ")
"""How statements begin that change no row; any other one is taken for one that may."""


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


def damaged(path: Path, table: str, what: str) -> BankError:
    """What is said of a row that does not agree with its checksum: nothing of it is handed out or changed."""
    return BankError(
        f"{path}: is damaged: a row of its table {table!r} is not what was kept ({what})",
        hint="`gapsmith bank check` says how far; `gapsmith bank restore FILE` puts a copy in its place."
        " Nothing of this row was used.",
    )


ROWS_ARE_FOUND_BY = (
    "dataset",
    "dataset_state",
    "item",
    "item_state",
    "revision",
    "lint_state",
    "look_state",
    "look",
    "finding",
    "producer",
    "block",
)
"""Tables whose damaged row would take others from what is counted without being read itself."""
_NAMES = (
    ("item_id", "item", "SELECT label FROM item WHERE id = ?"),
    ("producer_id", "by", "SELECT name FROM producer WHERE id = ?"),
    ("text_id", "sentence", "SELECT '“' || text || '”' FROM text WHERE id = ?"),
    ("run_id", "run", "SELECT id FROM run WHERE id = ?"),
    ("dataset_id", "data set", "SELECT name FROM dataset_state WHERE dataset_id = ?"),
)
_SAID = ("label", "name", "author", "kind", "condition", "code")


Rescue: TypeAlias = Callable[[sqlite3.Connection, BankPath, Moved], BankMovedError]
"""Saves what an open bank holds whose file has gone from its path, and gives the error that says where it is."""


class Db:
    """A connection whose writes happen in explicit transactions, which nest by joining the outer one, and whose rows carry
    checksums, whoever opened it.

    It is of the thread that made it, and SQLite's module refuses it to every other one: the checksums are computed in Python
    while SQLite holds the connection, so that two threads at one connection would wait for each other for ever. Another thread
    takes a connection of its own (`gapsmith.bank.store.Bank.another`).

    With a `place`, what was written is there for others: after each commit the file at the path is compared with the open one.
    Where it is another one, `rescue` saves all that the open one holds as a copy, and nothing is written any more."""

    def __init__(
        self, connection: sqlite3.Connection, path: Path, *, place: BankPath | None = None, rescue: Rescue | None = None
    ) -> None:
        self.raw = connection
        self.path = path
        self.place = place
        self._rescue = rescue
        self._moved: Moved | None = None
        self._thread = threading.get_ident()
        self._depth = 0
        self.rollbacks = 0
        """How many transactions were taken back; what was remembered of their rows is void."""
        connection.create_function(CODE_FUNCTION, 1, code_of, deterministic=True)
        self.sums = sums_of(connection)
        """By what rows are compared with their checksums; None while a migration is at work on a bank that has none yet."""
        self._keeps_sums = self.sums is None
        self._sound = False
        self._sound_tables: set[str] = set()

    @property
    def is_of_this_thread(self) -> bool:
        """Whether the thread that asks is the one that may use this connection."""
        return threading.get_ident() == self._thread

    def state(self) -> tuple[int, int, int]:
        """What is another one after every change, made over this connection, over others or by taking a transaction back."""
        (version,) = self.execute("PRAGMA data_version").fetchone()
        return version, self.raw.total_changes, self.rollbacks

    def execute(self, sql: str, parameters: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Run one statement. Raises `BankError` for what the disk or another program does; `IntegrityError` passes."""
        try:
            if not self._keeps_sums and not sql.startswith(_ONLY_READ):
                self._keep_sums()
            return self.raw.execute(sql, parameters)
        except sqlite3.IntegrityError as error:
            raise self._refused(error) from None
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    def _keep_sums(self) -> None:
        """From here on, rows get their checksums. Not from the start: it takes longer than all else of opening a bank, and who only
        reads does not need it."""
        assert self.sums is not None
        install(self.raw, self.sums)
        self._keeps_sums = True

    def _refused(self, error: sqlite3.IntegrityError) -> Exception:
        """What SQLite refused: a change of a row that is not what was kept is told as what it is."""
        said = str(error)
        if not said.startswith(DAMAGED):
            return error
        return damaged(self.path, said.removeprefix(DAMAGED), "a row that was to be changed")

    def checked(self, tables: str | Sequence[str], sql: str, parameters: Sequence[Any] = ()) -> Iterator[sqlite3.Row]:
        """Rows of a query that begins with all columns of these tables, one table after the other (``SELECT score.*,
        text.*``), each compared with its checksum. Raises `BankError` for one that is not what was kept."""
        names = (tables,) if isinstance(tables, str) else tables
        rows = self.execute(sql, parameters)
        if self.sums is None:
            yield from rows
            return
        agrees, widths = self.sums.agrees, [len(self.sums.columns[table]) for table in names]
        for row in rows:
            values, start = tuple(row), 0
            for table, width in zip(names, widths, strict=True):
                if not agrees(table, values, start):
                    self.compare(names, row)
                start += width
            yield row

    def compare(self, tables: Sequence[str], row: sqlite3.Row | tuple[Any, ...]) -> None:
        """Raise `BankError` where a row that begins with all columns of these tables is not what was kept."""
        if self.sums is None:
            return
        values, start = tuple(row), 0
        for table in tables:
            if not self.sums.agrees(table, values, start):
                columns = self.sums.columns[table]
                of_table = dict(zip(columns, values[start : start + len(columns)], strict=True))
                raise damaged(self.path, table, self._spoken_of(of_table))
            start += len(self.sums.columns[table])

    def _spoken_of(self, row: Mapping[str, Any]) -> str:
        """What a row is about, in words: the item, sentence, scorer and so on that it names, as far as they can be read."""
        found = []
        for column, noun, query in _NAMES:
            if isinstance(row.get(column), int):
                try:
                    named = self.raw.execute(query, (row[column],)).fetchone()
                except sqlite3.DatabaseError:
                    named = None
                found.append(f"{noun} {named[0] if named is not None else f'number {row[column]}'}")
        found += [f"{name} {row[name]}" for name in _SAID if isinstance(row.get(name), str)]
        if not found:
            found = [f"{name} {value!r}" for name, value in list(row.items())[:1]]
        return ", ".join(found)

    def expect_sound_file(self) -> None:
        """Raise `BankError` where numbers could be missing that no checksum of their own could tell of: where the file's trees and
        indexes are damaged, or a row by which others are found. Looked at once, before the first number is
        read: it takes a hundredth of an analysis."""
        if self._sound:
            return
        (said,) = self.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise BankError(
                f"{self.path}: is damaged ({said}), so that numbers could be missing",
                hint="`gapsmith bank check` says how far; `gapsmith bank restore FILE` puts a copy in its place.",
            )
        self.expect_sound_rows(*ROWS_ARE_FOUND_BY)
        self._sound = True

    def expect_sound_rows(self, *tables: str) -> None:
        """Raise `BankError` where any row of these tables is not what was kept. Each table is looked at once."""
        for table in tables:
            if table not in self._sound_tables:
                for _ in self.checked(table, f"SELECT * FROM {table}"):
                    pass
                self._sound_tables.add(table)

    def property(self, name: str) -> str | None:
        """What the bank keeps under that name about itself; None where it keeps nothing."""
        row = next(self.checked("property", "SELECT * FROM property WHERE name = ?", (name,)), None)
        return row["value"] if row is not None else None

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
            if not self._keeps_sums:
                self._keep_sums()
            self.raw.executemany(sql, rows)
        except sqlite3.IntegrityError as error:
            raise self._refused(error) from None
        except sqlite3.ProgrammingError:
            raise
        except sqlite3.DatabaseError as error:
            raise explained(error, self.path) from error

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction that holds the write lock from its start; committed at the end, rolled back on any error.

        The one way to write to a bank. Raises `BankMovedError` where the bank is not at its path any more; what the transaction
        wrote is in the copy that the error names then, or nothing of it was done."""
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
                # On a full disk SQLite has rolled back by itself; so it has where the bank was closed first, as when a request to stop comes
                # between two steps of Python's `with`.
                with suppress(sqlite3.ProgrammingError):
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
        assert self.place is not None
        assert self._moved is not None
        assert self._rescue is not None
        raise self._rescue(self.raw, self.place, self._moved)


def connect(path: Path, *, create: bool, called: Path | None = None) -> sqlite3.Connection:
    """Open the file with WAL, foreign keys, full durability and a patient lock. Raises `BankError`, which names the file as it is
    `called`, where it is a copy in passing."""
    if create:
        refuse_what_is_no_file(path)
    else:
        refuse_what_is_no_bank(path)
    try:
        connection = sqlite3.connect(path, isolation_level=None, timeout=30.0)
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA synchronous = {DURABILITY}")
        _keep_a_log(connection)
        # 64 MB instead of 2: keys are random, and an import of 100,000 rows touches pages all over the file.
        connection.execute("PRAGMA cache_size = -65536")
        # The triggers of `gapsmith.bank.sums` are temporary objects, for which every statement would look after a file otherwise.
        connection.execute("PRAGMA temp_store = MEMORY")
    except sqlite3.DatabaseError as error:
        if (getattr(error, "sqlite_errorname", "") or "").startswith(("SQLITE_IOERR", "SQLITE_FULL", "SQLITE_NOTADB")):
            raise explained(error, called or path) from None
        raise BankError(f"{called or path}: cannot be opened as a bank ({error})") from None
    return connection


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL. Where two processes begin a bank at once SQLite says at once that it is locked, without the patience that it has
    elsewhere."""
    for left in reversed(range(_TRIES)):
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if not left or not (getattr(error, "sqlite_errorname", "") or "").startswith("SQLITE_BUSY"):
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def connect_reading(path: Path) -> sqlite3.Connection:
    """Open the file for reading; nothing in it is changed. Raises `BankError`, and `sqlite3.OperationalError` where SQLite
    would have to write beside it and may not."""
    refuse_what_is_no_bank(path)
    uri = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30.0)
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
    refuse_what_is_no_file(path)
    if not path.is_file():
        raise BankError(f"{path}: there is no bank here", hint="Run `gapsmith init`, or give the workspace with -w.")
    if path.stat().st_size == 0 and not _has_log(path):
        raise BankError(
            f"{path}: is empty, which a bank never is; what was in it is not in this file",
            hint="Put a copy in its place: gapsmith bank restore FILE. Or move it away, and `gapsmith init` makes a new one.",
        )


def refuse_what_is_no_file(path: Path) -> None:
    """Raise `BankError` for a pipe or a device: SQLite would wait for ever, or read what has no end."""
    try:
        expect_file(path)
    except FormatError as error:
        raise BankError(error.message, hint=error.hint) from None
    except OSError:
        return  # What is not there is said by whoever opens it.


def _has_log(path: Path) -> bool:
    try:
        return path.with_name(f"{path.name}-wal").stat().st_size > 0
    except OSError:
        return False
