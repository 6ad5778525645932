"""A paradigm's file that has changed since its items were made: what differs, and bringing the items up to date."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, ItemStatus, Verdict
from gapsmith.templates import load_paradigm
from tests.printed import results

Run = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path, gapsmith: Run) -> Path:
    """Six items of a paradigm of the workspace's own, approved by ann and scored; the paradigm's file."""
    path = tmp_path / "paradigms" / "subject_pg.toml"
    path.parent.mkdir()
    path.write_text(load_paradigm("subject_pg").text, encoding="utf-8")
    assert gapsmith("init").code == 0
    (tmp_path / "gapsmith.toml").write_text('annotator = "ann"\n', encoding="utf-8")
    assert gapsmith("generate", "subject_pg", "-n", 6).code == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ann")
    return path


def change(path: Path, *pairs: tuple[str, str]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


def state(folder: Path) -> list[tuple[ItemStatus, str, int]]:
    with Bank.open(folder / "bank.sqlite") as bank:
        return [(item.status, item.sentences[0].text, item.revision_number) for item in bank.items.iterate()]


def test_what_differs_is_listed(own: Path, gapsmith: Run) -> None:
    assert "what all 6 items were made with" in gapsmith("paradigm", "diff", "subject_pg").err
    change(own, ('mf_pg1_pg2 = "*"', 'mf_pg1_pg2 = "?"'), ('name = "P4"', 'name = "P5"'))
    outcome = gapsmith("paradigm", "diff", "subject_pg")
    assert "6 of 6 items: another predictions" in outcome.out
    assert "mf_pg1_pg2, status: * -> ?" in outcome.out
    assert "contrast P5: new in the file" in outcome.out
    assert "there is nothing to update" in outcome.err
    change(own, ('when = { pf = "who", mf = "that" }', 'when = { pf = "whom", mf = "that" }'))
    (found,) = results(gapsmith("paradigm", "diff", "subject_pg", "--json").out)
    assert found["parts"] == ["form", "predictions"]
    assert "pf_pg1_pg2, region filler: 'who' -> 'whom'" in found["changes"]


def test_texts_that_stay_keep_their_decisions(own: Path, gapsmith: Run, tmp_path: Path) -> None:
    before = state(tmp_path)
    # The island becomes one region with its preposition: other regions, the same words.
    change(
        own,
        ('text = "{determiner} {noun}"', 'text = "{determiner} {noun} {preposition}"'),
        ('[[regions]]\nname = "preposition"\ntitle = "preposition"\ntext = "{preposition}"\n\n', ""),
    )
    generated = gapsmith("generate", "subject_pg", "-n", 1, "--seed", 9)
    assert "6 items here were made with another form" in generated.err
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    assert "6 items were made with another form" in gapsmith("analyze", "--all").err
    assert "6 items were made with another form" in gapsmith("report", "--all", "-o", tmp_path / "r").err
    dry = gapsmith("paradigm", "update", "subject_pg", "--dry-run")
    assert "6 keep their texts, decisions and scores" in dry.err
    assert state(tmp_path)[:6] == before
    assert gapsmith("paradigm", "update", "subject_pg").code == 0
    after = state(tmp_path)[:6]
    assert [(status, text) for status, text, _ in after] == [(status, text) for status, text, _ in before]
    assert {revision for _, _, revision in after} == {2}
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        item = next(iter(bank.items.iterate()))
        assert item.sentences[0].span("preposition") is None
        assert bank.paradigms.load(item.paradigm_id).form_digest == bank.paradigms.newest("subject_pg").form_digest
    assert "all items have the form" in gapsmith("paradigm", "update", "subject_pg").err


def test_new_texts_wait_for_decisions_and_one_undo_takes_all_back(own: Path, gapsmith: Run, tmp_path: Path) -> None:
    before = state(tmp_path)
    change(own, ('when = { pf = "who", mf = "that" }', 'when = { pf = "whom", mf = "that" }'))
    assert "6 have new texts and wait for decisions" in gapsmith("paradigm", "update", "subject_pg").err
    after = state(tmp_path)
    assert {status for status, _, _ in after} == {ItemStatus.PENDING}
    assert all(" whom " in text for _, text, _ in after)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert len(bank.decisions.undo("ann") or ()) == 6
    assert [(status, text) for status, text, _ in state(tmp_path)] == [(status, text) for status, text, _ in before]


def test_imported_sentences_keep_their_text_and_are_read_again(own: Path, gapsmith: Run, tmp_path: Path) -> None:
    exported = gapsmith("export", "csv", "-p", "subject_pg").out
    (tmp_path / "mine.csv").write_text(exported, encoding="utf-8")
    assert gapsmith("import", "mine.csv", "-p", "subject_pg", "--dataset", "mine").code == 0
    change(own, ('when = { pf = "who", mf = "that" }', 'when = { pf = "whom", mf = "that" }'))
    done = gapsmith("paradigm", "update", "subject_pg")
    assert "6 keep their texts" in done.err
    assert "6 have new texts" in done.err
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        mine = [item for item in bank.items.iterate() if item.dataset == "mine"]
    assert all(" who " in item.sentences[0].text for item in mine)
    assert all(item.sentences[0].regions is None and item.sentences[0].why for item in mine)


def test_a_paradigm_without_items_has_nothing_to_compare(own: Path, gapsmith: Run) -> None:
    outcome = gapsmith("paradigm", "diff", "lan_pg")
    assert (outcome.code, "no items of 'lan_pg'" in outcome.err) == (2, True)
