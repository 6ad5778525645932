"""Parses by parser and text: a derived fact like a score, computed once and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gapsmith.bank.connection import Db, canonical, now
from gapsmith.bank.digests import text_digest
from gapsmith.bank.texts import TextTable, batched, places


class ParseTable:
    """What parsers said. The bank keeps a parse as JSON and does not look into it; `parsing` does."""

    def __init__(self, db: Db, texts: TextTable) -> None:
        self._db = db
        self._texts = texts

    def register(self, name: str, identity: Mapping[str, Any]) -> int:
        """The id of the parser with exactly this identity (its model's digest, its settings), new or known."""
        text = canonical(identity)
        with self._db.write():
            row = self._db.execute("SELECT id FROM producer WHERE kind = 'parser' AND identity = ?", (text,)).fetchone()
            if row is not None:
                return int(row["id"])
            cursor = self._db.execute(
                "INSERT INTO producer (kind, name, revision, identity, at) VALUES ('parser', ?, '', ?, ?)",
                (name, text, now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def get(self, parser_id: int, texts: Iterable[str]) -> dict[str, str]:
        """Text to its parse, as JSON, for those of the texts that the parser has read."""
        found: dict[str, str] = {}
        for some in batched(list(dict.fromkeys(texts))):
            rows = self._db.checked(
                ("parse", "text"),
                "SELECT parse.*, text.* FROM text CROSS JOIN parse ON parse.text_id = text.id"
                f" WHERE text.hash IN ({places(some)}) AND producer_id = ?",
                [*map(text_digest, some), parser_id],
            )
            found.update((row["text"], row["tokens"]) for row in rows)
        return found

    def add(self, parser_id: int, parses: Mapping[str, str]) -> None:
        """Keep parses, text to JSON, in one transaction. What is there stays as it is."""
        with self._db.write():
            ids = self._texts.ids(parses)
            self._db.executemany(
                "INSERT INTO parse (producer_id, text_id, tokens) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [(parser_id, ids[text], tokens) for text, tokens in parses.items()],
            )
