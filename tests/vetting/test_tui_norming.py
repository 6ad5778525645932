"""Judging sentences one at a time: in an order of one's own, with nothing beside them, each seen before it is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from gapsmith.bank import Bank, Verdict
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.review import Session
from gapsmith.vetting.review.norming import CATEGORIES, Scale, judge_trial, stimuli
from gapsmith.vetting.tui import NormingApp
from tests.vetting.reviewing import press, until
from tests.vetting.test_tui_item import SMALL, screen_text, text_of
from tests.vetting.test_tui_keys import post, settle


def test_the_order_is_ones_own_and_stays(make_bank: Callable[[int], Bank]) -> None:
    bank = make_bank(6)
    ann, bo = Session(bank, "ann"), Session(bank, "bo")
    first = stimuli(ann)
    assert len(first) == 48
    assert first != sorted(first, key=lambda one: (one.item_id, one.condition))
    assert {(one.item_id, one.condition) for one in first} == {(one.item_id, one.condition) for one in stimuli(bo)}
    assert first != stimuli(bo)
    judge_trial(ann, first[3], "*", CATEGORIES, 1.5)
    assert stimuli(ann) == first[:3] + first[4:]
    assert len(stimuli(bo)) == 48


async def test_a_sentence_stands_alone_and_each_key_is_about_one_that_was_seen(session: Session) -> None:
    waiting = stimuli(session)
    app = NormingApp(session, waiting, CATEGORIES)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        text = text_of(app)
        assert waiting[0].text in text
        for word in ("+F", "-F", "L310", "T201", "expected", "item"):
            assert word not in text
        await post(app, "oooo")
        await settle(pilot)
        assert [record.rating for record in session.bank.decisions.judgements()] == ["ok"]
        assert waiting[1].text in text_of(app)
        await asyncio.sleep(0.16)
        await press(pilot, "*", "m")
        records = session.bank.decisions.judgements()
        assert [(r.item_id, r.condition, r.rating) for r in records] == [
            (one.item_id, one.condition, value) for one, value in zip(waiting, ("ok", "*", "?"), strict=False)
        ]
        assert all(record.seconds is not None and record.seconds >= 0 for record in records)
        await press(pilot, "backspace")
        assert len(session.bank.decisions.judgements()) == 2
        assert waiting[2].text in text_of(app)
        await press(pilot, "space", "3")
        assert "The scale has ok, ?, *" in text_of(app)
        assert "4 of 80" not in screen_text(app)[0]
        assert len(app.summary()) >= 1


async def test_undo_takes_back_only_what_was_judged_here(session: Session) -> None:
    session.decide({1: session.row(1).revision_id}, Verdict.FLAG)
    app = NormingApp(session, stimuli(session), CATEGORIES)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "backspace")
        assert session.row(1).mine is Verdict.FLAG
        assert "nothing to take back here" in text_of(app)


async def test_a_scale_of_points_and_its_end(make_bank: Callable[[int], Bank]) -> None:
    session = Session(make_bank(1), "ann")
    app = NormingApp(session, stimuli(session), Scale.likert(7))
    async with app.run_test(size=SMALL) as pilot:
        assert "1 bad … 7 good" in text_of(app)
        for key in "72415637":
            await press(pilot, key)
        assert "All sentences have been shown." in text_of(app)
        assert "Median" in text_of(app)
        await press(pilot, "1")
    records = session.bank.decisions.judgements()
    assert [(record.rating, record.points) for record in records] == [(key, 7) for key in "72415637"]
    view = session.view(1)
    assert all(row.agrees is None for row in view.rows), "a point of a scale is neither expected nor not"
    with pytest.raises(ConfigError, match="one digit"):
        Scale.likert(11)


async def test_a_sentence_that_was_changed_meanwhile_is_not_judged(session: Session) -> None:
    waiting = stimuli(session)
    app = NormingApp(session, waiting, CATEGORIES)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        with Bank.open(session.bank.path) as other:
            bo = Session(other, "bo")
            view = bo.view(waiting[0].item_id)
            bo.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        await press(pilot, "o")
        assert "changed meanwhile" in text_of(app)
        assert session.bank.decisions.judgements() == []


async def test_what_was_taken_back_and_judged_again_is_in_the_log_whoever_quits_at_once(session: Session) -> None:
    waiting = stimuli(session)
    app = NormingApp(session, waiting, CATEGORIES)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await press(pilot, "o", "m")
        await press(pilot, "backspace")
        await settle(pilot)
        # The judgement and the way out come in one read.
        await post(app, ["*", "ctrl+q"])
        await until(lambda: app.return_code is not None or not app.is_running, app)
    with Bank.open(session.bank.path) as bank:
        kept = [(one.item_id, one.condition, one.rating) for one in bank.decisions.judgements()]
        assert kept == [
            (waiting[0].item_id, waiting[0].condition, "ok"),
            (waiting[1].item_id, waiting[1].condition, "*"),
        ]
        written = bank.db.tuples("SELECT kind, payload ->> 'rating' FROM event ORDER BY id")
        assert [tuple(row) for row in written] == [("judgement", "ok"), ("judgement", "?"), ("undo", None), ("judgement", "*")]
        # Whoever takes back what came last takes back that, and no judgement comes back with it.
        again = Session(bank, "ann")
        again.undo()
        assert [one.rating for one in bank.decisions.judgements()] == ["ok"]
        again.undo()
        assert bank.decisions.judgements() == []
