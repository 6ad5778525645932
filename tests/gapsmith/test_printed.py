"""What commands print: with ``--json`` one object of one shape, without it what the step of a study prints too."""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

import gapsmith as api
from gapsmith.app.cli import typed
from gapsmith.app.cli.console import print_json
from gapsmith.app.stages.catalogue import STAGES, own_name
from gapsmith.bank import Verdict
from gapsmith.scoring.report import NUMBERS
from gapsmith.templates import VERSION
from tests.conftest import CommandOutcome
from tests.gapsmith.test_results_name_their_request import STORES, WRITES
from tests.interface import Names, expect_names, expect_results, expect_table, fault_of, known, written
from tests.rooms import ROOMS, ROOT, trees_of, walked

Run = Callable[..., CommandOutcome]

ASKED: dict[str, Sequence[object]] = {
    "init": ("other",),
    "next": (),
    "analyze": ("--all", "-m", "bundled"),
    "plan list": (),
    "power": ("--all", "-m", "bundled"),
    "show": (),
    "rule": ("L101",),
    "studies": (),
    "doctor": (),
    "explain-number": ("It is.", "--like", "minicons"),
    "count-constructions": ("trees.mrg",),
    "dataset list": (),
    "context list": (),
    "context show": ("rain",),
    "runs list": (),
    "runs compare": (),
    "runs show": ("1",),
    "runs item": ("1",),
    "paradigm list": (),
    "paradigm show": ("lan_pg",),
    "paradigm check": ("lan_pg",),
    "paradigm diff": ("lan_pg",),
    "paradigm draft": ("items.csv",),
    "prompt list": (),
    "prompt show": ("slots",),
    "prompt copy": ("slots", "copied"),
    "bank check": (),
    "bank backup": ("copy.sqlite",),
    "bank restore": ("kept.sqlite", "-w", "restored"),
    "bank log": ("log.jsonl",),
    "bank merge": ("kept.sqlite",),
    "packet make": ("ben.xlsx", "--for", "ben"),
    "lab": (),
    "judge new": ("study.toml", "--to", "ann"),
    "paradigm new": (
        "agree",
        "--factor",
        "form: right, wrong",
        "--region",
        "subject: the {head}",
        "--region",
        "verb[form]: is | are",
        "--slot",
        "head noun: farmer, nurse",
        "--status",
        "right=ok",
        "--status",
        "wrong=*",
        "--critical",
        "verb",
        "--contrast",
        "agreement: wrong - right, positive",
    ),
}
"""How stages that change nothing in the bank are asked here; the others are asked in test_results_name_their_request.py."""
TABLES = ("csv", "region_columns", "region_rows")
"""Formats of items that are tables of ours."""
ELSEWHERE = {
    "judge results": "tests/vetting/test_acceptability.py",
    "dataset recognise": "tests/gapsmith/test_bringing_in.py",
    "runs watch": "tests/prompts/test_batches.py",
    "model convert": "tests/scoring/test_gulordava.py",
    "train corpus": "tests/training/test_train_corpus.py",
    "train audit": "tests/training/test_corpus_audit.py",
    "train counts": "tests/training/test_corpus_audit.py",
    "train lm": "tests/training/test_train_lm.py",
    "train grid": "tests/training/test_train_grid.py",
    "train parser": "tests/parsing/test_train_cli.py",
    "context study": "tests/scoring/test_context_study.py",
    "posh": "tests/posh/test_posh.py",
    "reproduce": "tests/studies/test_studies.py",
}
"""Where others are asked with ``--json``."""
MANY = {"rule": 1, "paradigm list": 10, "dataset list": 1, "runs list": 1, "show": 3, "paradigm check": 5}
"""At least so many results, or just these."""
COMMANDS = [name for name, stage in STAGES.items() if stage.command]


