"""The main screens at three sizes, compared with what was looked at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from bank import Bank, Finding, FindingPlace, NewItem, Severity, Verdict
from templates import Sentence, Source, load_paradigm, realise
from tests.vetting.reviewing import press
from tests.vetting.snapshot import compare
from vetting.review import Session
from vetting.tui import ReviewApp

SIZES = [(60, 20), (80, 24), (160, 50)]
SLOTS = {
    "matrix": "I know", "determiner": "the", "noun": "story", "preposition": "about", "name1": "Mary",
    "linker": "is likely to", "verb": "amuse", "name2": "Anna", "adverb": "soon",
}  # fmt: skip
VERBS = ("amuse", "startle", "bewilder", "offend", "delight")


@pytest.fixture
def fixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Items whose words, findings and times are always the same."""
    monkeypatch.setattr("bank.connection.now", lambda: "2026-01-02T03:04:05.000+00:00")
    for module in ("decisions", "items", "review", "runs"):
        monkeypatch.setattr(f"bank.{module}.now", lambda: "2026-01-02T03:04:05.000+00:00", raising=False)
    bank = Bank.open(tmp_path / "bank.sqlite", create=True)
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="generate", paradigm_id=bank.paradigms.register(paradigm), provider="lexicon", identity="fixed",
        parameters={"seed": 1},
    )  # fmt: skip
    items = []
    for verb in VERBS:
        slots = {**SLOTS, "verb": verb}
        items.append(NewItem(slots, realise(paradigm, slots)))
    odd = list(items[1].sentences)
    odd[3] = Sentence(odd[3].condition, odd[3].text.replace("likely", "sure"), None, Source.GENERATED)
    items[1] = NewItem(items[1].slots, tuple(odd))
    ids = bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply="words", items=items)
    condition = odd[5].condition
    bank.findings.replace(
        "subject_pg",
        {
            ids[0]: [],
            ids[1]: [
                Finding(
                    "T101", Severity.ERROR, "not what the slots give", "write it again", FindingPlace(odd[3].condition)
                ),
                Finding("L310", Severity.WARNING, "“startle” may lack its object", "", FindingPlace(slot="verb")),
                Finding("L501", Severity.INFO, "a short name", "", FindingPlace(condition, 43, 47)),
            ],
            **{item_id: [] for item_id in ids[2:]},
        },
        ruleset="fixed",
    )
    return Session(bank, "ann")


async def item(pilot: Pilot[None], session: Session) -> None:
    """An item with a deviating sentence and findings, judged in part."""
    await press(pilot, "j", "o", "*", "3", "?", "down")


async def reasons(pilot: Pilot[None], session: Session) -> None:
    """Why exclude?"""
    await press(pilot, "x", "down", "space")


async def banner(pilot: Pilot[None], session: Session) -> None:
    """Somebody else's change."""
    with Bank.open(session.bank.path) as other:
        bo = Session(other, "bo")
        view = bo.view(1)
        bo.save_slots(view, {**(view.item.slots or {}), "verb": "delight"})
    pilot.app._read_changes()  # type: ignore[attr-defined]  # a ReviewApp
    for _ in range(10):
        await pilot.pause(0.05)


async def queue(pilot: Pilot[None], session: Session) -> None:
    """Some decided, some not."""
    session.decide({3: session.row(3).revision_id}, Verdict.EXCLUDE, reason="implausible")
    pilot.app.queue.load()  # type: ignore[attr-defined]  # a ReviewApp
    await press(pilot, "f", "g")


async def edit(pilot: Pilot[None], session: Session) -> None:
    """Slots and what would change."""
    await press(pilot, "j", "e")


async def side_by_side(pilot: Pilot[None], session: Session) -> None:
    """Two annotators, for a third."""
    view = session.view(1)
    session.decide({1: view.item.revision_id}, Verdict.APPROVE)
    session.judge(view, view.rows[1], "?")
    bo = Session(session.bank, "bo")
    bo.decide({1: view.item.revision_id}, Verdict.EXCLUDE, reason="ambiguous; unnatural", comment="two readings")
    bo.judge(view, view.rows[1], "*")
    pilot.app.session.adjudicating = True  # type: ignore[attr-defined]  # a ReviewApp
    pilot.app.queue.load()  # type: ignore[attr-defined]  # a fixture or screen that is known here
    pilot.app.show_current()  # type: ignore[attr-defined]  # a fixture or screen that is known here
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", [item, reasons, banner, queue, edit, side_by_side], ids=lambda one: one.__name__)
async def test_a_screen_looks_as_it_did(
    fixed: Session, size: tuple[int, int], scene: Callable[[Pilot[None], Session], Awaitable[None]]
) -> None:
    app = ReviewApp(fixed)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await scene(pilot, fixed)
        await pilot.pause(0.2)
        compare(app, scene.__name__)
    fixed.bank.close()
