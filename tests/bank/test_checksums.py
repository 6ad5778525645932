"""Every row of every table carries a checksum: what was changed by other means than this program is named, and never used."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, BankError, Finding, ItemFilter, LintReading, Look, Severity, Verdict
from gapsmith.bank.copies import back_up
from gapsmith.bank.log import entries
from gapsmith.bank.schema import KEPT
from gapsmith.templates.version import VERSION
from tests.conftest import CommandOutcome
from tests.printed import result
from tools.fuzz_banks import fuzz_banks

FIXTURES = Path(__file__).parent.parent / "fixtures"
OLD = FIXTURES / "bank_b630b51" / "bank.sqlite"
Run = Callable[..., CommandOutcome]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with rows in every table, brought up to date."""
    path = Path(shutil.copy(OLD, tmp_path_factory.mktemp("filled")))
    with Bank.open(path) as bank:
        bank.batches.intend(4, {90: {"n": 1}})
        ids = bank.items.ids()
        name, linted = next((name, found) for name in bank.paradigms.names() if (found := _linted(bank, name)))
        look = Look(("verb",), (("L201", ("verb",)),))
        dataset = bank.items.get(linted).dataset
        bank.findings.replace(
            name,
            {linted: bank.findings.for_item(linted)},
            ruleset="r",
            looks={linted: look},
            readings={linted: LintReading(bytes(16), (Finding("L200", Severity.INFO, "asked"),))},
            of_sets={dataset: [own.finding for own in bank.findings.of_sets(name) if own.dataset == dataset]},
            sets_made_of={dataset: bytes(16)},
        )
        bank.decisions.decide(ids[-1:], Verdict.FLAG, author="cleo")
        bank.decisions.undo("cleo")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    return path


def _linted(bank: Bank, paradigm: str) -> int | None:
    """An item of the paradigm with findings."""
    ids = bank.items.ids(ItemFilter(paradigm=paradigm))
    return next((number for number in ids if bank.findings.for_item(number)), None)


@pytest.fixture
def place(filled: Path, tmp_path: Path) -> Path:
    """A workspace with a copy of it."""
    shutil.copy(filled, tmp_path / "bank.sqlite")
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    return tmp_path


