"""The queue, bulk decisions, filters, keys, palette and themes, driven through the real application."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.widgets import Input

from gapsmith.bank import Bank, Verdict
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.tui import COMMANDS, ReviewApp, load_keys
from gapsmith.vetting.tui.dialogs import ConfirmScreen
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.keymap import collisions
from gapsmith.vetting.tui.queue_list import QueueList
from gapsmith.vetting.tui.queue_screen import QueueScreen
from tests.parts import first_of
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import LARGE, SMALL, screen_text, text_of
from tests.vetting.test_tui_keys import settle

pytestmark = pytest.mark.usefixtures("unseen_screens")


@pytest.mark.parametrize("size", first_of([SMALL, LARGE]))
async def test_the_queue_lists_moves_decides_and_opens(session: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "g")
        assert isinstance(app.screen, QueueScreen)
        lines = screen_text(app)
        assert "10 items · 0 decided · ann" in lines[0]
        assert lines[1].split()[:3] == ["·", "1", "✗2"]
        for key in ("a", "x", "f"):
            await press(pilot, key)
            assert isinstance(app.screen, ItemScreen), "a verdict is about what one has seen"
            assert "look at it, then decide" in text_of(app)
            await press(pilot, "g")
        assert all(row.mine is None for row in session.rows())
        await press(pilot, "enter", "f", "x", "7", "a", "g")
        lines = screen_text(app)
        shapes = [line.split()[0] for line in lines if re.match(r"^ ?[⚑✗✓·] +\d", line)]
        assert shapes[:4] == ["⚑", "✗", "✓", "·"]
        assert any("✗" in line and "(duplicate)" in line for line in lines)
        await press(pilot, "k", "k", "j", "down", "down", "up")
        assert app.queue.position == 3
        await press(pilot, "end")
        assert app.queue.position == 9
        await press(pilot, "home", "enter")
        assert isinstance(app.screen, ItemScreen)
        assert "item 1" in screen_text(app)[0]


@pytest.mark.parametrize("place", ["item", "queue"])
async def test_the_way_out_is_on_a_small_screen(session: Session, place: str) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        if place == "queue":
            await press(pilot, "g")
        await pilot.pause()
        assert "ctrl+q leave" in screen_text(app)[-1]
        assert "? help" in screen_text(app)[-1]


def signs_of(app: ReviewApp) -> list[str]:
    """The sign of every item in the queue; a text too wide for its line goes on below, where there is no sign."""
    return [line.split()[0] for line in screen_text(app)[1:-1] if line[1:2].strip()]


async def test_what_a_policy_decided_is_not_ones_own(session: Session) -> None:
    session.bank.decisions.decide([2], Verdict.APPROVE, author="policy:clean", kind="policy")
    session.bank.decisions.decide([3], Verdict.APPROVE, author="ann")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "space")
        assert "· undecided" in screen_text(app)[0], "what a policy says may lead the eye, too"
        await press(pilot, "g")
        assert signs_of(app)[:3] == ["·", "·", "✓"]
        assert "1 decided" in screen_text(app)[0]
        await press(pilot, "L", "y")
        assert signs_of(app)[:3] == ["·", "p✓", "✓"]


async def test_a_message_takes_the_place_of_the_one_before(session: Session) -> None:
    session.bank.decisions.decide(list(range(1, 11)), Verdict.APPROVE, author="ann")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "n", "n", "n")
        assert "All 10 items here are decided" in screen_text(app)[-2]
        assert "item 1 ✓ approved" in screen_text(app)[0], "a message hides nothing"
        assert sum("are decided" in line for line in screen_text(app)) == 1
        for _ in range(3):
            app.review_screen.say_error(ConfigError("no such thing", hint="Try another."))
            await pilot.pause()
        assert sum("no such thing → Try another." in line for line in screen_text(app)) == 1
        assert not app._notifications


async def test_the_mouse_moves_and_opens(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        fifth = next(y for y, line in enumerate(screen_text(app)) if re.match(r"^ · +5 ", line)) - 1
        await pilot.click(QueueList, offset=(10, fifth))
        assert app.queue.position == 4
        await pilot.click(QueueList, offset=(10, fifth))
        assert isinstance(app.screen, ItemScreen)
        assert "item 5" in screen_text(app)[0]


async def test_only_the_lines_on_screen_are_made(make_bank: Callable[[int], Bank]) -> None:
    app = ReviewApp(Session(make_bank(200), "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        await pilot.pause()
        made: list[int] = []
        queue = app.screen.query_one(QueueList)
        make = queue._make_lines

        def counted(position: int, width: int) -> Sequence[Sequence[Seg]]:
            made.append(position)
            return make(position, width)

        queue._make_lines = counted
        await press(pilot, "end")
        await pilot.pause()
        assert set(made) <= set(range(200 - 24, 200)) | set(range(24))
        assert any(re.match(r"^ · +200 ", line) for line in screen_text(app)[-6:])


async def test_searching_narrows_and_escape_widens(session: Session) -> None:
    app = ReviewApp(session)
    verb = (session.bank.items.get(3).slots or {})["verb"]
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "/", *f"word:{verb}", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert [row.id for row in app.queue.rows] == [3]
        assert f"/word:{verb[:5]}" in text_of(app)
        # What one types takes the place of the filter that stands there, and the arrows go on with it.
        await press(pilot, "/", *"item:5", "enter")
        await settle(pilot)
        assert [row.id for row in app.queue.rows] == [5]
        await press(pilot, "/", "end", *",6", "enter")
        await settle(pilot)
        assert [row.id for row in app.queue.rows] == [5, 6]
        await press(pilot, "/", *f"word:{verb}", "enter")
        await settle(pilot)
        await press(pilot, "escape", "escape")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert len(app.queue.rows) == 10
        assert app.queue.current is not None
        assert app.queue.current.id == 3


@pytest.mark.parametrize("line", ["stauts:undecided", "word:nothinglikeit"])
async def test_a_search_that_fails_or_finds_nothing_changes_nothing(session: Session, line: str) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        await press(pilot, "/")
        app.screen.query_one(Input).value = line
        await press(pilot, "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert len(app.queue.rows) == 10
        text = text_of(app)
        assert "Did you mean status:?" in text or "Nothing fits" in text


async def test_bulk_decisions_say_how_many_and_one_undo_takes_them_back(session: Session) -> None:
    app = ReviewApp(session, query=parse_query("severity:error"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g", "X", "1")
        assert isinstance(app.screen, ConfirmScreen)
        assert "Exclude 2 items? That is everything the filter “severity:error” shows." in text_of(app)
        await press(pilot, "enter")
        assert all(row.mine is None for row in session.rows())
        await press(pilot, "X", "1", "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert [row.id for row in session.rows() if row.mine is Verdict.EXCLUDE] == [1, 6]
        assert app.queue.decided == 2
        await press(pilot, "A")
        assert "All 2 items shown were decided on since they were read" in " ".join(text_of(app).split())
        await press(pilot, "slash", "enter", "A")
        assert "2 of them are decided already" in text_of(app)
        await press(pilot, "n", "backspace")
        assert all(row.mine is None for row in session.rows())


async def test_a_large_bulk_decision_and_its_undo_run_in_a_thread(make_bank: Callable[[int], Bank]) -> None:
    session = Session(make_bank(150), "ann")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g", "A", "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.queue.decided == 150
        await press(pilot, "backspace")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert app.queue.decided == 0
        assert "150 items · 0 decided" in text_of(app)


async def test_escape_goes_back_to_what_an_adjudication_began_with(session: Session) -> None:
    view = session.view(1)
    session.decide({1: view.item.revision_id}, Verdict.APPROVE)
    Session(session.bank, "bo").decide({1: view.item.revision_id}, Verdict.EXCLUDE, reason="odd")
    app = ReviewApp(Session(session.bank, "cy", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g", "escape")
        assert (app.queue.query.text, len(app.queue.rows)) == ("status:disputed", 1)
        await press(pilot, "slash", *"status:approved", "enter")
        await press(pilot, "escape")
        assert (app.queue.query.text, len(app.queue.rows)) == ("status:disputed", 1)


async def test_what_is_flagged_is_not_passed_over_where_all_is_decided(make_bank: Callable[[int], Bank]) -> None:
    bank = make_bank(2)
    session = Session(bank, "ann")
    session.decide({1: session.row(1).revision_id}, Verdict.FLAG)
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "f")
        assert "All 2 items here are decided. 2 flagged (/ status:flagged)." in " ".join(text_of(app).split())
        session.decide({1: session.row(1).revision_id, 2: session.row(2).revision_id}, Verdict.APPROVE)
        app.queue.load()
        await press(pilot, "n")
        assert "flagged" not in text_of(app)


async def test_no_filter_is_offered_that_is_refused(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "slash")
        assert "run:" in text_of(app)
    ids = session.bank.items.ids()
    session.bank.assignments.assign(dict.fromkeys(ids, ("ann", "bo")), {ids[0]: Verdict.APPROVE}, by="zoe")
    app = ReviewApp(Session(session.bank, "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "slash")
        assert "severity:" in text_of(app)
        assert "run:" not in text_of(app)
        with pytest.raises(ConfigError) as refused:
            app.session.rows(parse_query("run:1"))
        assert "Leave out -d and --run" in refused.value.hint


async def test_orders_go_round_and_are_remembered(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g", "s")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "in random order" in text_of(app)
        assert [row.id for row in app.queue.rows] == [row.id for row in session.rows(order="random")]
    again = ReviewApp(session)
    async with again.run_test(size=SMALL):
        assert again.queue.order == "random"


async def test_what_another_window_does_is_seen(session: Session, bank: Bank) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        with Bank.open(bank.path) as other:
            twin = Session(other, "ann")
            twin.decide({2: twin.row(2).revision_id}, Verdict.FLAG)
        app._look_for_changes()
        for _ in range(20):
            await pilot.pause(0.1)
        assert app.queue.rows[1].mine is Verdict.FLAG
        assert app.queue.decided == 1


async def test_annotators_are_counted_and_agreement_waits_for_the_lock(session: Session) -> None:
    other = Session(session.bank, "bo")
    for one in (session, other):
        one.decide({row.id: row.revision_id for row in one.rows()[:4]}, Verdict.APPROVE)
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "i")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "4 of 10" in text_of(app)
        assert "once you have locked" in text_of(app)
        session.lock()
        await press(pilot, "escape", "i")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "4 of 4 = 1.00" in text_of(app)


# Keys


def test_the_built_in_keys_do_not_collide() -> None:
    assert collisions({command.name: command.keys for command in COMMANDS}) == []


def test_users_keys_are_there() -> None:
    keys = load_keys([])
    expected = {
        "approve": "a",
        "exclude": "x",
        "flag": "f",
        "skip": "space",
        "undo": "backspace",
        "help": "f1",
        "search": "/",
        "next": "j",
        "previous": "k",
        "back": "escape",
        "leave": "ctrl+q",
        "edit": "e",
        "comment": "c",
        "parse": "p",
        "why": "w",
        "protocol": "t",
        "queue": "g",
    }
    for name, key in expected.items():
        assert key in keys[name]
    for command in COMMANDS:
        assert not any(key in {"ctrl+enter", "ctrl+j"} or key.startswith("ctrl+shift") for key in command.keys)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('approve = "z"\nflag = "z"', "approve and flag at once"),
        ('approve = "1"', "fixed key"),
        ('aprove = "y"', "Did you mean approve"),
        ('approve = "ctrl+enter"', "do not pass"),
        ('approve = "ctrl+shift+a"', "do not pass"),
        ('approve = "contrl+y"', "no key"),
        ("approve = 3", "a key or a list"),
        ("approve = []", "a key or a list"),
        ("approve = ", "TOML"),
    ],
)
def test_keys_that_cannot_work_are_refused_with_their_file(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "keys.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_keys([tmp_path / "missing.toml", tmp_path / "keys.toml"])
    assert named in str(caught.value)
    assert "keys.toml" in str(caught.value)


async def test_remapped_keys_work_and_old_ones_do_not(session: Session, tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('approve = ["y", ","]\n', encoding="utf-8")
    app = ReviewApp(session, keys=load_keys([tmp_path / "keys.toml"]))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a")
        assert session.row(1).mine is None
        assert "y approve x exclude f flag" in text_of(app), "the order stays"
        await press(pilot, "y", "y", "comma")
        assert session.row(2).mine is Verdict.APPROVE
        await press(pilot, "f1", "pagedown")
        assert "y , Approve the item" in text_of(app)


async def test_every_command_has_a_method_and_a_line_in_the_palette(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        for place, key in (("item", "g"), ("queue", "enter")):
            titles = [command.title for command in app.get_system_commands(app.screen)]
            for command in COMMANDS:
                if place in command.places and command.name not in {"leave", "look_first"}:
                    assert any(title.lower().startswith(command.title) for title in titles)
                assert place not in command.places or callable(
                    getattr(app.screen, f"action_{command.name}", None) or getattr(app, f"action_{command.name}")
                )
            await press(pilot, key)


async def test_the_palette_finds_and_runs(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "ctrl+p", *"flagged")
        await pilot.pause(0.3)
        assert "Show what is flagged" in text_of(app)
        await press(pilot, "escape", "escape")


async def test_the_theme_is_remembered_for_the_annotator(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        app.theme = "nord"
        await pilot.pause()
    again = ReviewApp(session)
    async with again.run_test(size=SMALL):
        assert again.theme == "nord"
    assert Session(session.bank, "bo").habit("theme", "none") == "none"


async def test_copying_and_writing_an_item(session: Session, tmp_path: Path) -> None:
    app = ReviewApp(session, folder=tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "y", "Y")
        assert app.clipboard.startswith("item 1, subject_pg/generated\n+F +G1 +G2\tok\t")
        (path,) = (tmp_path / "items").iterdir()
        assert path.read_text(encoding="utf-8") == app.clipboard


async def test_a_file_that_cannot_be_written_is_said(session: Session, tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 200)
    deep.mkdir()
    (deep / "items").write_text("in the way", encoding="utf-8")
    app = ReviewApp(session, folder=deep)
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        await press(pilot, "Y")
        for _ in range(100):
            if "cannot be written" in text_of(app):
                break
            await pilot.pause(0.05)
        assert "cannot be written" in text_of(app)


def _under_the_cursor(app: ReviewApp) -> list[str]:
    """The lines of the list beside the item that are drawn in reverse."""
    room = app.screen.query_one(QueueList).room
    found = []
    for strip in app.screen._compositor.render_strips():
        said = "".join(part.text for part in strip.crop(0, room) if part.style is not None and part.style.reverse)
        found += [said.strip()] if said.strip() else []
    return found


async def test_the_list_beside_the_item_draws_what_changed_and_no_more(make_bank: Callable[[int], Bank]) -> None:
    app = ReviewApp(Session(make_bank(200), "ann"))
    async with app.run_test(size=(160, 50)) as pilot:
        await press(pilot, "j", "k", "j")
        drawn: list[int] = []
        beside = app.screen.query_one(QueueList)
        refresh = beside.refresh

        def counted(*regions: Region, **how: bool) -> QueueList:
            for region in regions or (beside.size.region,):
                drawn.extend(region.line_range)
            return refresh(*regions, **how)

        beside.refresh = counted  # type: ignore[method-assign]
        await press(pilot, "j")
        tops = beside._tops
        assert sorted(set(drawn)) == [*range(tops[1], tops[3])], "the item that was left, and the one that is shown"
        drawn.clear()
        await press(pilot, "a")
        assert sorted(set(drawn)) == [*range(tops[2], tops[4])]
        lines = [line[: beside.size.width] for line in screen_text(app)[1:]]
        assert [lines[tops[n]].split()[:2] for n in (1, 2, 3)] == [["·", "2"], ["✓", "3"], ["·", "4"]], lines[:8]
        # Further down than a screen, where lines are not where they were.
        app.queue.go(120)
        app.show_current()
        await press(pilot, "j")
        assert _under_the_cursor(app)[0].split()[1] == app.queue.rows[app.queue.position].label
        assert " ".join(_under_the_cursor(app)).endswith(app.session.sentence_of(app.queue.rows[app.queue.position]))
        await press(pilot, "k")
        assert _under_the_cursor(app)[0].split()[1] == app.queue.rows[app.queue.position].label
        assert " ".join(_under_the_cursor(app)).endswith(app.session.sentence_of(app.queue.rows[app.queue.position]))
        await press(pilot, "f")
        shown = next(line for line in screen_text(app) if line.split()[1:2] == [app.queue.rows[app.queue.position - 1].label])
        assert shown.split()[0] == "⚑"
