"""A bank that is replaced, deleted or moved away while a command writes to it: the command stops and says so, and what it had
recorded is in a copy that `gapsmith bank merge` or `restore` brings back."""

from __future__ import annotations

import ast
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

import gapsmith as api
from gapsmith.app.cli import COMMANDS
from gapsmith.bank import Bank, BankMovedError, Verdict
from gapsmith.bank.connection import Db
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import load_paradigm
from tests.conftest import CommandOutcome
from tests.parts import first_of
from tests.prompts.generating import ENVIRONMENT
from tests.rooms import ROOMS, trees_of, walked

Run = Callable[..., CommandOutcome]
Facts = dict[str, set[tuple[Any, ...]]]
BANK = "bank.sqlite"

WRITERS: dict[str, Sequence[str]] = {
    "generate": ("generate", "lan_pg", "-n", "9", "--n-per-call", "3", "-d", "new"),
    "import": ("import", "more.csv", "-p", "lan_pg", "-d", "more"),
    "dataset": ("dataset", "rename", "generated", "mine", "-p", "lan_pg"),
    "bank": ("bank", "merge", "other.sqlite"),
    "lint": ("lint", "--parser", "embedded", "--fail-on", "never"),
    "agreement": ("agreement", "--look", "--by", "ben"),
    "annotations": ("annotations", "decisions", "--look", "--by", "ben"),
    "assign": ("assign", "--to", "ann", "--to", "ben", "--by", "root"),
    "packet": ("packet", "take", "ann.xlsx"),
    "decide": ("decide", "exclude", "2", "3", "--reason", "unnatural", "-p", "lan_pg", "--by", "ann"),
    "context": ("context", "add", "story", "story.txt", "--model", "bundled", "--all"),
    "score": ("score", "-m", "bundled", "--all", "--engine", "batches", "--batch-size", "16", "--device", "cpu"),
    "import-scores": ("import-scores", "scores.csv", "--model", "elsewhere", "--unit", "bits"),
}
"""A command line for each command that writes to the bank of a workspace."""
ON_SCREEN = {"review"}
"""Driven with its screens in tests/vetting/test_tui_bank_taken_away.py."""
OF_OTHERS = {
    "demo": "runs other commands",
    "reproduce": "runs other commands",
    "runs": "`watch` takes answers in as `generate` does",
    "paradigm": "`update` is one transaction, as `decide` is",
    "train": "`lm --eval` scores in a copy that is thrown away",
}
READERS = {
    "judge",
    "lab",
    "next",
    "init",
    "prompt",
    "show",
    "rule",
    "studies",
    "audit",
    "analyze",
    "plan",
    "power",
    "licensing",
    "count-constructions",
    "report",
    "publish",
    "model",
    "posh",
    "export",
    "explain-number",
    "doctor",
    "serve-fake",
}
AGAIN = ("generate", "lint", "score", "import-scores", "assign", "decide")
"""What can be run again as it was, to get what the first go did not bring."""


def test_every_command_is_driven_or_says_why_not() -> None:
    assert set(WRITERS) | ON_SCREEN | set(OF_OTHERS) | READERS == set(COMMANDS)


# Where a commit can come from

_MAY = {
    "sqlite3.connect": {
        "bank/connection.py",
        "bank/copies.py",
        "bank/file_copies.py",
        "bank/snapshots.py",
        "bank/place.py",
        "bank/rescue.py",
        "bank/migrations.py",
        # A file of its own in which a log waits.
        "bank/merging.py",
        "bank/checking.py",
    },
    "COMMIT": {"bank/connection.py", "bank/migrations.py", "bank/sums.py"},
    "Db": {"bank/store.py", "bank/copies.py", "bank/rescue.py", "bank/upgrade.py"},
    "raw": {"bank/store.py"},
}
"""Who opens files, commits, makes a `Db` and takes its connection. Files of others' making: copies, and banks before they are
open. `checking` makes a bank in memory; the END of `sums` is that of a trigger."""


def _uses(tree: ast.AST) -> Iterator[str]:
    for node in walked(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("sqlite3.connect", "Db"):
            yield ast.unparse(node.func)
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".commit", ".executescript")):
            yield "COMMIT"
        if isinstance(node, ast.Attribute) and node.attr == "raw" and ast.unparse(node.value).endswith("db"):
            yield "raw"
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.strip() in ("COMMIT", "END"):
            yield "COMMIT"


def test_nobody_commits_past_the_look_at_the_file() -> None:
    found: dict[str, set[str]] = {what: set() for what in _MAY}
    for name, tree in trees_of(*ROOMS):
        for what in _uses(tree):
            found[what].add(name)
    assert found == _MAY


_WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER")


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch, bank: Path, at: int | None, act: Callable[[], None]) -> Iterator[list[str]]:
    """Act before the commit of that number to the bank; -1: as it is closed. Every statement that writes stands in a
    transaction of `Db.write`, or the test fails. What was committed is listed."""
    commits: list[str] = []
    execute, executemany, close = Db.execute, Db.executemany, Bank.close

    def within(db: Db, sql: str) -> None:
        if sql.split(None, 1)[0].upper() in _WRITING:
            assert db._depth, f"written past the transaction: {sql}"

    def watching(db: Db, sql: str, parameters: Sequence[Any] = ()) -> Any:
        within(db, sql)
        if sql == "COMMIT" and db.path.resolve() == bank:
            commits.append(sql)
            if len(commits) == at:
                act()
        return execute(db, sql, parameters)

    def watching_many(db: Db, sql: str, rows: Any) -> None:
        within(db, sql)
        executemany(db, sql, rows)

    here = threading.get_ident()

    def closing(opened: Bank) -> None:
        # A writer's thread has closed its own connection before.
        ends = threading.get_ident() == here and opened.path.resolve() == bank and not opened.read_only
        if at == -1 and commits and ends:
            act()
        close(opened)

    with monkeypatch.context() as patch:
        patch.setattr(Db, "execute", watching)
        patch.setattr(Db, "executemany", watching_many)
        patch.setattr(Bank, "close", closing)
        yield commits


_FACTS = {
    "item": "SELECT label, hex(texts) FROM item JOIN revision ON revision.item_id = item.id AND parent IS NULL",
    "event": "SELECT kind, author, payload FROM event WHERE kind != 'dataset'",
    "score": 'SELECT producer.name, hex(hash), hex("values"), complete FROM score JOIN text ON text.id = text_id'
    " JOIN producer ON producer.id = producer_id",
    "parse": "SELECT producer.name, hex(hash), tokens FROM parse JOIN text ON text.id = text_id"
    " JOIN producer ON producer.id = producer_id",
    "answer": "SELECT number, reply FROM call WHERE replied_at IS NOT NULL",
    "lint": "SELECT label, code, message FROM finding JOIN item ON item.id = item_id",
    "linted": "SELECT label FROM lint_state JOIN item ON item.id = item_id",
    "context": "SELECT context_set.name, label, step FROM context_of JOIN item ON item.id = item_id"
    " JOIN context_set ON context_set.id = set_id",
    "data set": "SELECT name FROM dataset_state",
}