def tables_of(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as raw:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
        return [name for (name,) in raw.execute(query)]


def with_other_program(path: Path, *statements: str) -> None:
    """Change the file as any program that knows SQLite can, past triggers and references."""
    with closing(sqlite3.connect(path)) as raw, raw:
        without_triggers(raw)
        raw.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            assert raw.execute(statement).rowcount > 0


def texts_by_sql(bank: Bank) -> list[str]:
    return [row["text"] for row in bank.db.execute("SELECT text FROM text")]


def id_of(bank: Bank, query: str) -> int:
    return int(bank.db.execute(query).fetchone()[0])


def scores(bank: Bank) -> None:
    for scorer in bank.db.execute("SELECT id FROM producer WHERE kind <> 'parser'").fetchall():
        bank.scores.get(scorer["id"], texts_by_sql(bank))


def parses(bank: Bank) -> None:
    bank.parses.get(id_of(bank, "SELECT id FROM producer WHERE kind = 'parser'"), texts_by_sql(bank))


def contexts(bank: Bank) -> None:
    ids = [row["context_id"] for row in bank.db.execute("SELECT context_id FROM context_of")]
    bank.contexts.joined(set(ids))


READERS: dict[str, Callable[[Bank], object]] = {
    "batch": lambda bank: bank.batches.of_run(4),
    "block": lambda bank: [bank.scores.provenance(scorer.id) for scorer in bank.scores.scorers()],
    "call": lambda bank: [bank.runs.calls(run.id) for run in bank.runs.all()],
    "context": contexts,
    "context_of": lambda bank: bank.contexts.assigned(1),
    "context_set": lambda bank: bank.contexts.sets(),
    "dataset": lambda bank: bank.datasets.all(removed=True),
    "dataset_state": lambda bank: bank.datasets.all(removed=True),
    "decision_state": lambda bank: bank.review.verdicts(),
    "draft": lambda bank: bank.review.drafts("ann"),
    "event": lambda bank: [bank.decisions.history(n) for n in bank.items.ids()],
    "finding": lambda bank: (list(bank.findings.iterate()), bank.findings.counts(), bank.findings.titles()),
    "habit": lambda bank: bank.review.habit("ann", "theme"),
    "item": lambda bank: list(bank.items.iterate()),
    "item_state": lambda bank: list(bank.items.iterate()),
    "judgement_state": lambda bank: bank.review.ratings(),
    "layout": lambda bank: list(bank.items.iterate()),
    "lint_state": lambda bank: [bank.review.linted_revision(n) for n in bank.items.ids()],
    "look": lambda bank: bank.findings.looked(),
    "look_state": lambda bank: bank.findings.looked(),
    "paradigm": lambda bank: bank.paradigms.load(id_of(bank, "SELECT max(id) FROM paradigm")),
    "parse": parses,
    "producer": lambda bank: bank.scores.scorers(),
    "property": lambda bank: (bank.db.property("bank"), bank.sums_since(), bank.db.property("program")),
    "reading": lambda bank: bank.findings.read_items(),
    "revision": lambda bank: [bank.items.history(n) for n in bank.items.ids()],
    "ruleset": lambda bank: list(entries(bank)),
    "run": lambda bank: bank.runs.all(),
    "score": scores,
    "sentence": lambda bank: [bank.items.history(n) for n in bank.items.ids()],
    "set_reading": lambda bank: [bank.findings.sets_made_of(name) for name in bank.paradigms.names()],
    "text": lambda bank: list(entries(bank)),
}
"""How the rows of a table are read."""
COMPARED_AS_A_WHOLE = {
    "undone": "only its numbers are looked for; what follows from them is compared with the events",
    "migration": "says only which steps were done, and the tables that these made are compared with those of a new bank",
}


def test_every_table_has_checksums_and_a_reader_that_compares_them(filled: Path) -> None:
    assert tables_of(filled) == sorted(KEPT) == sorted([*READERS, *COMPARED_AS_A_WHOLE])
    with closing(sqlite3.connect(filled)) as raw:
        for table in KEPT:
            said = raw.execute(f"SELECT count(*), count(nullif(sum, 0)) FROM {table}").fetchone()
            assert said[0] == said[1] > 0, table
    with Bank.open(filled) as bank:
        assert bank.faults() == []
        for read in READERS.values():
            read(bank)


@pytest.mark.parametrize("table", sorted(KEPT))
def test_a_change_of_any_column_of_any_table_is_told(table: str, place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        raw = bank.db.raw
        raw.execute("PRAGMA foreign_keys = OFF")
        raw.execute("PRAGMA ignore_check_constraints = ON")
        columns = [(row["name"], row["type"]) for row in raw.execute(f"PRAGMA main.table_info({table})").fetchall()]
        assert len(columns) > 1
        for column, kind in columns:
            raw.execute("BEGIN")
            without_triggers(raw)
            changed = {"BLOB": "randomblob(16)", "TEXT": f"coalesce(\"{column}\", '') || 'x'"}
            raw.execute(f'UPDATE {table} SET "{column}" = {changed.get(kind, f"""coalesce("{column}", 0) + 100000""")}')
            with pytest.raises(BankError, match=f"a row of its table '{table}' is not what was kept"):
                list(bank.db.checked(table, f"SELECT * FROM {table}"))
            raw.execute("ROLLBACK")
        assert bank.faults() == []


def without_triggers(raw: sqlite3.Connection) -> None:
    for master in ("main.sqlite_master", "temp.sqlite_master"):
        for (name,) in raw.execute(f"SELECT name FROM {master} WHERE type = 'trigger'").fetchall():
            raw.execute(f"DROP TRIGGER {name}")


CHANGE = {
    "score": 'UPDATE score SET "values" = zeroblob(length("values"))',
    "parse": "UPDATE parse SET tokens = replace(tokens, 'nsubj', 'obj')",
    "event": "UPDATE event SET payload = replace(payload, 'approve', 'exclude') WHERE payload LIKE '%approve%'",
    "judgement_state": "UPDATE judgement_state SET rating = 'ok' WHERE rating = '*'",
    "decision_state": "UPDATE decision_state SET verdict = 'exclude' WHERE verdict = 'approve'",
    "item_state": "UPDATE item_state SET status = 'approved' WHERE status <> 'approved'",
    "sentence": "UPDATE sentence SET spans = zeroblob(length(spans))",
    "layout": "UPDATE layout SET regions = replace(regions, 'adverb', 'gap')",
    "producer": "UPDATE producer SET name = 'other'",
    "context_of": "UPDATE context_of SET context_id = 1",
    "text": "UPDATE text SET text = replace(text, 'know', 'knew')",
}


LEAD, STRANGER = "ann", "eve"
"""Who sees everything in this bank, and who sees nothing of what others said."""


@contextmanager
def opened(door: str, path: Path) -> Iterator[Bank]:
    """A bank in each way in which one can be read."""
    if door == "a copy":
        with Bank.open_copy(path, reader=LEAD) as bank:
            yield bank
        return
    with Bank.open(path, reader=STRANGER if door == "a stranger" else LEAD) as bank:
        if door == "a thread":
            with bank.another() as other:
                yield other
        elif door == "a review":
            yield bank.read_by("ben", reviewing=True)
        elif door == "an adjudication":
            yield bank.read_by("eve", everything=True)
        else:
            yield bank


DOORS = {
    "the lead": True,
    "a copy": True,
    "a thread": True,
    "an adjudication": True,
    "a stranger": False,
    "a review": False,
}
"""How a bank can be read, and whether all that it holds is shown so."""


@pytest.fixture(scope="module")
def whole(filled: Path) -> dict[tuple[str, str], str]:
    """What each reading function says of the bank as it should be, by the way in which it was opened."""
    found = {}
    for door in DOORS:
        with opened(door, filled) as bank:
            found.update({(door, name): repr(read(bank)) for name, read in READERS.items()})
    return found


def change(table: str, place: Path) -> Path:
    """Change rows of a table past the program; the bank's path."""
    path = place / "bank.sqlite"
    with_other_program(path, CHANGE.get(table, f"UPDATE {table} SET sum = sum + 1"))
    return path


OTHERS_SAY = {"decision_state", "event", "item_state", "judgement_state", "property"}
"""What decides who sees what."""


OF_READERS = [pytest.param(t, marks=() if t in OTHERS_SAY else pytest.mark.full) for t in sorted(READERS)]


@pytest.mark.parametrize("table", OF_READERS)
def test_whoever_reads_gets_what_was_kept_or_nothing(table: str, place: Path, whole: dict[tuple[str, str], str]) -> None:
    path = change(table, place)
    for door, shows_all in DOORS.items():
        refused: dict[str, BankError] = {}
        with opened(door, path) as bank:
            for name, read in READERS.items():
                try:
                    said = repr(read(bank))
                except BankError as error:
                    refused[name] = error
                else:
                    # The row was not read, or is hidden from the reader, and nothing of it shows.
                    assert said == whole[door, name], (door, name)
        assert table in refused or not shows_all, door
        for refusal in refused.values():
            assert f"{path}: is damaged" in refusal.message
            assert "gapsmith bank restore" in refusal.hint


@pytest.mark.parametrize("table", OF_READERS)
def test_a_changed_row_is_named_by_check_and_goes_nowhere(table: str, place: Path, gapsmith: Run) -> None:
    path = change(table, place)
    with Bank.open(path, reader=LEAD) as bank:
        with pytest.raises(BankError, match="is damaged"):
            READERS[table](bank)
        assert any(f"its table {table} " in fault for fault in bank.faults())
    checked = gapsmith("bank", "check")
    assert (checked.code, f"its table {table} " in checked.err) == (1, True)
    # Nothing of it goes on into copies and other banks.
    with pytest.raises(BankError):
        back_up(path, place / "copy.sqlite")
    assert not (place / "copy.sqlite").exists()
    (place / "other").mkdir()
    assert gapsmith("init", place / "other").code == 0
    merged = gapsmith("bank", "merge", path, "-w", place / "other")
    assert (merged.code, "merge a copy that is whole" in merged.err) == (2, True)


def test_half_as_much_again_for_one_condition_is_no_result(place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    # Whoever may not know what others decided is not told which items were measured.
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", LEAD)
    path = place / "bank.sqlite"
    whole = gapsmith("analyze", "--model", "bundled", "--all", "--json")
    assert whole.code == 0
    with closing(sqlite3.connect(path)) as raw, raw:
        rows = raw.execute(
            'SELECT s.producer_id, s.text_id, "values" FROM score s JOIN sentence USING (text_id) JOIN layout ON'
            " layout.id = layout_id WHERE condition = 'pf_pg' AND context_id = 0 AND unit = 'nats'"
        ).fetchall()
        assert rows
        for producer, text, values in rows:
            more = (np.frombuffer(values, "<f4") * np.float32(1.5)).tobytes()
            raw.execute('UPDATE score SET "values" = ? WHERE producer_id = ? AND text_id = ?', (more, producer, text))
    done = gapsmith("analyze", "--model", "bundled", "--all", "--json")
    assert (done.code, done.out) == (2, "")
    assert "a row of its table 'score' is not what was kept (by bundled, sentence “" in done.err
    checked = gapsmith("bank", "check", "--json")
    assert checked.code == 1
    assert any("rows of its table score are not what was kept" in fault for fault in result(checked.out)["faults"])


@pytest.mark.full
def test_an_analysis_is_the_same_or_refused_whatever_column_of_a_row_was_changed(
    filled: Path, place: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", LEAD)
    command = ("analyze", "--model", "bundled", "--all", "--json")
    whole = gapsmith(*command)
    assert (whole.code, gapsmith(*command).out) == (0, whole.out)
    with closing(sqlite3.connect(filled)) as raw:
        described = {table: raw.execute(f"PRAGMA table_info({table})").fetchall() for table in KEPT}
    columns = [(table, row[1]) for table, rows in described.items() for row in rows]
    refused = 0
    for table, column in columns:
        key = ", ".join(row[1] for row in described[table] if row[5])
        for which in ("ASC", "DESC"):
            workspace = place / f"{table} {column} {which}"
            workspace.mkdir()
            (workspace / "gapsmith.toml").write_text("", encoding="utf-8")
            path = Path(shutil.copy(filled, workspace))
            other = f"""CASE typeof("{column}") WHEN 'text' THEN "{column}" || 'x' WHEN 'blob' THEN zeroblob(length("{column}"))
                ELSE coalesce("{column}", 0) + 1 END"""
            with suppress(sqlite3.IntegrityError):
                row = f"(SELECT {key} FROM {table} ORDER BY {key.replace(',', f' {which},')} {which} LIMIT 1)"
                with_other_program(path, f'UPDATE {table} SET "{column}" = {other} WHERE ({key}) = {row}')
            analysed = gapsmith(*command, "-w", workspace)
            assert analysed.code in (0, 2), (table, column, which)
            assert analysed.out == (whole.out if analysed.code == 0 else ""), (table, column, which)
            refused += analysed.code == 2
            shutil.rmtree(workspace)
    assert refused > len(columns)


def test_a_row_that_is_not_what_was_kept_is_not_gone_on_with(place: Path) -> None:
    with_other_program(place / "bank.sqlite", "UPDATE run SET parameters = '{}' WHERE finished_at IS NULL")
    with Bank.open(place / "bank.sqlite") as bank:
        (run,) = [row["id"] for row in bank.db.execute("SELECT id FROM run WHERE finished_at IS NULL")]
        with pytest.raises(BankError, match="a row of its table 'run' is not what was kept"):
            bank.runs.finish(run)
        assert any("its table run " in fault for fault in bank.faults())


def test_a_table_or_trigger_of_others_and_a_missing_one_are_named(place: Path) -> None:
    path = place / "bank.sqlite"
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("CREATE TABLE mine (x)")
        raw.execute("CREATE INDEX of_mine ON score(block_id)")
        raw.execute("DROP TRIGGER event_is_never_deleted")
    with Bank.open(path) as bank:
        assert bank.faults() == [
            "its trigger event_is_never_deleted is not there",
            "holds a table mine that gapsmith did not make and cannot vouch for",
        ]


@pytest.mark.parametrize("fixture", ["bank_0_1_0", "bank_b630b51"])
def test_checksums_vouch_from_the_day_of_the_migration(fixture: str, tmp_path: Path, gapsmith: Run) -> None:
    path = Path(shutil.copy(FIXTURES / fixture / "bank.sqlite", tmp_path))
    before = path.read_bytes()
    looked = gapsmith("bank", "check", path)
    assert (looked.code, "has no checksums of its rows yet" in looked.err) == (0, True), looked.err
    assert path.read_bytes() == before
    with Bank.open(path) as bank:
        assert bank.faults() == []
        since = bank.sums_since()
        assert bank.db.property("program") == VERSION
    checked = gapsmith("bank", "check", path)
    assert (checked.code, f"vouch from {since} on" in checked.err) == (0, True)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("banks", [15, pytest.param(300, marks=pytest.mark.full)])
def test_of_damaged_banks_every_changed_one_is_named(banks: int, tmp_path: Path) -> None:
    found: Any = fuzz_banks(banks, seed=100, folder=tmp_path, readers=[])
    assert found.faults == []
    assert found.seen_by_check + found.harmless == banks
    assert found.seen_by_check > 0 < found.harmless


@pytest.mark.parametrize("change_of", ["texts = zeroblob(16)", "event_id = event_id + 100000", "item_id = item_id + 100000"])
def test_a_decision_that_points_elsewhere_is_not_left_out_in_silence(change_of: str, place: Path) -> None:
    which = "event_id = (SELECT max(event_id) FROM decision_state)"
    with_other_program(place / "bank.sqlite", f"UPDATE decision_state SET {change_of} WHERE {which}")
    with Bank.open(place / "bank.sqlite", reader=LEAD) as bank:
        for read in (bank.decisions.current, bank.decisions.all):
            with pytest.raises(BankError, match="is damaged"):
                list(read())


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO property (name, value) VALUES ('x', 'y')",
        "WITH own AS (SELECT 'x' AS name) INSERT INTO property (name, value) SELECT name, 'y' FROM own",
        "\n  replace INTO property (name, value) VALUES ('x', 'y')",
    ],
)
def test_however_the_first_change_of_an_opened_bank_is_written_it_gets_its_sum(tmp_path: Path, statement: str) -> None:
    Bank.open(tmp_path / "bank.sqlite", create=True).close()
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert bank.items.ids() == []
        bank.db.execute(statement)
        assert bank.db.property("x") == "y"
        assert bank.faults() == []
