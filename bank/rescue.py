"""Saving what an open bank holds when its file is gone from the path.

The open connection still has all of it, the last commit too, so a copy of the whole bank is saved: beside the path, else
wherever there is room. `gapsmith bank merge` takes such a copy in (`gapsmith.bank.saved_copies`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from gapsmith.bank.connection import Db, explained, now
from gapsmith.bank.elsewhere import folders_elsewhere, is_ours
from gapsmith.bank.errors import BankError, BankMovedError
from gapsmith.bank.file_copies import RESCUED, copy_all, stamp, sync
from gapsmith.bank.passing import PassingFolder
from gapsmith.bank.place import BankPath, Moved


def moved_error(connection: sqlite3.Connection, place: BankPath, moved: Moved) -> BankMovedError:
    """What to raise for a bank that is not at its path any more, after saving what this process has written to it: once for
    all connections to the file, and again only where something came after that."""
    said = f"{place.shown}: {moved.what}. gapsmith writes nothing to it any more"
    file = place.file
    if not file.commits:
        return BankMovedError(f"{said}; it had recorded nothing since it was opened", hint=_again(moved))
    if file.saved is None or file.saved_at != file.commits:
        try:
            file.saved, file.saved_at = save(connection, place.path), file.commits
        except BankError as error:
            return BankMovedError(
                f"{said}, and what it recorded could not be saved:\n{error.message}", hint=error.hint, unsaved=True
            )
        finally:
            # What lies beside the path is the log of our file: another file there must not be read with it.
            with suppress(sqlite3.Error):
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = "" if _is_whole(file.saved) else ", which is damaged: `gapsmith bank check` says how far"
    if moved.gone:
        hint = f"Put the file back where it was, or that copy in its place: gapsmith bank restore {file.saved}"
    else:
        hint = f"Bring it into the bank that is there now: gapsmith bank merge {file.saved}"
    return BankMovedError(
        f"{said}. All that it had recorded is in {file.saved}{whole}", hint=f"{hint}. {_again(moved)}", saved=file.saved
    )


def _again(moved: Moved) -> str:
    return f"Then run the same command again{'' if moved.gone else ', and let no other program replace the file'}."


def save(connection: sqlite3.Connection, path: Path) -> Path:
    """Copy all that an open connection holds, marked as what it is, beside the path or elsewhere; the copy. It is on disk when
    this returns. Raises `BankError` naming each place that did not take it."""
    refused = []
    for folder in (path.parent, *folders_elsewhere()):
        try:
            if folder != path.parent:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not folder.is_dir() or not (folder == path.parent or is_ours(folder)):
                refused.append(f"{folder}: there is no such folder of yours")
                continue
            return _save_in(folder, connection, path)
        except OSError as error:
            refused.append(f"{folder}: {error.strerror}")
        except sqlite3.Error as error:
            refused.append(explained(error, folder).message)
        except BankError as error:
            refused.append(error.message)
    raise BankError("\n".join(refused), hint="Make room in one of these folders: as long as gapsmith runs, it tries again.")


def _save_in(folder: Path, connection: sqlite3.Connection, path: Path) -> Path:
    number = 1
    while (target := folder / f"{path.stem}.rescued-{stamp(number)}{path.suffix}").exists():
        number += 1
    with PassingFolder(folder) as passing:
        partial = passing / target.name
        copy_all(connection, path, partial)
        with closing(sqlite3.connect(partial, isolation_level=None)) as raw:
            db = Db(raw, partial)
            with db.write():
                db.execute("INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)", (RESCUED, now()))
        sync(partial)
        partial.rename(target)
    return target


def _is_whole(path: Path) -> bool:
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as reader:
        return bool(reader.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    return False
