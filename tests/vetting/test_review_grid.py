"""The aligned grid and the safety of what is shown: any text, any width, nothing moves and nothing is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from bank import Finding, FindingPlace, ItemStatus, Severity, StoredItem
from templates import Sentence, Source, align, load_paradigm, realise
from vetting.review import Row, layout, rows_of, word_diff
from vetting.review.cells import Refs, words_of
from vetting.review.display import editable, fit, shorten, typed, visible
from vetting.review.grid import sentence_lines
from vetting.review.notes import diff_segs

PARADIGM = load_paradigm("subject_pg")
SLOTS = {
    "matrix": "I know",
    "determiner": "the",
    "noun": "story",
    "preposition": "about",
    "name1": "Mary",
    "linker": "is likely to",
    "verb": "amuse",
    "name2": "Anna",
    "adverb": "soon",
}
HOSTILE = [
    "[bold red]x[/]",
    "[@click=app.quit]x[/]",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "a\nb",
    "a\r\nb",
    "a\tb",
    "\u202ereversed\u202c",
    "\u2066isolated\u2069",
    "zero\u200bwidth\u200d",
    "\ufeffbom",
    "para\u2029graph\u2028",
    "nel\x85csi\x9b31m",
    "no\u00a0break",
    "soft\u00adhyphen",
    "z̸̢̧̛̛̲̗̰̲̘͓͊a",
    "tag\U000e0041",
    "private\ue000",
    "del\x7f",
    "你好",
    "",
    " ",
]


def item(slots: dict[str, str], sentences: tuple[Sentence, ...] | None = None) -> StoredItem:
    """An item that is in no bank."""
    return StoredItem(
        id=1, uid=bytes(16), label="1", dataset="d", paradigm="subject_pg", paradigm_id=1, revision_id=1, revision_number=1,
        slots=slots, sentences=sentences if sentences is not None else realise(PARADIGM, slots),
        status=ItemStatus.PENDING, reason=None, expects=None, run_id=1, call_id=None, created_at="",
    )  # fmt: skip


def texts(rows: tuple[Row, ...], width: int, findings: list[Finding] | None = None, **more: bool) -> list[str]:
    """The lines of a layout."""
    return [line.text for line in layout(rows, PARADIGM, findings or [], width=width, **more).lines]


def test_every_mark_has_a_shape() -> None:
    lines = [" ".join(line.split()) for line in texts(rows_of(item(SLOTS), PARADIGM, {}), 120)]
    assert lines[1] == "▸1 +F +G1 +G2 ok I know ‹who› the story about __ is likely to amuse __ [soon]."
    assert lines[8] == "8 -F -G1 -G2 ok I know ‹that› the story about Mary is likely to amuse [Anna] soon."


def test_columns_stand_below_each_other() -> None:
    lines = texts(rows_of(item(SLOTS), PARADIGM, {}), 120)
    for word in ("the story", "is likely to", "amuse"):
        assert len({line.index(word) for line in lines[1:]}) == 1


@pytest.mark.parametrize("width", [78, 70, 60, 50])
def test_what_does_not_fit_is_shortened_and_stands_in_full_below(width: int) -> None:
    slots = {**SLOTS, "matrix": "The neighbors discovered", "noun": "investigation", "linker": "is guaranteed to"}
    rows = rows_of(item(slots), PARADIGM, {})
    grid = layout(rows, PARADIGM, [], width=width)
    assert grid.shortened
    assert grid.labels == "signs"
    assert len(grid.lines) == 9
    assert all(cell_len(line.text) <= width for line in grid.lines)
    whole = " ".join(line.text for line in sentence_lines(rows[3], PARADIGM, [], rows, width))
    assert whole == ("The neighbors discovered ‹who› the investigation about Mary is guaranteed to amuse [Anna] soon.")


def test_findings_are_numbered_on_the_words_they_mean() -> None:
    rows = rows_of(item(SLOTS), PARADIGM, {})
    anna = rows[1].sentence
    assert anna is not None
    span = anna.span("gap2")
    assert span is not None
    findings = [
        Finding("L1", Severity.ERROR, "verb", place=FindingPlace(slot="verb")),
        Finding("L2", Severity.ERROR, "name", place=FindingPlace(anna.condition, span.start, span.end)),
        Finding("T1", Severity.ERROR, "whole", place=FindingPlace(rows[2].condition)),
        Finding("T2", Severity.ERROR, "item"),
    ]
    lines = texts(rows, 140, findings)
    assert "verb¹" in lines[0]
    assert "[Anna]²" in lines[2]
    assert "³" in lines[3]
    assert "⁴" not in "".join(lines)
    below = " ".join(line.text for line in sentence_lines(rows[1], PARADIGM, findings, rows, 140))
    assert "amuse¹ [Anna]²" in below


def test_judgements_show_agreement_by_shape() -> None:
    rows = rows_of(item(SLOTS), PARADIGM, {"pf_pg1_pg2": "ok", "pf_pg1_mg2": "ok"})
    lines = texts(rows, 140)
    assert "ok =ok" in lines[1]
    assert "*  ≠ok" in lines[2]


def test_missing_doubled_and_foreign_sentences_have_rows() -> None:
    good = realise(PARADIGM, SLOTS)
    odd = (*good[:7], Sentence(good[0].condition, "Again.", None, Source.IMPORTED), Sentence("xyz", "Odd one.", None))
    rows = rows_of(item(SLOTS, odd), PARADIGM, {})
    assert [row.note for row in rows] == ["", "again", "", "", "", "", "", "", "missing", "not in the design"]
    lines = "\n".join(texts(rows, 100))
    assert "— missing —" in lines
    assert "Again. (again)" in lines
    assert "Odd one. (not in the design)" in lines


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_in_its_cell(text: str) -> None:
    slots = {**SLOTS, "noun": f"story {text}".strip(), "verb": text.strip() or "x"}
    sentences = (
        *realise(PARADIGM, SLOTS)[:7],
        Sentence("mf_mg1_mg2", f"I know {text} soon.", None, Source.GENERATED),
    )
    for rows in (
        rows_of(item(SLOTS, sentences), PARADIGM, {}),
        rows_of(item(SLOTS, (Sentence(text, text, None),)), PARADIGM, {}),
        rows_of(item(slots, _realised_raw(slots)), PARADIGM, {}),
    ):
        for width in (78, 158):
            for whole in (False, True):
                for line in layout(rows, PARADIGM, [], width=width, whole=whole).lines:
                    assert_safe(line.text)
                    assert cell_len(line.text) <= width


def _realised_raw(slots: dict[str, str]) -> tuple[Sentence, ...]:
    """Sentences whose slot values may hold anything, as a model's reply could."""
    found = []
    for condition in PARADIGM.conditions:
        spans, text = [], ""
        for region in PARADIGM.regions:
            words = condition.regions[region.name]
            for name, value in slots.items():
                words = words.replace(f"{{{name}}}", value)
            start = len(text) + (1 if text and words else 0)
            text = f"{text} {words}" if text and words else text + words
            spans.append((region.name, start, len(text)))
        found.append(align(PARADIGM, condition.name, text, slots, Source.GENERATED))
    return tuple(found)


