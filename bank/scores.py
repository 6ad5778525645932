"""Token surprisals, by scorer, context and text: what was measured once is never measured again, nor changed."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank.asked import REQUEST, with_request, without_request
from gapsmith.bank.connection import Db, canonical, now
from gapsmith.bank.digests import text_digest
from gapsmith.bank.errors import BankError
from gapsmith.bank.records import Scorer
from gapsmith.bank.texts import ContextTable, TextTable, batched, places
from gapsmith.bank.tokens import (
    LOWEST_BITS,
    NATS_PER_BIT,
    Tokens,
    packed_ids,
    packed_mask,
    packed_spans,
    unpacked_ids,
    unpacked_mask,
    unpacked_spans,
)
from gapsmith.bank.undefined import NO_REASON, PART, has_failed

NO_CONTEXT = 0
"""The context in which nothing stands before a text."""
_SAID = ("spans", "ids", "unit", "values", "asked", "complete", "boundary", "reason")
"""The columns of a score that say something of its text, and nothing of where in the file it is."""


@dataclass(frozen=True, slots=True)
class Lacking:
    """A text in a context of which a wanted token has no value."""

    context: int
    text: str
    reason: str
    n_values: int
    """Tokens of it that have one."""

    @property
    def has_failed(self) -> bool:
        """Whether a computation failed, and not the nature of the text left the token without a value."""
        return has_failed(self.reason)


class ScoreTable:
    """Scorers and what they measured."""

    def __init__(self, db: Db, texts: TextTable) -> None:
        self._db = db
        self._texts = texts

    def register(self, model: str, revision: str, identity: Mapping[str, Any], *, kind: str = "lm") -> int:
        """The id of the scorer with exactly this identity, new or known.

        A scorer of release 0.1.0 is known by its revision, dtype and BOS policy, and is this one where they agree."""
        text = canonical(identity)
        with self._db.write():
            row = self._db.execute("SELECT id FROM producer WHERE identity = ?", (text,)).fetchone()
            row = row or self._of_release_0_1_0(revision, identity)
            if row is not None:
                return int(row["id"])
            cursor = self._db.execute(
                "INSERT INTO producer (kind, name, revision, identity, at) VALUES (?, ?, ?, ?, ?)",
                (kind, model, revision, text, now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def _of_release_0_1_0(self, revision: str, identity: Mapping[str, Any]) -> sqlite3.Row | None:
        found: sqlite3.Row | None = self._db.execute(
            "SELECT id FROM producer WHERE identity ->> 'release' = '0.1.0' AND revision = ?"
            " AND identity ->> 'dtype' = ? AND identity ->> 'bos' = ? ORDER BY id LIMIT 1",
            (revision, identity.get("dtype"), identity.get("bos")),
        ).fetchone()
        return found

    def block(self, scorer_id: int, provenance: Mapping[str, Any]) -> int:
        """A new block of values that are computed alike: engine, device, batch, library versions; its id."""
        with self._db.write():
            cursor = self._db.execute(
                "INSERT INTO block (producer_id, provenance, at) VALUES (?, ?, ?)",
                (scorer_id, canonical(with_request(provenance)), now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def provenance(self, scorer_id: int) -> list[tuple[Mapping[str, Any], int]]:
        """How the scorer's values were computed: each different provenance with its number of texts."""
        return self._of_blocks(scorer_id, without_request)

    def requests(self, scorer_id: int) -> list[tuple[Mapping[str, Any], int]]:
        """By which requests the scorer's values were computed or taken in: each with its number of texts; values of older
        releases have none."""
        found = self._of_blocks(scorer_id, lambda provenance: provenance.get(REQUEST, {}))
        return [(request, n) for request, n in found if request]

    def _of_blocks(
        self, scorer_id: int, told: Callable[[Mapping[str, Any]], Mapping[str, Any]]
    ) -> list[tuple[Mapping[str, Any], int]]:
        rows = self._db.checked(
            "block",
            "SELECT block.*, used.n FROM block"
            " JOIN (SELECT block_id, count(*) AS n FROM score WHERE producer_id = ? GROUP BY block_id) used"
            " ON used.block_id = block.id ORDER BY block.id",
            (scorer_id,),
        )
        found: dict[str, int] = {}
        for row in rows:
            own = canonical(told(json.loads(row["provenance"])))
            found[own] = found.get(own, 0) + row["n"]
        return [(json.loads(own), n) for own, n in found.items()]

    def first_at(self, items: Iterable[int]) -> str | None:
        """When the first of these items had a score, by whichever scorer, as they stand or as they stood; None where none has one."""
        (found,) = self._db.execute(
            "SELECT min(block.at) FROM revision JOIN sentence ON sentence.revision_id = revision.id"
            " JOIN producer ON producer.kind <> 'parser'"
            " JOIN (SELECT 0 AS context_id, NULL AS item_id UNION ALL SELECT context_id, item_id FROM context_of) own"
            " ON own.item_id IS NULL OR own.item_id = revision.item_id"
            " JOIN score ON score.producer_id = producer.id AND score.context_id = own.context_id"
            " AND score.text_id = sentence.text_id JOIN block ON block.id = score.block_id"
            " WHERE revision.item_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(items)),),
        ).fetchone()
        return None if found is None else str(found)

    def revision_name(self, scorer: Scorer) -> str:
        """What a scorer's revision was called when it was scored (``step1000``), else the first digits of its digest."""
        for provenance, _ in self.provenance(scorer.id):
            if provenance.get("revision"):
                return str(provenance["revision"])
        return scorer.revision.removeprefix("sha256:")[:8]

    def scorers(self) -> list[Scorer]:
        """All scorers, oldest first."""
        rows = self._db.checked("producer", "SELECT * FROM producer WHERE kind IN ('lm', 'table') ORDER BY id")
        return [_scorer(row) for row in rows]

    def scorer(self, scorer_id: int) -> Scorer:
        """One scorer. Raises `BankError`."""
        row = next(self._db.checked("producer", "SELECT * FROM producer WHERE id = ?", (scorer_id,)), None)
        if row is None:
            raise BankError(f"there is no scorer {scorer_id}")
        return _scorer(row)

    def missing(
        self,
        scorer_id: int,
        texts: Iterable[str],
        *,
        context: int = NO_CONTEXT,
        boundary: bool = False,
        spans: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    ) -> list[str]:
        """The distinct texts that the scorer has not measured whole in that context, in their order; with `boundary`, also those
        that it measured without the mass of word boundaries. `spans`, by text, names the characters ``[start, end)`` that are
        wanted: a text of which all tokens there have values is not missing."""
        wanted = list(dict.fromkeys(texts))
        there: set[str] = set()
        for some in batched(wanted):
            rows = self._db.execute(
                f"SELECT text.text FROM {_OF_TEXTS} WHERE text.hash IN ({places(some)}) AND producer_id = ? AND context_id = ?"
                f" AND complete = 1{' AND boundary IS NOT NULL' if boundary else ''}",
                [*map(text_digest, some), scorer_id, context],
            )
            there.update(row["text"] for row in rows)
        if spans is not None:
            parts = self.get(scorer_id, [text for text in wanted if text not in there], context=context)
            there.update(
                text
                for text, tokens in parts.items()
                if (tokens.boundary is not None or not boundary) and tokens.covers(spans.get(text, [(0, len(text))]))
            )
        return [text for text in wanted if text not in there]

    def lacking(self, scorer_id: int) -> list[Lacking]:
        """What the scorer was asked for, in any run, and has no value for: each text with the reason that was kept."""
        rows = self._db.execute(
            'SELECT context_id, text.text, reason, asked, length("values") AS length FROM score'
            " JOIN text ON text.id = score.text_id WHERE producer_id = ?"
            ' AND (reason IS NOT NULL OR complete = 1 AND asked IS NOT NULL OR length("values") = 0)',
            (scorer_id,),
        )
        return [
            Lacking(
                row["context_id"],
                row["text"],
                row["reason"] or NO_REASON,
                row["length"] if row["asked"] is None else int.from_bytes(row["asked"], "big").bit_count(),
            )
            for row in rows
            if row["reason"] != PART
        ]

    def unlike_in_boundary(self, scorer_id: int, *, boundary: bool) -> set[tuple[int, str]]:
        """Context and text of what was measured with the mass of word boundaries where it is not wanted now, or, where it is
        wanted (`boundary`), of what was measured without."""
        rows = self._db.tuples(
            "SELECT context_id, text.text FROM score JOIN text ON text.id = score.text_id WHERE producer_id = ?"
            f" AND boundary IS {'NULL' if boundary else 'NOT NULL'}",
            (scorer_id,),
        )
        return {(context, text) for context, text in rows}

    def missing_behind(
        self, scorer_id: int, texts: Mapping[int, Sequence[str]], *, boundary: bool = False
    ) -> dict[int, list[str]]:
        """`missing` for many contexts at once: context id to its texts that were not measured whole there."""
        there: dict[int, set[str]] = {}
        for some in batched(list(texts)):
            rows = self._db.tuples(
                "SELECT context_id, text.text FROM score JOIN text ON text.id = score.text_id"
                f" WHERE producer_id = ? AND complete = 1 AND context_id IN ({places(some)})"
                f"{' AND boundary IS NOT NULL' if boundary else ''}",
                [scorer_id, *some],
            )
            for context, text in rows:
                there.setdefault(context, set()).add(text)
        return {
            context: [text for text in dict.fromkeys(own) if text not in there.get(context, ())] for context, own in texts.items()
        }

    def in_contexts(self, scorer_id: int, contexts: Mapping[int, str]) -> Iterator[tuple[int, Tokens]]:
        """Context id and tokens of everything that the scorer has measured behind these contexts, by id as they read."""
        self._db.expect_sound_file()
        for some in batched(list(contexts)):
            rows = self._db.checked(
                ("score", "text"),
                "SELECT score.*, text.* FROM score JOIN text ON text.id = score.text_id"
                f" WHERE producer_id = ? AND context_id IN ({places(some)})",
                [scorer_id, *some],
            )
            for row in rows:
                yield row["context_id"], _tokens(row, contexts[row["context_id"]])

    def measured(self, scorer_id: int, texts: Iterable[str], *, context: int = NO_CONTEXT) -> int:
        """How many of the distinct texts the scorer has measured in that context, in part or whole."""
        found = 0
        for some in batched(list(dict.fromkeys(texts))):
            (count,) = self._db.execute(
                f"SELECT count(*) FROM {_OF_TEXTS} WHERE text.hash IN ({places(some)}) AND producer_id = ? AND context_id = ?",
                [*map(text_digest, some), scorer_id, context],
            ).fetchone()
            found += int(count)
        return found

    def add(
        self,
        scorer_id: int,
        scores: Sequence[Tokens],
        *,
        block: int | None = None,
        context: int = NO_CONTEXT,
        complete: bool = True,
    ) -> None:
        """Keep scores, all in one transaction. Where tokens of a text have values already these stay, and others are added.

        `complete` says that all tokens of the texts were wanted, so that those without a value have none to be had."""
        with self._db.write():
            block = self.block(scorer_id, {}) if block is None else block
            ids = self._texts.ids([tokens.text for tokens in scores])
            known = self._rows(scorer_id, [tokens.text for tokens in scores], context)
            for tokens in scores:
                row = known.get(tokens.text)
                if row is None:
                    self._insert(scorer_id, context, ids[tokens.text], block, tokens, complete)
                else:
                    self._fill(scorer_id, context, row, block, tokens, complete)

    def _insert(self, scorer_id: int, context: int, text_id: int, block: int, tokens: Tokens, complete: bool) -> None:
        if not np.isfinite(tokens.values).all():
            raise ValueError(f"a value of {tokens.text!r} is not a number")
        lowest = float(tokens.values.min(initial=0.0)) / (NATS_PER_BIT if tokens.unit == "nats" else 1.0)
        if lowest < LOWEST_BITS:
            raise BankError(
                f"{self.scorer(scorer_id).model} gives “{tokens.text}” a surprisal of {lowest:.4g} bits, and none is below 0",
                hint="Log probabilities have the other sign. Nothing of these scores was kept.",
            )
        boundary = tokens.boundary.astype("<f4").tobytes() if tokens.boundary is not None else None
        self._db.execute(
            'INSERT INTO score (producer_id, context_id, text_id, block_id, spans, ids, unit, "values", asked, complete,'
            " boundary, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                scorer_id,
                context,
                text_id,
                block,
                packed_spans(tokens.spans, tokens.text),
                packed_ids(tokens.ids),
                tokens.unit,
                tokens.values.astype(_TYPE[tokens.unit]).tobytes(),
                packed_mask(tokens.asked),
                int(complete),
                boundary,
                tokens.reason,
            ),
        )

    def _fill(self, scorer_id: int, context: int, row: sqlite3.Row, block: int, tokens: Tokens, complete: bool) -> None:
        old = _tokens(row, tokens.context)
        if not old.n_values:
            # Nothing was measured, so nothing is changed: a text that failed whole may not even have been cut into tokens.
            if tokens.n_values or complete > row["complete"]:
                self._replace(scorer_id, context, row, block, tokens, complete)
            return
        if old.spans.tolist() != tokens.spans.tolist() or old.unit != tokens.unit:
            raise BankError(
                f"scorer {scorer_id} cut {tokens.text!r} into other tokens before",
                hint="The model's files have changed under the same name; score with another --model name.",
            )
        has = np.ones(len(old.values), dtype=np.bool_) if old.asked is None else old.asked
        gets = np.ones(len(old.values), dtype=np.bool_) if tokens.asked is None else tokens.asked
        gained = gets & ~has
        if not gained.any() and bool(row["complete"]) >= complete and (tokens.boundary is None or old.boundary is not None):
            return
        merged = replace(
            old,
            values=np.where(has, old.values, tokens.values).astype(old.values.dtype),
            asked=has | gets,
            boundary=_both_boundaries(old, tokens, has, gets),
            reason=tokens.reason if complete else _reason_of_part(old, tokens),
        )
        self._replace(scorer_id, context, row, block, merged, complete)

    def _replace(self, scorer_id: int, context: int, row: sqlite3.Row, block: int, tokens: Tokens, complete: bool) -> None:
        self._db.execute(
            "DELETE FROM score WHERE producer_id = ? AND context_id = ? AND text_id = ?",
            (scorer_id, context, row["text_id"]),
        )
        self._insert(scorer_id, context, row["text_id"], block, tokens, complete or bool(row["complete"]))

    def get(self, scorer_id: int, texts: Iterable[str], *, context: int = NO_CONTEXT) -> dict[str, Tokens]:
        """The scores of those of the texts that the scorer has measured in that context, in part or whole."""
        found: dict[str, Tokens] = {}
        before: str | None = None
        own = {text: text for text in texts}
        # One after the other: as rows, hundreds of thousands of texts are as large again. Of each text there is the one that was given.
        for row in self._each_row(scorer_id, own, context):
            if before is None:
                before = ContextTable(self._db, self._texts).text(context)
            text = own[row["text"]]
            found[text] = _tokens(row, before, text)
        return found

    def digests(self, scorer_id: int, texts: Iterable[str], *, contexts: bool = False) -> dict[str, str]:
        """A digest of all that the scorer says of each of the texts that it has measured, where nothing stands before them; with
        `contexts` also behind these. It is the same in every copy of the bank, and another one where any value is."""
        self._db.expect_sound_file()
        found: dict[str, list[bytes]] = {}
        for some in batched(list(dict.fromkeys(texts))):
            where = f"text.hash IN ({places(some)}) AND producer_id = ?{'' if contexts else f' AND context_id = {NO_CONTEXT}'}"
            sql = f"SELECT score.*, text.text FROM {_OF_TEXTS} WHERE {where}"
            for row in self._db.checked("score", sql, [*map(text_digest, some), scorer_id]):
                said = ascii(tuple(row[name] for name in _SAID)).encode("ascii")
                found.setdefault(row["text"], []).append(hashlib.blake2b(said, digest_size=16).digest())
        return {text: hashlib.blake2b(b"".join(sorted(own)), digest_size=16).hexdigest() for text, own in found.items()}

    def _rows(self, scorer_id: int, texts: Iterable[str], context: int) -> dict[str, sqlite3.Row]:
        return {row["text"]: row for row in self._each_row(scorer_id, texts, context)}

    def _each_row(self, scorer_id: int, texts: Iterable[str], context: int) -> Iterator[sqlite3.Row]:
        self._db.expect_sound_file()
        found = 0
        wanted = list(dict.fromkeys(texts))
        for some in batched(wanted):
            # By its digest a text is found whole or not at all.
            rows = self._db.checked(
                "score",
                f"SELECT score.*, text.text FROM {_OF_TEXTS} WHERE text.hash IN ({places(some)}) AND producer_id = ? AND context_id = ?",
                [*map(text_digest, some), scorer_id, context],
            )
            for row in rows:
                found += 1
                yield row
        if found < len(wanted):
            # Not measured, or a damaged row by which it would have been found.
            self._db.expect_sound_rows("text", "score")

    def made_elsewhere(self, scorer_id: int) -> bool:
        """Whether any of the scorer's values was made elsewhere, which values without the numbers of tokens were."""
        (found,) = self._db.execute(
            "SELECT EXISTS (SELECT 1 FROM score WHERE producer_id = ? AND ids IS NULL)", (scorer_id,)
        ).fetchone()
        return bool(found)

    def count(self, scorer_id: int) -> int:
        """How many texts the scorer has measured, each context counted for itself."""
        (count,) = self._db.execute("SELECT count(*) FROM score WHERE producer_id = ?", (scorer_id,)).fetchone()
        return int(count)


