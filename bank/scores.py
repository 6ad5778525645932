"""Token surprisals, by scorer and text: the same text is never scored twice by the same scorer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from bank.connection import Db, canonical, now
from bank.errors import BankError
from bank.records import ScorerSettings, TokenScore, TokenScores

__all__ = ["ScoreTable"]


class ScoreTable:
    """Scorers and what they measured."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def register(self, settings: ScorerSettings) -> int:
        """The id of the scorer with exactly these settings, new or known."""
        text = canonical(asdict(settings))
        with self._db.write():
            row = self._db.execute("SELECT id FROM scorer WHERE settings = ?", (text,)).fetchone()
            if row is not None:
                return int(row["id"])
            cursor = self._db.execute("INSERT INTO scorer (settings, registered_at) VALUES (?, ?)", (text, now()))
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def scorers(self) -> list[tuple[int, ScorerSettings]]:
        """All scorers, oldest first."""
        rows = self._db.execute("SELECT id, settings FROM scorer ORDER BY id")
        return [(row["id"], ScorerSettings(**json.loads(row["settings"]))) for row in rows]

    def settings(self, scorer_id: int) -> ScorerSettings:
        """The settings of a scorer. Raises `BankError`."""
        row = self._db.execute("SELECT settings FROM scorer WHERE id = ?", (scorer_id,)).fetchone()
        if row is None:
            raise BankError(f"there is no scorer {scorer_id}")
        return ScorerSettings(**json.loads(row["settings"]))

    def missing(self, scorer_id: int, texts: Iterable[str]) -> list[str]:
        """The distinct texts that the scorer has not measured yet, in their order."""
        wanted = list(dict.fromkeys(texts))
        rows = self._db.execute(
            "SELECT text FROM score WHERE scorer_id = ? AND text IN (SELECT value FROM json_each(?))",
            (scorer_id, json.dumps(wanted)),
        )
        there = {row["text"] for row in rows}
        return [text for text in wanted if text not in there]

    def add(self, scorer_id: int, scores: Sequence[TokenScores]) -> None:
        """Keep scores, all in one transaction. A text that another process has scored meanwhile is left as it is."""
        with self._db.write():
            self._db.executemany(
                "INSERT OR IGNORE INTO score VALUES (?, ?, ?, ?)",
                [(scorer_id, score.text, _packed(score), score.reason) for score in scores],
            )

    def get(self, scorer_id: int, texts: Iterable[str]) -> dict[str, TokenScores]:
        """The scores of those of the texts that the scorer has measured."""
        found: dict[str, TokenScores] = {}
        wanted = list(dict.fromkeys(texts))
        for start in range(0, len(wanted), 5000):
            rows = self._db.execute(
                "SELECT text, tokens, reason FROM score"
                " WHERE scorer_id = ? AND text IN (SELECT value FROM json_each(?))",
                (scorer_id, json.dumps(wanted[start : start + 5000])),
            )
            for row in rows:
                tokens = tuple(TokenScore(*values) for values in json.loads(row["tokens"]))
                found[row["text"]] = TokenScores(row["text"], tokens, row["reason"])
        return found

    def count(self, scorer_id: int) -> int:
        """How many texts the scorer has measured."""
        (count,) = self._db.execute("SELECT count(*) FROM score WHERE scorer_id = ?", (scorer_id,)).fetchone()
        return int(count)


def _packed(score: TokenScores) -> str:
    # JSON writes a float so that it reads back as the same float; NaN would be a bug and is refused.
    values = [[t.start, t.end, t.surprisal_bits, t.token_id, t.token] for t in score.tokens]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
