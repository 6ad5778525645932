"""Copies of a bank's file, as they are made and named."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from gapsmith.bank.errors import BankError

RESCUED = "rescued"
"""The property that marks a copy that was saved because the bank was gone from its path, with the time."""


def copy_all(reader: sqlite3.Connection, source: Path, target: Path) -> None:
    """Copy what a connection to a bank holds into a file that needs no log beside it. Raises `BankError` for other databases,
    and SQLite's errors."""
    if not reader.execute("SELECT 1 FROM sqlite_master WHERE name = 'migration'").fetchone():
        raise BankError(f"{source}: is not a gapsmith bank", hint="Nothing was changed.")
    with closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode = DELETE")


def sync(path: Path) -> None:
    """Return once the disk has the file."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def stamp(number: int = 1) -> str:
    """The time as file names have it; with a number, for a further file of the same second."""
    time = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    return time if number == 1 else f"{time}-{number}"
