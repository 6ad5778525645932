"""`manifest.json` beside reports, studies and folders of items: what has changed since is named by kind and item."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.stages.bank_keeping import BankChecked
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.templates import Sentence
from gapsmith.templates.errors import ConfigError, FormatError
from tests.conftest import CommandOutcome
from tests.interface import expect_document
from tests.printed import result
from tests.rooms import ROOT


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with three approved items, of which the first was edited and the second decided anew after the report was written, and
    a fourth came in; beside it what was written before: report, exported folder, published folder."""
    home = tmp_path_factory.mktemp("home")
    with api.open_workspace(str(home / "study"), create=True, reader="ann") as made:
        api.generate(made, "embedded_wh", n=3, seed=1)
        api.decide(made, "approve", ["1", "2", "3"])
        api.score(made, "bundled")
        api.report(made, out=home / "report")
        api.export(made, home / "hub", kind="hub")
        api.publish(made, home / "set")
        fresh = api.check_bank(made, report=home / "report")
        assert fresh.changed == ()
        item = next(iter(made.bank.items.iterate()))
        edited = [Sentence(own.condition, own.text.replace(" ", " really ", 1)) for own in item.sentences]
        made.bank.items.revise(item.id, slots=None, sentences=edited, author="ann")
        api.decide(made, "exclude", ["2"], reason="unnatural")
        api.generate(made, "embedded_wh", n=4, seed=2)
        api.freeze_plan(made, "embedded_wh")
        api.score(made, "bundled")
    return home


def _found(checked: BankChecked) -> set[tuple[str, str, str]]:
    assert checked.changed is not None
    return {(own.kind, own.what, own.said) for own in checked.changed}


@pytest.mark.parametrize("folder", ["report", "hub", "set"])
def test_what_changed_since_is_named_by_kind_and_item(reported: Path, folder: str) -> None:
    with api.open_workspace(str(reported / "study"), reader="ann") as study:
        names = {item.label: f"{item.dataset}/{item.label}" for item in study.bank.items.iterate()}
        found = _found(api.check_bank(study, report=reported / folder))
    kinds = {kind for kind, _, _ in found}
    assert kinds == {"item", "decisions", "plan"}
    assert ("item", names["1"], "its sentences were changed") in found
    assert ("decisions", names["2"], "what was decided or judged of it is another") in found
    assert not [own for own in found if own[1] == names["3"]]
    assert {what for kind, what, said in found if said == "is new"} == set(names.values()) - {names[n] for n in "123"}


SHOWN = {
    **dict.fromkeys(("report", "publish", "licensing", "export"), "tests/gapsmith/test_manifest.py"),
    "posh": "tests/posh/test_posh.py",
    "reproduce": "tests/studies/test_studies.py",
    "context study": "tests/scoring/test_context_study.py",
}
"""Stages that write a folder about items, and where it is held against the bank."""
NO_ITEMS = {
    "power": "numbers to plan with: a report is made of the items themselves",
    **dict.fromkeys(("train corpus", "train lm", "train grid", "train parser", "model convert"), "no items"),
}


def test_every_folder_about_items_has_a_manifest() -> None:
    """A new stage that writes one is held against the bank somewhere, or it is said why not."""
    writing = {
        name
        for name, stage in STAGES.items()
        for field in dataclasses.fields(stage.request_type())
        if field.name == "out" and "folder" in str(field.metadata).lower()
    }
    assert writing == {*SHOWN, *NO_ITEMS}
    for name, file in SHOWN.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(r"check_bank\([^)]*report=", text), name


def test_the_keys_of_manifests_are_those_that_are_promised(reported: Path) -> None:
    for folder in ("report", "set"):
        expect_document("manifest", json.loads((reported / folder / "manifest.json").read_text(encoding="utf-8")))


def test_a_report_that_was_changed_or_taken_from_elsewhere_says_so(reported: Path, tmp_path: Path) -> None:
    shutil.copytree(reported / "set", tmp_path / "set")
    (tmp_path / "set" / "data.csv").write_text("mine", encoding="utf-8")
    (tmp_path / "set" / "data.jsonl").unlink()
    path = tmp_path / "set" / "manifest.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    said["program"]["gapsmith"] = "0.1.0"
    said["parts"][0]["scorers"][0] |= {"name": "other", "identity": "0" * 16}
    said["files"]["../study/bank.sqlite"] = "0" * 64
    path.write_text(json.dumps(said), encoding="utf-8")
    found = _found(api.check_bank(reported / "study", report=path))
    assert {("file", "data.csv", "was changed"), ("file", "data.jsonl", "is gone")} <= found
    assert ("file", "../study/bank.sqlite", "lies outside of the folder, and was not looked at") in found
    assert {(kind, what) for kind, what, _ in found} >= {("program", "gapsmith"), ("scorer", "other")}


