"""The schema, as numbered steps. Each step and its record are one transaction; a step that landed is never changed.

The first steps are those of release 0.1.0, kept as they landed; the step after them makes the tables of `gapsmith.bank.schema`
from theirs, and later steps add to these. A new bank begins with the tables of `gapsmith.bank.schema`, which are the same that the
first steps come to.

Every schema change is a step at the end and a new development version in `gapsmith.templates.version`. A step that gives a table
a column compares the checksums of its rows first, changes it, and takes the checksums away (`gapsmith.bank.sums.ABSENT`): what has
none gets one when the step is done.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from gapsmith.bank.errors import BankError
from gapsmith.bank.schema import with_sums
from gapsmith.bank.sums import seal
from gapsmith.bank.upgrade import make_new, upgrade
from gapsmith.templates import VERSION

_STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "first schema",
        (
            """CREATE TABLE paradigm (
                id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL,
                digest TEXT NOT NULL UNIQUE, text TEXT NOT NULL, path TEXT NOT NULL, registered_at TEXT NOT NULL)""",
            """CREATE TABLE run (
                id INTEGER PRIMARY KEY, kind TEXT NOT NULL, paradigm_id INTEGER NOT NULL REFERENCES paradigm(id),
                provider TEXT NOT NULL, model TEXT, identity TEXT NOT NULL UNIQUE, parameters TEXT NOT NULL,
                prompt_name TEXT, prompt_hash TEXT, prompt_text TEXT,
                started_at TEXT NOT NULL, finished_at TEXT)""",
            """CREATE TABLE call (
                id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run(id), number INTEGER NOT NULL,
                request TEXT NOT NULL, intended_at TEXT NOT NULL, replied_at TEXT, reply TEXT, outcome TEXT,
                finish_reason TEXT, usage TEXT NOT NULL DEFAULT '{}', attempts INTEGER NOT NULL DEFAULT 0,
                latency_ms INTEGER, cost_usd REAL, error TEXT)""",
            "CREATE INDEX call_by_run ON call(run_id, number)",
            """CREATE TABLE item (
                id INTEGER PRIMARY KEY, paradigm_id INTEGER NOT NULL REFERENCES paradigm(id),
                paradigm TEXT NOT NULL, dataset TEXT NOT NULL, label TEXT NOT NULL, design TEXT,
                run_id INTEGER NOT NULL REFERENCES run(id), call_id INTEGER REFERENCES call(id),
                created_at TEXT NOT NULL, UNIQUE (paradigm, dataset, label))""",
            "CREATE INDEX item_by_run ON item(run_id)",
            "CREATE INDEX item_by_call ON item(call_id)",
            """CREATE TABLE revision (
                id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL REFERENCES item(id), number INTEGER NOT NULL,
                slots TEXT, author TEXT, note TEXT, at TEXT NOT NULL, UNIQUE (item_id, number))""",
            """CREATE TABLE sentence (
                revision_id INTEGER NOT NULL REFERENCES revision(id), position INTEGER NOT NULL,
                condition TEXT NOT NULL, text TEXT NOT NULL, source TEXT NOT NULL,
                PRIMARY KEY (revision_id, position)) WITHOUT ROWID""",
            """CREATE TABLE item_state (
                item_id INTEGER PRIMARY KEY REFERENCES item(id), revision_id INTEGER NOT NULL REFERENCES revision(id),
                status TEXT NOT NULL, reason TEXT)""",
            "CREATE INDEX item_state_by_status ON item_state(status, item_id)",
            """CREATE TABLE event (
                id INTEGER PRIMARY KEY, action INTEGER NOT NULL, kind TEXT NOT NULL,
                item_id INTEGER REFERENCES item(id),
                revision_id INTEGER REFERENCES revision(id), author TEXT NOT NULL, at TEXT NOT NULL,
                payload TEXT NOT NULL)""",
            "CREATE INDEX event_by_item ON event(item_id, id)",
            "CREATE INDEX event_by_author ON event(author, id)",
            "CREATE INDEX event_by_action ON event(action)",
            "CREATE TABLE undone (action INTEGER PRIMARY KEY)",
            """CREATE TABLE decision_state (
                item_id INTEGER NOT NULL REFERENCES item(id), author TEXT NOT NULL, kind TEXT NOT NULL,
                revision_id INTEGER NOT NULL, verdict TEXT NOT NULL, reason TEXT, comment TEXT,
                event_id INTEGER NOT NULL, PRIMARY KEY (item_id, author, kind)) WITHOUT ROWID""",
            "CREATE INDEX decision_state_by_author ON decision_state(author, item_id)",
            """CREATE TABLE judgement_state (
                item_id INTEGER NOT NULL REFERENCES item(id), author TEXT NOT NULL, condition TEXT NOT NULL,
                revision_id INTEGER NOT NULL, rating TEXT NOT NULL, event_id INTEGER NOT NULL,
                PRIMARY KEY (item_id, author, condition)) WITHOUT ROWID""",
            """CREATE TABLE finding (
                id INTEGER PRIMARY KEY, paradigm TEXT NOT NULL, item_id INTEGER REFERENCES item(id),
                code TEXT NOT NULL, severity TEXT NOT NULL, rank INTEGER NOT NULL, message TEXT NOT NULL,
                remedy TEXT NOT NULL, condition TEXT, start INTEGER, "end" INTEGER, slot TEXT)""",
            "CREATE INDEX finding_by_item ON finding(item_id, code)",
            "CREATE INDEX finding_by_code ON finding(code, item_id)",
            "CREATE INDEX finding_by_paradigm ON finding(paradigm, item_id)",
            """CREATE TABLE lint_state (
                item_id INTEGER PRIMARY KEY REFERENCES item(id), revision_id INTEGER NOT NULL,
                ruleset TEXT NOT NULL, at TEXT NOT NULL)""",
            """CREATE TABLE scorer (
                id INTEGER PRIMARY KEY, settings TEXT NOT NULL UNIQUE, registered_at TEXT NOT NULL)""",
            """CREATE TABLE score (
                scorer_id INTEGER NOT NULL REFERENCES scorer(id), text TEXT NOT NULL, tokens TEXT NOT NULL, reason TEXT,
                PRIMARY KEY (scorer_id, text)) WITHOUT ROWID""",
        ),
    ),
    (
        "drafts and habits of annotators",
        (
            """CREATE TABLE draft (
                author TEXT NOT NULL, item_id INTEGER NOT NULL REFERENCES item(id), field TEXT NOT NULL,
                text TEXT NOT NULL, base_revision_id INTEGER NOT NULL REFERENCES revision(id), at TEXT NOT NULL,
                PRIMARY KEY (author, item_id, field)) WITHOUT ROWID""",
            """CREATE TABLE habit (
                author TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
                PRIMARY KEY (author, name)) WITHOUT ROWID""",
        ),
    ),
    (
        "who answered a call, and how it was asked",
        ("ALTER TABLE call ADD COLUMN details TEXT NOT NULL DEFAULT '{}'",),
    ),
)

_SECOND_EDITION = len(_STEPS) + 1
"""The number of the step that makes the tables of `gapsmith.bank.schema` from those of release 0.1.0."""

_LATER: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "calls that travel together",
        (
            """CREATE TABLE batch (
                id INTEGER PRIMARY KEY, uid BLOB NOT NULL UNIQUE CHECK (length(uid) = 16),
                run_id INTEGER NOT NULL REFERENCES run(id), intended_at TEXT NOT NULL, submitting_at TEXT, name TEXT,
                ended_at TEXT, status TEXT, details TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(details))) STRICT""",
            "CREATE INDEX batch_by_run ON batch(run_id)",
        ),
    ),
    (
        "how long contexts are",
        ("ALTER TABLE context_of ADD COLUMN n_tokens INTEGER CHECK (n_tokens >= 0)",),
    ),
    ("checksums of rows", with_sums()),
    (
        "what rules looked at",
        (
            """CREATE TABLE look (
                id INTEGER PRIMARY KEY, said TEXT NOT NULL UNIQUE CHECK (json_valid(said)), sum INTEGER NOT NULL DEFAULT 0)
                STRICT""",
            """CREATE TABLE look_state (
                item_id INTEGER PRIMARY KEY REFERENCES lint_state(item_id) ON DELETE CASCADE,
                look_id INTEGER NOT NULL REFERENCES look(id), sum INTEGER NOT NULL DEFAULT 0) STRICT""",
        ),
    ),
    (
        "what findings were made of",
        (
            """CREATE TABLE reading (
                item_id INTEGER PRIMARY KEY REFERENCES lint_state(item_id) ON DELETE CASCADE,
                made_of BLOB NOT NULL CHECK (length(made_of) = 16), asked TEXT CHECK (asked IS NULL OR json_valid(asked)),
                sum INTEGER NOT NULL DEFAULT 0) STRICT""",
            """CREATE TABLE set_reading (
                dataset_id INTEGER PRIMARY KEY REFERENCES dataset(id),
                made_of BLOB NOT NULL CHECK (length(made_of) = 16), sum INTEGER NOT NULL DEFAULT 0) STRICT""",
        ),
    ),
)

LATEST = _SECOND_EDITION + len(_LATER)
"""The number of the newest schema step."""
WITH_SUMS = _SECOND_EDITION + 3
"""The number of the step that gives rows their checksums."""
PROGRAM = "program"
"""The property with the version of gapsmith that brought the bank to its schema: the one to ask for where it is too new."""
SUMS_SINCE = "checksums since"
"""The property that says when the checksums were computed: for what was changed before, they cannot vouch."""


def _schema_of(connection: sqlite3.Connection, path: Path) -> int:
    """The number of the last schema step that the bank has; 0 for a new file. Raises `BankError` for other databases, and for
    a bank that a newer gapsmith wrote."""
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and "migration" not in tables:
        raise BankError(f"{path}: is a database, but not a gapsmith bank", hint="Nothing was changed.")
    if not tables:
        return 0
    (done,) = connection.execute("SELECT coalesce(max(number), 0) FROM migration").fetchone()
    if done > LATEST:
        row = connection.execute("SELECT value FROM property WHERE name = ?", (PROGRAM,)).fetchone()
        if row is not None and row[0] == VERSION:
            raise BankError(
                f"{path}: is damaged: it says schema {done}, and {VERSION}, which wrote it, makes schema {LATEST}",
                hint="`gapsmith bank restore FILE` puts a copy in its place. Nothing was changed.",
            )
        needed = f"gapsmith {row[0]}" if row is not None else "the newer gapsmith"
        raise BankError(
            f"{path}: this bank has schema {done}, made by a newer gapsmith{f' ({row[0]})' if row is not None else ''};"
            f" this one is {VERSION} and knows schema {LATEST}",
            hint=f"Install {needed} or a later one to open it. Nothing was changed.",
        )
    return int(done)


def migrate(connection: sqlite3.Connection, path: Path, *, up_to: int = LATEST) -> int:
    """Bring a bank up to date, with a copy of the file made first where it already holds something; the number of the schema
    that it had, 0 for a new one.

    Raises `BankError` for a bank that a newer gapsmith wrote; nothing is touched then."""
    done = _schema_of(connection, path)
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL)"
    )
    before = done
    if done >= up_to:
        return before
    if done:
        _back_up(connection, path, done)
    if not done and up_to >= _SECOND_EDITION:
        # The first steps make tables that the second edition only takes away again.
        with _transaction(connection):
            if connection.execute("SELECT 1 FROM migration").fetchone() is None:
                make_new(connection)
                for number in range(1, _SECOND_EDITION + 1):
                    _note(connection, number, before)
        done = _schema_of(connection, path)
    for number in range(done + 1, up_to + 1):
        with _transaction(connection):
            if _is_missing(connection, number):
                for statement in _step(number)[1]:
                    connection.execute(statement)
                if number == _SECOND_EDITION:
                    upgrade(connection)
                _note(connection, number, before)
    return before


def _step(number: int) -> tuple[str, tuple[str, ...]]:
    return (*_STEPS, ("the text is the unit", ()), *_LATER)[number - 1]


def _is_missing(connection: sqlite3.Connection, number: int) -> bool:
    """Whether a step is still to be done: another process may have migrated between our look and our lock."""
    return connection.execute("SELECT 1 FROM migration WHERE number = ?", (number,)).fetchone() is None


def _note(connection: sqlite3.Connection, number: int, before: int) -> None:
    """The record of a step, and what belongs to every step since rows have checksums. `before`: the schema that the bank had."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute("INSERT INTO migration (number, name, applied_at) VALUES (?, ?, ?)", (number, _step(number)[0], now))
    if number < WITH_SUMS:
        return
    kept = {PROGRAM: VERSION}
    if number == WITH_SUMS:
        kept[SUMS_SINCE] = json.dumps({"at": now, "schema": before})
    for name, value in kept.items():
        # Rows of the property table go in as new ones, which have no checksum yet.
        connection.execute("INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)", (name, value))
    seal(connection)


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # On a full disk SQLite has rolled back by itself, and another rollback would hide why.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _back_up(connection: sqlite3.Connection, path: Path, done: int) -> None:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    copy = sqlite3.connect(path.with_name(f"{path.name}.schema{done}.{stamp}.backup"))
    try:
        connection.backup(copy)
    finally:
        copy.close()
