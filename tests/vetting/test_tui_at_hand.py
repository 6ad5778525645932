"""What a key does next and what is said of it: going on, taking back, the line of keys, fields, orders."""

from __future__ import annotations

from gapsmith.bank import Verdict
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.tui import ReviewApp
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import SMALL, text_of, words_in
from tests.vetting.test_tui_trust import clean

__all__ = ["clean"]


def decide(session: Session, item_id: int, verdict: Verdict) -> None:
    session.decide({item_id: session.row(item_id).revision_id}, verdict)


async def test_deciding_goes_through_the_flagged_items_that_are_shown(clean: Session) -> None:
    for item_id in (2, 5, 7):
        decide(clean, item_id, Verdict.FLAG)
    chief = Session(clean.bank, "cy", adjudicating=True)
    app = ReviewApp(chief, query=parse_query("status:flagged"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a")
        assert "item 2 approved" in words_in(app, "#status")
        assert app.queue.position == 1
        await press(pilot, "f", "a")
        said = words_in(app, "#status")
        assert "item 7 approved, undo with" in said
        assert "All 3 items here are decided." in said
        assert [row.status.value for row in map(chief.row, (2, 5, 7))] == ["approved", "flagged", "approved"]
        await press(pilot, "backspace")
        assert app.queue.position == 2
        await press(pilot, "k", "x", "2")
        assert app.queue.position == 2, "what was taken back is to be decided on again"


async def test_deciding_again_on_what_a_filter_shows_goes_on(clean: Session) -> None:
    for item_id in (2, 5):
        decide(clean, item_id, Verdict.APPROVE)
    app = ReviewApp(clean, query=parse_query("status:approved"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "f")
        assert "item 2 flagged" in words_in(app, "#status")
        assert app.queue.current is not None
        assert app.queue.current.id == 5


async def test_the_review_takes_back_nothing_of_a_study(clean: Session) -> None:
    bank = clean.bank
    decide(clean, 1, Verdict.APPROVE)
    clean.judge(clean.view(2), clean.view(2).rows[0], "ok")
    bank.decisions.judge(3, clean.view(3).rows[0].condition, "4", author="ann", points=7, alone=True)
    bank.decisions.choose(4, "pf_pg1_pg2", "mf_pg1_pg2", first=True, author="ann", study="d", place=1, seconds=1.0)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "G")
        await pilot.pause(0.2)
        assert "‹" in words_in(app, "#ribbon")
        assert "choice" not in words_in(app, "#ribbon")
        await press(pilot, "backspace")
        assert "Taken back: judgement ok" in words_in(app, "#status")
        await press(pilot, "backspace", "backspace")
        assert "There is nothing to undo. The answers you gave in a study stay" in text_of(app)
        assert clean.row(1).mine is None
        await press(pilot, "U", "U")
        assert clean.row(1).mine is Verdict.APPROVE
    assert [(j.item_id, j.rating) for j in bank.decisions.judgements() if j.points == 7] == [(3, "4")]
    assert bank.review.next_action("ann", "undo") is not None
    assert bank.decisions.undo("ann") == [2], "the newest of all is what was done again last"
    assert bank.decisions.undo("ann") == [1]
    assert bank.decisions.undo("ann") == [4]
