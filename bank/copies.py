"""Copies of banks: one to keep, one to go back to, and one to read where the bank itself may not be written to."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from gapsmith.bank.connection import Db, explained, refuse_what_is_no_file
from gapsmith.bank.errors import BankError
from gapsmith.bank.file_copies import RESCUED, copy_all, stamp, sync
from gapsmith.bank.passing import PassingFolder
from gapsmith.bank.snapshots import snapshot
from gapsmith.bank.store import Bank


def uncopied_bytes(path: Path) -> int:
    """How much of the bank lies in its write-ahead log, and would be missing from a copy of the one file."""
    # No log lies beside a bank that was closed.
    with suppress(FileNotFoundError):
        return path.with_name(f"{path.name}-wal").stat().st_size
    return 0


def back_up(path: Path, target: Path | None = None) -> Path:
    """Copy a bank, whole and as of one moment, while others may be writing to it; the copy's path.

    The copy is a single file, by default beside the bank under the time. Raises `BankError` where the target is there already
    or cannot be written, or the bank is no bank; then no file is left."""
    target = target or _stamped(path, "backup")
    if target.is_dir():
        target = _stamped(target / path.name, "backup")
    if target.exists():
        raise BankError(f"{target}: is there already", hint="Give the copy another name. Nothing was written.")
    with _beside(target) as passing:
        partial = passing / target.name
        _copy(path, partial, called=target)
        with Bank.open_copy(partial) as bank:
            found = bank.faults()
        if found:
            raise BankError(f"{path}: {found[0]}", hint="No copy was made. `gapsmith bank check` says what is wrong.")
        _name(partial, target)
    return target


def restore(copy: Path, path: Path) -> tuple[int, Path | None]:
    """Put a copy in a bank's place: how many items it has, and where the bank that was there is kept, if one was.

    The copy is looked through first. Raises `BankError` where it is not whole, or where another program has the bank open;
    then everything is as it was."""
    refuse_what_is_no_file(copy)
    if not copy.is_file():
        raise BankError(f"{copy}: there is no such file", hint="Nothing was changed.")
    if path.exists() and copy.samefile(path):
        raise BankError(f"{copy}: is the bank itself", hint="Name the copy to go back to. Nothing was changed.")
    with _beside(path) as passing:
        try:
            incoming = passing / path.name
            _copy(copy, incoming, called=path)
            _forget_mark(incoming)
            with Bank.open_copy(incoming) as bank:
                found, items = bank.faults(), bank.items.count()
            if found:
                raise BankError(f"{copy}: {found[0]}", hint="Take another copy. Nothing was changed.")
            kept = _set_aside(path) if path.exists() else None
            incoming.replace(path)
        except OSError as error:
            raise BankError(f"{path}: cannot be put in place ({error.strerror})", hint="Nothing was changed.") from None
    return items, kept


def _beside(target: Path) -> PassingFolder:
    """A folder on the target's disk. Raises `BankError`."""
    try:
        return PassingFolder(target.parent)
    except OSError as error:
        raise BankError(f"{target}: cannot be written ({error.strerror})", hint="Nothing was changed.") from None


def _copy(source: Path, copy: Path, *, called: Path) -> None:
    """A copy as one file that needs no log beside it, on disk when this returns; messages call it `called`."""
    try:
        with PassingFolder(copy.parent) as read:
            reader = sqlite3.connect(snapshot(source, read))
            with closing(reader):
                copy_all(reader, source, copy)
        sync(copy)
    except OSError as error:
        raise BankError(f"{called}: cannot be written ({error.strerror})", hint="Nothing was changed.") from None
    except sqlite3.DatabaseError as error:
        # Two files are at work: the one that cannot be written is the target.
        at_target = (getattr(error, "sqlite_errorname", "") or "").startswith(_OF_A_TARGET)
        raise explained(error, called if at_target else source) from None


_OF_A_TARGET = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")


def _forget_mark(path: Path) -> None:
    """What was a copy saved from a bank is the bank now."""
    # A copy of release 0.1.0 has no such table, and one that is damaged is refused by name a moment later.
    with suppress(sqlite3.DatabaseError, BankError), closing(sqlite3.connect(path, isolation_level=None)) as raw:
        db = Db(raw, path)
        with db.write():
            db.execute("DELETE FROM property WHERE name = ?", (RESCUED,))


def _name(partial: Path, target: Path) -> None:
    try:
        # Unlike a renaming, a link never takes the place of a file that has come there meanwhile.
        os.link(partial, target)
    except FileExistsError:
        raise BankError(f"{target}: is there already", hint="Give the copy another name. Nothing was written.") from None
    except OSError:
        shutil.copyfile(partial, target)
        sync(target)


def _set_aside(path: Path) -> Path:
    """Keep the bank under another name, with whatever of it lies beside it; it also stays where it is."""
    # A bank too damaged for SQLite is kept just as it lies there.
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(path, timeout=2.0)) as bank:
        try:
            # Takes the log into the file, and cannot be done while another program has the bank open.
            bank.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise BankError(f"{path}: another program has it open", hint="End that one first. Nothing was changed.") from None
    kept = _stamped(path, "before-restore")
    for ending in ("-wal", "-shm"):
        # Mostly there is no log left.
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(kept.with_name(kept.name + ending))
    _name(path, kept)
    return kept


def _stamped(path: Path, what: str) -> Path:
    number = 1
    while (found := path.with_name(f"{path.name}.{stamp(number)}.{what}")).exists():
        number += 1
    return found
