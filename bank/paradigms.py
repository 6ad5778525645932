"""The paradigms that a bank's items were made with, kept as they were at that time."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from bank.connection import Db, now
from bank.errors import BankError
from templates import Paradigm, parse_paradigm, shipped_lexicons

__all__ = ["ParadigmTable"]


@lru_cache(maxsize=64)
def _parsed(text: str, path: str) -> Paradigm:
    return parse_paradigm(text, path=path)


class ParadigmTable:
    """Versions of paradigm files, by digest."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def register(self, paradigm: Paradigm) -> int:
        """Keep the paradigm's file; the id of this very version, new or known."""
        path = self._stored_path(paradigm)
        with self._db.write():
            row = self._db.execute("SELECT id FROM paradigm WHERE digest = ?", (paradigm.digest,)).fetchone()
            if row is not None:
                self._db.execute("UPDATE paradigm SET path = ? WHERE id = ?", (path, row["id"]))
                return int(row["id"])
            cursor = self._db.execute(
                "INSERT INTO paradigm (name, version, digest, text, path, registered_at) VALUES (?, ?, ?, ?, ?, ?)",
                (paradigm.name, paradigm.version, paradigm.digest, paradigm.text, path, now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def load(self, paradigm_id: int) -> Paradigm:
        """The paradigm as it was when its items were made."""
        row = self._db.execute("SELECT text, path FROM paradigm WHERE id = ?", (paradigm_id,)).fetchone()
        if row is None:
            raise BankError(f"{self._db.path}: there is no paradigm with the id {paradigm_id}")
        # A path within the workspace is kept relative to it, so that the workspace can be moved.
        return _parsed(row["text"], str(self._db.path.resolve().parent / row["path"]) if row["path"] else "")

    def _stored_path(self, paradigm: Paradigm) -> str:
        path, home = Path(paradigm.path), self._db.path.resolve().parent
        if not paradigm.path or path.resolve().is_relative_to(shipped_lexicons().parent):
            return ""
        return str(path.resolve().relative_to(home) if path.resolve().is_relative_to(home) else path.resolve())

    def names(self) -> list[str]:
        """The names of the paradigms that have items, in the order of their first item."""
        rows = self._db.execute("SELECT paradigm, min(id) AS first FROM item GROUP BY paradigm ORDER BY first")
        return [row["paradigm"] for row in rows]

    def newest(self, name: str) -> Paradigm:
        """The newest version of a paradigm that has items. Raises `BankError` naming those that have."""
        row = self._db.execute(
            "SELECT paradigm_id FROM item WHERE paradigm = ? ORDER BY id DESC LIMIT 1", (name,)
        ).fetchone()
        if row is None:
            known = ", ".join(self.names()) or "none yet"
            raise BankError(f"the bank has no items of {name!r}", hint=f"Paradigms with items: {known}.")
        return self.load(row["paradigm_id"])
