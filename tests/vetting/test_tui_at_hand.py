"""What a key does next and what is said of it: going on, taking back, the line of keys, fields, orders."""

from __future__ import annotations

import pytest

from gapsmith.app.cli.review import _count_adjudication
from gapsmith.bank import Bank, ItemFilter, Verdict
from gapsmith.templates import realise
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.review.groups import groups_of
from gapsmith.vetting.tui import ReviewApp
from tests.parts import first_of
from tests.vetting.reviewing import FINDINGS, press
from tests.vetting.test_tui_item import LARGE, SMALL, screen_text, text_of, words_in
from tests.vetting.test_tui_keys import settle
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
        assert "Of 3 items here none is disputed: 2 decided and 1 flagged." in said
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


@pytest.mark.parametrize("size", first_of([SMALL, (160, 50), LARGE]))
async def test_who_adjudicates_finds_the_keys_of_adjudication_in_the_line(clean: Session, size: tuple[int, int]) -> None:
    decide(clean, 2, Verdict.APPROVE)
    decide(Session(clean.bank, "bo"), 2, Verdict.FLAG)
    for adjudicating in (True, False):
        session = Session(clean.bank, "cy", adjudicating=adjudicating)
        app = ReviewApp(session, query=parse_query("status:disputed" if adjudicating else ""))
        async with app.run_test(size=size):
            keys = screen_text(app)[-1]
            if not adjudicating:
                assert "T theirs" not in keys
            else:
                for one in ("T theirs", "V version", "a approve", "? help", "ctrl+q leave"):
                    assert one in keys


async def test_triage_names_the_lock_and_v_shows_what_others_say(clean: Session) -> None:
    decide(Session(clean.bank, "bo"), 1, Verdict.FLAG)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "G")
        keys = screen_text(app)[-1]
        for one in ("L lock", "⏎ open", "b together", "? help", "ctrl+q leave"):
            assert one in keys
        await press(pilot, "v")
        assert "Look at what others decided and at scores before you lock?" in text_of(app)
        await press(pilot, "n")
        await press(pilot, "g", "G", "L", "y", "v")
        assert "flagged (bo" in text_of(app)


async def test_a_lock_that_is_not_taken_says_so(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "L", "enter")
        assert "Not locked." in words_in(app, "#status")
        assert clean.bank.review.locks() == []
        await press(pilot, "L", "y", "L", "n")
        assert "Not unlocked." in words_in(app, "#status")
        assert [lock.locked for lock in clean.bank.review.locks()] == [True]


async def test_once_a_reason_is_marked_the_hint_says_that_digits_mark(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x")
        assert "digit: take it" in words_in(app, ".hint")
        await press(pilot, "space")
        assert "digit: mark or unmark · ⏎: take them" in words_in(app, ".hint")
        await press(pilot, "1")
        assert "digit: take it" in words_in(app, ".hint")


def test_words_of_frames_are_not_offered_where_they_are_a_slot_of_their_own(clean: Session) -> None:
    for item_id in (1, 2):
        stored = clean.bank.items.get(item_id)
        slots = {**(stored.slots or {}), "linker": "about", "name1": "Zelda"}
        clean.bank.items.revise(item_id, slots=slots, sentences=realise(clean.view(item_id).paradigm, slots), author="ann")
    offered = {group.title for group in groups_of(clean, 1, parse_query(""))}
    assert "“about”" not in offered
    assert "“Zelda”" in offered


async def test_the_field_in_which_one_types_has_a_mark(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "e")
        names = list(clean.view(1).item.slots or {})
        for name in names[:2]:
            (marked,) = [line for line in screen_text(app) if "▸" in line]
            assert marked.split()[:2] == ["▸", name]
            await press(pilot, "down")


async def test_where_nothing_is_doubtful_the_bars_say_so(clean: Session) -> None:
    app = ReviewApp(clean, order="doubt")
    async with app.run_test(size=LARGE) as pilot:
        assert "nothing is doubtful" in screen_text(app)[0]
        await press(pilot, "g")
        assert "the doubtful first  (nothing is doubtful)" in screen_text(app)[0]
        await press(pilot, "s")
        assert "nothing is doubtful" not in screen_text(app)[0]
    clean.bank.findings.replace("subject_pg", {4: FINDINGS}, ruleset="test")
    app = ReviewApp(clean, order="doubt")
    async with app.run_test(size=LARGE):
        assert "nothing is doubtful" not in screen_text(app)[0]


async def test_the_doubtful_come_first_again_after_a_lock_and_after_others_decide(clean: Session) -> None:
    bo = Session(clean.bank, "bo")
    decide(clean, 8, Verdict.APPROVE)
    decide(bo, 8, Verdict.FLAG)
    app = ReviewApp(clean, order="doubt")
    async with app.run_test(size=LARGE) as pilot:
        assert [row.id for row in app.queue.rows] == list(range(1, 11)), "who is blind is told nothing"
        await press(pilot, "g", "L", "y")
        assert app.queue.rows[0].id == 8
        assert app.queue.current is not None
        assert app.queue.current.id == 1, "the item at hand stays the one at hand"
        assert "[people disagree]" in text_of(app)
        await press(pilot, "L", "y")
        decide(clean, 5, Verdict.APPROVE)
        await press(pilot, "L", "y")
        with Bank.open(clean.bank.path) as other:
            decide(Session(other, "bo"), 5, Verdict.FLAG)
        app.look_at_bank()
        await app.workers.wait_for_complete([w for w in app.workers if w.group in ("look", "watch")])
        await settle(pilot)
        await app.workers.wait_for_complete([w for w in app.workers if w.group in ("look", "watch")])
        await settle(pilot)
        assert [row.id for row in app.queue.rows][:2] == [5, 8]


async def test_the_figures_of_an_adjudication_are_those_of_its_end(clean: Session, capsys: pytest.CaptureFixture[str]) -> None:
    decide(clean, 2, Verdict.APPROVE)
    decide(Session(clean.bank, "bo"), 2, Verdict.FLAG)
    _count_adjudication(clean.bank, "cy", ItemFilter())
    assert "1 disputed, 0 adjudicated" in capsys.readouterr().err
    app = ReviewApp(Session(clean.bank, "cy", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a")
    _count_adjudication(clean.bank, "cy", ItemFilter())
    said = capsys.readouterr().err
    assert "0 disputed, 1 adjudicated" in said
    assert max(map(len, said.splitlines())) < 80
