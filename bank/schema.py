"""The tables of the second edition. What they mean is said once, here; `gapsmith.bank.migrations` brings older banks to them.

- A **text** is stored once. A **sentence** is a text of a revision in a **layout** (its condition, its region names in
  order, where it came from and how it was aligned), with its spans: start and end of each of these regions.
- **item**, **revision**, **sentence**, **text** and **event** are only ever added to; triggers refuse anything else.
  `dataset_state`, `item_state`, `decision_state`, `judgement_state` and `undone` follow from the events.
- A **producer** (a language model with its settings, a parser) says something of a text: a **score** behind a context,
  or a **parse**. A **block** keeps how values were computed. Rows are added, or filled up where tokens were not asked.
- Every row carries a checksum over what it says in its column ``sum`` (`gapsmith.bank.sums`), which `KEPT` has a rule for.
- A **uid** is 16 bytes that name a thing in every copy of the bank; integer ids are this file's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

APPLICATION_ID = 0x67617073
"""``gaps``: tells the file apart from other SQLite files."""

_UID = "uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16)"

TABLES: tuple[str, ...] = (
    "CREATE TABLE property (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE text (
        id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 16), text TEXT NOT NULL,
        folded TEXT) STRICT""",
    """CREATE TABLE context (
        id INTEGER PRIMARY KEY, parent INTEGER REFERENCES context(id), text_id INTEGER REFERENCES text(id),
        UNIQUE (parent, text_id)) STRICT""",
    "INSERT INTO context (id) VALUES (0)",
    f"""CREATE TABLE context_set (
        id INTEGER PRIMARY KEY, {_UID}, name TEXT NOT NULL UNIQUE, sampler TEXT NOT NULL CHECK (json_valid(sampler))) STRICT""",
    """CREATE TABLE paradigm (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL, form TEXT NOT NULL, words TEXT NOT NULL,
        predictions TEXT NOT NULL, file TEXT NOT NULL, path TEXT NOT NULL, at TEXT NOT NULL,
        UNIQUE (name, form, words, predictions)) STRICT""",
    f"""CREATE TABLE dataset (
        id INTEGER PRIMARY KEY, {_UID}, paradigm TEXT NOT NULL, meta TEXT NOT NULL CHECK (json_valid(meta))) STRICT""",
    """CREATE TABLE dataset_state (
        dataset_id INTEGER PRIMARY KEY REFERENCES dataset(id), paradigm TEXT NOT NULL, name TEXT NOT NULL,
        removed INTEGER NOT NULL CHECK (removed IN (0, 1))) STRICT""",
    "CREATE UNIQUE INDEX dataset_by_name ON dataset_state(paradigm, name) WHERE removed = 0",
    f"""CREATE TABLE run (
        id INTEGER PRIMARY KEY, {_UID}, kind TEXT NOT NULL, paradigm_id INTEGER NOT NULL REFERENCES paradigm(id),
        provider TEXT NOT NULL, model TEXT, identity TEXT NOT NULL UNIQUE,
        parameters TEXT NOT NULL CHECK (json_valid(parameters)),
        prompt_name TEXT, prompt_hash TEXT, prompt_text TEXT, started_at TEXT NOT NULL, finished_at TEXT) STRICT""",
    f"""CREATE TABLE call (
        id INTEGER PRIMARY KEY, {_UID}, run_id INTEGER NOT NULL REFERENCES run(id), number INTEGER NOT NULL,
        request TEXT NOT NULL CHECK (json_valid(request)), intended_at TEXT NOT NULL, replied_at TEXT, reply TEXT,
        outcome TEXT, finish_reason TEXT, usage TEXT NOT NULL DEFAULT '{{}}' CHECK (json_valid(usage)),
        attempts INTEGER NOT NULL DEFAULT 0, latency_ms INTEGER, cost_usd REAL, error TEXT,
        details TEXT NOT NULL DEFAULT '{{}}' CHECK (json_valid(details)), UNIQUE (run_id, number)) STRICT""",
    f"""CREATE TABLE item (
        id INTEGER PRIMARY KEY, {_UID}, paradigm_id INTEGER NOT NULL REFERENCES paradigm(id),
        dataset_id INTEGER NOT NULL REFERENCES dataset(id), label TEXT NOT NULL,
        expects TEXT CHECK (expects IS NULL OR json_valid(expects)),
        attributes TEXT CHECK (attributes IS NULL OR json_valid(attributes)),
        run_id INTEGER NOT NULL REFERENCES run(id), call_id INTEGER REFERENCES call(id), at TEXT NOT NULL,
        UNIQUE (dataset_id, label)) STRICT""",
    """CREATE TABLE context_of (
        set_id INTEGER NOT NULL REFERENCES context_set(id), item_id INTEGER NOT NULL REFERENCES item(id),
        step INTEGER NOT NULL, context_id INTEGER NOT NULL REFERENCES context(id),
        PRIMARY KEY (set_id, item_id, step)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX item_by_run ON item(run_id)",
    "CREATE INDEX item_by_call ON item(call_id)",
    f"""CREATE TABLE revision (
        id INTEGER PRIMARY KEY, {_UID}, item_id INTEGER NOT NULL REFERENCES item(id), number INTEGER NOT NULL,
        parent INTEGER REFERENCES revision(id), texts BLOB NOT NULL CHECK (length(texts) = 16),
        alike BLOB NOT NULL CHECK (length(alike) = 16),
        slots TEXT CHECK (slots IS NULL OR json_valid(slots)), raw TEXT CHECK (raw IS NULL OR json_valid(raw)),
        paradigm_id INTEGER NOT NULL REFERENCES paradigm(id), call_id INTEGER REFERENCES call(id),
        author TEXT, note TEXT, at TEXT NOT NULL) STRICT""",
    "CREATE INDEX revision_by_item ON revision(item_id, number)",
    """CREATE TABLE layout (
        id INTEGER PRIMARY KEY, condition TEXT NOT NULL, regions TEXT NOT NULL CHECK (json_valid(regions)),
        origin TEXT NOT NULL, how TEXT NOT NULL CHECK (how IN ('aligned', 'given', 'carried', 'none')),
        UNIQUE (condition, regions, origin, how), CHECK ((how = 'none') = (regions = 'null'))) STRICT""",
    """CREATE TABLE sentence (
        revision_id INTEGER NOT NULL REFERENCES revision(id), position INTEGER NOT NULL,
        layout_id INTEGER NOT NULL REFERENCES layout(id), text_id INTEGER NOT NULL REFERENCES text(id), spans BLOB,
        why TEXT, PRIMARY KEY (revision_id, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE item_state (
        item_id INTEGER PRIMARY KEY REFERENCES item(id), revision_id INTEGER NOT NULL REFERENCES revision(id),
        texts BLOB NOT NULL, reason TEXT,
        status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'excluded', 'flagged', 'disputed')),
        forked INTEGER NOT NULL DEFAULT 0 CHECK (forked IN (0, 1))) STRICT""",
    "CREATE INDEX item_state_by_status ON item_state(status, item_id)",
    """CREATE VIEW current_item AS
        SELECT item.id, item.uid, item.label, item.expects, item.attributes, item.run_id, item.call_id, item.at,
          item.dataset_id, dataset_state.paradigm, dataset_state.name AS dataset, item_state.revision_id,
          item_state.texts, item_state.status, item_state.reason, item_state.forked
        FROM item JOIN item_state ON item_state.item_id = item.id
          JOIN dataset_state ON dataset_state.dataset_id = item.dataset_id
        WHERE dataset_state.removed = 0""",
    f"""CREATE TABLE event (
        id INTEGER PRIMARY KEY, {_UID}, bank TEXT NOT NULL, seq INTEGER NOT NULL, action INTEGER NOT NULL,
        kind TEXT NOT NULL, item_id INTEGER REFERENCES item(id), revision_id INTEGER REFERENCES revision(id),
        author TEXT NOT NULL, at TEXT NOT NULL, payload TEXT NOT NULL CHECK (json_valid(payload)),
        UNIQUE (bank, seq)) STRICT""",
    "CREATE INDEX event_by_item ON event(item_id, id)",
    "CREATE INDEX event_by_author ON event(author, id)",
    "CREATE INDEX event_by_action ON event(action)",
    "CREATE TABLE undone (action INTEGER PRIMARY KEY) STRICT",
    """CREATE TABLE decision_state (
        item_id INTEGER NOT NULL REFERENCES item(id), author TEXT NOT NULL, kind TEXT NOT NULL,
        revision_id INTEGER NOT NULL, texts BLOB NOT NULL, verdict TEXT NOT NULL, reason TEXT, comment TEXT,
        event_id INTEGER NOT NULL, PRIMARY KEY (item_id, author, kind)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX decision_state_by_author ON decision_state(author, item_id)",
    """CREATE TABLE judgement_state (
        item_id INTEGER NOT NULL REFERENCES item(id), author TEXT NOT NULL, condition TEXT NOT NULL,
        revision_id INTEGER NOT NULL, texts BLOB NOT NULL, rating TEXT NOT NULL, event_id INTEGER NOT NULL,
        PRIMARY KEY (item_id, author, condition)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE ruleset (
        id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE) STRICT""",
    """CREATE TABLE lint_state (
        item_id INTEGER PRIMARY KEY REFERENCES item(id), revision_id INTEGER NOT NULL,
        ruleset_id INTEGER NOT NULL REFERENCES ruleset(id), at TEXT NOT NULL) STRICT""",
    """CREATE TABLE finding (
        id INTEGER PRIMARY KEY, dataset_id INTEGER NOT NULL REFERENCES dataset(id), item_id INTEGER REFERENCES item(id),
        code TEXT NOT NULL, severity TEXT NOT NULL, rank INTEGER NOT NULL, title TEXT NOT NULL, message TEXT NOT NULL,
        remedy TEXT NOT NULL, condition TEXT, start INTEGER, "end" INTEGER, slot TEXT,
        items TEXT CHECK (items IS NULL OR json_valid(items))) STRICT""",
    "CREATE INDEX finding_by_item ON finding(item_id, code)",
    "CREATE INDEX finding_by_code ON finding(code, item_id)",
    "CREATE INDEX finding_by_dataset ON finding(dataset_id, item_id)",
    """CREATE TABLE producer (
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('lm', 'table', 'parser')), name TEXT NOT NULL,
        revision TEXT NOT NULL, identity TEXT NOT NULL UNIQUE CHECK (json_valid(identity)), at TEXT NOT NULL) STRICT""",
    """CREATE TABLE block (
        id INTEGER PRIMARY KEY, producer_id INTEGER NOT NULL REFERENCES producer(id),
        provenance TEXT NOT NULL CHECK (json_valid(provenance)), at TEXT NOT NULL) STRICT""",
    """CREATE TABLE score (
        producer_id INTEGER NOT NULL REFERENCES producer(id), context_id INTEGER NOT NULL REFERENCES context(id),
        text_id INTEGER NOT NULL REFERENCES text(id), block_id INTEGER NOT NULL REFERENCES block(id),
        spans BLOB NOT NULL, ids BLOB, unit TEXT NOT NULL CHECK (unit IN ('nats', 'bits')), "values" BLOB NOT NULL,
        asked BLOB, complete INTEGER NOT NULL CHECK (complete IN (0, 1)), boundary BLOB, reason TEXT,
        PRIMARY KEY (producer_id, context_id, text_id)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE parse (
        producer_id INTEGER NOT NULL REFERENCES producer(id), text_id INTEGER NOT NULL REFERENCES text(id),
        tokens TEXT NOT NULL CHECK (json_valid(tokens)), PRIMARY KEY (producer_id, text_id)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE draft (
        author TEXT NOT NULL, item_id INTEGER NOT NULL REFERENCES item(id), field TEXT NOT NULL,
        text TEXT NOT NULL, base_revision_id INTEGER NOT NULL REFERENCES revision(id), at TEXT NOT NULL,
        PRIMARY KEY (author, item_id, field)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE habit (
        author TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (author, name)) STRICT, WITHOUT ROWID""",
)


