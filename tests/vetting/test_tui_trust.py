"""What a verdict is about: an item that was on screen, in the text that was read, by an annotator who is led by nobody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from textual.color import Color

from gapsmith.bank import Bank, ItemStatus, LockedError, ScreenRecord, Verdict
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.agreement_pages import progress_lines
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.tui import ReviewApp, load_keys
from gapsmith.vetting.tui.dialogs import ReasonScreen
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.styles import CONTRAST, contrast
from tests.vetting.reviewing import fill_bank, press
from tests.vetting.test_tui_item import LARGE, SMALL, screen_text, text_of, words_in
from tests.vetting.test_tui_keys import post, settle

pytestmark = pytest.mark.usefixtures("unseen_screens")


@pytest.fixture
def clean(make_bank: Callable[[int], Bank]) -> Session:
    """A session on items without findings."""
    bank = make_bank(10)
    bank.findings.replace("subject_pg", {row.id: () for row in Session(bank, "ann").rows()}, ruleset="none")
    return Session(bank, "ann")


@pytest.mark.parametrize("gap_ms", [0, 1, 5, 20])
async def test_a_burst_of_verdicts_decides_on_the_item_that_was_on_screen_only(
    clean: Session, gap_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a machine under load the gaps grow; they stay what they are meant to be, one burst.
    monkeypatch.setattr("gapsmith.vetting.tui.frame.REPEAT_S", 30.0)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await post(app, "a" * 30, gap_ms)
        await settle(pilot)
        assert [row.mine for row in clean.rows()] == [Verdict.APPROVE, *[None] * 9]
        assert app.queue.position == 1
        shown = text_of(app)
        assert "a is held down: let go" in shown or "not on screen yet when a was pressed" in shown


async def test_different_verdicts_in_one_read_decide_once(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await post(app, "afaf")
        await settle(pilot)
        assert [row.mine for row in clean.rows()] == [Verdict.APPROVE, *[None] * 9]
        assert "Item 2 was not on screen yet" in text_of(app)
        # The same key again at once would count as held down.
        await asyncio.sleep(0.4)
        await press(pilot, "f")
        assert clean.row(2).mine is Verdict.FLAG


async def test_a_judgement_in_the_same_read_is_not_about_the_next_item(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        await post(app, "o*a*=")
        await settle(pilot)
        assert [row.judgement for row in clean.view(1).rows[:3]] == ["ok", "*", None]
        assert all(row.judgement is None for row in clean.view(2).rows)
        assert clean.row(1).mine is Verdict.APPROVE


async def test_a_click_on_the_bottom_line_presses_its_key(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert screen_text(app)[-1].startswith(" a approve")
        await pilot.click(offset=(4, 23))
        await settle(pilot)
        assert clean.row(1).mine is Verdict.APPROVE


async def test_a_key_held_down_stops_at_the_next_item(clean: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    # On a machine under load, keys sent every 50 ms may come later: what counts is that they are one key held down.
    monkeypatch.setattr("gapsmith.vetting.tui.frame.REPEAT_S", 5.0)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        for _ in range(6):
            await pilot.press("a")
            await pilot.pause(0.05)
        assert [row.mine for row in clean.rows()] == [Verdict.APPROVE, *[None] * 9]
        assert "a is held down: let go, and press it again for item 2" in text_of(app)


async def test_verdicts_while_the_bank_is_busy_are_not_saved_up(clean: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gapsmith.vetting.tui.writer.PATIENCE_MS", 100)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        with Bank.open(clean.bank.path) as other, other.transaction():
            await post(app, "afaf")
            for _ in range(20):
                await pilot.pause(0.05)
            assert "cannot be written to now" in text_of(app) or "not on screen yet" in text_of(app)
        await settle(pilot)
        assert all(row.mine is None for row in clean.rows())
        await press(pilot, "f")
        assert clean.row(1).mine is Verdict.FLAG


async def test_rows_that_were_not_on_screen_want_a_second_press(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=(80, 9)) as pilot:
        await settle(pilot)
        await press(pilot, "a")
        assert clean.row(1).mine is None
        assert "have not been on screen" in text_of(app)
        await press(pilot, *["down"] * 7)
        await settle(pilot)
        await press(pilot, "f")
        assert clean.row(1).mine is Verdict.FLAG, "scrolling has shown them all"
        await settle(pilot)
        await press(pilot, "f", "f")
        assert clean.row(2).mine is Verdict.FLAG, "a second press is an answer"
    (first, second) = clean.bank.decisions.all()
    assert first.seen is not None
    assert second.seen is not None
    assert first.seen.rows == tuple(range(1, 9))
    assert set(second.seen.rows) < set(range(1, 9))


async def test_how_an_item_was_seen_is_kept_with_the_decision(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "k", "a", "x", "2")
        await press(pilot, "g", "F")
        assert "Flag 8 items?" in text_of(app)
        assert "but for 2" in text_of(app)
        await press(pilot, "n", "slash", "enter", "F")
        assert "Flag 10 items?" in text_of(app)
        assert f" 5 {clean.row(5).text[:30]}" in text_of(app), "some of them are shown before"
        assert "and 5 more" in text_of(app)
        await press(pilot, "y")
        await settle(pilot)
    records = {record.item_id: record for record in clean.bank.decisions.all()}
    for item_id in (1, 2):
        history = clean.bank.decisions.history(item_id)
        assert len(history) == 2
    assert all(record.seen is None for record in records.values()), "the last decision was on many items, unopened"
    clean.undo()
    one = next(record for record in clean.bank.decisions.all() if record.item_id == 1)
    assert one.seen is not None
    assert (one.seen.rows, one.seen.total) == (tuple(range(1, 9)), 8)
    assert one.seen.seconds >= 0
    assert one.seen.painted_at <= one.at


async def test_decisions_made_unopened_are_told_apart(clean: Session) -> None:
    clean.decide({1: clean.row(1).revision_id}, Verdict.APPROVE)
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "k")
        app.queue.go(0)
        app.show_current()
        await pilot.pause()
        assert "many at once, not opened" in words_in(app, "#notes")
        await press(pilot, "a")
        app.queue.go(0)
        app.show_current()
        await pilot.pause()
        assert "✓ approved (you" in text_of(app)
        assert "not opened" not in text_of(app)


# Somebody else's change


async def test_a_changed_text_is_announced_before_it_is_painted(clean: Session, bank: Bank) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await settle(pilot)
        old = (clean.view(1).item.slots or {})["verb"]
        with Bank.open(clean.bank.path) as other:
            bo = Session(other, "bo")
            view = bo.view(1)
            bo.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        app._read_changes()
        for _ in range(10):
            await pilot.pause(0.05)
        text = text_of(app)
        assert "somebody changed this item while you were looking at it" in text
        assert f"[-{old}-] {{+startle+}}" in text
        grid = app.screen.query_one(ItemGrid)
        assert not any("startle" in line.text for line in grid._lines)
        for key in ("a", "f", "x"):
            await press(pilot, key)
            assert isinstance(app.screen, ItemScreen)
            assert clean.row(1).mine is None
        await press(pilot, "enter")
        assert any("startle" in line.text for line in grid._lines)
        assert "changed this item" not in text_of(app)
        await press(pilot, "a")
        assert clean.row(1).mine is Verdict.APPROVE


async def test_ones_own_edit_needs_no_announcement(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "3", "E")
        app.screen.query_one("#sentence").text = "Another one."  # type: ignore[attr-defined]  # a DraftArea
        await press(pilot, "ctrl+s")
        assert "changed this item" not in text_of(app)
        assert "[-" in text_of(app), "what the slots do not give is marked"
        await press(pilot, "3", "=")
        assert clean.view(1).item.sentences == clean.view(2).item.sentences or "now what the slots give" in text_of(app)
        row = clean.view(1).rows[2]
        assert row.sentence is not None
        assert row.sentence.text == clean.view(1).expected[row.condition].text
        await press(pilot, "backspace")
        assert clean.view(1).item.sentences[2].text == "Another one."


# Blindness


async def test_until_locked_nothing_depends_on_what_others_decide(tmp_path: Path) -> None:
    screens = []
    for index, others in enumerate((False, True)):
        bank = fill_bank(tmp_path / f"{index}.sqlite", 5)
        ann, bo = Session(bank, "ann"), Session(bank, "bo")
        ann.decide({1: ann.row(1).revision_id}, Verdict.APPROVE)
        if others:
            bo.decide({row.id: row.revision_id for row in bo.rows()}, Verdict.EXCLUDE, reason="unnatural")
            bo.comment(2, "bad")
            bank.decisions.decide([3], Verdict.APPROVE, author="policy:clean", kind="policy")
        app = ReviewApp(ann)
        shown = []
        async with app.run_test(size=LARGE) as pilot:
            await settle(pilot)
            for keys in ((), ("j",), ("i",), ("escape", "g"), ("s",)):
                await press(pilot, *keys)
                for _ in range(100):
                    await pilot.pause(0.05)
                    if keys != ("i",) or "not locked" in text_of(app):
                        break
                await settle(pilot)
                shown.append("\n".join(line for line in screen_text(app) if "2026-" not in line and "20" not in line))
        screens.append(shown)
        bank.close()
    for alone, beside in zip(*screens, strict=True):
        assert alone.splitlines() == beside.splitlines()


def test_progress_of_others_waits_for_the_lock(session: Session) -> None:
    other = Session(session.bank, "bo")
    for one in (session, other):
        one.decide({row.id: row.revision_id for row in one.rows()[:4]}, Verdict.APPROVE)
    mine = "\n".join(progress_lines(session.bank, only="ann"))
    assert "4 of 10" in mine
    for word in ("bo", "alike", "disputed", "one person"):
        assert word not in mine
    assert "decided alike" in "\n".join(progress_lines(session.bank))


def test_agreement_from_the_command_line_needs_a_lock_or_a_recorded_look(gapsmith: Callable[..., object], tmp_path: Path) -> None:
    from gapsmith.app.workspace import make_workspace

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "ws" / "bank.sqlite", 5) as bank:
        for name in ("ann", "bo"):
            one = Session(bank, name)
            one.decide({row.id: row.revision_id for row in one.rows()}, Verdict.APPROVE)
    for arguments in ((), ("--json",)):
        refused = gapsmith("agreement", "-w", tmp_path / "ws", "--by", "ann", *arguments)
        assert refused.code == 2  # type: ignore[attr-defined]  # an Outcome
        assert "--look" in refused.err  # type: ignore[attr-defined]  # a fixture or screen that is known here
        assert refused.out == ""  # type: ignore[attr-defined]  # a fixture or screen that is known here
    looked = gapsmith("agreement", "-w", tmp_path / "ws", "--by", "ann", "--look")
    assert "5 of 5" in looked.out  # type: ignore[attr-defined]  # a fixture or screen that is known here
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        assert {(peek.author, peek.item_id) for peek in bank.review.peeks()} == {("ann", i) for i in range(1, 6)}
        Session(bank, "bo").lock()
    locked = gapsmith("agreement", "-w", tmp_path / "ws", "--by", "bo")
    assert "5 of 5" in locked.out  # type: ignore[attr-defined]  # a fixture or screen that is known here
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        assert {peek.author for peek in bank.review.peeks()} == {"ann"}


# Keys


def test_a_key_that_a_file_gives_away_is_taken_from_its_built_in_command(tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('approve = "y"\nexclude = ["x", "delete"]\n', encoding="utf-8")
    keys = load_keys([tmp_path / "keys.toml"])
    assert keys["approve"] == ("y",)
    assert keys["copy"] == ()
    assert keys["write"] == ("Y",)


async def test_a_command_without_a_key_is_in_the_palette(clean: Session, tmp_path: Path) -> None:
    (tmp_path / "keys.toml").write_text('approve = "y"\n', encoding="utf-8")
    app = ReviewApp(clean, keys=load_keys([tmp_path / "keys.toml"]))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "y")
        assert clean.row(1).mine is Verdict.APPROVE
        await press(pilot, "a")
        assert clean.row(2).mine is None
        assert any(command.title.startswith("Copy") for command in app.get_system_commands(app.screen))


async def test_what_a_refusal_names_is_found(clean: Session) -> None:
    clean.lock()
    with pytest.raises(LockedError) as refused:
        clean.decide({1: clean.row(1).revision_id}, Verdict.APPROVE)
    assert "“Lock or unlock”" in (refused.value.hint or "")
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL):
        titles = [command.title for command in app.get_system_commands(app.screen)]
        assert any(title.startswith("Lock or unlock") for title in titles)
        assert app.screen.check_action("approve", ()) is None, "what is locked is greyed out"


# Many at once


async def test_a_bulk_decision_reads_its_rows_in_one_query_and_the_screen_lives_on(
    make_bank: Callable[[int], Bank], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(make_bank(300), "ann")
    monkeypatch.setattr("gapsmith.vetting.tui.frame._SOON_S", 0.0)
    app = ReviewApp(session)
    statements: list[str] = []
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "g")
        session.bank.db.raw.set_trace_callback(statements.append)
        await press(pilot, "A", "y")
        await press(pilot, "down", "down")
        assert app.queue.position == 2, "keys are looked at while it writes"
        await app.workers.wait_for_complete([w for w in app.workers if w.group == "flow"])
        await pilot.pause()
        assert app.queue.decided == 300
        await press(pilot, "backspace")
        await app.workers.wait_for_complete([w for w in app.workers if w.group == "flow"])
        await pilot.pause()
        assert app.queue.decided == 0
    assert len([s for s in statements if "FROM item JOIN item_state" in s]) < 10


# Between annotators


async def test_an_adjudicator_sees_everybody_side_by_side_and_takes_theirs(clean: Session) -> None:
    ann, bo = clean, Session(clean.bank, "bo")
    view = ann.view(4)
    ann.decide({4: view.item.revision_id}, Verdict.APPROVE)
    ann.judge(view, view.rows[0], "ok")
    bo.decide({4: view.item.revision_id}, Verdict.EXCLUDE, reason="ambiguous", comment="two readings")
    bo.judge(view, view.rows[0], "*")
    app = ReviewApp(Session(clean.bank, "cy", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=LARGE) as pilot:
        lines = screen_text(app)
        assert any("ann: ✓ approved" in line and "bo: ✗ excluded" in line for line in lines)
        assert any("two readings" in line for line in lines)
        assert any(line.count("ok") and "*" in line and "1 (ok)" in line for line in lines)
        await press(pilot, "T")
        assert "bo: ✗ excluded: ambiguous" in text_of(app)
        await press(pilot, "2")
        item = clean.bank.items.get(4)
        assert (item.status, item.reason) == (ItemStatus.EXCLUDED, "ambiguous")
        await press(pilot, "i")
        await app.workers.wait_for_complete([w for w in app.workers if w.group == "count"])
        await pilot.pause()
        assert "alike" in text_of(app)
    assert ann.rows(parse_query("status:disputed")) == []


def test_decisions_and_judgements_as_csv(gapsmith: Callable[..., object], tmp_path: Path) -> None:
    import csv
    import io

    from gapsmith.app.workspace import make_workspace
    from gapsmith.vetting.review.norming import Scale, judge_trial, stimuli

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "ws" / "bank.sqlite", 3) as bank:
        ann, bo = Session(bank, "ann"), Session(bank, "bo")
        seen = ScreenRecord("2026-01-01T10:00:00.000+00:00", 2.5, (1, 2, 3), 8)
        ann.decide({1: ann.row(1).revision_id}, Verdict.EXCLUDE, reason="=1+1; ambiguous", seen=seen)
        bo.decide({2: bo.row(2).revision_id}, Verdict.APPROVE)
        judge_trial(ann, stimuli(ann)[0], "6", Scale.likert(7), 1.25)

    def rows(*arguments: str) -> list[dict[str, str]]:
        outcome = gapsmith("annotations", *arguments, "-w", tmp_path / "ws", "--by", "ann")
        assert outcome.code == 0, outcome.err  # type: ignore[attr-defined]  # an Outcome
        # The types that meet here are known to go together.
        return list(csv.DictReader(io.StringIO(outcome.out)))  # type: ignore[attr-defined]

    (own,) = rows("decisions", "--mine")
    assert (own["item"], own["decision"], own["reason"]) == ("1", "exclude", "=1+1; ambiguous")
    assert (own["opened"], own["seconds"], own["rows_seen"], own["rows"]) == ("yes", "2.500", "3", "8")
    refused = gapsmith("annotations", "decisions", "-w", tmp_path / "ws", "--by", "ann")
    assert refused.code == 2  # type: ignore[attr-defined]  # a fixture or screen that is known here
    both = rows("decisions", "--look")
    assert [(row["author"], row["opened"]) for row in both] == [("ann", "yes"), ("bo", "no")]
    assert rows("decisions", "--mine", "--defuse")[0]["reason"] == "'=1+1; ambiguous"
    (judgement,) = rows("judgements", "--mine")
    assert (judgement["judgement"], judgement["points"], judgement["seconds"]) == ("6", "7", "1.250")
    assert judgement["sentence"]


# Reasons


async def test_an_exclusion_may_have_several_reasons(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x", "down", "space", "5", "enter")
        (decision,) = clean.bank.decisions.for_item(1)
        assert decision.reason == "implausible; ambiguous"
        assert "excluded: implausible; ambiguous" in text_of(app)
        await press(pilot, "x")
        assert isinstance(app.screen, ReasonScreen)
        await press(pilot, "escape")
    other = Session(clean.bank, "bo")
    other.decide({1: other.row(1).revision_id}, Verdict.EXCLUDE, reason="ambiguous")
    from gapsmith.vetting.agreement_pages import agreement_report

    parts = {part.about: part for part in agreement_report(clean.bank.read_by("ann", everything=True)).parts}
    assert parts["reason: ambiguous"].raw.hits == 1
    assert parts["reason: implausible"].raw.hits == 0


# Colours


async def test_everything_can_be_read(clean: Session) -> None:
    app = ReviewApp(clean)
    poor = set()
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "o", "m", "j", "k")
        for theme, part in product(
            ("textual-dark", "textual-light", "nord", "gruvbox", "dracula", "solarized-light"), ("#grid", "#findings")
        ):
            app.theme = theme
            app.screen.query_one(part).focus()
            await pilot.pause(0.1)
            for strip in app.screen._compositor.render_strips():
                for segment in strip:
                    style = segment.style
                    # Thin lines only part what is read; the heavy frame of the part that has the keys has to be seen.
                    if style is None or not segment.text.strip(" ─│┌╭╮╰╯▔▁▂▃▄▅▆▇█▎▊") or style.dim:
                        continue
                    if style.color is None or style.bgcolor is None:
                        continue
                    if not (style.color.triplet and style.bgcolor.triplet):
                        continue
                    front, back = (Color(*triplet) for triplet in (style.color.triplet, style.bgcolor.triplet))
                    if contrast(front, back) < CONTRAST - 0.05:
                        poor.add((theme, segment.text, front.hex, back.hex))
    assert not poor


def test_a_terminal_that_cannot_draw_is_refused_in_a_line(
    gapsmith: Callable[..., object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from gapsmith.app.workspace import make_workspace

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    fill_bank(tmp_path / "ws" / "bank.sqlite", 1).close()
    for stream in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    outcome = gapsmith("review", "-w", tmp_path / "ws", "--by", "ann")
    assert outcome.code == 2  # type: ignore[attr-defined]  # an Outcome
    assert "TERM=dumb" in outcome.err  # type: ignore[attr-defined]  # a fixture or screen that is known here


def test_by_a_person_and_seen_by_a_person_are_two_things(session: Session) -> None:
    session.bank.decisions.decide([1, 2], Verdict.APPROVE, author="ann")
    assert session.bank.items.get(1).status is ItemStatus.APPROVED
    assert [record.seen for record in session.bank.decisions.all()] == [None, None]
    assert "2 of 10, 2 of them unopened" in "\n".join(progress_lines(session.bank))
    with pytest.raises(ConfigError):
        Session(session.bank, " ")
