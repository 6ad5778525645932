"""The paradigms that a bank's items were made with, kept as they were at that time, and how they are read today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gapsmith.bank.connection import Db, now
from gapsmith.bank.errors import BankError
from gapsmith.templates import (
    Paradigm,
    ParadigmError,
    load_paradigm_file,
    own_paradigm_file,
    paradigm_files,
    parse_paradigm,
    read_as,
    shipped_lexicons,
    text_sha256,
)


@lru_cache(maxsize=64)
def _parsed(text: str, path: str) -> Paradigm:
    return parse_paradigm(text, path=path, kept=True)


@dataclass(frozen=True, slots=True)
class Current:
    """A paradigm as it stands today, and where it was found."""

    paradigm: Paradigm
    where: str
    """``file`` (a file of the workspace or the one it was made from), ``shipped``, or ``bank``: its file is gone, and what the
    bank kept of it is taken."""


class ParadigmTable:
    """Paradigm files as they were, by the digests of their form, words and predictions."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def register(self, paradigm: Paradigm) -> int:
        """Keep the paradigm's file; the id of this very content, new or known. Comments and the order of tables are none."""
        path = self._stored_path(paradigm)
        key = (paradigm.name, paradigm.form_digest, paradigm.words_digest, paradigm.predictions_digest)
        with self._db.write():
            row = self._db.execute(
                "SELECT id, path FROM paradigm WHERE name = ? AND form = ? AND words = ? AND predictions = ?", key
            ).fetchone()
            if row is not None:
                if row["path"] != path:
                    self._db.execute("UPDATE paradigm SET path = ? WHERE id = ?", (path, row["id"]))
                return int(row["id"])
            cursor = self._db.execute(
                "INSERT INTO paradigm (name, form, words, predictions, version, file, path, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (*key, paradigm.version, paradigm.text, path, now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def load(self, paradigm_id: int) -> Paradigm:
        """The paradigm as it was when its items were made. Raises `BankError`, also where its file no longer reads."""
        row = next(self._db.checked("paradigm", "SELECT * FROM paradigm WHERE id = ?", (paradigm_id,)), None)
        if row is None:
            raise BankError(f"{self._db.path}: there is no paradigm with the id {paradigm_id}")
        try:
            return _parsed(row["file"], self._whole_path(row["path"]))
        except ParadigmError as error:
            raise BankError(
                f"{row['name']}: the file that its items were made with is no paradigm file to this release: {error.message}",
                hint=f"Bring paradigms/{row['name']}.toml up to date and run `gapsmith paradigm update {row['name']}`.",
            ) from None

    def is_another(self, paradigm_id: int) -> bool:
        """Whether a row's file has another form than the row says; one that does not read here cannot be held against it."""
        row = self._db.execute("SELECT form FROM paradigm WHERE id = ?", (paradigm_id,)).fetchone()
        try:
            return self.load(paradigm_id).form_digest != str(row["form"])
        except BankError:
            # A file of an older release, or one whose word lists are elsewhere now.
            return False

    def known_by(self, name: str, at: str) -> Iterator[Paradigm]:
        """The paradigm in each form in which the bank kept it at or before that time, oldest first; what no longer reads is passed over."""
        rows = self._db.execute("SELECT id FROM paradigm WHERE name = ? AND at <= ? ORDER BY at, id", (name, at)).fetchall()
        for row in rows:
            try:
                yield self.load(row["id"])
            except BankError:
                continue

    def name(self, paradigm_id: int) -> str:
        """The name of the paradigm. Raises `BankError`."""
        row = self._db.execute("SELECT name FROM paradigm WHERE id = ?", (paradigm_id,)).fetchone()
        if row is None:
            raise BankError(f"{self._db.path}: there is no paradigm with the id {paradigm_id}")
        return str(row["name"])

    def _whole_path(self, path: str) -> str:
        # A path within the workspace is kept relative to it, so that the workspace can be moved.
        return str(self._db.path.resolve().parent / path) if path else ""

    def _stored_path(self, paradigm: Paradigm) -> str:
        path, home = Path(paradigm.path), self._db.path.resolve().parent
        if not paradigm.path or path.resolve().is_relative_to(shipped_lexicons().parent):
            return ""
        return str(path.resolve().relative_to(home) if path.resolve().is_relative_to(home) else path.resolve())

    def names(self) -> list[str]:
        """The names of the paradigms that have items, in the order of their first item."""
        rows = self._db.execute("SELECT paradigm, min(id) AS first FROM current_item GROUP BY paradigm ORDER BY first")
        return [row["paradigm"] for row in rows]

    def current(self, name: str) -> Current:
        """The paradigm of that name today: the workspace's file, else the file it was last made from, else the shipped one,
        else what the bank kept. Raises `BankError` where the bank knows no such paradigm, `ParadigmError` for a broken file
        and for two of the workspace with its name."""
        rows = self._db.execute("SELECT id, path FROM paradigm WHERE name = ? ORDER BY id DESC", (name,)).fetchall()
        if not rows:
            known = ", ".join(self.names()) or "none yet"
            raise BankError(f"the bank has no items of {name!r}", hint=f"Paradigms with items: {known}.")
        shipped = paradigm_files()
        of_workspace = own_paradigm_file(name, self._db.path.resolve().parent)
        last = Path(self._whole_path(rows[0]["path"])) if rows[0]["path"] else None
        for candidate in (of_workspace, last):
            if candidate is not None and candidate.is_file():
                found = _from_file(candidate)
                if found.name == name:
                    return Current(found, "file")
        if name in shipped:
            return Current(_from_file(shipped[name]), "shipped")
        return Current(self.load(rows[0]["id"]), "bank")

    def newest(self, name: str) -> Paradigm:
        """The paradigm as it stands today; see `current`. Raises `BankError` where it has no items."""
        if name not in self.names():
            known = ", ".join(self.names()) or "none yet"
            raise BankError(f"the bank has no items of {name!r}", hint=f"Paradigms with items: {known}.")
        return self.current(name).paradigm

    def reading(self, paradigm_id: int) -> Paradigm:
        """The form that items were made with, under today's predictions: how their sentences are read now.

        Where the bank's text of that form is no paradigm file any more, today's file stands for it."""
        today = self.current(self.name(paradigm_id)).paradigm
        try:
            return read_as(self.load(paradigm_id), today)
        except BankError:
            return today

    def files(self, name: str) -> list[str]:
        """SHA-256 of every file of that name that the bank keeps, as it is written."""
        rows = self._db.checked("paradigm", "SELECT * FROM paradigm WHERE name = ? ORDER BY id", (name,))
        return [text_sha256(row["file"]) for row in rows]

    def versions(self, name: str) -> list[tuple[int, int]]:
        """The (paradigm id, number of items) of every content that current items follow, oldest first."""
        rows = self._db.execute(
            "SELECT revision.paradigm_id, count(*) AS n FROM current_item AS item"
            " JOIN revision ON revision.id = item.revision_id WHERE item.paradigm = ? GROUP BY 1 ORDER BY 1",
            (name,),
        )
        return [(row["paradigm_id"], row["n"]) for row in rows]


def _from_file(path: Path) -> Paradigm:
    stat = path.stat()
    return _read(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _read(path: Path, _modified: int, _size: int) -> Paradigm:
    return load_paradigm_file(path)