def guards() -> list[str]:
    """Triggers that keep what was recorded as it was recorded."""
    return [
        f"CREATE TRIGGER {table}_is_never_{what.lower()}d BEFORE {what} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, 'the table {table} is only added to'); END"
        for table in ("text", "item", "revision", "sentence", "event")
        for what in ("UPDATE", "DELETE")
    ]


class Keeping(Enum):
    """What may happen to the rows of a table once they are there, and so when a row gets a new checksum."""

    ADDED = "added"
    """They stay as they are, or are replaced or removed as a whole: a checksum is computed once."""
    CHANGED = "changed"
    """They are brought up to date: a row whose checksum agrees may be changed, and gets a new one."""


_ADDED = (
    "migration",
    "text",
    "context",
    "context_set",
    "context_of",
    "item",
    "revision",
    "layout",
    "sentence",
    "event",
    "undone",
    "ruleset",
    "lint_state",
    "look",
    "look_state",
    "reading",
    "set_reading",
    "finding",
    "producer",
    "block",
    "score",
    "parse",
    "draft",
    "habit",
    "decision_state",
    "judgement_state",
)
_CHANGED = ("property", "paradigm", "dataset", "dataset_state", "run", "call", "batch", "item_state")

KEPT: Mapping[str, Keeping] = {
    **dict.fromkeys(_ADDED, Keeping.ADDED),
    **dict.fromkeys(_CHANGED, Keeping.CHANGED),
}
"""Every table of a bank. A new one stands here too, and has a column ``sum``."""