def test_every_command_is_asked_for_json() -> None:
    assert sorted([*ASKED, *STORES, *WRITES, *ELSEWHERE]) == sorted(COMMANDS)
    for name, file in ELSEWHERE.items():
        assert "expect_results(" in (ROOT / file).read_text(encoding="utf-8"), name
    assert {f"--json {name}" for name in COMMANDS} <= set(known())


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with scored items, contexts and a copy of its bank; nothing that is asked here changes it."""
    place = tmp_path_factory.mktemp("printed")
    (place / "items.csv").write_text("item,condition,sentence\n1,a,He left.\n1,b,He leave.\n", encoding="utf-8")
    (place / "trees.mrg").write_text("(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))\n", encoding="utf-8")
    (place / "restored").mkdir()
    (place / "lines.txt").write_text("It rained all day.\n", encoding="utf-8")
    with api.open_workspace(place, create=True) as study:
        api.generate(study, "lan_pg", 3)
        study.bank.decisions.decide(study.bank.items.ids(), Verdict.APPROVE, author="root")
        api.add_contexts(study, "rain", place / "lines.txt", model="bundled")
        api.score(study, "bundled", device="cpu", contexts=["rain"])
        api.back_up_bank(study, place / "kept.sqlite")
    return place


@pytest.mark.parametrize("name", ASKED)
def test_json_has_one_shape(name: str, gapsmith: Run, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(filled)
    done = gapsmith(*typed(name).split(), *ASKED[name], "--json")
    assert (done.code, name) == (0, name), done.err
    found = expect_results(done.out)
    assert json.loads(done.out)["request"]["stage"] == name
    assert len(found) >= MANY.get(name, 0)
    assert all(isinstance(own, dict) for own in found)


@pytest.mark.parametrize("kind", [kind for kind in (*NUMBERS, *TABLES) if kind not in ("parquet", "r")])
def test_columns_of_exports_are_those_that_are_promised(
    kind: str, gapsmith: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(filled)
    by = ("--contexts", "rain") if kind == "differences" else ()
    done = gapsmith("export", kind, "-p", "lan_pg", "--all", *by)
    assert (done.code, kind) == (0, kind), done.err
    expect_names(f"export {kind}", [next(csv.reader([done.out.splitlines()[0]]))])
    if kind in ("tokens", "words"):
        # The command writes them row by row, and Python gives the table as well.
        with api.open_workspace(filled) as study:
            whole = api.export(study, kind=kind, paradigm="lan_pg", everything=True)
        assert done.out.encode() == whole.content
        assert len(whole.to_frame()) == whole.rows == len(done.out.splitlines()) - 1


@pytest.mark.parametrize("what", ["decisions", "judgements", "remarks"])
def test_columns_of_annotations_are_those_that_are_promised(
    what: str, gapsmith: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(filled)
    expect_table(f"annotations {what}", gapsmith("annotations", what).out)


OF_TABLES: dict[str, tuple[str, ...]] = {
    "app/stages/acceptability.py": ("judge results",),
    "app/stages/learner_grid.py": ("cells.csv of train grid", "counts.csv of train grid"),
    "app/stages/publishing.py": ("left-out.csv of publish",),
    "app/stages/power.py": ("power.csv",),
    "app/studies/writing.py": ("numbers.csv of study", "conventions.csv of study"),
    "app/audit_page.py": ("audit.csv",),
    "scoring/context_study/page.py": ("points.csv of contexts", "suites.csv of contexts", "outcomes.csv of contexts"),
    "scoring/report/posh_pages.py": ("outcomes.csv of posh", "effects.csv of posh"),
    "scoring/report/licensing_pages.py": ("effects.csv of licensing", "cells.csv of licensing"),
    "vetting/annotation_csv.py": ("annotations decisions", "annotations judgements", "annotations remarks"),
    "scoring/report/comparison_items.py": ("export differences",),
    "scoring/report/number_tables.py": tuple(f"export {kind}" for kind in NUMBERS if kind not in ("parquet", "r")),
}
"""Modules that write tables for others, and what their tables are called in the promise."""
NOT_PROMISED = {
    "app/stages/constructions.py": "a column is named by who asks",
    "bank/formats/writing.py": "what the others write with",
    "bank/formats/spreadsheet.py": "a table of others, with cells that would be run made text",
    "bank/formats/catalogue.py": "forms of others, or promised above",
    "bank/formats/lists.py": "a form of others",
    "bank/formats/folder.py": "a table that is read at once",
    "prompts/fake/answers.py": "what a model would answer",
    "stats/r_words.py": "what R reads",
    "training/corpus/auditing.py": "a sheet that people fill in",
}


def test_every_table_that_is_written_has_a_promise() -> None:
    """A module that begins to write one has its columns promised, or it is said here why not."""
    writing = {
        name
        for name, tree in trees_of(*ROOMS)
        for node in walked(tree)
        if isinstance(node, ast.Call)
        and (
            (isinstance(node.func, ast.Name) and node.func.id in ("csv_text", "CsvWriter"))
            or (
                isinstance(node.func, ast.Attribute)
                and node.func.attr in ("writer", "DictWriter")
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "csv"
            )
        )
    }
    assert writing == {*OF_TABLES, *NOT_PROMISED}
    assert {what for tables in OF_TABLES.values() for what in tables} <= set(known())


@pytest.mark.parametrize(
    ("before", "names", "said"),
    [
        ("0.9.dev1", ["value"], "move the version in"),
        ("0.9.dev0", ["value"], ""),
        ("0.9.dev1", ["surprisal"], ""),
        ("0.9.dev1", ["surprisal", "new"], "move the version in"),
        ("0.9.dev1", ["surprisal", "note"], ""),
    ],
)
def test_names_change_only_with_the_version(before: str, names: list[str], said: str) -> None:
    promised = {"export long": Names(version=before, always=["surprisal"], sometimes=["note"])}
    with pytest.raises(ValueError, match=said) if said else nullcontext():
        made = written([("export long", names)], promised, "0.9.dev1")
        assert {*made["export long"]["always"], *made["export long"]["sometimes"]} >= set(names)


def test_a_changed_name_is_told_with_what_to_do() -> None:
    fault = fault_of("export long", ["made_up"])
    assert fault is not None
    assert "new: made_up" in fault
    assert "tests/interface.py" in fault
    assert (f"move the version ({VERSION}" in fault) == (known()["export long"]["version"] == VERSION)


def test_what_is_said_on_stderr_is_in_the_notes(gapsmith: Run) -> None:
    done = gapsmith("generate", "lan_pg", "-n", 3, "--json")
    assert json.loads(done.out)["notes"] == done.err.splitlines()[-2:]


def test_a_large_result_is_written_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a whole it would take many times the memory of what it says."""
    result = {"values": [{"item": str(n), "bits": n / 3} for n in range(20_000)], "text": "a\nb"}
    written: list[str] = []
    monkeypatch.setattr("sys.stdout", SimpleNamespace(write=written.append))
    print_json({"stage": "x"}, [result, {}], {"notes": []})
    said = "".join(written)
    assert json.loads(said)["results"] == [result, {}]
    assert said == json.dumps({"request": {"stage": "x"}, "results": [result, {}], "notes": []}, indent=2) + "\n"
    assert max(map(len, written)) < len(said) / 5


