"""The item screen, driven through the real application at both sizes."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual import events
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from gapsmith.bank import Bank, Finding, ItemFilter, ItemStatus, NewItem, Severity, StoredItem, Verdict
from gapsmith.bank.log import entries
from gapsmith.bank.merging import merge
from gapsmith.templates import Sentence, Source, load_paradigm, realise
from gapsmith.vetting import findings_of, lint_bank
from gapsmith.vetting.review import ParseLine, Session, parse_query
from gapsmith.vetting.review.edits import with_sentence
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.engine import RuleSelection
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.dialogs import ConfirmScreen, ReasonScreen, TextScreen
from gapsmith.vetting.tui.edit_screen import EditScreen
from gapsmith.vetting.tui.item_grid import ItemGrid
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.panels import FindingsPanel, NotesPanel, OriginPanel, ProtocolPanel
from tests.parts import first_of
from tests.vetting.reviewing import press, until
from tests.vetting.test_review_grid import HOSTILE, assert_safe

pytestmark = pytest.mark.usefixtures("unseen_screens")

SMALL, LARGE = (80, 24), (160, 50)


def screen_text(app: App[None]) -> list[str]:
    """The lines on the screen as plain text."""
    width, height = app.size
    lines = app.screen._compositor.render_strips()
    assert len(lines) == height
    return ["".join(segment.text for segment in strip)[:width] for strip in lines]


def text_of(app: App[None]) -> str:
    """The screen as one text with single spaces."""
    return re.sub(r"[\s│┃]+", " ", " ".join(screen_text(app)))


def text_in(app: App[None], selector: str) -> list[str]:
    """The lines of one part of the screen."""
    region = app.screen.query_one(selector).region
    return [line[region.x : region.right] for line in screen_text(app)[region.y : region.bottom]]


def words_in(app: App[None], selector: str) -> str:
    """One part of the screen as one text with single spaces."""
    return re.sub(r"[\s┃]+", " ", " ".join(text_in(app, selector)))


@pytest.mark.parametrize("size", first_of([SMALL, LARGE]))
async def test_all_eight_rows_findings_and_keys_are_on_one_screen(session: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        lines = screen_text(app)
        sentences = session.view(1).rows
        rows = [line for line in text_in(app, "#grid") if re.match(r"^[\s┃]*▸?\s*[1-8] [+-]", line)]
        assert len(rows) == 8
        for row, line in zip(sentences, rows, strict=True):
            assert row.sentence is not None
            assert row.expected is not None
            assert f" {row.expected.value} " in line
            assert ("__" in line) == ("p" in row.condition.split("_", 1)[1])
            assert re.search(r"‹(who|that)›", line)
            assert re.search(r"\[\S+\]", line)
        text = text_of(app)
        assert "✗ L310" in text
        assert "may lack its object" in words_in(app, "#findings")
        assert "a approve" in text
        assert "help" in lines[-1]
        slots = session.view(1).item.slots or {}
        assert slots["linker"] in text
        if size == LARGE:
            assert "+F +G1 +G2" in rows[0]
            assert slots["matrix"] in text
            assert "co-indexed" in text
            assert "Generated in run 1" in text
            whole = words_in(app, "#sentences")
            for row in sentences:
                # Gaps and marks stand between the words.
                assert row.sentence is not None
                assert row.sentence.text.split()[-1].strip(".") in whole


@pytest.mark.parametrize("size", first_of([SMALL, LARGE]))
async def test_one_key_decides_and_is_on_disk_before_the_screen_moves(
    session: Session, bank: Bank, size: tuple[int, int]
) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "a")
        assert "Item 1 has an error (L310): press a again" in text_of(app)
        with Bank.open(bank.path) as other:
            assert other.items.get(1).status is ItemStatus.PENDING
        await press(pilot, "j", "k", "a", "a")
        with Bank.open(bank.path) as other:
            assert other.items.get(1).status is ItemStatus.APPROVED
        assert "item 1 approved, undo with ⌫" in text_of(app)
        assert app.queue.position == 1
        await press(pilot, "f")
        await press(pilot, "x")
        assert isinstance(app.screen, ReasonScreen)
        await press(pilot, "2")
        with Bank.open(bank.path) as other:
            assert other.items.get(2).status is ItemStatus.FLAGGED
            item = other.items.get(3)
            assert (item.status, item.reason) == (ItemStatus.EXCLUDED, "implausible")
        await press(pilot, "space")
        assert app.queue.position == 4
        assert "5 of 10 · 3 decided · ann" in text_of(app)


async def test_undo_and_redo_go_to_the_item_and_have_no_end(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "a", "a", "a", "f", "o", "backspace", "backspace", "backspace")
        assert [row.mine for row in app.queue.rows[:3]] == [Verdict.APPROVE, None, None]
        assert app.queue.position == 1
        assert "Taken back: item 2 approved" in text_of(app)
        await press(pilot, "j", "k")
        assert "· undecided" in text_of(app)
        await press(pilot, "U", "ctrl+r")
        assert [row.mine for row in app.queue.rows[:3]] == [Verdict.APPROVE, Verdict.APPROVE, Verdict.FLAG]
        await press(pilot, "backspace", "backspace", "backspace", "backspace", "backspace")
        assert all(row.mine is None for row in app.queue.rows)


async def test_other_asks_for_words_and_keeps_them(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "x", "8")
        assert isinstance(app.screen, ReasonScreen)
        assert isinstance(app.screen.focused, Input)
        await press(pilot, *"2 odd", "enter")
        (decision,) = session.bank.decisions.for_item(1)
        assert (decision.reason, decision.comment) == ("other", "2 odd")
        await press(pilot, "x", "down", "down", "enter")
        assert session.bank.decisions.for_item(2)[0].reason == "ungrammatical where it should be good"
        await press(pilot, "x", "escape")
        assert session.bank.decisions.for_item(3) == []


async def test_judgements_walk_down_the_rows(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "o", "*", "m", "4", "*")
        assert [row.judgement for row in session.view(1).rows[:5]] == ["ok", "*", "?", "*", None]
        assert app.screen.query_one(ItemGrid).cursor == 5
        text = text_of(app)
        assert "≠?" in text
        assert "3 of 4 sentences judged as expected" in text
        await press(pilot, "down", "up", "up")
        assert app.screen.query_one(ItemGrid).cursor == 4


async def test_a_click_selects_the_sentence_under_the_pointer(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        line = next(y for y, text in enumerate(screen_text(app)) if re.match(r"^[\s┃]*6 ", text))
        await pilot.click(offset=(20, line))
        assert app.screen.query_one(ItemGrid).cursor == 6


async def test_what_a_save_was_answered_goes_with_the_next_key(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "e", "ctrl+s")
        await pilot.pause()
        assert "Nothing has changed." in text_of(app)
        await press(pilot, "x")
        await pilot.pause()
        assert "Nothing has changed." not in text_of(app)
        assert "sentences change:" in text_of(app)


async def test_a_remark_with_markup_is_text(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "c")
        app.screen.query_one(TextArea).insert("[bold]x[/bold] [@click=app.quit]q[/]")
        await press(pilot, "ctrl+s")
        assert "[bold]x[/bold] [@click=app.quit]q[/]" in text_of(app)
        assert session.view(1).comments[0].text.startswith("[bold]")
        assert session.bank.review.drafts("ann") == []


async def test_what_is_typed_is_a_draft_until_it_is_saved(session: Session, bank: Bank) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "c", *"half a tho")
        await pilot.pause(0.5)
        with Bank.open(bank.path) as other:
            assert [d.text for d in other.review.drafts("ann")] == ["half a tho"]
        await press(pilot, "escape")
        assert "Not saved yet" in text_of(app)
    again = ReviewApp(session)
    async with again.run_test(size=SMALL) as pilot:
        await press(pilot, "c")
        assert again.screen.query_one(TextArea).text == "half a tho"
        await press(pilot, *"ught", "ctrl+s")
        assert session.view(1).comments[0].text == "half a thought"


@pytest.mark.parametrize("size", first_of([SMALL, LARGE]))
async def test_an_edit_shows_what_changes_and_is_linted_again(bank: Bank, size: tuple[int, int]) -> None:
    linted: list[int] = []

    def relint(bank: Bank, item_ids: object) -> None:
        assert isinstance(item_ids, list)
        linted.extend(item_ids)
        bank.findings.replace("subject_pg", {item_id: [] for item_id in item_ids}, ruleset="again")

    session = Session(bank, "ann", relint=relint)
    app = ReviewApp(session)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "e")
        assert isinstance(app.screen, EditScreen)
        assert app.screen.focused is app.screen.query_one("#slot-verb")
        field = app.screen.query_one("#slot-verb", Input)
        old = field.value
        field.value = "startle"
        await pilot.pause(0.05)
        text = text_of(app)
        assert f"[-{old}-] {{+startle+}}" in text
        assert "8 sentences change" in text
        await press(pilot, "ctrl+s")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert linted == [1]
        assert "Nothing found." in text_of(app)
        assert f"[-{old}-] {{+startle+}}" in words_in(app, "#notes")
        assert "startle" in session.view(1).item.sentences[0].text
        await press(pilot, "backspace")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "taken back" in words_in(app, "#notes")
        assert old in session.view(1).item.sentences[0].text
        assert linted == [1, 1]


async def _asked(app: ReviewApp, pilot: Pilot[None]) -> None:
    """Wait until a question that nobody foresaw is on the screen: what was typed before answers none."""
    await until(lambda: isinstance(app.screen, ConfirmScreen) and "(y)" in text_of(app), app)
    await pilot.pause(0.2)


@pytest.mark.parametrize("size", first_of([SMALL, LARGE]))
async def test_an_edit_that_brings_new_errors_names_them_and_asks(bank: Bank, size: tuple[int, int]) -> None:
    known = load_knowledge(None)

    def proofread(bank: Bank, items: Sequence[StoredItem]) -> list[list[Finding]]:
        return findings_of(bank, items, knowledge=known, rules=RuleSelection())

    session = Session(bank, "ann", proofread=proofread)
    old = session.view(2).item.sentences[1].text
    app = ReviewApp(session)

    def front() -> str:
        return type(app.screen).__name__

    async with app.run_test(size=size) as pilot:
        await press(pilot, "j", "2", "E")
        area = app.screen.query_one("#sentence", TextArea)
        area.text = old + " Soon,, soon"
        await pilot.pause(0.05)
        await press(pilot, "ctrl+s")
        await _asked(app, pilot)
        said = text_of(app)
        errors = {one.code for one in session.new_findings(session.view(2).item, _with(session, old + " Soon,, soon"))}
        assert errors
        assert all(f" {code}: " in said for code in errors)
        assert "+F +G1 -G2" in said, "the sentence is named"
        assert session.view(2).item.sentences[1].text == old, "nothing is saved before the answer"
        await press(pilot, "escape")
        assert front() == "EditScreen", "back to editing"
        assert area.text == old + " Soon,, soon"
        assert session.view(2).item.sentences[1].text == old
        await press(pilot, "ctrl+s")
        await _asked(app, pilot)
        await press(pilot, "enter")
        await until(lambda: front() == "ItemScreen", app)
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert session.view(2).item.sentences[1].text == old + " Soon,, soon"
        # What the item has already is not asked about again, nor what brings nothing.
        await press(pilot, "E")
        area = app.screen.query_one("#sentence", TextArea)
        area.text = "Yesterday, " + old[0].lower() + old[1:] + " Soon,, soon"
        await pilot.pause(0.05)
        fresh = session.new_findings(session.view(2).item, _with(session, area.text))
        await press(pilot, "ctrl+s")
        assert front() == ("ConfirmScreen" if fresh else "ItemScreen")


async def test_a_word_that_is_none_is_asked_about_and_counted(bank: Bank) -> None:
    """Also where the linter has but a remark on it: that it is in no list."""
    known = load_knowledge(None)

    def proofread(bank: Bank, items: Sequence[StoredItem]) -> list[list[Finding]]:
        return findings_of(bank, items, knowledge=known, rules=RuleSelection())

    def relint(bank: Bank, item_ids: Sequence[int]) -> None:
        lint_bank(bank, ItemFilter(ids=tuple(item_ids)), knowledge=known, rules=RuleSelection())

    session = Session(bank, "ann", proofread=proofread, relint=relint)
    before = session.row(2).findings
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "j", "a", "k", "e")
        app.screen.query_one("#slot-noun", Input).value = "blorf"
        await pilot.pause(0.05)
        await press(pilot, "ctrl+s")
        await _asked(app, pilot)
        assert "i L400: “blorf” is in no list of nouns" in text_of(app)
        await press(pilot, "y")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert "item 2 ↻" in text_of(app), "no verdict stands on it"
        # The warning of the spelling comes first; what is said of the list of nouns is below it, outside a small panel.
        assert "L703: “blorf” is in no" in words_in(app, "#findings")
        assert {"L400", "L703"} <= {one.code for one in session.view(2).findings}
        assert session.row(2).findings > before
        assert session.row(2).outdated


async def test_the_expected_sentence_is_asked_about_where_it_brings_errors(bank: Bank) -> None:
    error = Finding("T101", Severity.ERROR, "a made-up error")
    session = Session(bank, "ann", proofread=lambda _, items: [[], [error]][: len(items)])
    view = session.view(2)
    wanted = view.item.sentences[0].text
    session.save_sentence(view, view.rows[0], "Something else.")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        for key in ("escape", "y"):
            await press(pilot, *(["j"] if key == "escape" else []), "=")
            assert "✗ T101: a made-up error" in text_of(app)
            assert session.view(2).item.sentences[0].text == "Something else."
            await press(pilot, key)
        await pilot.pause()
        assert session.view(2).item.sentences[0].text == wanted


@pytest.mark.parametrize("ahead", ["enter", "y"])
async def test_what_was_typed_ahead_answers_no_question_that_nobody_could_foresee(bank: Bank, ahead: str) -> None:
    error = Finding("T101", Severity.ERROR, "a made-up error")
    reading = threading.Event()

    def proofread(_: Bank, items: Sequence[StoredItem]) -> list[list[Finding]]:
        reading.wait(20)
        return [[], [error]][: len(items)]

    session = Session(bank, "ann", proofread=proofread)
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "E")
        area = app.screen.query_one("#sentence", TextArea)
        area.text = "Something else."
        await pilot.pause(0.05)
        # In one read of the terminal, before the linter has said anything.
        for key in ("ctrl+s", ahead):
            app.post_message(events.Key(key, key if len(key) == 1 else None))

        def said(words: str) -> bool:
            # A screen that comes up has no lines yet.
            return bool(app.screen._compositor.render_strips()) and words in text_of(app)

        await until(lambda: said("Having the linter read the edit"), app)
        reading.set()
        await until(lambda: said("that key came before the question"), app)
        assert "✗ T101: a made-up error" in text_of(app)
        assert session.view(1).item.sentences[0].text != "Something else."
        # The question has said so before it knew when it was shown, and answers to a key of later.
        asked = app.screen
        for _ in range(20):
            if app.screen is asked:
                await press(pilot, "y")
        await app.workers.wait_for_complete()
        assert session.view(1).item.sentences[0].text == "Something else."


def _with(session: Session, text: str) -> StoredItem:
    view = session.view(2)
    return with_sentence(view.item, view.paradigm, view.rows[1].condition, text, which=view.rows[1].sentence)


async def test_one_sentence_can_be_edited_alone_and_discarded(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "3", "E")
        area = app.screen.query_one(TextArea)
        area.text = "A new\nsentence."
        await press(pilot, "ctrl+s")
        await pilot.pause()
        assert session.view(1).item.sentences[2].text == "A new sentence."
        assert "A new sentence." in text_of(app)
        await press(pilot, "E")
        app.screen.query_one(TextArea).text = "thrown away"
        await press(pilot, "ctrl+d")
        assert session.bank.review.drafts("ann") == []
        assert session.view(1).item.revision_number == 2


async def test_an_edit_that_leaves_nothing_to_read_is_refused_and_kept(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "e")
        app.screen.query_one("#slot-verb", Input).value = " "
        await press(pilot, "ctrl+s")
        assert app.screen.query("#slot-verb")
        await press(pilot, "escape")
        assert isinstance(app.screen, ItemScreen)
        assert session.view(1).item.revision_number == 1


async def test_an_edit_meanwhile_made_elsewhere_is_not_overwritten(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "e")
        app.screen.query_one("#slot-verb", Input).value = "amaze"
        await pilot.pause(0.4)
        other = Session(session.bank, "bo")
        view = other.view(1)
        other.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        await press(pilot, "ctrl+s")
        assert isinstance(app.screen, EditScreen)
        assert "startle" in session.view(1).item.sentences[0].text
        assert [d.text for d in session.bank.review.drafts("ann")] == ["amaze"]


async def test_a_decision_on_a_text_that_changed_is_refused_and_shown_anew(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        other = Session(session.bank, "bo")
        view = other.view(1)
        other.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
        await press(pilot, "f")
        assert session.row(1).mine is None
        assert app.queue.position == 0
        assert "somebody changed this item" in text_of(app)
        assert "{+startle+}" in text_of(app)
        await press(pilot, "f", "x")
        assert isinstance(app.screen, ItemScreen)
        assert session.row(1).mine is None
        await press(pilot, "enter", "f")
        assert session.row(1).mine is Verdict.FLAG


async def test_why_protocol_wrap_and_help(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "w")
        assert isinstance(app.screen, TextScreen)
        text = text_of(app)
        assert "Generated in run 1 by lexicon with made-up" in text
        await press(pilot, "pagedown", "pagedown", "pagedown")
        await pilot.pause()
        assert "One line each." in text_of(app)
        await press(pilot, "escape", "t")
        await pilot.pause()
        assert app.screen.query_one(ProtocolPanel).display
        assert "co-indexed" in text_of(app)
        await press(pilot, "t", "z")
        await pilot.pause()
        matrix = (session.view(1).item.slots or {})["matrix"]
        assert text_of(app).count(matrix) >= 5
        await press(pilot, "z", "f1")
        assert "one row per condition" in text_of(app)
        await press(pilot, "escape")
        for panel, words in ((FindingsPanel, "What the linter says"), (NotesPanel, "What was decided")):
            app.screen.query_one(panel).focus()
            await press(pilot, "f1")
            assert words in text_of(app)
            await press(pilot, "escape")


@pytest.mark.full
async def test_every_panel_explains_itself(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        for panel in (ItemGrid, FindingsPanel, NotesPanel, ProtocolPanel, OriginPanel):
            app.screen.query_one(panel).focus()
            await press(pilot, "f1")
            assert panel.help_title in text_of(app)
            assert " ".join(panel.help_text.split()[:4]) in text_of(app)
            await press(pilot, "escape")


async def test_the_parse_comes_from_a_thread_or_says_how_to_get_one(session: Session) -> None:
    words = [ParseLine("know", "VERB", "root", "", 0), ParseLine("[I]", "PRON", "subject", "know", 1, "not so")]
    for parser, expected in ((lambda *_: words, "subject of know"), (None, "No parser")):
        app = ReviewApp(session, parser=parser)
        async with app.run_test(size=SMALL) as pilot:
            await press(pilot, "p")
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert expected in text_of(app)
            assert ("not what the design has here" in text_of(app)) == (parser is not None)


async def test_role_and_head_stand_under_each_word_and_contradictions_are_marked(session: Session) -> None:
    def parser(bank: Bank, item: object, paradigm: object, sentence: Sentence) -> list[ParseLine]:
        words = sentence.text.split()
        return [ParseLine(w, "X", "object", words[0], 1, "not so" if i == 2 else "") for i, w in enumerate(words)]

    app = ReviewApp(session, parser=parser)
    async with app.run_test(size=SMALL) as pilot:
        for keys in (("P",), ("down",), ("j",)):
            await press(pilot, *keys)
            await app.workers.wait_for_complete([one for one in app.workers if one.group == "parse"])
            await pilot.pause()
            grid = app.screen.query_one(ItemGrid)
            row = grid.row()
            assert row is not None
            assert row.sentence is not None
            lines = [line.text for line in grid._lines]
            words = row.sentence.text.split()
            under = next(i for i, line in enumerate(lines) if line.startswith(f"object→{words[0]} "))
            assert lines[under - 1].split() == words[: len(lines[under - 1].split())]
            assert lines[under].split()[2] == f"✗object→{words[0]}"
            assert lines[under].index("✗object") == lines[under - 1].index(f" {words[2]}") + 1
            assert f"✗object→{words[0]}" in text_of(app), "on the screen, not only in the list"
            assert "✗ marks 1 attachment that the design does not have" in text_of(app)
        await press(pilot, "P")
        assert not any("object→" in line.text for line in app.screen.query_one(ItemGrid)._lines)


async def test_a_parse_that_comes_too_late_finds_nobody(session: Session) -> None:
    app = ReviewApp(session, parser=lambda *_: [])
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "p", "escape")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert isinstance(app.screen, ItemScreen)


async def test_a_peek_asks_first_and_is_on_record(session: Session) -> None:
    other = Session(session.bank, "bo")
    other.decide({1: other.row(1).revision_id}, Verdict.EXCLUDE, reason="unnatural")
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        assert "unnatural" not in text_of(app)
        assert "What others say is not shown" in text_of(app)
        await press(pilot, "v")
        assert isinstance(app.screen, ConfirmScreen)
        await press(pilot, "n")
        assert session.bank.review.peeks() == []
        await press(pilot, "v", "y")
        assert "unnatural" in text_of(app)
        assert "Not scored yet" in text_of(app)
        assert len(session.bank.review.peeks()) == 1


async def test_locking_asks_says_what_is_missing_and_opens_the_notes(session: Session) -> None:
    other = Session(session.bank, "bo")
    other.decide({1: other.row(1).revision_id}, Verdict.EXCLUDE, reason="unnatural")
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "L")
        assert "10 of 10 items are still undecided" in text_of(app)
        assert "Lock your decisions on 10 items of subject_pg/generated?" in " ".join(text_of(app).replace("│", " ").split())
        await press(pilot, "y")
        await pilot.pause()
        assert "locked" in text_of(app)
        assert "Locked. The history has what others say; v shows scores, too." in text_of(app)
        assert "unnatural" in text_of(app)
        await press(pilot, "a")
        assert session.row(1).mine is None
        await press(pilot, "L", "y", "k", "k", "a", "a")
        assert session.row(1).mine is Verdict.APPROVE


def in_question(app: App[None]) -> str:
    """What a question asks."""
    return words_in(app, ".dialog").replace("│ ", "").replace(" │", "")


async def test_where_some_data_sets_are_locked_the_key_locks_the_others(session: Session) -> None:
    """And never takes the lock back that a packet has brought."""
    bank, item = session.bank, session.bank.items.get(1)
    bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences, dataset="second")], run_id=item.run_id)
    bank.review.lock("ann", paradigm="subject_pg", dataset="generated")
    app = ReviewApp(session)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "L")
        await until(lambda: "Lock your" in text_of(app), app)
        said = in_question(app)
        assert "Lock your decisions on 1 item of subject_pg/second?" in said
        assert "1 of 1 items are still undecided" in said
        await press(pilot, "y")
        await pilot.pause()
        assert [(one.dataset, one.locked) for one in bank.review.locks()] == [("generated", True), ("second", True)]
        await press(pilot, "L")
        await until(lambda: "Unlock your" in text_of(app), app)
        assert "Unlock your decisions on 11 items: subject_pg/generated (10) and subject_pg/second (1)?" in in_question(app)


async def test_of_many_data_sets_the_question_of_the_lock_names_the_largest_with_their_sizes(session: Session) -> None:
    bank, item = session.bank, session.bank.items.get(1)
    for number, name in enumerate(("second", "third", "fourth", "fifth"), start=1):
        for _ in range(number):
            bank.items.add(item.paradigm_id, [NewItem(item.slots, item.sentences, dataset=name)], run_id=item.run_id)
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "L")
        await until(lambda: "Lock your" in text_of(app), app)
        said = in_question(app)
        sets = "subject_pg/generated (10), subject_pg/fifth (4), subject_pg/fourth (3) and 2 others (3)"
        assert f"Lock your decisions on 20 items: {sets}?" in said
        await press(pilot, "n")
    # Where items calibrate, no data set is named, and it is said why.
    bank.assignments.assign(dict.fromkeys(bank.items.ids(), ("ann", "bo")), {1: Verdict.APPROVE}, by="zoe")
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "L")
        await until(lambda: "Lock your" in text_of(app), app)
        said = in_question(app)
        assert "on 20 items of 5 data sets (not named, since that would tell which items calibrate)?" in said
        assert "generated" not in said


async def test_adjudication_shows_everybody_and_settles(session: Session) -> None:
    for name, verdict in (("ann", Verdict.APPROVE), ("bo", Verdict.FLAG)):
        one = Session(session.bank, name)
        one.decide({4: one.row(4).revision_id}, verdict)
    from gapsmith.vetting.review import parse_query

    judge = Session(session.bank, "cy", adjudicating=True)
    app = ReviewApp(judge, query=parse_query("status:disputed"))
    async with app.run_test(size=LARGE) as pilot:
        text = text_of(app)
        assert "ADJUDICATING" in text
        assert "ann: ✓ approved" in text
        assert "bo: ⚑ flagged" in text
        await press(pilot, "a")
        assert session.bank.items.get(4).status is ItemStatus.APPROVED
        assert "✓ approved (cy as adjudicator" not in text


async def test_an_item_edited_apart_shows_both_versions_and_a_verdict_picks_the_one_shown(
    session: Session, tmp_path: Path
) -> None:
    bank, paradigm = session.bank, load_paradigm("subject_pg")
    (tmp_path / "other").mkdir()
    with closing(sqlite3.connect(tmp_path / "other" / "bank.sqlite")) as target:
        bank.db.raw.backup(target)
    with Bank.open(tmp_path / "other" / "bank.sqlite") as other:
        for side, author, name in ((bank, "ann", "Zelda"), (other, "bo", "Jupiter")):
            slots = {**(side.items.get(4).slots or {}), "name1": name}
            side.items.revise(4, slots=slots, sentences=realise(paradigm, slots), author=author)
        merge(bank, entries(other), "other")
    judge = Session(bank, "cy", adjudicating=True)
    first = bank.items.get(4).slots or {}
    app = ReviewApp(judge, query=parse_query("status:disputed"))
    async with app.run_test(size=LARGE) as pilot:
        text = text_of(app)
        assert "edited apart: this is version 2 of 2" in text
        assert "Zelda" in text
        assert "Jupiter" in text
        await press(pilot, "V")
        assert "edited apart: this is version 1 of 2" in text_of(app)
        assert bank.items.get(4).status is ItemStatus.DISPUTED
        await press(pilot, "a")
    settled = judge.bank.items.get(4)
    assert (settled.status, settled.forked) == (ItemStatus.APPROVED, False)
    assert {first["name1"], (settled.slots or {})["name1"]} == {"Zelda", "Jupiter"}


@pytest.mark.parametrize(("size", "decided"), [pytest.param(SMALL, False, marks=pytest.mark.full), (LARGE, True)])
async def test_hostile_text_moves_nothing(
    make_bank: Callable[[int], Bank], size: tuple[int, int], decided: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nobody new is called so; banks from before may have such names.
    monkeypatch.setattr("gapsmith.bank.events.as_name", lambda name, *_, **__: name)
    bank = make_bank(1)
    first = bank.items.get(1)
    nasty = "\u202e\x1b[31m\n\u200b" + "".join(HOSTILE)
    run = bank.runs.begin(
        kind="import",
        paradigm_id=first.paradigm_id,
        provider=nasty,
        model=nasty,
        identity="x",
        parameters={"p": nasty},
        prompt_name=nasty,
        prompt_hash=nasty,
        prompt_text=nasty,
    )
    call = bank.runs.intend(run.id, 0, {"q": nasty})
    texts = tuple(Sentence(s.condition, nasty + s.text, None, Source.GENERATED) for s in first.sentences)
    item = NewItem({"verb": nasty, "noun": nasty}, (*texts, Sentence(nasty, nasty)), label=nasty)
    (item_id,) = bank.runs.reply(call, outcome="ok", reply=nasty, items=[item], finish_reason=nasty)
    from gapsmith.bank import Finding, FindingPlace, Severity

    finding = Finding(nasty[:20], Severity.ERROR, nasty, nasty, FindingPlace(nasty, 0, 5, nasty))
    bank.findings.replace("subject_pg", {item_id: [finding]}, ruleset="x")
    author = f"eve {nasty}"
    bank.review.comment(item_id, nasty, author=author)
    if decided:
        bank.decisions.decide([item_id], Verdict.EXCLUDE, author=author, reason=nasty, comment=nasty)
    app = ReviewApp(Session(bank, author))
    async with app.run_test(size=size) as pilot:
        await press(pilot, "j")
        for keys in ((), ("w",), ("escape", "v", "y"), ("escape", "e"), ("escape", "x"), ("escape", "g"), ("/",)):
            await press(pilot, *keys)
            await pilot.pause(0.05)
            for line in screen_text(app):
                assert_safe(line)
                assert cell_len(line) <= size[0]


async def test_no_color_keeps_every_shape(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.bank.review.set_habit("ann", "theme", "textual-ansi")
    monkeypatch.setenv("NO_COLOR", "1")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        assert not app.current_theme.ansi
        styles = [
            segment.style
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None and segment.text.strip()
        ]
        assert styles
        assert "‹who›" in text_of(app)
        for style in styles:
            if style.color is not None and style.bgcolor is not None and style.color.triplet and style.bgcolor.triplet:
                assert style.color.triplet != style.bgcolor.triplet


async def test_the_arrows_select_sentences_also_where_the_rows_scroll(make_bank: Callable[[int], Bank]) -> None:
    bank = make_bank(1)
    item = bank.items.get(1)
    long = tuple(Sentence(s.condition, f"{i} " + "word " * 40, None, Source.EDITED) for i, s in enumerate(item.sentences))
    bank.items.revise(1, slots=None, sentences=long, author="ann")
    app = ReviewApp(Session(bank, "ann"))
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "down", "down", "8")
        await pilot.pause()
        assert app.screen.query_one(ItemGrid).cursor == 8
        assert "▸8 " in text_of(app)
        await press(pilot, "up")
        await pilot.pause()
        assert "▸7 " in text_of(app)


async def test_a_bank_that_is_busy_is_said_and_nothing_pretends(
    session: Session, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = ReviewApp(session)
    monkeypatch.setattr("gapsmith.vetting.tui.writer.PATIENCE_MS", 50)
    async with app.run_test(size=LARGE, notifications=True) as pilot:
        with Bank.open(bank.path) as other, other.transaction():
            await press(pilot, "f")
            await pilot.pause()
            assert "cannot be written to now" in text_of(app)
            assert app.queue.position == 0
            await press(pilot, "c", *"kept")
            await pilot.pause(0.5)
        await pilot.pause(0.6)
        assert [d.text for d in session.bank.review.drafts("ann")] == ["kept"]
        await press(pilot, "escape", "f")
        assert session.row(1).mine is Verdict.FLAG


async def test_control_characters_can_be_edited_away_and_pasted_ones_are_codes(
    make_bank: Callable[[int], Bank],
) -> None:
    bank = make_bank(1)
    item = bank.items.get(1)
    odd = (Sentence(item.sentences[0].condition, "I \u202eknow\x1b this.", None, Source.IMPORTED), *item.sentences[1:])
    bank.items.revise(1, slots=item.slots, sentences=odd, author="ann")
    session = Session(bank, "ann")
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "E")
        area = app.screen.query_one(TextArea)
        assert area.text == "I ⟨202E⟩know⟨001B⟩ this."
        area.text = "I know⟨001B⟩ this.\x1b[31m"
        await pilot.pause()
        assert area.text == "I know⟨001B⟩ this.⟨001B⟩[31m"
        area.text = "I know⟨001B⟩ this."
        await press(pilot, "ctrl+s")
        assert session.view(1).item.sentences[0].text == "I know\x1b this."