def with_sums() -> tuple[str, ...]:
    """The statements that give every table its column of checksums, and let nothing else of what was recorded be changed."""
    return (
        *(f"ALTER TABLE {table} ADD COLUMN sum INTEGER NOT NULL DEFAULT 0" for table in _SUMMED),
        *(f"DROP TRIGGER {table}_is_never_updated" for table in _GUARDED),
        *(
            f"CREATE TRIGGER {table}_is_never_updated BEFORE UPDATE OF {columns} ON {table}"
            f" BEGIN SELECT RAISE(ABORT, 'the table {table} is only added to'); END"
            for table, columns in _GUARDED.items()
        ),
    )


_SUMMED = (
    "migration",
    "property",
    "text",
    "context",
    "context_set",
    "paradigm",
    "dataset",
    "dataset_state",
    "run",
    "call",
    "item",
    "context_of",
    "revision",
    "layout",
    "sentence",
    "item_state",
    "event",
    "undone",
    "decision_state",
    "judgement_state",
    "ruleset",
    "lint_state",
    "finding",
    "producer",
    "block",
    "score",
    "parse",
    "draft",
    "habit",
    "batch",
)
"""The tables that there were when checksums came; as it landed."""
_GUARDED: Mapping[str, str] = {
    "text": "id, hash, text, folded",
    "item": "id, uid, paradigm_id, dataset_id, label, expects, attributes, run_id, call_id, at",
    "revision": "id, uid, item_id, number, parent, texts, alike, slots, raw, paradigm_id, call_id, author, note, at",
    "sentence": "revision_id, position, layout_id, text_id, spans, why",
    "event": "id, uid, bank, seq, action, kind, item_id, revision_id, author, at, payload",
}
