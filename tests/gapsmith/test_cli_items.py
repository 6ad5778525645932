"""Showing items, correcting an imported file, and where a workspace is made or not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank import Bank
from gapsmith.templates import load_paradigm
from tests.conftest import CommandOutcome
from tests.printed import result, results
from tests.processes import Program

Run = Callable[..., CommandOutcome]

FILE = """sentence_type,item_id,condition,full_sentence
subject_pg,A1,PFPG,I know who the story about is likely to amuse soon.
subject_pg,A1,MFPG,I know that the story about Mary is likely to amuse soon.
subject_pg,A1,PFMG,I know who the story about is likely to amuse Anna soon.
subject_pg,A1,MFMG,I know that the story about Mary is likely to amuse Anna soon.
subject_pg,A2,PFPG,She heard who the critique of is going to enrage soon.
subject_pg,A2,MFPG,She heard that the critique of Tom is going to enrage soon.
subject_pg,A2,PFMG,She heard who the critique of is going to enrage Ben soon.
subject_pg,A2,MFMG,She heard that the critique of Tom is going to enrage Ben soon.
"""


@pytest.fixture
def imported(gapsmith: Run, tmp_path: Path) -> Path:
    path = tmp_path / "four.csv"
    path.write_text(FILE, encoding="utf-8")
    assert gapsmith("import", path, "-p", "subject_pg").code == 0
    return path


def test_show_marks_gaps_and_critical_regions(gapsmith: Run, imported: Path) -> None:
    gapsmith("decide", "exclude", "A1", "--reason", "unnatural", "--by", "ann")
    out = gapsmith("show", "A1").out
    assert "PFPG +F +G1 +G2    ok  I know who the story about __ is likely to amuse __ [soon]." in out
    assert "MFMG -F -G1 -G2    ok  I know that the story about Mary is likely to amuse [Anna] soon." in out
    assert "exclude by ann, unnatural" in out
    assert "A2" not in out


def test_show_as_json_says_what_is_expected_and_aligned(gapsmith: Run, imported: Path) -> None:
    (first, second) = results(gapsmith("show", "--json").out)
    assert (first["item"], second["item"]) == ("A1", "A2")
    assert [s["expected"] for s in first["sentences"]] == ["ok", "*", "*", "ok"]
    assert all(s["aligned"] for s in first["sentences"])


def test_an_item_that_is_not_there(gapsmith: Run, imported: Path) -> None:
    assert gapsmith("show", "A9").code == 2


def test_a_corrected_file_gives_new_revisions_on_request(gapsmith: Run, imported: Path) -> None:
    gapsmith("decide", "approve", "A1", "A2", "--by", "ann")
    corrected = FILE.replace("enrage", "offend") + "".join(line.replace("A2", "A3") + "\n" for line in FILE.splitlines()[5:])
    imported.write_text(corrected, encoding="utf-8")
    refused = gapsmith("import", imported, "-p", "subject_pg")
    assert refused.code == 2
    assert "--update" in refused.err
    done = gapsmith("import", imported, "-p", "subject_pg", "--update", "--json")
    assert done.code == 0
    said = result(done.out)
    assert said.pop("assumptions")
    assert said | {"run": 0} == {
        "run": 0,
        "format": "csv",
        "paradigm": "subject_pg",
        "drafted": False,
        "dataset": "four",
        "items": 1,
        "changed": 1,
        "same": 1,
        "aligned": 3,
        "told": [],
    }
    states = {i["item"]: (i["status"], i["revision"]) for i in results(gapsmith("show", "--json").out)}
    assert states == {"A1": ("approved", 1), "A2": ("pending", 2), "A3": ("pending", 1)}
    assert gapsmith("export", "csv", "--design", "lan2x2", "--all").out == corrected


@pytest.mark.parametrize("command", [["generate", "subject_gp", "-n", "2"], ["import", "no.csv", "-p", "subject_pg"]])
def test_a_command_that_fails_at_once_leaves_no_workspace(gapsmith: Run, tmp_path: Path, command: list[str]) -> None:
    assert gapsmith(*command).code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ["generate", "nosuch"],
        ["generate", "subject_pg", "--prompt", "none.v1.jinja", "--provider", "openai"],
        ["generate", "subject_pg", "--all"],
        ["import", "no.csv", "-p", "subject_pg"],
        ["import", "four.csv", "-p", "nosuch"],
    ],
)
def test_a_command_that_fails_never_deletes_a_bank_nor_a_copy_of_one(gapsmith: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "four.csv").write_text(FILE, encoding="utf-8")
    folder = tmp_path / "there"
    assert gapsmith("import", "four.csv", "-p", "subject_pg", "-w", folder).code == 0
    (folder / "gapsmith.toml").unlink()
    (folder / "bank.sqlite.backup").write_bytes((folder / "bank.sqlite").read_bytes())
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert gapsmith(*command, "-w", folder).code == 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_bank_without_its_settings_file_is_taken_up_as_it_is(gapsmith: Run, imported: Path, tmp_path: Path) -> None:
    (tmp_path / "gapsmith.toml").unlink()
    assert gapsmith("generate", "embedded_wh", "-n", 2).code == 0
    assert {item["item"] for item in results(gapsmith("show", "--json").out)} == {"A1", "A2", "1", "2"}


def test_what_is_no_bank_is_refused_and_stays(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "bank.sqlite").write_text("my notes, not a bank at all, and longer than a header\n" * 40)
    before = (tmp_path / "bank.sqlite").read_bytes()
    assert gapsmith("generate", "subject_pg", "-n", 2).code == 2
    assert (tmp_path / "bank.sqlite").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["bank.sqlite"]


@pytest.mark.full
def test_a_bad_command_beside_a_good_one_takes_nothing_from_it(tmp_path: Path) -> None:
    for number in range(3):
        folder = tmp_path / str(number)
        arguments = (["nosuch"], ["subject_pg", "-n", "2"], ["embedded_wh", "-n", "2"], ["subject_gp"])
        started = [Program("generate", *words, "-w", folder, folder=tmp_path) for words in arguments]
        codes = [process.wait() for process in started]
        assert codes == [2, 0, 0, 2], [process.err for process in started]
        with Bank.open(folder / "bank.sqlite") as bank:
            assert bank.items.count() == 4


def test_a_workspace_further_up_is_named(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gapsmith("init")
    below = tmp_path / "below"
    below.mkdir()
    monkeypatch.chdir(below)
    assert f"Workspace: {tmp_path}" in gapsmith("generate", "subject_pg", "-n", "2").err


def test_the_labels_of_files_are_shown(gapsmith: Run) -> None:
    assert "PFMG = pf_pg1_mg2" in gapsmith("paradigm", "show", "subject_pg").out


def test_an_unknown_role_is_refused(gapsmith: Run, tmp_path: Path) -> None:
    text = load_paradigm("subject_pg").text.replace('role = "verb"', 'role = "verbz"')
    (tmp_path / "mine.toml").write_text(text, encoding="utf-8")
    outcome = gapsmith("paradigm", "check", "mine.toml")
    assert outcome.code == 2
    assert "verbz" in outcome.err
