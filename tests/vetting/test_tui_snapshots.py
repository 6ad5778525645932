"""The main screens at three sizes, compared with what was looked at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from gapsmith.bank import Bank, Finding, FindingPlace, NewItem, Severity, Verdict
from gapsmith.templates import Sentence, Source, load_paradigm, realise
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.norming import Scale, stimuli
from gapsmith.vetting.tui import NormingApp, ReviewApp
from tests.parts import first_of
from tests.vetting.reviewing import press, until
from tests.vetting.snapshot import compare, steady

SIZES = [(80, 24), (60, 20), (160, 50)]
SLOTS = {
    "matrix": "I know",
    "determiner": "the",
    "noun": "story",
    "preposition": "about",
    "name1": "Mary",
    "linker": "is likely to",
    "verb": "amuse",
    "name2": "Anna",
    "adverb": "soon",
}
VERBS = ("amuse", "startle", "bewilder", "offend", "delight")


@pytest.fixture
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Items whose words, findings and times are always the same."""
    monkeypatch.setattr("gapsmith.bank.connection.now", lambda: "2026-01-02T03:04:05.000+00:00")
    for module in ("events", "items", "review", "runs"):
        monkeypatch.setattr(f"gapsmith.bank.{module}.now", lambda: "2026-01-02T03:04:05.000+00:00")
    bank = Bank.open(tmp_path / "bank.sqlite", create=True)
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=bank.paradigms.register(paradigm),
        provider="lexicon",
        identity="fixed",
        parameters={"seed": 1},
    )
    items = []
    for number, verb in enumerate(VERBS):
        slots = {**SLOTS, "verb": verb, **({"name1": "Sue"} if number > 3 else {})}
        items.append(NewItem(slots, realise(paradigm, slots)))
    odd = list(items[1].sentences)
    odd[3] = Sentence(odd[3].condition, odd[3].text.replace("likely", "sure"), None, Source.GENERATED)
    items[1] = NewItem(items[1].slots, tuple(odd))
    ids = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply="words", items=items)
    condition = odd[5].condition
    at = odd[5].text.index("Anna")
    bank.findings.replace(
        "subject_pg",
        {
            ids[0]: [],
            ids[1]: [
                Finding("T101", Severity.ERROR, "not what the slots give", "write it again", FindingPlace(odd[3].condition)),
                Finding("L310", Severity.WARNING, "“startle” may lack its object", "", FindingPlace(slot="verb")),
                Finding("L501", Severity.INFO, "a short name", "", FindingPlace(condition, at, at + len("Anna"))),
            ],
            **{item_id: [] for item_id in ids[2:]},
        },
        ruleset="fixed",
    )
    return Session(bank, "ann")


async def seen(pilot: Pilot[None], name: str) -> None:
    """Wait until all is drawn, and compare."""
    steady(pilot.app)
    await pilot.pause(0.1)
    compare(pilot.app, name)


@pytest.mark.parametrize("size", first_of(SIZES), ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_screens_of_one_annotator_look_as_they_did(fixed: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(fixed)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "j", "o", "*", "3", "m", "down")
        await seen(pilot, "item")
        await press(pilot, *["down"] * 4, "x", "down", "space")
        await seen(pilot, "reasons")
        await press(pilot, "escape", "e", *"ed")
        await seen(pilot, "edit")
        await press(pilot, "ctrl+d", "c", *"two readings")
        await seen(pilot, "remark")
        await press(pilot, "ctrl+s", "k", "f1")
        await seen(pilot, "help")
        fixed.decide({3: fixed.row(3).revision_id}, Verdict.EXCLUDE, reason="implausible")
        app.queue.load()
        await press(pilot, "escape", "f", "g")
        await seen(pilot, "queue")
        await press(pilot, "G")
        await seen(pilot, "triage")
        await press(pilot, "b")
        await seen(pilot, "shared")
        await press(pilot, "1")
        await seen(pilot, "group")
        await press(pilot, "escape", "g", "home", "enter")
        with Bank.open(fixed.bank.path) as other:
            bo = Session(other, "bo")
            view = bo.view(1)
            bo.save_slots(view, {**(view.item.slots or {}), "verb": "delight"})
        app._read_changes()
        # The review looks by itself now and then, too: whichever look it was, it is announced.
        await until(lambda: app.screen.query_one("#banner").display, app)
        await seen(pilot, "banner")
    fixed.bank.close()


@pytest.mark.parametrize("size", first_of(SIZES), ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_screen_of_an_adjudicator_looks_as_it_did(fixed: Session, size: tuple[int, int]) -> None:
    view = fixed.view(1)
    fixed.decide({1: view.item.revision_id}, Verdict.APPROVE)
    fixed.judge(view, view.rows[1], "?")
    bo = Session(fixed.bank, "bo")
    bo.decide({1: view.item.revision_id}, Verdict.EXCLUDE, reason="ambiguous; unnatural", comment="two readings")
    bo.judge(view, view.rows[1], "*")
    async with ReviewApp(Session(fixed.bank, "cy", adjudicating=True)).run_test(size=size) as pilot:
        await seen(pilot, "side_by_side")
    fixed.bank.close()


@pytest.mark.parametrize("size", first_of(SIZES), ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_sentence_to_judge_looks_as_it_did(fixed: Session, size: tuple[int, int]) -> None:
    async with NormingApp(fixed, stimuli(fixed), Scale.likert(7)).run_test(size=size) as pilot:
        await press(pilot, "5")
        await seen(pilot, "sentence")
    fixed.bank.close()