def test_json_is_printed_in_one_place() -> None:
    callers = {
        name
        for name, tree in trees_of("app")
        for node in walked(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print_json"
    }
    assert callers == {"app/cli/door.py"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_what_steps_of_studies_print(name: str) -> None:
    command = import_module(f"gapsmith.app.cli.{own_name(name)}")
    assert callable(command.show), "what came out, for people"


STUDY = """\
name = "small"
title = "Small"
paper = "none"
about = "Steps."
"""
STEPS: dict[str, tuple[str, ...]] = {
    # First, since runs tell how many items are linted.
    "lint": ("--level", "info"),
    "paradigm show": ("lan_pg",),
    "dataset list": (),
    "runs compare": (),
    "rule": ("L101",),
    "generate": ("lan_pg", "-n", "5", "--dry-run"),
    "show": ("1",),
}


def test_a_step_prints_what_its_command_prints(gapsmith: Run, tmp_path: Path) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 3, "-w", "small").code == 0
    run = "".join(f"[[step]]\nsay = 'x'\nrun = {json.dumps([*name.split(), *words])}\n" for name, words in STEPS.items())
    (tmp_path / "small.toml").write_text(STUDY + run, encoding="utf-8")
    where = {name: ("-w", "small") if STAGES[name].source else () for name in STEPS}
    printed = {name: gapsmith(*name.split(), *words, *where[name]).out for name, words in STEPS.items()}
    done = gapsmith("study", "small.toml")
    assert done.code == 0, done.err
    for name, text in printed.items():
        assert text.strip(), name
        assert text in done.out, name
