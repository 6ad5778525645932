"""The only place that decides whether the file at a bank's path is still the one that is open.

A sync program, or a person with `rm` and `mv`, may put another file at the path or take it away. The open connection goes on
with the old file, which nobody finds any more, and SQLite reports nothing. So whoever writes looks here after each commit
(`gapsmith.bank.connection`), and the review at each poll.

The quick look compares device and inode of the file and of the two that SQLite lays beside it. Disks of a network may number
one file anew; so other numbers of the bank's file lead to a question that only the open file can answer: SQLite writes a
number into the header over the open connection, and the number is read from the path.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from weakref import WeakValueDictionary

_Numbers = tuple[int, int]
"""Device and inode."""
_BESIDE = ("-wal", "-shm")
_TRIES = 3
_PAUSE_S = 0.1


class OpenFile:
    """What this process did to one file, over all its connections to it."""

    def __init__(self) -> None:
        self.commits = 0
        """How many of its transactions changed something."""
        self.saved: Path | None = None
        """Where a copy of it was saved when it was gone from its path."""
        self.saved_at = 0
        """How many commits are in that copy."""


_open_files: WeakValueDictionary[_Numbers, OpenFile] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class Moved:
    """What has happened to the file at the path."""

    what: str
    gone: bool = False
    """There is no file at the path now."""


class BankPath:
    """The path of an open bank, and the files that were there when it was opened."""

    def __init__(self, path: Path) -> None:
        # A command may change its directory.
        self.path = path.absolute()
        # SQLite lays its log beside the file itself, not beside a link to it.
        self._real = path.resolve()
        self.shown = path
        stat = path.stat()
        self._main = stat.st_dev, stat.st_ino
        self._content = stat.st_size, stat.st_mtime_ns
        self._beside = self._numbers_beside()
        self.file = _open_files.setdefault(self._main, OpenFile())

    def began_as(self, stat: os.stat_result) -> bool:
        """Whether that was the file here."""
        return (stat.st_dev, stat.st_ino) == self._main

    def is_that_of(self, other: BankPath) -> bool:
        """Whether both are about one file, by its numbers."""
        return self._main == other._main

    def moved(self, connection: sqlite3.Connection) -> Moved | None:
        """What has happened to the file at the path; None where it is the one that the connection has open. Call it while no
        transaction is open."""
        try:
            stat = self._stat()
        except (FileNotFoundError, NotADirectoryError):
            return Moved("is gone: it was deleted, renamed or moved while it was open", gone=True)
        except OSError as error:
            return Moved(f"cannot be reached any more ({error.strerror})", gone=True)
        beside = self._numbers_beside()
        if (stat.st_dev, stat.st_ino) != self._main:
            if not self._answers(connection):
                return Moved("is another file than the one that was opened: something has put it there meanwhile")
            self._main, self._beside = (stat.st_dev, stat.st_ino), beside
        for ending, known in self._beside.items():
            if known is not None and beside[ending] != known:
                return Moved(f"has lost {self._real.name}{ending}, which another program took away or replaced")
        self._beside = beside
        # Only a checkpoint changes the file itself, so this look is seldom due.
        content = stat.st_size, stat.st_mtime_ns
        if content != self._content:
            if not self._holds_ours(connection):
                return Moved("was written over by another program while it was open")
            self._content = content
        return None

    def _stat(self) -> os.stat_result:
        for _ in range(_TRIES - 1):
            try:
                return self.path.stat()
            except (FileNotFoundError, NotADirectoryError):
                raise
            except OSError:
                # A disk of a network may be away for a moment.
                time.sleep(_PAUSE_S)
        return self.path.stat()

    def _numbers_beside(self) -> dict[str, _Numbers | None]:
        found: dict[str, _Numbers | None] = {}
        for ending in _BESIDE:
            found[ending] = None
            with suppress(OSError):
                stat = self._real.with_name(self._real.name + ending).stat()
                found[ending] = stat.st_dev, stat.st_ino
        return found

    def _answers(self, connection: sqlite3.Connection) -> bool:
        """Whether what is written over the connection can be read from the path."""
        knock = 1 + secrets.randbelow(2**31 - 1)
        with suppress(sqlite3.Error, OSError):
            connection.execute(f"PRAGMA user_version = {knock}")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # Read without the log, which may be ours although the file is not.
            uri = f"{self.path.as_uri()}?mode=ro&immutable=1"
            with closing(sqlite3.connect(uri, uri=True)) as reader:
                return bool(reader.execute("PRAGMA user_version").fetchone() == (knock,))
        return False

    def _holds_ours(self, connection: sqlite3.Connection) -> bool:
        """Whether the file has the bank's name and the newest event that we know of."""
        for attempt in range(_TRIES):
            with suppress(sqlite3.Error, OSError):
                ours = _newest(connection)
                uri = f"{self.path.as_uri()}?mode=ro"
                with closing(sqlite3.connect(uri, uri=True, timeout=30.0)) as reader:
                    found = _newest(reader)
                    there = reader.execute("SELECT 1 FROM event WHERE uid = ?", (ours[1],)).fetchone()
                return found[0] == ours[0] and (ours[1] is None or there is not None)
            if attempt < _TRIES - 1:
                time.sleep(_PAUSE_S)
        return False


def _newest(connection: sqlite3.Connection) -> tuple[str, bytes | None]:
    (bank,) = connection.execute("SELECT value FROM property WHERE name = 'bank'").fetchone()
    event = connection.execute("SELECT uid FROM event ORDER BY id DESC LIMIT 1").fetchone()
    return bank, event[0] if event is not None else None