def facts(path: Path) -> Facts:
    """What is in a bank, in words that do not depend on its ids."""
    with Bank.open_copy(path) as bank:
        assert bank.faults() == []
        return {what: {tuple(row) for row in bank.db.execute(sql)} for what, sql in _FACTS.items()}


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with decided items, and a file for each command that reads one."""
    folder = tmp_path_factory.mktemp("base")
    with api.open_workspace(folder, create=True) as study:
        api.generate(study, "lan_pg", 4, seed=1)
        study.bank.decisions.decide([1, 2], Verdict.APPROVE, author="ann")
        api.export(study, folder / "more.csv", "csv")
        texts = [(i.label, s.condition, s.text) for i in study.bank.items.iterate() for s in i.sentences]
    lines = ["item,condition,token,surprisal"]
    for label, condition, text in texts:
        lines += [f"{label},{condition},{word},{5 + k}" for k, word in enumerate(text.split())]
    (folder / "scores.csv").write_text("\n".join(lines), encoding="utf-8")
    (folder / "story.txt").write_text("It rained all day.\n", encoding="utf-8")
    shutil.copy(folder / BANK, folder / "other.sqlite")
    with Bank.open(folder / "other.sqlite") as bank:
        bank.decisions.decide([3], Verdict.FLAG, author="cleo")
    return folder


def set_up(base: Path, folder: Path, gapsmith: Run, writer: str) -> None:
    """Make the folder a copy of the workspace."""
    shutil.copytree(base, folder, dirs_exist_ok=True)
    if writer == "packet":
        assert gapsmith("packet", "make", "ann.xlsx", "--for", "ann").code == 0
        book = load_workbook(folder / "ann.xlsx")
        sheet = book.active
        assert sheet is not None
        (column,) = (number for number, cell in enumerate(sheet[1], 1) if cell.value == "decision")
        for row in sheet.iter_rows(min_row=2):
            if row[0].value:
                sheet.cell(row[0].row, column).value = "approve"
        book.save(folder / "ann.xlsx")


def take_away(how: str, folder: Path, older: Path) -> None:
    """Do to the bank what sync programs and people do."""
    path = folder / BANK
    if how == "moved":
        path.rename(folder / "moved.sqlite")
    else:
        path.unlink()
    if how == "replaced":
        shutil.copy(older, folder / "new.sqlite")
        (folder / "new.sqlite").rename(path)


def check(writer: str, how: str, moment: str, base: Path, folder: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the bank away at that moment of a command, bring the copy back, and run the command to its end."""
    line, bank = WRITERS[writer], folder.resolve() / BANK
    set_up(base, folder, gapsmith, writer)
    before = facts(bank)
    with watched(monkeypatch, bank, None, lambda: None) as commits:
        whole = gapsmith(*line)
    assert whole.code == 0, whole.err
    wanted = facts(bank)
    for place in (bank, *bank.parent.glob(f"{BANK}-*")):
        place.unlink(missing_ok=True)
    shutil.copy(base / BANK, bank)

    at = {"first": 1, "middle": (len(commits) + 1) // 2, "last": len(commits), "end": -1}[moment]
    with watched(monkeypatch, bank, at, lambda: take_away(how, folder, base / BANK)):
        stopped = gapsmith(*line)
    assert stopped.code == 1, stopped.err
    assert "gapsmith writes nothing to it any more" in stopped.err, stopped.err
    assert "Traceback" not in stopped.err
    copies = list(folder.glob("bank.rescued-*.sqlite"))
    if not copies:
        assert moment == "first"
        assert "it had recorded nothing since it was opened" in stopped.err
        return
    (copy,) = copies
    assert copy.name in stopped.err
    saved = facts(copy)
    assert all(before[what] <= saved[what] for what in _FACTS if what != "data set")
    if moment in ("last", "end"):
        # The commit at hand is in it: nothing that the whole run brings is missing.
        assert all(wanted[what] <= saved[what] for what in _FACTS), {w: wanted[w] - saved[w] for w in _FACTS}
    back = gapsmith("bank", "merge" if how == "replaced" else "restore", copy)
    assert back.code == 0, back.err
    now = facts(bank)
    assert all(saved[what] <= now[what] for what in _FACTS), {w: saved[w] - now[w] for w in _FACTS}
    if how == "replaced":
        assert "nothing new" in gapsmith("bank", "merge", copy).err
    if writer in AGAIN:
        again = gapsmith(*line)
        assert again.code == 0, again.err
        now = facts(bank)
        assert all(wanted[what] <= now[what] for what in _FACTS), {w: wanted[w] - now[w] for w in _FACTS}


@pytest.mark.parametrize("writer", first_of(sorted(WRITERS), 4))
def test_a_bank_replaced_under_a_command(
    writer: str, base: Path, tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(writer, "replaced", "last", base, tmp_path, gapsmith, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize(
    ("writer", "how", "moment"),
    [
        ("generate", "deleted", "middle"),
        ("score", "moved", "middle"),
        ("decide", "deleted", "end"),
        ("lint", "replaced", "end"),
    ],
)
def test_a_bank_taken_away_at_other_moments(
    writer: str, how: str, moment: str, base: Path, tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(writer, how, moment, base, tmp_path, gapsmith, monkeypatch)


@pytest.mark.full
@pytest.mark.parametrize("moment", ["first", "middle", "last", "end"])
@pytest.mark.parametrize("how", ["replaced", "deleted", "moved"])
@pytest.mark.parametrize("writer", sorted(WRITERS))
def test_every_command_at_every_moment(
    writer: str, how: str, moment: str, base: Path, tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(writer, how, moment, base, tmp_path, gapsmith, monkeypatch)


@pytest.mark.parametrize("at", [4, 7])
def test_no_answer_that_was_paid_for_is_lost_or_asked_for_twice(
    at: int, tmp_path: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    assert gapsmith("init").code == 0
    bank = tmp_path.resolve() / BANK
    shutil.copy(bank, tmp_path / "older.sqlite")
    with FakeServer(load_paradigm("lan_pg")) as fake:
        line = ["generate", "lan_pg", "-n", "40", "--n-per-call", "2", "--concurrency", "3", "--provider", "openai"]
        line += ["--model", "m", "--base-url", fake.openai_url]
        with watched(monkeypatch, bank, at, lambda: take_away("replaced", tmp_path, tmp_path / "older.sqlite")):
            stopped = gapsmith(*line)
        assert stopped.code == 1, stopped.err
        (copy,) = tmp_path.glob("bank.rescued-*.sqlite")
        assert gapsmith("bank", "merge", copy).code == 0
        again = gapsmith(*line)
        assert again.code == 0, again.err
        with Bank.open(bank) as there:
            (run,) = there.runs.all()
            calls = there.runs.calls(run.id)
            assert there.items.count() == 40
            assert there.faults() == []
        # A call whose intent was the last thing on disk was not sent.
        answered = [call for call in calls if call.replied_at is not None]
        assert len(answered) == len(fake.requests), "each request is a call of the bank, with its answer"


def test_the_python_functions_stop_too(base: Path, tmp_path: Path) -> None:
    shutil.copytree(base, tmp_path, dirs_exist_ok=True)
    with api.open_workspace(tmp_path) as study:
        study.bank.decisions.decide([3], Verdict.FLAG, author="ann")
        (tmp_path / BANK).unlink()
        with pytest.raises(BankMovedError) as told:
            api.generate(study, "lan_pg", 8, seed=3, dataset="new")
        for again in (lambda: api.decide(study, policy="clean"), lambda: api.lint(study)):
            with pytest.raises(BankMovedError, match="rescued"):
                again()
    assert told.value.saved is not None
    with Bank.open_copy(told.value.saved) as bank:
        assert {d.item_id for d in bank.decisions.current()} == {1, 2, 3}
