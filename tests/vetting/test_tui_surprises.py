"""What surprised or annoyed somebody who reviewed by hand, and what strange items and terminals do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rich.cells import cell_len
from textual.widgets import TextArea

from gapsmith.bank import Bank, LockedError, NewItem, Verdict
from gapsmith.templates import load_paradigm, realise
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.edit_screen import EditScreen
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_screen import ItemScreen
from tests.vetting.reviewing import press
from tests.vetting.test_review_grid import assert_safe
from tests.vetting.test_tui_item import SMALL, screen_text, text_of
from tests.vetting.test_tui_keys import post, settle


@pytest.fixture
def clean(make_bank: Callable[[int], Bank]) -> Session:
    """A session on items without findings."""
    bank = make_bank(10)
    bank.findings.replace("subject_pg", {row.id: () for row in Session(bank, "ann").rows()}, ruleset="none")
    return Session(bank, "ann")


async def test_a_change_during_a_question_is_announced_and_the_selected_sentence_stays(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "5", "c")
        with Bank.open(clean.bank.path) as other:
            bo = Session(other, "bo")
            view = bo.view(1)
            bo.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        await press(pilot, *"hm", "ctrl+s")
        assert app.screen.query_one(ItemGrid).cursor == 5
        assert "somebody changed this item while you were looking at it" in text_of(app)
        assert not any("startle" in line.text for line in app.screen.query_one(ItemGrid)._lines)
        await press(pilot, "a", "f")
        assert clean.row(1).mine is None
        await press(pilot, "enter", "a")
        assert clean.row(1).mine is Verdict.APPROVE


async def test_own_words_are_not_the_first_reason_of_the_list(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x", "tab", *"hm", "enter")
        await press(pilot, "x", "down", "tab", *"so", "enter")
        reasons = [(d.reason, d.comment) for i in (1, 2) for d in clean.bank.decisions.for_item(i)]
        assert reasons == [("other", "hm"), ("implausible", "so")]
        assert "item 2 excluded: implausible “so”" in text_of(app)


async def test_a_key_that_does_nothing_says_why(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        for key, why in (("=", "is what the slots give"), ("T", "this is for adjudication"), ("V", "edited apart")):
            await press(pilot, key)
            assert why in text_of(app)
        await press(pilot, "L")
        assert "10 of 10 items are still undecided" in text_of(app)
        await press(pilot, "y")
        for key in ("a", "e", "E", "="):
            await press(pilot, "j", key)
            assert "You have locked these decisions; L unlocks them" in text_of(app)
            assert not isinstance(app.screen, EditScreen)
        assert clean.row(1).mine is None


def test_no_door_changes_the_text_of_what_its_reader_has_locked(clean: Session) -> None:
    view = clean.view(1)
    slots = {**(view.item.slots or {}), "verb": "startle"}
    clean.save_slots(view, slots)
    clean.lock()
    with pytest.raises(LockedError, match="has locked the decisions on"):
        clean.save_slots(clean.view(1), view.item.slots or {})
    with pytest.raises(LockedError, match="to undo is an edit that"):
        clean.undo()
    # Whoever a tool writes down as author: it is the reader who changes the text.
    with pytest.raises(LockedError, match="has locked the decisions on"):
        clean.bank.items.revise(1, slots=None, sentences=view.item.sentences, author="import")
    assert clean.view(1).item.slots == slots
    settling = Session(clean.bank, clean.author, adjudicating=True)
    settling.save_slots(settling.view(1), view.item.slots or {})
    settling.undo()


async def test_a_filter_leads_to_what_is_undecided_and_locking_counts_what_it_hides(clean: Session) -> None:
    clean.decide({i: clean.row(i).revision_id for i in (2, 3)}, Verdict.APPROVE)
    shared = clean.view(2).item.slots or {}
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "/", *"item:2", "enter")
        assert app.queue.current is not None
        await press(pilot, "L")
        assert "8 of 10 items are still undecided" in text_of(app)
        await press(pilot, "n", "escape", "escape", "home", "enter", "/", *f"word:{shared['determiner']}", "enter")
        await settle(pilot)
        assert app.queue.current is not None
        assert clean.undecided(app.queue.current)


async def test_what_was_said_is_not_said_again_after_another_screen(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a")
        assert "item 1 approved" in text_of(app)
        await press(pilot, "g", "enter")
        await settle(pilot)
        assert "item 1 approved" not in text_of(app)
        await press(pilot, "e", "ctrl+d")
        assert "Nothing was changed." in text_of(app)
        await press(pilot, "e", *"x", "escape")
        assert "what you typed is kept for next time" in text_of(app)


@pytest.mark.parametrize("gap_ms", [0, 5])
async def test_what_was_typed_in_the_same_read_as_the_key_that_leaves_is_kept(clean: Session, gap_ms: int) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await post(app, ["c", *"half", "escape"], gap_ms)
        await settle(pilot)
        assert [draft.text for draft in clean.bank.review.drafts("ann")] == ["half"]


async def test_waiting_for_a_busy_bank_is_said(clean: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gapsmith.vetting.tui.frame._SILENCE_S", 0.05)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        with Bank.open(clean.bank.path) as other, other.transaction():
            await post(app, "a")
            for _ in range(60):
                await pilot.pause(0.05)
                if "Waiting for the bank" in text_of(app):
                    break
            assert "Waiting for the bank" in text_of(app)
        await settle(pilot)
        assert clean.row(1).mine is Verdict.APPROVE


def test_a_session_tells_its_pace_when_it_ends_and_when_a_break_is_due() -> None:
    from gapsmith.vetting.review.pace import ReviewPace

    pace = ReviewPace()
    for item in range(49):
        pace.count(item, 2.0)
    assert pace.break_line == ""
    pace.count(49, 2.0)
    assert pace.break_line == "50 decided in this session, median 2.0 s. A short break keeps judgements steady."
    assert pace.lines(90)[-1] == "Median 2.0 s per decision: the rest takes about 3 min."
    assert pace.lines(3)[-1] == "Median 2.0 s per decision: the rest takes less than a minute."


async def test_what_was_taken_back_does_not_count_as_decided(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a", "f")
        assert app.pace.decisions == 2
        await press(pilot, "backspace")
        assert app.pace.decisions == 1
        await press(pilot, "U")
        assert app.pace.decisions == 2
        await press(pilot, "backspace", "backspace", "backspace")
        assert app.pace.decisions == 0


@pytest.mark.full
async def test_the_loop_itself_writes_nothing_and_a_full_disk_is_said(clean: Session) -> None:
    clean.bank.db.execute("PRAGMA query_only = 1")
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "o", "c", *"hm", "ctrl+s", "a", "x", "2", "f", "e", *"x", "ctrl+s", "E", *"y", "escape", "backspace")
        await press(pilot, "U", "t", "v", "y", "escape", "g", "s", "F", "y", "backspace", "enter", "L", "y", "L", "y")
        await settle(pilot)
        app.theme = "nord"
        await pilot.pause()
        assert "could not be" not in text_of(app)
        assert [clean.row(i).mine for i in (1, 2, 3)] == [Verdict.APPROVE, Verdict.EXCLUDE, Verdict.FLAG]

        def no_more_pages(session: Session) -> None:
            (used,) = session.bank.db.execute("PRAGMA page_count").fetchone()
            session.bank.db.execute(f"PRAGMA max_page_count = {used}")

        await app.writer.run(no_more_pages)
        await press(pilot, "c")
        app.screen.query_one(TextArea).text = "too long for what is left " * 4000
        await press(pilot, "ctrl+s")
        await settle(pilot)
        assert "what was committed before is kept" in text_of(app)
        # Nothing that was typed is lost: it is there again, and goes to the disk once there is room.
        await press(pilot, "c")
        assert app.screen.query_one(TextArea).text.startswith("too long for what is left")
        await press(pilot, "escape")

        def more_pages(session: Session) -> None:
            session.bank.db.execute("PRAGMA max_page_count = 1000000")

        await app.writer.run(more_pages)
        await app.drafts.done()
        assert [draft.text[:8] for draft in clean.bank.review.drafts("ann") if draft.field == "comment"] == ["too long"]
    assert app.return_code in {None, 0}


# Strange items and terminals

STRANGE = {
    "matrix": "I know",
    "determiner": "the",
    "noun": "word " * 59 + "story",
    "preposition": "about",
    "name1": "山田太郎と花子",
    "linker": "is likely to",
    "verb": "👩🏽 amuse 🎉",
    "name2": "מרים",
    "adverb": "soon",
}


@pytest.fixture
def strange(make_bank: Callable[[int], Bank]) -> Session:
    """An item with a slot of 300 characters, wide characters, an emoji of two and a name that runs from right to left."""
    bank = make_bank(1)
    paradigm = load_paradigm("subject_pg")
    run = bank.runs.begin(
        kind="import", paradigm_id=bank.paradigms.register(paradigm), provider="file", identity="strange", parameters={}
    )
    item = NewItem(STRANGE, realise(paradigm, STRANGE))
    bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=[item])
    return Session(bank, "ann")


@pytest.mark.full
async def test_a_strange_item_can_be_read_decided_and_edited(strange: Session) -> None:
    size = (60, 20)
    app = ReviewApp(strange, query=parse_query("item:2"))
    async with app.run_test(size=size) as pilot:
        assert app.queue.current is not None
        for keys in (
            ["down"] * 8,
            ["z"],
            ["up"] * 8,
            ["z", "g"],
            ["G"],
            ["b"],
            ["escape", "g", "enter", "e"],
            ["escape"],
        ):
            await press(pilot, *keys)
            for line in screen_text(app):
                assert_safe(line)
                assert cell_len(line) <= size[0]
        for name in ("山田太郎と花子", "מרים", "👩"):
            assert any(name in line.text for line in app.screen.query_one(ItemGrid)._lines)
        await press(pilot, *["down"] * 8, *["up"] * 8)
        await press(pilot, "f")
        if strange.row(2).mine is None:
            await press(pilot, "f")
        assert strange.row(2).mine is Verdict.FLAG
        await press(pilot, "E")
        assert app.screen.query_one(TextArea).text.startswith("I know who the word word")


@pytest.mark.full
async def test_a_terminal_that_changes_its_size_in_the_middle_of_everything(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        for i, keys in enumerate(
            (
                (),
                ("x",),
                ("escape", "c", "h"),
                ("escape", "e", "y"),
                ("escape", "/", "w"),
                ("escape", "L"),
                ("n", "f1"),
                ("escape", "w"),
                ("escape", "g"),
                ("G",),
                ("b",),
            )
        ):
            await press(pilot, *keys)
            size = ((10, 2), (160, 50), (20, 5), (60, 20))[i % 4]
            await pilot.resize_terminal(*size)
            for _ in range(100):
                await pilot.pause()
                if len(app.screen._compositor.render_strips()) == size[1]:
                    break
            assert all(cell_len(line) <= size[0] for line in screen_text(app))
        await pilot.resize_terminal(80, 24)
        await press(pilot, "escape", "g", "home", "enter")
        assert isinstance(app.screen, ItemScreen)
        assert {draft.text for draft in clean.bank.review.drafts("ann")} >= {"h"}
        await press(pilot, "f")
        if clean.row(1).mine is None:
            await press(pilot, "f")
        assert clean.row(1).mine is Verdict.FLAG
    assert app.return_code in {None, 0}