def test_values_that_are_others_are_named(reported: Path, tmp_path: Path) -> None:
    shutil.copytree(reported / "report", tmp_path / "report")
    path = tmp_path / "report" / "manifest.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    (scorer,) = said["parts"][0]["scorers"]
    label = {uid: own["name"] for uid, own in said["parts"][0]["items"].items()}
    third = next(uid for uid, name in label.items() if name.endswith("/3"))
    scorer["observations"][third] = "0" * 16
    path.write_text(json.dumps(said), encoding="utf-8")
    found = _found(api.check_bank(reported / "study", report=path))
    assert {own for own in found if own[0] == "observations"} == {
        ("observations", label[third], f"other values are there of {scorer['name']}")
    }


def test_the_command_says_it_and_its_exit_code_too(gapsmith: Callable[..., CommandOutcome], reported: Path) -> None:
    asked = ("bank", "check", reported / "study", "--report", reported / "report")
    done = gapsmith(*asked)
    assert done.code == 1
    assert "its sentences were changed" in done.err
    assert {"kind", "what", "said"} == set(result(gapsmith(*asked, "--json").out)["changed"][0])


@pytest.mark.full
@pytest.mark.filterwarnings("ignore:.*will have 1 of 3 items")
def test_the_page_of_a_study_has_one_as_well(tmp_path: Path) -> None:
    """With its tables and figures; those of other studies are tested where they are made."""
    with api.open_workspace(str(tmp_path / "study"), create=True, reader="ann") as made:
        api.generate(made, "embwhq", n=3, seed=1)
        api.score(made, "bundled", everything=True)
        page = api.licensing(made, paradigm=["embwhq"], model=["bundled"], everything=True, out=tmp_path / "pages").page
        assert page is not None
        assert api.check_bank(made, report=page.parent).changed == ()
        api.decide(made, "exclude", ["2"], reason="unnatural")
        (page.parent / "cells.csv").write_text("mine", encoding="utf-8")
        (page.parent / "notes.txt").write_text("mine", encoding="utf-8")
        found = _found(api.check_bank(made, report=page.parent))
    assert {own[:2] for own in found} == {("file", "cells.csv"), ("decisions", "generated/2")}


def test_others_decisions_are_neither_in_it_nor_compared(reported: Path, tmp_path: Path) -> None:
    with api.open_workspace(str(reported / "study"), reader="bob") as study:
        # Which items were measured would tell bob which ones others approved; what he measures are all.
        api.score(study, "bundled")
        api.report(study, everything=True, out=tmp_path / "report")
        said = json.loads((tmp_path / "report" / "manifest.json").read_text(encoding="utf-8"))
        hidden = [own["name"] for own in said["parts"][0]["items"].values() if own["decisions"] is None]
        assert len(hidden) == 3
        again = api.check_bank(study, report=tmp_path / "report")
        assert (again.changed, again.unseen) == ((), 3)
        before = api.check_bank(study, report=reported / "report")
    assert not [own for own in before.changed or () if own.kind == "decisions"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no manifest.json"),
        ("{", "cannot be read as a manifest"),
        ("[]", "is no manifest that this gapsmith"),
        ('{"manifest": true}', "is no manifest that this gapsmith"),
        ('{"manifest": 2}', "install the gapsmith that wrote it, or a later one"),
        ('{"manifest": 2, "program": {"gapsmith": "0.9.1"}}', "form 2; form 1 is read\n.*install gapsmith 0.9.1 or a later one"),
        ("[" * 100_000, "cannot be read as a manifest"),
    ],
)
def test_what_is_no_manifest_is_refused_in_words(reported: Path, tmp_path: Path, content: str | None, words: str) -> None:
    if content is not None:
        (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    with pytest.raises((ConfigError, FormatError), match=words):
        api.check_bank(reported / "study", report=tmp_path)
