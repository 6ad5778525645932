"""No statement that a bank is given once per item, or once per page of items, goes over a whole table or sorts one: what a command costs
grows with the items, not with their square. The statements are those that SQLite gets while every command that ``benchmarks scale``
measures runs over a set and over one three times as large, and what SQLite does for each is what EXPLAIN QUERY PLAN says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scale import EXCEPTIONS, SETTINGS, STEPS, Step, command_of, write_pairs
from gapsmith.app.cli import typed
from gapsmith.bank import Bank
from gapsmith.bank.connection import Db
from gapsmith.bank.items import ItemTable
from gapsmith.vetting import lint_run
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands

Run = Callable[..., CommandOutcome]

SMALL, LARGE, PAGE = 10, 30, 4
FEW_ROWS = frozenset(
    {"property", "context_set", "paradigm", "dataset", "dataset_state", "run", "batch", "layout", "undone", "ruleset", "look"}
    | {"producer", "block", "habit", "migration", "set_reading", "sqlite_master"}
)
"""Tables that have a few rows however many items there are; all others are taken to have some for each item."""
OF_ONE = frozenset(
    {"rowid", "id", "item_id", "revision_id", "text_id", "hash", "uid", "label", "event_id", "action", "call_id", "name", "seq"}
)
"""Columns by which few rows are found."""
OF_CONTEXTS = (
    "SELECT context_id, text.text FROM score JOIN text ON text.id = score.text_id WHERE producer_id = ? AND complete = 1"
    " AND context_id IN"
)
"""Reads what was measured behind some contexts. Each context is in one such statement, so that all together go over scores once."""
_NAMED = re.compile(
    r"(?:FROM|JOIN|,)\s+(\w+)\s+(?:AS\s+)?(?!JOIN\b|ON\b|WHERE\b|LEFT\b|CROSS\b|ORDER\b|GROUP\b)(\w+)", re.IGNORECASE
)
_STEP = re.compile(r"(SCAN|SEARCH) (\w+)(.*)")
_KEY = re.compile(r"(\w+)=\?")
_NEXT = re.compile(r"\b(?:max|min)\(|\bLIMIT (?:1|\?)")
"""The first of what an index has in order, or a page of it: as far as one looks there, no further row is read."""


class Statements:
    """How often each statement was run, and how SQLite said it would."""

    def __init__(self) -> None:
        self.runs: dict[str, int] = {}
        self.plans: dict[str, list[str]] = {}

    def note(self, db: Db, sql: str, parameters: Sequence[Any], n: int = 1) -> None:
        """Count a statement; what it does is asked for once."""
        self.runs[sql] = self.runs.get(sql, 0) + n
        if sql not in self.plans and sql.lstrip()[:6].upper() in ("SELECT", "WITH", "DELETE", "UPDATE", "INSERT"):
            self.plans[sql] = [row[3] for row in db.raw.execute(f"EXPLAIN QUERY PLAN {sql}", parameters)]


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Statements:
    """All that banks are given from now on, in small pages."""
    seen = Statements()
    one_by_one, many = {name: getattr(Db, name) for name in ("execute", "tuples")}, Db.executemany
    for name, run in one_by_one.items():

        def noted(self: Db, sql: str, parameters: Sequence[Any] = (), run: Any = run) -> Any:
            seen.note(self, sql, parameters)
            return run(self, sql, parameters)

        monkeypatch.setattr(Db, name, noted)

    def all_noted(self: Db, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        kept = list(rows)
        if kept:
            seen.note(self, sql, kept[0], len(kept))
        many(self, sql, kept)

    monkeypatch.setattr(Db, "executemany", all_noted)
    monkeypatch.setattr(ItemTable.iterate, "__kwdefaults__", {"chunk": PAGE})
    monkeypatch.setattr(lint_run, "_CHUNK", PAGE)
    return seen


def whole_tables(sql: str, plan: Sequence[str]) -> list[str]:
    """The lines of a plan that go over a table with rows for each item, or over what many of its rows share."""
    if sql.startswith("INSERT") and not sql.startswith("INSERT OR REPLACE"):
        # The plan of one names the tables that would be looked at if a row were taken away.
        plan = [] if " SELECT " not in sql else plan
    aliases = {alias: table for table, alias in _NAMED.findall(sql)}
    sorts = any("TEMP B-TREE" in line for line in plan)
    bad = []
    for line in plan:
        step = _STEP.match(line)
        if step is None or "VIRTUAL TABLE" in line or "CONSTANT ROW" in line:
            continue
        if step[1] == "SEARCH" and len(plan) == 1 and not sorts and _NEXT.search(sql):
            continue
        table = str(aliases.get(step[2], step[2]))
        if table in FEW_ROWS or table.startswith("subquery"):
            continue
        if step[1] == "SCAN" or OF_ONE.isdisjoint(_KEY.findall(str(step[3]))):
            bad.append(line)
    return bad


def test_every_command_is_measured_or_it_is_said_why_not() -> None:
    """A new command is given a step, or a reason."""
    known = {typed(name) for name in commands()}
    measured = {command_of(step) for step in STEPS}
    unmeasured = {name for name in known if not any(own == name or own.startswith(f"{name} ") for own in measured)}
    assert unmeasured - {"review"} == set(EXCEPTIONS)


def run_steps(gapsmith: Run, steps: Iterable[Step], n: int, statements: Statements) -> dict[str, dict[str, int]]:
    """By step, how often each statement was run."""
    counted: dict[str, dict[str, int]] = {}
    for step in steps:
        statements.runs = {}
        if step.line:
            line = step.line.format(n=n, tenth=max(1, n // 10), file="pairs.csv", scores="scores.csv")
            outcome = gapsmith(*line.split())
            assert outcome.code in step.exits, f"{step.name}: {outcome.err}"
        counted[step.name] = statements.runs
    return counted


def check(gapsmith: Run, steps: Sequence[Step], statements: Statements, monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """Run the steps over a small and over a larger set; name the statements that do not hold."""
    found: list[dict[str, dict[str, int]]] = []
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    for n in (SMALL, LARGE):
        home = place / str(n)
        home.mkdir()
        write_pairs(home, n)
        monkeypatch.chdir(home)
        found.append(run_steps(gapsmith, steps, n, statements))
    small, large = found
    faults = {
        f"{sql}\n    {'; '.join(bad)}": name
        for name, runs in large.items()
        for sql, times in runs.items()
        if not sql.startswith(OF_CONTEXTS)
        and times > small[name].get(sql, 0)
        and (bad := whole_tables(sql, statements.plans.get(sql, ())))
    }
    assert not faults, "\n".join(f"{name}: {said}" for said, name in faults.items())


def test_no_statement_per_item_or_page_goes_over_a_table(
    gapsmith: Run, statements: Statements, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Commands that run no model and no parser."""
    check(gapsmith, [step for step in STEPS if not step.model], statements, monkeypatch, tmp_path)


def test_the_walk_sees_a_page_that_is_sorted_anew(tmp_path: Path) -> None:
    """The plan that pages had is one that the walk refuses."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        sql = "SELECT item.id FROM current_item AS item WHERE item.paradigm = ? AND item.id > ? ORDER BY item.id LIMIT ?"
        plan = [row[3] for row in bank.db.execute(f"EXPLAIN QUERY PLAN {sql}", ("x", 1, 2))]
    assert whole_tables(sql, plan)


@pytest.mark.full
def test_nor_where_a_model_or_a_parser_runs(
    gapsmith: Run, statements: Statements, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """All commands."""
    check(gapsmith, STEPS, statements, monkeypatch, tmp_path)
