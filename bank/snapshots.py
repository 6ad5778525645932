"""Copies of banks in passing, for reading where the bank itself cannot be opened or must not be touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from bank.connection import connect_reading, explained, refuse_what_is_no_bank
from bank.errors import BankError


def snapshot(path: Path, folder: Path) -> Path:
    """Copy the bank as it is now into a folder, with the paradigm files of its workspace, which an upgrade reads; the copy's
    path. Raises `BankError`."""
    refuse_what_is_no_bank(path)
    copy = folder / path.name
    try:
        if _stamps(path)[1] is not None and os.access(path.resolve().parent, os.W_OK):
            # Others may be writing to it now; SQLite knows how to read beside them.
            with closing(connect_reading(path)) as reader, closing(sqlite3.connect(copy)) as writer:
                reader.backup(writer)
        else:
            # Opening it, if only to read, would leave files beside it; where that is not allowed, SQLite cannot read its log.
            _copy_files(path, copy)
        # Many workspaces have no paradigms of their own.
        with suppress(FileNotFoundError):
            shutil.copytree(path.resolve().parent / "paradigms", folder / "paradigms", dirs_exist_ok=True)
    except sqlite3.DatabaseError as error:
        raise explained(error, path) from None
    except (OSError, shutil.Error) as error:
        raise BankError(f"{path}: cannot be copied for reading ({error})") from None
    return copy


_ENDINGS = ("", "-wal", "-journal")


def _copy_files(path: Path, copy: Path) -> None:
    for _ in range(3):
        before = _stamps(path)
        for ending in _ENDINGS:
            target = copy.with_name(copy.name + ending)
            target.unlink(missing_ok=True)
            # A log or journal is there only at times; the stamps say whether one came or went.
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), target)
        if _stamps(path) == before:
            return
    raise BankError(f"{path}: is being written to by others and cannot be copied here", hint="Try again in a moment.")


def _stamps(path: Path) -> list[tuple[int, int] | None]:
    found: list[tuple[int, int] | None] = []
    for ending in _ENDINGS:
        try:
            stat = path.with_name(path.name + ending).stat()
            found.append((stat.st_size, stat.st_mtime_ns))
        except FileNotFoundError:
            found.append(None)
    return found
