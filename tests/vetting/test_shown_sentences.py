"""Wherever a screen shows a sentence as one text, its open gaps are shown: one function does it, and no part of the screens goes past
it."""

from __future__ import annotations

import ast
import re

from gapsmith.bank import Bank, Verdict
from gapsmith.templates import load_paradigm
from gapsmith.vetting.gap_marks import marked
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.review.edits import changes, with_sentence, with_slots
from gapsmith.vetting.tui import ReviewApp
from tests.rooms import trees_of, walked
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import SMALL, text_of, words_in
from tests.vetting.test_tui_keys import settle

FIRST = "We can see who the news about __ will surely trouble __ soon."
PLAIN = {
    ("vetting/review/acceptability.py", "one.text other.text sentence.text"): "who judges must not be told of a gap",
    ("vetting/review/norming.py", "sentence.text"): "who judges must not be told of a gap",
    ("vetting/tui/norming_app.py", "one.other_text one.text"): "who judges must not be told of a gap",
    ("vetting/review/filters.py", "row.text"): "an order by the words there are",
    ("vetting/review/region_text.py", "row.sentence.text sentence.text wanted.text"): "shows regions, and what has none as it is",
    ("vetting/review/finding_groups.py", "row.sentence.text"): "the word that a finding is about",
    ("vetting/review/card.py", "row.sentence.text"): "compared with what the slots give",
    ("vetting/review/edits.py", "old.text s.text sentence.text"): "compares, and lays texts out anew",
    ("vetting/tui/item_screen.py", "row.sentence.text wanted.text"): "compared with what the slots give",
    ("vetting/tui/edit_screen.py", "row.sentence.text"): "what is edited is the sentence as it is",
    ("vetting/tui/item_reading.py", "sentence.text"): "words are parsed as they stand",
    ("vetting/tui/app.py", "sentence.text"): "words are parsed as they stand",
    ("vetting/tui/item_texts.py", "row.sentence.text"): "an item on its way to the clipboard or a file",
    ("vetting/tui/panels.py", "one.text"): "pieces of a line",
    ("vetting/tui/queue_screen.py", "wanted.text"): "a filter",
}
"""Where the text of something that may be a sentence is read as it is, and why."""
_MAY_BE = re.compile(r"(^|\.)(sentence|s|row|one|first|other|old|wanted|trial)$")


def test_no_screen_shows_a_sentence_past_the_one_function() -> None:
    found: dict[str, set[str]] = {}
    for file, tree in trees_of("vetting/review", "vetting/tui"):
        for node in walked(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr in ("text", "other_text")
                and _MAY_BE.search(ast.unparse(node.value))
            ):
                found.setdefault(file, set()).add(ast.unparse(node))
    read = {(file, " ".join(sorted(said))) for file, said in found.items()}
    assert read == PLAIN.keys(), "a sentence is shown with Session.sentence_of or display.sentence_text"


async def test_open_gaps_are_shown_in_every_list_and_question(bank: Bank) -> None:
    session = Session(bank, "ann")
    row = session.row(1)
    assert session.sentence_of(row) == FIRST
    assert row.text == FIRST.replace("__ ", ""), "what is stored is the sentence as it is"
    app = ReviewApp(session)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        assert "‹who› the news about __ will surely trouble¹ __ [soon]" in words_in(app, "#grid")
        # Choosers, remarks, the queue, deciding on all, on a group; findings are numbered in the first.
        for keys, shown in (
            (["x"], "who² the news about __ will surely trouble¹ __ soon."),
            (["escape", "c"], "who² the news about __ will surely trouble¹ __ soon."),
            (["escape", "g"], FIRST),
            (["A"], FIRST),
            (["escape", "c"], FIRST),
            (["escape", "b", "enter"], "__"),
        ):
            await press(pilot, *keys)
            await settle(pilot)
            said = text_of(app)
            assert shown.replace("²", "") in said.replace("²", ""), (keys, said)


async def test_an_edit_shows_open_gaps_while_one_types_and_afterwards(bank: Bank) -> None:
    session = Session(bank, "ann")
    app = ReviewApp(session)
    async with app.run_test(size=(100, 40)) as pilot:
        await settle(pilot)
        await press(pilot, "e")
        await settle(pilot)
        app.screen.query_one("#slot-verb").value = "outrage"  # type: ignore[attr-defined]
        await settle(pilot)
        assert "the news about __ will surely [-trouble-] {+outrage+} __ soon." in words_in(app, "#preview")
        await press(pilot, "ctrl+s")
        await settle(pilot)
        assert "[-trouble-] {+outrage+} __" in words_in(app, "#notes")


def test_a_sentence_that_cannot_be_aligned_is_compared_as_it_is(session: Session) -> None:
    view = session.view(1)
    paradigm = load_paradigm("subject_pg")
    first = view.item.sentences[0]
    odd = with_sentence(view.item, paradigm, first.condition, "Quite another one.", which=first)
    assert odd.sentences[0].regions is None
    (change,) = changes(view.item.sentences, odd.sentences, paradigm)
    assert not any("__" in piece.text for piece in change.pieces)
    slots = {**(view.item.slots or {}), "verb": "outrage"}
    found = changes(view.item.sentences, with_slots(view.item, paradigm, slots).sentences, paradigm)
    assert len(found) == 8
    kept = " ".join(piece.text for piece in found[0].pieces if piece.op in "=-")
    assert kept == marked(first, paradigm, critical=False) == FIRST


def test_what_is_copied_from_the_screen_finds_its_item(session: Session) -> None:
    assert [row.id for row in session.rows(parse_query("news about __ will surely trouble __ soon"))] == [1]
    session.decide({1: session.row(1).revision_id}, Verdict.APPROVE)
    assert session.sentence_of(session.row(1)) == FIRST
