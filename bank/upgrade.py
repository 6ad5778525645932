"""From schema 3 (release 0.1.0) to the second edition: every fact kept, every number the same.

Uids are derived from content here, so that copies of one bank that are migrated apart agree on what is the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gapsmith.bank.connection import Db, canonical
from gapsmith.bank.digests import alike_digest, folded, text_digest, texts_digest
from gapsmith.bank.projection import rebuild
from gapsmith.bank.release_0_1_0 import OldParadigm
from gapsmith.bank.schema import APPLICATION_ID, TABLES, guards
from gapsmith.bank.texts import packed_offsets
from gapsmith.bank.tokens import packed_ids, packed_mask, packed_spans
from gapsmith.templates import ParadigmError, RegionSpan, parse_paradigm

_OLD = (
    "paradigm",
    "run",
    "call",
    "item",
    "revision",
    "sentence",
    "item_state",
    "event",
    "undone",
    "decision_state",
    "judgement_state",
    "finding",
    "lint_state",
    "scorer",
    "score",
    "draft",
    "habit",
)


def upgrade(db: sqlite3.Connection) -> None:
    """Rebuild the tables within the transaction that is open."""
    # Foreign keys are checked when the transaction ends; until then the old tables are in the way of nothing.
    db.execute("PRAGMA defer_foreign_keys = ON")
    for (index,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL").fetchall():
        db.execute(f"DROP INDEX {index}")
    for table in _OLD:
        db.execute(f"ALTER TABLE {table} RENAME TO old_{table}")
    _make_tables(db)
    _Upgrade(db).run()
    for table in reversed(_OLD):
        db.execute(f"DROP TABLE old_{table}")
    _make_guards(db)


def make_new(db: sqlite3.Connection) -> None:
    """What `upgrade` leaves of a bank that holds nothing, within the transaction that is open."""
    _make_tables(db)
    _make_guards(db)


def _make_tables(db: sqlite3.Connection) -> None:
    for statement in TABLES:
        db.execute(statement)
    db.execute("INSERT INTO property VALUES ('bank', ?)", (uuid.uuid4().hex,))


def _make_guards(db: sqlite3.Connection) -> None:
    for statement in guards():
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")


class _Upgrade:
    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.home = Path(db.execute("PRAGMA database_list").fetchone()["file"]).parent
        self.paradigms: dict[int, int] = {}
        self.forms: dict[int, OldParadigm | None] = {}
        self.names: dict[int, str] = {}
        self.runs: dict[int, bytes] = {}
        self.items: dict[int, bytes] = {}
        self.revisions: dict[int, bytes] = {}
        self.texts: dict[str, int] = {}
        self.layouts: dict[tuple[str, str, str, str], int] = {}

    def run(self) -> None:
        self._paradigms()
        self._runs()
        self._items()
        self._revisions()
        self._events()
        self._findings()
        self._scores()
        for table in ("draft", "habit"):
            self.db.execute(f"INSERT INTO {table} SELECT * FROM old_{table}")

    def _rows(self, sql: str) -> Iterable[sqlite3.Row]:
        return self.db.execute(sql).fetchall()

    def _paradigms(self) -> None:
        for row in self._rows("SELECT * FROM old_paradigm ORDER BY id"):
            self.names[row["id"]] = row["name"]
            try:
                self.forms[row["id"]] = OldParadigm(row["text"])
            except ValueError:
                self.forms[row["id"]] = None
            try:
                paradigm = parse_paradigm(row["text"], path=str(self.home / row["path"]) if row["path"] else "", kept=True)
                digests = (paradigm.form_digest, paradigm.words_digest, paradigm.predictions_digest)
            except ParadigmError:
                digests = (f"unread:{row['digest']}",) * 3
            known = self.db.execute(
                "SELECT id FROM paradigm WHERE name = ? AND form = ? AND words = ? AND predictions = ?",
                (row["name"], *digests),
            ).fetchone()
            if known is not None:
                self.paradigms[row["id"]] = known["id"]
                continue
            self.paradigms[row["id"]] = row["id"]
            self.db.execute(
                "INSERT INTO paradigm (id, name, version, form, words, predictions, file, path, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row["id"], row["name"], row["version"], *digests, row["text"], row["path"], row["registered_at"]),
            )

    def _runs(self) -> None:
        for row in self._rows("SELECT * FROM old_run ORDER BY id"):
            self.runs[row["id"]] = _uid("run", row["identity"], row["started_at"])
            self.db.execute(
                "INSERT INTO run (id, uid, kind, paradigm_id, provider, model, identity, parameters, prompt_name,"
                " prompt_hash, prompt_text, started_at, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    self.runs[row["id"]],
                    row["kind"],
                    self.paradigms[row["paradigm_id"]],
                    row["provider"],
                    row["model"],
                    f"0.1.0:{row['identity']}",
                    row["parameters"],
                    row["prompt_name"],
                    row["prompt_hash"],
                    row["prompt_text"],
                    row["started_at"],
                    row["finished_at"],
                ),
            )
        taken: set[tuple[int, int]] = set()
        for row in self._rows("SELECT * FROM old_call ORDER BY id"):
            number = row["number"]
            while (row["run_id"], number) in taken:
                # Two processes once made the same call; both answers are kept, the later one under the next free number.
                number += 1
            taken.add((row["run_id"], number))
            self.db.execute(
                "INSERT INTO call (id, uid, run_id, number, request, intended_at, replied_at, reply, outcome, finish_reason,"
                " usage, attempts, latency_ms, cost_usd, error, details)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    _uid("call", self.runs[row["run_id"]].hex(), str(row["number"]), row["intended_at"]),
                    row["run_id"],
                    number,
                    row["request"],
                    row["intended_at"],
                    row["replied_at"],
                    row["reply"],
                    row["outcome"],
                    row["finish_reason"],
                    row["usage"],
                    row["attempts"],
                    row["latency_ms"],
                    row["cost_usd"],
                    row["error"],
                    row["details"],
                ),
            )

    def _items(self) -> None:
        datasets: dict[tuple[str, str], int] = {}
        for row in self._rows("SELECT * FROM old_item ORDER BY id"):
            key = (row["paradigm"], row["dataset"])
            if key not in datasets:
                cursor = self.db.execute(
                    "INSERT INTO dataset (uid, paradigm, meta) VALUES (?, ?, '{}')", (_uid("dataset", *key), key[0])
                )
                assert cursor.lastrowid is not None
                datasets[key] = cursor.lastrowid
                self.db.execute("INSERT INTO dataset_state VALUES (?, ?, ?, 0)", (cursor.lastrowid, *key))
            self.items[row["id"]] = _uid("item", *key, row["label"], row["created_at"])
            form = self.forms[row["paradigm_id"]]
            expects = form.designs.get(row["design"]) if form is not None and row["design"] is not None else None
            self.db.execute(
                "INSERT INTO item (id, uid, paradigm_id, dataset_id, label, expects, run_id, call_id, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    self.items[row["id"]],
                    self.paradigms[row["paradigm_id"]],
                    datasets[key],
                    row["label"],
                    json.dumps(expects, ensure_ascii=False) if expects is not None else None,
                    row["run_id"],
                    row["call_id"],
                    row["created_at"],
                ),
            )

    def _revisions(self) -> None:
        parents = {
            payload["to"]: payload["from"]
            for (text,) in self._rows("SELECT payload FROM old_event WHERE kind = 'edit'")
            for payload in (json.loads(text),)
        }
        of_item = {row["id"]: row["paradigm_id"] for row in self._rows("SELECT id, paradigm_id FROM old_item")}
        for row in self._rows("SELECT * FROM old_revision ORDER BY item_id, number"):
            sentences = self.db.execute(
                "SELECT * FROM old_sentence WHERE revision_id = ? ORDER BY position", (row["id"],)
            ).fetchall()
            pairs = [(s["condition"], s["text"]) for s in sentences]
            texts = texts_digest(pairs)
            self.revisions[row["id"]] = _uid(
                "revision",
                self.items[row["item_id"]].hex(),
                str(row["number"]),
                row["author"] or "",
                row["at"],
                texts.hex(),
            )
            old = of_item[row["item_id"]]
            form = self.forms[old]
            slots = _ordered(json.loads(row["slots"]), form) if row["slots"] is not None else None
            self.db.execute(
                "INSERT INTO revision (id, uid, item_id, number, parent, texts, alike, slots, paradigm_id, author, note, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    self.revisions[row["id"]],
                    row["item_id"],
                    row["number"],
                    parents.get(row["id"]),
                    texts,
                    alike_digest(pairs),
                    json.dumps(slots, ensure_ascii=False, separators=(",", ":")) if slots is not None else None,
                    self.paradigms[old],
                    row["author"],
                    row["note"],
                    row["at"],
                ),
            )
            for s in sentences:
                spans = form.spans(s["condition"], s["text"], slots or {}) if form is not None else None
                layout, packed = self._laid_out(s["condition"], s["source"], spans)
                why = None if spans is not None else "release 0.1.0 could not align it with its paradigm"
                self.db.execute(
                    "INSERT INTO sentence (revision_id, position, layout_id, text_id, spans, why) VALUES (?, ?, ?, ?, ?, ?)",
                    (row["id"], s["position"], layout, self._text(s["text"]), packed, why),
                )

    def _laid_out(self, condition: str, origin: str, spans: list[tuple[str, int, int]] | None) -> tuple[int, bytes | None]:
        names = None if spans is None else [name for name, _, _ in spans]
        key = (condition, json.dumps(names, ensure_ascii=False), origin, "none" if spans is None else "aligned")
        if key not in self.layouts:
            insert = "INSERT INTO layout (condition, regions, origin, how) VALUES (?, ?, ?, ?)"
            cursor = self.db.execute(insert, key)
            assert cursor.lastrowid is not None
            self.layouts[key] = cursor.lastrowid
        return self.layouts[key], None if spans is None else packed_offsets([RegionSpan(*span) for span in spans])

    def _text(self, text: str) -> int:
        if text not in self.texts:
            cursor = self.db.execute(
                "INSERT INTO text (hash, text, folded) VALUES (?, ?, ?)", (text_digest(text), text, folded(text))
            )
            assert cursor.lastrowid is not None
            self.texts[text] = cursor.lastrowid
        return self.texts[text]

    def _events(self) -> None:
        uids: dict[int, bytes] = {}
        before = b""
        for row in self._rows("SELECT * FROM old_event ORDER BY id"):
            payload: dict[str, Any] = json.loads(row["payload"])
            if row["kind"] in ("undo", "redo"):
                payload = {"target": uids[payload["action"]].hex()}
            elif row["kind"] == "edit":
                payload = {**payload, **{end: self.revisions[payload[end]].hex() for end in ("from", "to")}}
            item, revision = self.items.get(row["item_id"], b""), self.revisions.get(row["revision_id"], b"")
            # Each uid goes into the next one, so that two events that say the same at the same time stay two.
            uids[row["id"]] = before = _uid(
                "event",
                before.hex(),
                row["kind"],
                item.hex(),
                revision.hex(),
                row["author"],
                row["at"],
                canonical(payload),
            )
            self.db.execute(
                "INSERT INTO event (id, uid, bank, seq, action, kind, item_id, revision_id, author, at, payload)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    row["id"],
                    before,
                    f"0.1.0:{before.hex()}",
                    row["id"],
                    row["action"],
                    row["kind"],
                    row["item_id"],
                    row["revision_id"],
                    row["author"],
                    row["at"],
                    canonical(payload),
                ),
            )
        self.db.execute(
            "INSERT INTO item_state (item_id, revision_id, texts, status)"
            " SELECT item_id, id, texts, 'pending' FROM revision WHERE number = 1"
        )
        rebuild(Db(self.db, self.home))

    def _findings(self) -> None:
        self.db.execute("INSERT INTO ruleset (identity) SELECT DISTINCT ruleset FROM old_lint_state")
        self.db.execute(
            "INSERT INTO lint_state SELECT l.item_id, l.revision_id, ruleset.id, l.at FROM old_lint_state l"
            " JOIN ruleset ON ruleset.identity = l.ruleset"
        )
        # A finding about a set was kept by paradigm; where that has one data set it is that one's, else lint says it again.
        self.db.execute(
            "INSERT INTO finding (id, dataset_id, item_id, code, severity, rank, title, message, remedy, condition, start,"
            ' "end", slot) SELECT f.id, coalesce(item.dataset_id, alone.dataset_id), f.item_id, f.code, f.severity, f.rank,'
            " '', f.message, f.remedy, f.condition, f.start, f.\"end\", f.slot FROM old_finding f"
            " LEFT JOIN item ON item.id = f.item_id LEFT JOIN (SELECT paradigm, min(dataset_id) AS dataset_id"
            " FROM dataset_state GROUP BY paradigm HAVING count(*) = 1) alone ON alone.paradigm = f.paradigm"
            " WHERE coalesce(item.dataset_id, alone.dataset_id) IS NOT NULL"
        )

    def _scores(self) -> None:
        for row in self._rows("SELECT * FROM old_scorer ORDER BY id"):
            settings: Mapping[str, Any] = json.loads(row["settings"])
            extra = dict(settings["extra"])
            versions = {name: extra.pop(name) for name in ("device", "torch", "transformers", "tokenizers") if name in extra}
            identity = {
                "release": "0.1.0",
                "number": row["id"],
                "revision": settings["revision"],
                "dtype": settings["dtype"],
                "bos": settings["bos"],
                **extra,
            }
            self.db.execute(
                "INSERT INTO producer (id, kind, name, revision, identity, at) VALUES (?, 'lm', ?, ?, ?, ?)",
                (row["id"], settings["model"], settings["revision"], canonical(identity), row["registered_at"]),
            )
            self.db.execute(
                "INSERT INTO block (id, producer_id, provenance, at) VALUES (?, ?, ?, ?)",
                (row["id"], row["id"], canonical({"engine": settings["engine"], **versions}), row["registered_at"]),
            )
        for row in self.db.execute("SELECT * FROM old_score"):
            self._score(row)

    def _score(self, row: sqlite3.Row) -> None:
        tokens = json.loads(row["tokens"])
        spans = np.array([token[:2] for token in tokens], dtype=np.int32).reshape(-1, 2)
        bits = np.array([0.0 if token[2] is None else token[2] for token in tokens], dtype=np.float64)
        asked = np.array([token[2] is not None for token in tokens], dtype=np.bool_)
        nats = np.asarray(bits * math.log(2.0), dtype=np.float32)
        # Release 0.1.0 made its bits from float32 nats; what does not come back exactly from those stays as it is.
        exact = bool((nats.astype(np.float64) / math.log(2.0) == bits).all())
        values = nats.astype("<f4").tobytes() if exact else bits.astype("<f8").tobytes()
        self.db.execute(
            'INSERT INTO score (producer_id, context_id, text_id, block_id, spans, ids, unit, "values", asked, complete,'
            " reason) VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, 1, ?)",
            (
                row["scorer_id"],
                self._text(row["text"]),
                row["scorer_id"],
                packed_spans(spans, row["text"]),
                packed_ids(tuple(token[3] for token in tokens)),
                "nats" if exact else "bits",
                values,
                packed_mask(asked),
                row["reason"],
            ),
        )


def _ordered(slots: dict[str, str], form: OldParadigm | None) -> dict[str, str]:
    known = form.every_slot if form is not None else []
    return {**{name: slots[name] for name in known if name in slots}, **slots}


def _uid(*parts: str) -> bytes:
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).digest()
