"""A bank that is taken from under an open review, and rows that are read in another order than they come."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from gapsmith.bank import Bank, Verdict
from gapsmith.bank.review import QueueRow
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.review.norming import CATEGORIES, stimuli
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.tui import NormingApp, ReviewApp
from gapsmith.vetting.tui.dialogs import TextScreen
from gapsmith.vetting.tui.frame import ReviewFrame
from tests.conftest import CommandOutcome
from tests.vetting.reviewing import fill_bank, press
from tests.vetting.test_tui_item import LARGE, screen_text, text_of
from tests.vetting.test_tui_keys import settle

pytestmark = pytest.mark.usefixtures("unseen_screens")

Run = Callable[..., CommandOutcome]


@pytest.fixture
def clean(tmp_path: Path) -> Iterator[Session]:
    """Ann's session on ten items without findings; an older copy of the bank lies in older.sqlite."""
    path = tmp_path / "bank.sqlite"
    bank = fill_bank(path, 10)
    bank.findings.replace("subject_pg", dict.fromkeys(range(1, 11), ()), ruleset="none")
    bank.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(path, tmp_path / "older.sqlite")
    yield Session(bank, "ann")
    # It was taken away, and that was told in the test.
    bank.db.place = None
    bank.close()


def take_away(path: Path, how: str) -> None:
    """What sync programs and people do."""
    if how == "moved":
        path.rename(path.with_name("moved.sqlite"))
    else:
        path.unlink()
    if how == "replaced":
        shutil.copy(path.with_name("older.sqlite"), path.with_name("new.sqlite"))
        path.with_name("new.sqlite").rename(path)


async def looked(pilot: Pilot[None], app: ReviewFrame) -> None:
    """Let the next look at the bank come now."""
    await app.look_at_bank().wait()
    await settle(pilot)


def said(app: ReviewFrame) -> str:
    """What is on screen; of a line that a window stands on only what is in the window, since text beside it would part its words."""
    return " ".join(" ".join(max(line.split("│"), key=len) for line in screen_text(app)).split())


def copies(folder: Path) -> list[Path]:
    """The copies that were saved, in the order of their making."""
    return sorted(folder.glob("bank.rescued-*.sqlite"), key=lambda path: path.stat().st_mtime_ns)


@pytest.mark.parametrize("how", ["replaced", "deleted", "moved"])
async def test_the_key_at_hand_is_saved_and_the_review_ends(clean: Session, how: str, tmp_path: Path, gapsmith: Run) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await press(pilot, "a", "f")
        take_away(tmp_path / "bank.sqlite", how)
        await press(pilot, "a")
        await settle(pilot)
        assert isinstance(app.screen, TextScreen)
        assert "The bank is not there any more" in said(app)
        assert "gapsmith writes nothing to it any more" in said(app)
        await press(pilot, "enter")
        await settle(pilot)
    assert app.return_code == 1
    assert app.moved is not None
    (copy,) = copies(tmp_path)
    assert app.moved.saved == copy
    (tmp_path / "gapsmith.toml").touch()
    done = gapsmith("bank", "merge" if how == "replaced" else "restore", "-w", tmp_path, copy)
    assert done.code == 0, done.err
    with Bank.open_copy(tmp_path / "bank.sqlite") as bank:
        found = {d.item_id: d.verdict for d in bank.decisions.current()}
    assert found == {1: Verdict.APPROVE, 2: Verdict.FLAG, 3: Verdict.APPROVE}


async def test_a_look_notices_it_before_a_key_is_pressed_and_shows_nothing_of_the_other_bank(
    clean: Session, tmp_path: Path
) -> None:
    with Bank.open(tmp_path / "older.sqlite") as older:
        older.decisions.decide(list(range(1, 11)), Verdict.FLAG, author="ann")
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await press(pilot, "a")
        take_away(tmp_path / "bank.sqlite", "replaced")
        await looked(pilot, app)
        assert isinstance(app.screen, TextScreen)
        await looked(pilot, app)
        assert sum(isinstance(screen, TextScreen) for screen in app.screen_stack) == 1, "said once"
        app._read_changes()
        app.relint([1])
        await app.workers.wait_for_complete()
        assert [row.mine for row in app.queue.rows] == [Verdict.APPROVE, *[None] * 9]
    assert len(copies(tmp_path)) == 1


async def test_what_was_typed_is_told(clean: Session, tmp_path: Path) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await press(pilot, "a", "c")
        take_away(tmp_path / "bank.sqlite", "deleted")
        await pilot.press(*"odd word")
        await settle(pilot)
        await looked(pilot, app)
        assert isinstance(app.screen, TextScreen)
        assert "odd word" in text_of(app)
    assert app.typed_at_end == ["odd word"]


async def test_sentences_judged_alone_are_saved_too(clean: Session, tmp_path: Path) -> None:
    app = NormingApp(clean, stimuli(clean), CATEGORIES)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        await press(pilot, "o")
        take_away(tmp_path / "bank.sqlite", "replaced")
        await press(pilot, "*")
        await settle(pilot)
        assert isinstance(app.screen, TextScreen)
        await pilot.press("enter")
        await settle(pilot)
    assert app.return_code == 1
    (copy,) = copies(tmp_path)
    with Bank.open_copy(copy) as bank:
        assert [judgement.rating for judgement in bank.decisions.judgements()] == ["ok", "*"]