def _both_boundaries(old: Tokens, tokens: Tokens, has: NDArray[np.bool_], gets: NDArray[np.bool_]) -> NDArray[np.float32] | None:
    """The masses of both, those that were there first; None where a token with a value would have none on one of its sides,
    since 0 would be read as a mass."""
    there = _beside(has) if old.boundary is not None else np.zeros(len(has) + 1, dtype=np.bool_)
    comes = _beside(gets) if tokens.boundary is not None else np.zeros(len(has) + 1, dtype=np.bool_)
    if (_beside(has | gets) & ~(there | comes)).any():
        return None
    nothing = np.zeros(len(has) + 1, dtype=np.float32)
    first = nothing if old.boundary is None else old.boundary
    second = nothing if tokens.boundary is None else tokens.boundary
    return np.where(there, first, np.where(comes, second, np.float32(0.0))).astype(np.float32)


def _beside(tokens: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n + 1,): the places before and after these tokens."""
    return np.append(tokens, False) | np.insert(tokens, 0, False)


def _reason_of_part(old: Tokens, tokens: Tokens) -> str | None:
    """Why tokens are lacking where only some were wanted again: a failure of before is over where no new one came."""
    return tokens.reason or (None if old.reason is not None and has_failed(old.reason) else old.reason)


_OF_TEXTS = "text CROSS JOIN score ON score.text_id = text.id"
"""Scores of texts that are named by their digests: SQLite takes the tables of a CROSS JOIN in the order in which they are written, and
would else go over all that a scorer has measured, once per statement."""
_TYPE: Mapping[str, str] = {"nats": "<f4", "bits": "<f8"}


def _tokens(row: sqlite3.Row, context: str, text: str | None = None) -> Tokens:
    values: NDArray[np.floating] = np.frombuffer(row["values"], dtype=_TYPE[row["unit"]])
    text = row["text"] if text is None else text
    return Tokens(
        text=text,
        context=context,
        spans=unpacked_spans(row["spans"], text),
        ids=unpacked_ids(row["ids"], len(values)),
        values=values,
        asked=unpacked_mask(row["asked"], len(values)),
        boundary=np.frombuffer(row["boundary"], dtype="<f4") if row["boundary"] is not None else None,
        reason=row["reason"] or (None if row["complete"] else PART),
    )


def _scorer(row: sqlite3.Row) -> Scorer:
    return Scorer(row["id"], row["name"], row["revision"], json.loads(row["identity"]))
