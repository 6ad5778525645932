"""The aligned grid and the safety of what is shown: any text, any width, nothing moves and nothing is lost."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from gapsmith.bank import Finding, FindingPlace, ItemStatus, Severity, StoredItem
from gapsmith.templates import Sentence, Source, align, load_paradigm, realise
from gapsmith.vetting.review import SentenceRow, layout, rows_of, word_diff
from gapsmith.vetting.review.display import editable, fit, shorten, typed, visible
from gapsmith.vetting.review.finding_groups import group_findings
from gapsmith.vetting.review.grid import sentence_lines
from gapsmith.vetting.review.notes import diff_segs
from gapsmith.vetting.review.region_text import Refs, words_of

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
        id=1,
        uid=bytes(16),
        label="1",
        dataset="d",
        paradigm="subject_pg",
        paradigm_id=1,
        revision_id=1,
        revision_number=1,
        slots=slots,
        sentences=sentences if sentences is not None else realise(PARADIGM, slots),
        status=ItemStatus.PENDING,
        reason=None,
        expects=None,
        run_id=1,
        call_id=None,
        created_at="",
    )


def texts(
    rows: tuple[SentenceRow, ...],
    width: int,
    findings: list[Finding] | None = None,
    expected: dict[str, Sentence] | None = None,
) -> list[str]:
    """The lines of a layout."""
    groups = group_findings(rows, PARADIGM, findings or [])
    return [line.text for line in layout(rows, PARADIGM, groups, width=width, expected=expected).lines]


def squeezed(lines: list[str]) -> list[str]:
    """The lines with single spaces."""
    return [" ".join(line.split()) for line in lines]


def test_the_frame_stands_once_and_the_table_shows_what_differs() -> None:
    lines = squeezed(texts(rows_of(item(SLOTS), PARADIGM, {}), 120))
    assert lines[0] == "I know {filler} the story about {gap1} is likely to amuse {gap2} {adverb}."
    assert lines[1] == "filler gap1 gap2 adverb"
    assert lines[2] == "▸1 +F +G1 +G2 ok ‹who› __ __ [soon]"
    assert lines[9] == "8 -F -G1 -G2 ok ‹that› Mary [Anna] soon"


@pytest.mark.parametrize("slots", [SLOTS, {**SLOTS, "matrix": "The neighbors discovered", "noun": "investigation"}])
def test_the_table_is_the_same_at_every_width(slots: dict[str, str]) -> None:
    rows = rows_of(item(slots), PARADIGM, {})
    tables = []
    for width in (56, 78, 158):
        grid = layout(rows, PARADIGM, (), width=width)
        assert not grid.shortened
        assert grid.columns == ("filler", "gap1", "gap2", "adverb")
        tables.append([line.text.rstrip() for line in grid.lines if line.row is not None])
        whole = " ".join(line.text for line in sentence_lines(rows[3], PARADIGM, (), rows, width))
        assert whole == f"{slots['matrix']} ‹who› the {slots['noun']} about Mary is likely to amuse [Anna] soon."
    assert tables[0] == tables[1] == tables[2]


@pytest.mark.parametrize("width", [40, 56, 78, 158])
def test_a_column_with_a_finding_is_never_cut(width: int) -> None:
    slots = {**SLOTS, "name1": "Marie-Antoinette", "verb": "disproportionately-bewilder"}
    rows = rows_of(item(slots), PARADIGM, {})
    findings = [
        Finding("L3", Severity.ERROR, "odd verb", place=FindingPlace(slot="verb")),
        Finding("L4", Severity.ERROR, "odd name", place=FindingPlace(slot="name1")),
    ]
    grid = layout(rows, PARADIGM, group_findings(rows, PARADIGM, findings), width=width)
    assert "disproportionately-bewilder¹" in "".join(line.text for line in grid.lines).replace(" ", "")
    for number in (3, 4, 7, 8):
        assert "Marie-Antoinette" in "".join(line.text for line in grid.lines if line.row == number)
    assert all(cell_len(line.text) <= width for line in grid.lines)


def test_a_finding_on_shared_words_marks_the_frame_and_its_row() -> None:
    rows = rows_of(item(SLOTS), PARADIGM, {})
    finding = Finding("T2", Severity.WARNING, "odd", place=FindingPlace(rows[1].condition, 0, 1))
    lines = squeezed(texts(rows, 78, [finding]))
    assert lines[0].startswith("I know¹ {filler}")
    assert lines[3].startswith("2 +F +G1 -G2 * ¹")
    assert "¹" not in lines[2]


def test_a_sentence_that_is_not_what_the_slots_give_is_diffed_in_its_columns() -> None:
    good = realise(PARADIGM, SLOTS)
    odd = good[3].text.replace("likely", "sure")
    sentences = (*good[:3], Sentence(good[3].condition, odd, None, Source.IMPORTED), *good[4:])
    rows = rows_of(item(SLOTS, sentences), PARADIGM, {})
    lines = texts(rows, 120, expected={sentence.condition: sentence for sentence in good})
    assert "is [-likely-] {+sure+} to" in lines[5]
    heading = next(line for line in lines if "linker" in line and "{" not in line)
    assert lines[5].index("is [-likely-]") == heading.index("linker") == lines[4].index("is likely to")


def test_a_deviation_goes_on_below_before_sentences_are_wrapped() -> None:
    good = realise(PARADIGM, SLOTS)
    odd = good[3].text.replace("likely", "sure")
    rows = rows_of(item(SLOTS, (*good[:3], Sentence(good[3].condition, odd, None, Source.IMPORTED), *good[4:])), PARADIGM, {})
    for width in (56, 78):
        grid = layout(rows, PARADIGM, (), width=width, expected={sentence.condition: sentence for sentence in good})
        assert grid.aligned
        own = [line.text for line in grid.lines if line.row == 4]
        assert len(own) == (2 if width == 56 else 1)
        for word in ("[-likely-]", "{+sure+}", "[Anna]", "soon"):
            assert sum(word in line for line in own) == 1
        assert len([line for line in grid.lines if line.row == 3]) == 1
    narrow = layout(rows, PARADIGM, (), width=40, expected={sentence.condition: sentence for sentence in good})
    assert not narrow.aligned


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
    groups = group_findings(rows, PARADIGM, findings)
    lines = texts(rows, 140, findings)
    assert "amuse¹" in lines[0]
    assert "[Anna]²" in lines[3]
    assert "³" in lines[4]
    assert "⁴" not in "".join(lines)
    below = " ".join(line.text for line in sentence_lines(rows[1], PARADIGM, groups, rows, 140))
    assert "amuse¹ [Anna]²" in below


def test_every_number_of_a_row_is_shown_and_none_eats_the_word() -> None:
    rows = rows_of(item(SLOTS), PARADIGM, {})
    anna = rows[1].sentence
    assert anna is not None
    span = anna.span("gap2")
    assert span is not None
    findings = [
        Finding(f"L{i}", Severity.ERROR, "name", place=FindingPlace(anna.condition, span.start, span.end)) for i in range(5)
    ]
    findings += [Finding(f"T{i}", Severity.ERROR, "whole", place=FindingPlace(anna.condition)) for i in range(5)]
    for width in (56, 140):
        text = "".join(texts(rows, width, findings))
        assert "[Anna]¹˒²˒³˒⁴˒⁵" in text
        assert "⁶˒⁷˒⁸˒⁹˒¹⁰" in text


def test_one_finding_in_all_conditions_is_one_finding() -> None:
    slots = {**SLOTS, "noun": "sto\x1bry"}
    rows = rows_of(item(slots, _realised_raw(slots)), PARADIGM, {})
    findings = []
    for row in rows:
        assert row.sentence is not None
        start = row.sentence.text.index("\x1b")
        findings.append(Finding("T033", Severity.ERROR, "U+001B", place=FindingPlace(row.condition, start, start + 1)))
    (group,) = group_findings(rows, PARADIGM, findings)
    assert (group.number, group.where, group.word) == (1, "all 8 conditions", "sto\x1bry")
    text = "\n".join(texts(rows, 140, findings))
    assert text.count("¹") == 1
    (two,) = group_findings(rows, PARADIGM, findings[:2])
    assert two.where == "+F +G1 +G2, +F +G1 -G2"
    assert len(group_findings(rows, PARADIGM, [*findings, Finding("T034", Severity.INFO, "other")])) == 2


def test_judgements_show_agreement_by_shape() -> None:
    rows = rows_of(item(SLOTS), PARADIGM, {"pf_pg1_pg2": "ok", "pf_pg1_mg2": "ok"})
    lines = texts(rows, 140)
    assert "ok =ok" in lines[2]
    assert "*  ≠ok" in lines[3]


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
def test_hostile_text_stays_in_its_row(text: str) -> None:
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
                for line in layout(rows, PARADIGM, (), width=width, whole=whole).lines:
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
        grid = layout(rows, PARADIGM, (), width=width, whole=whole)
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