def assert_safe(text: str) -> None:
    """No character of the text moves the cursor, hides, or reorders its neighbours."""
    for character in text:
        assert unicodedata.category(character) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}, repr(character)


@given(st.text(max_size=60))
def test_visible_text_is_one_line_of_visible_characters(text: str) -> None:
    shown = visible(text)
    assert_safe(shown)
    assert "\n" not in shown
    assert visible(shown) == shown
    if text.isascii() and text.isprintable():
        assert shown == text


@given(st.text(max_size=60))
def test_what_is_edited_is_visible_and_reads_back_exactly(text: str) -> None:
    shown = editable(text)
    assert_safe(shown)
    assert typed(shown) == text


@given(st.text(max_size=60), st.integers(0, 40))
def test_fitting_is_exact_and_shortening_never_too_wide(text: str, width: int) -> None:
    shown = visible(text)
    assert cell_len(fit(shown, width)) == width
    assert cell_len(shorten(shown, width)) <= width


@settings(max_examples=60, deadline=None)
@given(
    st.fixed_dictionaries({name: st.text(alphabet="abcdefgh ", min_size=1, max_size=30) for name in SLOTS}),
    st.integers(40, 170),
)
def test_no_layout_is_wider_than_its_room_and_none_lacks_a_row(slots: dict[str, str], width: int) -> None:
    tidy = {name: " ".join(value.split()) or "x" for name, value in slots.items()}
    rows = rows_of(item(tidy), PARADIGM, {})
    for whole in (False, True):
        grid = layout(rows, PARADIGM, [], width=width, whole=whole)
        assert all(cell_len(line.text) <= width for line in grid.lines)
        assert {line.row for line in grid.lines} - {None} == set(range(1, 9))
    words = " ".join("".join(seg.text for seg in word) for word in words_of(rows[7], PARADIGM, _no_refs()))
    for value in tidy.values():
        # The first letter of a sentence is a capital.
        assert value[1:] in words


def _no_refs() -> Refs:
    return Refs({}, {}, {})


def test_diffs_are_marked_by_shape() -> None:
    shown = "".join(seg.text for seg in diff_segs(word_diff("I know who the story", "I know that the story")))
    assert shown == "I know [-who-] {+that+} the story"
