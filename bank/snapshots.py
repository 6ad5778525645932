"""Copies of banks in passing, for reading where the bank itself cannot be opened or must not be touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from gapsmith.bank.connection import connect_reading, explained, refuse_what_is_no_bank
from gapsmith.bank.errors import BankError


def snapshot(path: Path, folder: Path) -> Path:
    """Copy the bank as it is now into a folder, with the paradigm files of its workspace, which an upgrade reads; the copy's
    path. Raises `BankError`."""
    refuse_what_is_no_bank(path)
    copy = folder / path.name
    try:
        _copy(path, copy)
        # Many workspaces have no paradigms of their own.
        with suppress(FileNotFoundError):
            # A link that leads nowhere is said where the paradigms are read.
            shutil.copytree(
                path.resolve().parent / "paradigms",
                folder / "paradigms",
                dirs_exist_ok=True,
                ignore_dangling_symlinks=True,
            )
    except sqlite3.DatabaseError as error:
        raise explained(error, path) from None
    except (OSError, shutil.Error) as error:
        raise BankError(f"{path}: cannot be copied for reading ({error})") from None
    return copy


_ENDINGS = ("", "-wal", "-journal")


def _copy(path: Path, copy: Path) -> None:
    writable = os.access(path.resolve().parent, os.W_OK)
    for _ in range(3):
        # Looked at each time: who writes may have begun while its files were being copied.
        before = _stamps(path)
        for ending in _ENDINGS:
            copy.with_name(copy.name + ending).unlink(missing_ok=True)
        if before[1] is not None and writable:
            # Others may be writing to it now; SQLite knows how to read beside them.
            with closing(connect_reading(path)) as reader, closing(sqlite3.connect(copy)) as writer:
                reader.backup(writer)
            return
        # Opening it, if only to read, would leave files beside it; where that is not allowed, SQLite cannot read its log.
        for ending in _ENDINGS:
            # A log or journal is there only at times; the stamps say whether one came or went.
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
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
