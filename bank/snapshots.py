"""Copies of banks in passing, for reading where the bank itself cannot be opened or must not be touched."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from bank.connection import connect_reading, explained
from bank.errors import BankError

__all__ = ["snapshot"]


def snapshot(path: Path, folder: Path) -> Path:
    """Copy the bank as it is now into a folder, with the paradigm files of its workspace, which an upgrade reads; the copy's
    path. Raises `BankError`."""
    copy = folder / path.name
    try:
        try:
            with closing(connect_reading(path)) as reader, closing(sqlite3.connect(copy)) as writer:
                reader.backup(writer)
        except sqlite3.OperationalError:
            # Where SQLite may not write beside the bank, it cannot read the log there; in the folder it can.
            _copy_files(path, copy)
        with suppress(FileNotFoundError):
            shutil.copytree(path.resolve().parent / "paradigms", folder / "paradigms", dirs_exist_ok=True)
    except sqlite3.DatabaseError as error:
        raise explained(error, path) from None
    except (OSError, shutil.Error) as error:
        raise BankError(f"{path}: cannot be copied for reading ({error})") from None
    return copy


def _copy_files(path: Path, copy: Path) -> None:
    copy.unlink(missing_ok=True)
    for _ in range(3):
        before = _stamps(path)
        for ending in ("", "-wal"):
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
        if _stamps(path) == before:
            return
    raise BankError(f"{path}: is being written to by others and may not be opened here", hint="Try again in a moment.")


def _stamps(path: Path) -> list[tuple[int, int] | None]:
    found: list[tuple[int, int] | None] = []
    for ending in ("", "-wal"):
        try:
            stat = path.with_name(path.name + ending).stat()
            found.append((stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            found.append(None)
    return found
