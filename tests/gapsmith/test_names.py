"""A name that people give can be read, typed, and is no path: at every door that takes one."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as program
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.bank import LONGEST, BankError, as_name
from gapsmith.templates import GapsmithError
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]

TAKEN = frozenset({"name", "dataset", "by", "to", "annotator", "model", "judge_by", "new", "study", "title"})
"""Fields of requests that are names, by what they are called."""
GIVEN: dict[tuple[str, str], tuple[str, ...]] = {
    ("import", "dataset"): ("import", "others.csv", "--first", "good", "--dataset", "{}"),
    ("import-scores", "model"): ("import-scores", "scores.csv", "--unit", "bits", "--model", "{}"),
    ("decide", "by"): ("decide", "approve", "1", "-d", "pairs", "--by", "{}"),
    ("generate", "dataset"): ("generate", "subject_pg", "-n", "1", "--seed", "1", "--dataset", "{}"),
    ("assign", "to"): ("assign", "--to", "{}", "--by", "lead"),
    ("packet make", "annotator"): ("packet", "make", "x.xlsx", "--for", "{}", "--by", "lead"),
    ("judge new", "to"): ("judge", "new", "x.toml", "--to", "{}", "--by", "lead"),
    ("dataset rename", "new"): ("dataset", "rename", "pairs", "{}", "--by", "lead"),
    ("bank lead", "name"): ("bank", "lead", "{}", "--by", "lead"),
    ("context draw", "name"): (
        *("context", "draw", "{}", "--type", "unrelated", "--lengths", "5", "--model", "bundled", "--all", "-d", "pairs"),
    ),
    ("context add", "name"): ("context", "add", "{}", "contexts.txt", "--model", "bundled"),
}
"""Where a name is given for the first time, and the command that gives it."""
LIKE: dict[tuple[str, str], tuple[str, str]] = {
    **{
        (stage, "by"): ("decide", "by") for stage in ("assign", "dataset rename", "dataset remove", "dataset undo", "plan freeze")
    },
    **{(stage, "by"): ("decide", "by") for stage in ("paradigm update", "bank lead", "packet make", "packet take", "judge new")},
}
"""Doors at which a name goes the same way as at another one: whoever does something is named by the event that it adds."""
CHOOSES = "chooses among what is there"
OTHERS: dict[tuple[str, str], str] = {
    **{(stage, "dataset"): CHOOSES for stage in STAGES if stage not in ("import", "generate")},
    **{(stage, "model"): "opens or chooses a model" for stage in STAGES if stage != "import-scores"},
    **{(stage, "name"): CHOOSES for stage in ("dataset rename", "dataset remove", "dataset load", "context show")},
    **{(stage, "name"): CHOOSES for stage in STAGES if stage.startswith(("paradigm show", "paradigm check", "paradigm diff"))},
    ("paradigm update", "name"): CHOOSES,
    ("prompt show", "name"): CHOOSES,
    ("prompt copy", "name"): CHOOSES,
    **{
        (stage, "by"): "only looks" for stage in ("agreement", "annotations", "lab", "show", "judge results", "analyze", "report")
    },
    ("export", "by"): "names a column",
    ("export", "title"): "a heading of a page",
    ("publish", "title"): "a heading of a page",
    ("lint", "judge_by"): "names an attribute",
    ("bank backup", "to"): "a file",
    ("packet take", "annotator"): "has to be who the packet is for",
    ("reproduce", "study"): CHOOSES,
    ("paradigm new", "name"): "small letters, digits and _ only (tests/templates/test_paradigm_files.py)",
    ("paradigm draft", "name"): "small letters, digits and _ only (tests/templates/test_paradigm_files.py)",
    ("paradigm new", "title"): "a heading",
    ("context study", "name"): "that of a folder (tests/scoring/test_context_study.py)",
}

BAD = {
    "empty": "",
    "blank": "  ",
    "long": "x" * 5000,
    "a bell": "a\x07b",
    "not seen": "a\u200bb",
    "two lines": "a\nb",
    "turned round": "a\u202eb",
    "up the folders": "../../x",
}


def test_every_door_that_takes_a_name_is_known() -> None:
    """A new one is given a command here, or a reason."""
    taken = {
        (name, field.name)
        for name, stage in STAGES.items()
        for field in dataclasses.fields(stage.request_type())
        if field.name in TAKEN
    }
    known = {*GIVEN, *LIKE, *OTHERS}
    assert taken - known == set()
    assert {*GIVEN, *LIKE} <= taken


PAIRS = "sentence_good,sentence_bad\nHe runs.,He run.\nShe runs.,She run.\n"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank of lead's with two pairs."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", "lead")
        with program.open_workspace(folder, create=True) as ws:
            program.import_file(ws, folder / "pairs.csv", first="good")
            return ws.bank.path


@pytest.fixture
def place(tmp_path: Path, imported: Path, gapsmith: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A workspace with two pairs, and what the commands want."""
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "lead")
    (tmp_path / "pairs.csv").write_text(PAIRS, encoding="utf-8")
    (tmp_path / "others.csv").write_text("sentence_good,sentence_bad\nIt runs.,It run.\n", encoding="utf-8")
    (tmp_path / "scores.csv").write_text("item,condition,token,surprisal\n1,good,He runs.,9\n", encoding="utf-8")
    (tmp_path / "contexts.txt").write_text("It rained.\n", encoding="utf-8")
    gapsmith("init", ".")
    shutil.copy(imported, tmp_path / "bank.sqlite")
    return gapsmith


def _files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.name.startswith("bank.sqlite")}


@pytest.mark.parametrize("door", GIVEN)
@pytest.mark.parametrize("bad_ones", [("blank", "a bell", "up the folders"), pytest.param(tuple(BAD), marks=pytest.mark.full)])
def test_a_name_that_is_none_is_refused_where_it_is_given(
    door: tuple[str, str], bad_ones: tuple[str, ...], place: Run, tmp_path: Path
) -> None:
    """In words, with nothing written; who somebody is may have a slash, and so may a model, but not lead up the folders."""
    before = _files(tmp_path)
    for what in bad_ones:
        outcome = place(*(part.replace("{}", BAD[what]) for part in GIVEN[door]))
        assert outcome.code in (1, 2), (what, outcome.err)
        assert "Traceback" not in outcome.err, what
        assert len(outcome.err) < 3000, what
        assert _files(tmp_path) == before, what
    with program.open_workspace(tmp_path) as workspace:
        assert [own.name for own in workspace.bank.datasets.all()] == ["pairs"]
        assert workspace.bank.gate.lead == "lead"
        assert workspace.bank.contexts.sets() == []
        assert list(workspace.bank.scores.scorers()) == []


@pytest.mark.parametrize("bad", BAD.values(), ids=list(BAD))
def test_the_rule_itself(bad: str) -> None:
    """Whoever asks is told what is wrong."""
    for slashes in (True, False):
        with pytest.raises(GapsmithError):
            as_name(bad, "a data set", slashes=slashes)


def test_names_of_people_of_many_scripts_pass() -> None:
    """Letters of any script, spaces between, an address, an account of a domain, a model of the hub."""
    for name in ("Ann", "Zoë Müller", "李雷", "ann@example.org", "set-2 (old)", "x" * LONGEST):
        assert as_name(name, "a data set") == name
    for name in ("LAB/ann", "EleutherAI/pythia-70m"):
        assert as_name(name, "a person", slashes=True) == name
        with pytest.raises(BankError, match="path"):
            as_name(name, "a data set")
