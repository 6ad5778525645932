"""Corners of the bank in which an item could be taken for approved, linted or undone when it is not."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gapsmith.bank import Bank, BankError, Finding, ItemFilter, ItemStatus, NewItem, Severity, Verdict
from gapsmith.templates import load_paradigm, realise, sample
from tests.conftest import CommandOutcome

PG = load_paradigm("subject_pg")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def add(bank: Bank, items: list[NewItem]) -> list[int]:
    """Items of subject_pg in a run of their own."""
    paradigm_id = bank.paradigms.register(PG)
    run = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider="x", identity="x", parameters={})
    return bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=items)


def one(bank: Bank) -> int:
    """The id of a new item."""
    slots = next(sample(PG, 1))
    return add(bank, [NewItem(slots, realise(PG, slots))])[0]


def edit(bank: Bank, item_id: int, author: str) -> None:
    """An edit of one word."""
    item = bank.items.get(item_id)
    slots = {**(item.slots or {}), "name1": "Zoë"}
    bank.items.revise(item_id, slots=slots, sentences=realise(PG, slots), author=author)


def test_findings_belong_to_the_revision_that_was_read(bank: Bank) -> None:
    item_id = one(bank)
    read = bank.items.get(item_id).revision_id
    edit(bank, item_id, "ann")
    bank.findings.replace("subject_pg", {item_id: []}, ruleset="r", revisions={item_id: read})
    assert bank.findings.unlinted() == [item_id]


def test_a_lint_with_other_rules_does_not_count(bank: Bank) -> None:
    item_id = one(bank)
    bank.findings.replace("subject_pg", {item_id: [Finding("L1", Severity.INFO, "x")]}, ruleset="some")
    assert bank.findings.unlinted() == []
    assert bank.findings.unlinted(ItemFilter(paradigm="subject_pg"), ruleset="all") == [item_id]


def test_an_edit_on_which_another_has_built_is_not_undone(bank: Bank) -> None:
    item_id = one(bank)
    edit(bank, item_id, "ann")
    edit(bank, item_id, "bob")
    with pytest.raises(BankError, match="somebody else has edited"):
        bank.decisions.undo("ann")
    assert bank.items.get(item_id).revision_number == 3
    bank.decisions.undo("bob")
    bank.decisions.undo("ann")
    assert bank.items.get(item_id).revision_number == 1


def test_a_policy_does_not_speak_again_after_a_person_has(bank: Bank) -> None:
    item_id = one(bank)
    bank.decisions.decide([item_id], Verdict.APPROVE, author="policy:clean", kind="policy")
    edit(bank, item_id, "bob")
    bank.decisions.decide([item_id], Verdict.EXCLUDE, author="ann", reason="implausible")
    bank.decisions.undo("bob")
    assert bank.items.get(item_id).status is ItemStatus.PENDING


def test_running_numbers_leave_out_the_labels_that_are_given(bank: Bank) -> None:
    items = []
    for label, slots in zip([None, "1", None, "3"], sample(PG, 2), strict=False):
        items.append(NewItem(slots, realise(PG, slots), label))
    add(bank, items)
    assert [item.label for item in bank.items.iterate()] == ["2", "1", "4", "3"]


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    raw = sqlite3.connect(path)
    raw.execute("CREATE TABLE recipes (x)")
    raw.commit()
    raw.close()
    with pytest.raises(BankError, match="not a gapsmith bank"):
        Bank.open(path)
    raw = sqlite3.connect(path)
    assert [row[0] for row in raw.execute("SELECT name FROM sqlite_master")] == ["recipes"]
    raw.close()


Run = Callable[..., CommandOutcome]


def test_a_bank_that_is_gone_is_said_and_not_replaced(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "subject_pg", "-n", "2")
    (tmp_path / "bank.sqlite").unlink()
    outcome = gapsmith("lint")
    assert outcome.code == 2
    assert "no bank" in outcome.err
    assert not (tmp_path / "bank.sqlite").exists()


def test_a_workspace_with_its_own_words_can_be_moved(gapsmith: Run, tmp_path: Path) -> None:
    folder = tmp_path / "ws" / "paradigms"
    (folder / "lexicons").mkdir(parents=True)
    (folder / "lexicons" / "birds.csv").write_text("form\nheron\nwren\n", encoding="utf-8")
    (folder / "birds.toml").write_text(
        'name = "birds"\ntitle = "Birds [/x]"\n[factors.n]\nlevels = { sg = "sg", pl = "pl" }\n'
        '[status]\nsg = "ok"\npl = "*"\n[[regions]]\nname = "subject"\ntext = "the {bird}"\n'
        '[[regions]]\nname = "verb"\nwhen = { sg = "sings", pl = "sing" }\n[critical]\nsg = "verb"\npl = "verb"\n'
        '[slots.bird]\ndescription = "a bird"\nexample = "heron"\nlexicon = "birds"\n[designs.all]\nconditions = "all"\n',
        encoding="utf-8",
    )
    gapsmith("init", "ws")
    assert "Birds [/x]" in gapsmith("paradigm", "list", "-w", "ws").out
    assert gapsmith("generate", "birds", "-n", "2", "-w", "ws").code == 0
    shutil.move(tmp_path / "ws", tmp_path / "moved")
    outcome = gapsmith("lint", "-w", "moved", "--fail-on", "never")
    assert outcome.code == 0, outcome.err
    assert "2 items read" in outcome.out


def test_a_partial_lint_and_new_words_do_not_let_a_policy_approve(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "subject_pg", "-n", "3")
    gapsmith("lint", "--ignore", "T", "--fail-on", "never")
    assert gapsmith("decide", "--policy", "clean").code == 1
    gapsmith("lint", "--fail-on", "never")
    assert "would be approved 3" in gapsmith("decide", "--policy", "clean", "--dry-run").err
    (tmp_path / "lexicons").mkdir()
    (tmp_path / "lexicons" / "verbs.csv").write_text("form,class\nflummox,intransitive\n", encoding="utf-8")
    assert gapsmith("decide", "--policy", "clean").code == 1


def test_a_dry_run_says_what_would_be_and_does_nothing(gapsmith: Run) -> None:
    gapsmith("generate", "subject_pg", "-n", "3")
    dry = gapsmith("decide", "exclude", "1", "2", "--reason", "unnatural", "--by", "ann", "--dry-run")
    assert "would be approved 0, excluded 2" in dry.err
    assert len(gapsmith("export", "slots", "--status", "pending").out.splitlines()) == 3


def test_a_policy_takes_no_filter_that_it_would_ignore(gapsmith: Run) -> None:
    gapsmith("generate", "subject_pg", "-n", "3")
    gapsmith("lint", "--fail-on", "never")
    outcome = gapsmith("decide", "--policy", "clean", "--text", "soon")
    assert outcome.code == 2
    assert "--text" in outcome.err


def test_a_repair_reads_the_slots_again(gapsmith: Run, tmp_path: Path) -> None:
    slots = {slot.name: slot.example for slot in PG.visible_slots}
    rows = ["sentence_type,item_id,condition,full_sentence"]
    rows += [f"subject_pg,1,{s.condition},{s.text[:-1]}\u200b." for s in realise(PG, slots)]
    (tmp_path / "x.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    gapsmith("import", "x.csv", "-p", "subject_pg")
    outcome = gapsmith("lint", "--fix")
    assert outcome.code == 0, outcome.out
    assert '"adverb": "soon"' in gapsmith("export", "slots", "--all").out


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'sentence_type,item_id,"condition,full_sentence\n'),
        ("a.jsonl", '{"slots": {"noun": "\\ud800"}}\n'),
        ("a.jsonl", '{"item": ["1"], "slots": {}}\n'),
    ],
)
def test_files_that_are_broken_in_odd_ways_are_refused(gapsmith: Run, tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    outcome = gapsmith("import", name, "-p", "subject_pg")
    assert outcome.code == 2
    assert "line 1" in outcome.err
