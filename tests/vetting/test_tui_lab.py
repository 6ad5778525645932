"""What three annotators would stumble over in the review, and what the screens now say or prevent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from textual.widgets import Label

from gapsmith.app.item_view import as_data, as_text
from gapsmith.bank import Bank, Verdict
from gapsmith.vetting.review import GUIDE, Session, parse_query
from gapsmith.vetting.tui import ReviewApp
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import SMALL, screen_text, text_in, text_of

pytestmark = pytest.mark.usefixtures("unseen_screens")


def _said(app: ReviewApp) -> str:
    return " ".join(text_of(app).split())


async def test_a_decision_on_all_leaves_what_was_settled_since_the_filter_was_set(session: Session) -> None:
    """A under a filter must not overwrite what one has just decided by reading."""
    app = ReviewApp(session, query=parse_query("status:undecided"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x", "2", "g", "A")
        assert "Approve 9 items?" in _said(app)
        assert "but for 1" in _said(app)
        await press(pilot, "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
    assert [row.mine for row in session.rows()].count(Verdict.APPROVE) == 9
    assert [row.id for row in session.rows() if row.mine is Verdict.EXCLUDE] == [1]


async def test_what_another_window_has_settled_is_left_by_a_decision_on_all(session: Session) -> None:
    app = ReviewApp(session, query=parse_query("status:undecided"))
    async with app.run_test(size=SMALL) as pilot:
        session.decide({3: session.row(3).revision_id}, Verdict.FLAG)
        app.queue.update([3])
        await press(pilot, "g", "A", "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
    assert session.row(3).mine is Verdict.FLAG


async def test_who_adjudicates_cannot_decide_on_all_at_once(bank: Bank) -> None:
    for name, verdict in (("ann", Verdict.APPROVE), ("bo", Verdict.FLAG)):
        one = Session(bank, name)
        one.decide({1: one.row(1).revision_id, 2: one.row(2).revision_id}, verdict)
    app = ReviewApp(Session(bank, "cy", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g", "A")
        assert "every item is opened and decided on by itself" in _said(app)
        assert "approve all" not in screen_text(app)[-1], "no key is offered that does nothing here"
        assert "2 items · 0 decided · cy" in screen_text(app)[0], "it began with what is disputed, and nothing was filtered out"
    assert not [one for one in bank.decisions.all() if one.kind == "adjudication"]


async def test_to_who_adjudicates_a_flag_is_no_decision(bank: Bank) -> None:
    one = Session(bank, "ann")
    for verdict, items in ((Verdict.FLAG, (2, 3)), (Verdict.APPROVE, (4,))):
        one.decide({item: one.row(item).revision_id for item in items}, verdict)
    app = ReviewApp(Session(bank, "cy", adjudicating=True), query=parse_query("status:flagged"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        assert "2 items · 0 decided, 2 flagged" in screen_text(app)[0]
        await press(pilot, "n")
        assert "Of 2 items here none is disputed: 2 flagged." in _said(app)
        await press(pilot, "enter", "a", "g")
        await pilot.pause()
        assert "2 items · 1 decided, 1 flagged" in screen_text(app)[0]
        app.queue.load(parse_query(""))
        assert (app.queue.decided, app.queue.flagged, len(app.queue.rows)) == (2, 1, 10), "what nobody read is not decided"


OWN_REASON = (
    "the pronoun may be read as the name that comes first, so that the gap is filled by somebody else than the one who is meant"
)


async def test_a_reason_that_is_longer_than_a_line_is_shown_whole(bank: Bank) -> None:
    """Where reasons are chosen, on cards, in the queue, among the notes and beside what others say; the title keeps how far one is."""
    ann = Session(bank, "ann", guide=replace(GUIDE, reasons=(*GUIDE.reasons, OWN_REASON)))
    app = ReviewApp(ann)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x")
        assert OWN_REASON in _unframed(app)
        await press(pilot, "9", "k")
        assert "1 of 10 · 1 decided · ann" in screen_text(app)[0]
        assert "✗ excluded  subject_pg" in screen_text(app)[0]
        await press(pilot, "tab", "tab")
        assert OWN_REASON in _unframed(app)
        for key in ("g", "G"):
            await press(pilot, key)
            assert OWN_REASON in _unframed(app)
    bo = Session(bank, "bo")
    bo.decide({1: bo.row(1).revision_id}, Verdict.APPROVE)
    app = ReviewApp(Session(bank, "cy", adjudicating=True))
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        column = " ".join(line[9:40] for line in text_in(app, "#notes"))
        assert OWN_REASON in " ".join(column.split())


def _unframed(app: ReviewApp) -> str:
    return " ".join(re.sub("[│▌]", " ", text_of(app)).split())


async def test_under_a_filter_nothing_invites_to_lock(make_bank: Callable[[int], Bank]) -> None:
    """The filter may leave out what waits; a lock is about all."""
    app = ReviewApp(Session(make_bank(2), "ann"), query=parse_query("item:1"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a", "a")
        said = _said(app)
        assert "The only item that fits “item:1” is decided. esc in the queue shows the others." in said
        assert "locks" not in said


async def test_the_question_before_a_lock_says_one_thing_of_what_is_undecided(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "L")
        said = _said(app)
        assert "your decisions are final" in said
        assert "10 of 10 items are still undecided. To decide on them later, you would have to unlock (L)" in said


@pytest.mark.parametrize(("place", "shown"), [((), "1 of 2 that fit"), (("g",), "2 items fit"), (("G",), "1 of 2 that fit")])
async def test_counts_in_the_title_say_that_they_are_of_a_filter(session: Session, place: Sequence[str], shown: str) -> None:
    app = ReviewApp(session, query=parse_query("severity:error"))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, *place)
        assert shown in _said(app)
        assert "0 of these decided" in _said(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_filter_is_cut_only_where_the_title_is_full(session: Session, size: tuple[int, int]) -> None:
    settling = Session(session.bank, "ann", adjudicating=True)
    for line in ("status:undecided", "status:undecided by:ann", "status:undecided severity:error,warning,info " * 4):
        app = ReviewApp(settling, query=parse_query(line))
        async with app.run_test(size=size) as pilot:
            await press(pilot, "g")
            title = screen_text(app)[0]
            assert f"/{line.strip()}" in title or "    " not in title.strip(), title


async def test_without_a_filter_nothing_is_said_to_fit(session: Session) -> None:
    app = ReviewApp(Session(session.bank, "ann", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=(120, 40)) as pilot:
        await press(pilot, "g", "/", *["backspace"] * 20, "enter")
        title = screen_text(app)[0]
        assert app.queue.query.text == ""
        assert "10 items" in title
        assert "fit" not in title


async def test_the_name_on_the_screen_is_found(session: Session) -> None:
    ids = session.bank.items.ids()
    session.bank.assignments.assign(dict.fromkeys(ids, ("ann", "bo")), {ids[0]: Verdict.APPROVE}, by="zoe")
    ann = Session(session.bank, "ann")
    name = ann.row(4).label
    assert name.isalpha()
    app = ReviewApp(ann)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "slash", *name, "enter")
        assert [row.id for row in app.queue.rows] == [4]
    assert [row.label for row in Session(session.bank, "zoe", adjudicating=True).rows(parse_query("item 4"))] == ["4"]


async def test_filters_that_are_refused_are_not_offered(session: Session) -> None:
    ids = session.bank.items.ids()
    session.bank.assignments.assign(dict.fromkeys(ids, ("ann", "bo")), {ids[0]: Verdict.APPROVE}, by="zoe")
    app = ReviewApp(Session(session.bank, "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "slash", *"runs:2", "enter")
        said = _said(app)
        assert "there is no filter runs:" in said
        assert "run: " not in said.replace("runs:", "")
        assert "run:?" not in said


async def test_a_long_filter_leaves_room_for_who_decides(session: Session) -> None:
    app = ReviewApp(session, query=parse_query("severity:error,warning,info status:undecided,approved,flagged"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        assert screen_text(app)[0].rstrip().endswith("ann")


async def test_a_remark_is_written_in_sight_of_its_sentence_and_told_by_show(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "c")
        shown = " ".join(str(label.content) for label in app.screen.query(".about").results(Label))
        assert "".join(c for c in shown if c.isascii())[:20] in " ".join(s.text for s in session.bank.items.get(1).sentences)
        await press(pilot, *"odd", "ctrl+s")
    item = session.bank.items.get(1)
    bank = session.bank.read_by("ann")
    assert [(one["by"], one["text"]) for one in as_data(bank, item)["remarks"]] == [("ann", "odd")]
    assert re.search(r"remark by ann, .*: odd", as_text(bank, item))


async def test_other_without_words_says_what_it_wants(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x", "8")
        assert "“other” says nothing by itself: type what is the matter" in _said(app)
        await press(pilot, *"odd", "enter")
    assert (session.row(1).mine, session.row(1).my_reason) == (Verdict.EXCLUDE, "other")


def test_disputes_among_calibration_items_are_nobodys_to_settle(bank: Bank) -> None:
    ids = bank.items.ids()
    bank.assignments.assign(dict.fromkeys(ids, ("ann", "bo")), {1: Verdict.APPROVE}, by="zoe")
    for name, verdict in (("ann", Verdict.APPROVE), ("bo", Verdict.FLAG)):
        one = Session(bank, name)
        one.decide({1: one.row(1).revision_id, 2: one.row(2).revision_id}, verdict)
        one.lock()
    ann = Session(bank, "ann")
    assert [row.id for row in ann.rows(parse_query("status:disputed"))] == [2]
    assert [row.id for row in ann.rows(order="doubt") if ann.sees_dispute(row) and row.status.value == "disputed"] == [2]


async def test_the_part_that_has_the_keys_has_a_frame_and_names_say_how_much_is_there(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.pause()
        assert text_in(app, "#grid")[3].startswith("┃")
        assert not text_in(app, "#findings")[1].startswith("┃")
        said = _said(app)
        for name in ("Findings (2)", "Sentences (8)", "History and notes (blind)", "Origin (run 1)", "Protocol (4 questions)"):
            assert name in said
        await press(pilot, "tab")
        framed = [line[:1] for line in text_in(app, "#findings")]
        assert (framed[0], set(framed[1:])) == ("┏", {"┃"})
        assert not text_in(app, "#grid")[3].startswith("┃")


async def test_the_findings_stay_in_sight_while_a_reason_is_chosen(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x")
        await pilot.pause()
        assert "L310: “stun” may lack its object" in _said(app)


async def test_one_line_names_the_keys(session: Session) -> None:
    app = ReviewApp(session)
    for size in (SMALL, (160, 50)):
        app = ReviewApp(session)
        async with app.run_test(size=size) as pilot:
            for place in ((), ("g",), ("G",)):
                await press(pilot, *place)
                lines = screen_text(app)
                assert "? help" in lines[-1]
                assert app.screen.query_one("#keys").size.height == 1


async def test_what_is_locked_is_not_asked_about(session: Session) -> None:
    """A question that a yes would not answer is worse than a refusal."""
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "L", "y", "g", "A")
        said = _said(app)
        assert "You have locked these decisions; L unlocks them, on record." in said
        assert "Approve 10" not in said
        await press(pilot, "b")
        assert "You have locked these decisions" in _said(app)


async def test_findings_are_named_beside_the_protocol_on_a_small_screen(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "t")
        await pilot.pause()
        said = _said(app)
        assert "Protocol (4 questions)" in said
        assert "L310" in said
        await press(pilot, "tab")
        await pilot.pause()
        assert "may lack its object" in _said(app)


async def test_items_that_go_to_others_leave_the_queue_and_it_is_said(session: Session, bank: Bank) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "j")
        with Bank.open(bank.path) as other:
            other.assignments.assign({one: ("ben",) if one in (1, 3) else ("ann",) for one in range(1, 11)}, by="zoe")
        app._look_for_changes()
        for _ in range(40):
            await pilot.pause(0.05)
            if len(app.queue.rows) == 8:
                break
        await pilot.pause()
        assert [row.id for row in app.queue.rows] == [2, *range(4, 11)]
        assert app.queue.current is not None
        assert app.queue.current.id == 4, "the next one that stayed"
        assert "2 items are not yours to read any more" in _said(app)
        await press(pilot, "a")
    assert session.row(4).mine is Verdict.APPROVE


async def test_who_and_when_stand_apart_from_the_words_of_an_edit(session: Session) -> None:
    row = session.row(1)
    session.decide({1: row.revision_id}, Verdict.EXCLUDE, reason="unnatural")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "k")
        await pilot.pause()
        assert "excluded: unnatural (you, 20" in _said(app)