async def test_where_no_copy_can_be_made_the_review_stays_until_one_can(
    clean: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = tmp_path / "a file" / "folder"
    nowhere.parent.touch()
    monkeypatch.setattr("gapsmith.bank.rescue.folders_elsewhere", lambda: [nowhere])
    folder = tmp_path / "study"
    folder.mkdir()
    shutil.copy(tmp_path / "older.sqlite", folder / "bank.sqlite")
    bank = Bank.open(folder / "bank.sqlite")
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        shutil.rmtree(folder)
        await press(pilot, "a")
        await settle(pilot)
        assert isinstance(app.screen, TextScreen)
        assert "⏎" not in said(app)
        assert app.moved is not None
        assert app.moved.unsaved
        await press(pilot, "escape")
        await settle(pilot)
        assert app.is_running, "it holds what nobody else has"
        folder.mkdir()
        await looked(pilot, app)
        await press(pilot, "enter")
        await settle(pilot)
    assert app.return_code == 1
    (copy,) = copies(folder)
    with Bank.open_copy(copy) as saved:
        assert [d.item_id for d in saved.decisions.current()] == [1]
    bank.db.place = None
    bank.close()


# A row never goes back


def rows_of(session: Session) -> dict[int, QueueRow]:
    """All rows as another connection reads them now."""
    with session.bank.another() as bank:
        return {row.id: row for row in session.on_own_connection(bank).rows()}


def mine(queue: Queue) -> list[Verdict | None]:
    """What the queue shows as decided."""
    return [row.mine for row in queue.rows]


@pytest.mark.parametrize("door", ["renew", "replace", "take", "filtered"])
def test_an_older_reading_never_takes_the_place_of_a_newer_row(clean: Session, door: str) -> None:
    queue = Queue(clean)
    queue.load()
    old = rows_of(clean)
    with clean.bank.another() as other:
        other.decisions.decide([9], Verdict.FLAG, author="ben")
        other.review.comment(9, "odd", author="ann")
    half = rows_of(clean)
    clean.decide({1: queue.rows[0].revision_id}, Verdict.APPROVE)
    queue.update([1])
    for late in (old, half):
        if door == "renew":
            queue.renew(late)
        elif door == "replace":
            queue.replace(late)
        elif door == "take":
            queue.take(list(late.values()), queue.query, queue.order)
        else:
            # The item leaves the queue between the two readings.
            queue.take([row for row in late.values() if row.id != 1], parse_query("status:undecided"), queue.order)
            queue.renew(late)
            queue.take(list(late.values()), parse_query(""), queue.order)
        assert mine(queue) == [Verdict.APPROVE, *[None] * 9]
        assert queue.decided == 1
    queue.renew(rows_of(clean))
    assert queue.rows[8].commented, "what is newer comes in"
    assert queue.rows[8].people == 0, "what others decided is not shown in a review"


def test_an_older_reading_takes_no_item_away(clean: Session) -> None:
    queue = Queue(clean)
    old = rows_of(clean)
    missing = {item_id: row for item_id, row in old.items() if item_id != 10}
    clean.decide({2: old[2].revision_id}, Verdict.FLAG)
    queue.load()
    stranger = old[10]._replace(id=99)
    queue.renew({**missing, 99: stranger})
    assert [row.id for row in queue.rows] == list(range(1, 11))


async def test_a_background_reading_that_was_overtaken_changes_nothing(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        overtaken = rows_of(clean)
        await press(pilot, "a", "f")
        app.post_message(app.BankChanged(overtaken))
        await settle(pilot)
        assert mine(app.queue)[:3] == [Verdict.APPROVE, Verdict.FLAG, None]
        assert app.queue.decided == 2
        await press(pilot, "g")
        assert "2 decided" in text_of(app)


async def check_decisions_stay(session: Session, between: Callable[[], object]) -> None:
    """Decide key by key; what is shown as decided stays so, and is what the bank has in the end."""
    app, shown = ReviewApp(session), 0
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        for key in "afafafaf":
            between()
            app.look_at_bank()
            await press(pilot, key)
            await pilot.pause()
            decided = sum(one is not None for one in mine(app.queue))
            assert decided >= shown
            assert decided == app.queue.decided
            shown = decided
        await looked(pilot, app)
        with session.bank.another() as bank:
            of_ann = {d.item_id: d.verdict for d in bank.decisions.current() if d.author == "ann"}
        assert {row.id: row.mine for row in app.queue.rows if row.mine} == of_ann
        assert len(of_ann) >= 4


async def test_decisions_stay_shown_while_somebody_else_decides(clean: Session) -> None:
    with clean.bank.another() as ben:
        await check_decisions_stay(clean, lambda: ben.decisions.decide([1, 5, 10], Verdict.FLAG, author="ben"))


@pytest.mark.full
async def test_decisions_stay_shown_while_somebody_else_writes_all_the_time(tmp_path: Path) -> None:
    ended, path = threading.Event(), tmp_path / "bank.sqlite"
    bank = fill_bank(path, 2_000)
    bank.findings.replace("subject_pg", dict.fromkeys(range(1, 2_001), ()), ruleset="none")

    def write() -> None:
        with bank.another() as ben:
            while not ended.wait(0.05):
                ben.decisions.decide([1, 500, 1_000], Verdict.FLAG, author="ben")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        await check_decisions_stay(Session(bank, "ann"), lambda: None)
    finally:
        ended.set()
        writer.join()
        bank.close()
