"""Slots to sentences and back, as properties over arbitrary words, and what happens to cells that do not fit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.templates import Paradigm, ParadigmError, Source, align, load_paradigm, read_back, realise
from gapsmith.templates.realisation import PUNCTUATION

pytestmark = pytest.mark.fast

PG = load_paradigm("subject_pg")
SLOTS = {slot.name: slot.example for slot in PG.visible_slots}
LETTERS = st.characters(categories=["Ll", "Lu", "Lo"], exclude_characters="ıſŉǰΐΰﬀﬁﬂﬃﬄﬅﬆßև")
WORD = st.text(LETTERS, min_size=1, max_size=12).filter(
    lambda w: w.casefold() not in {"who", "that", "what", "about", "of", "the"}
)


def _phrase(most: int) -> st.SearchStrategy[str]:
    return st.lists(WORD, min_size=1, max_size=most).map(" ".join)


FILLINGS = st.fixed_dictionaries(
    {
        "matrix": _phrase(5).map(lambda p: p[:1].upper() + p[1:]),
        "determiner": st.sampled_from(PG.slot_by_name["determiner"].closed),
        "noun": WORD,
        "preposition": st.sampled_from(["about", "of"]),
        "name1": WORD,
        "linker": _phrase(4),
        "verb": WORD,
        "name2": WORD,
        "adverb": WORD,
    }
)


def _texts(paradigm: Paradigm, slots: dict[str, str]) -> dict[str, str]:
    return {s.condition: s.text for s in realise(paradigm, slots)}


@given(FILLINGS)
def test_realised_slots_read_back_as_one_of_the_readings(slots: dict[str, str]) -> None:
    result = read_back(PG, _texts(PG, slots))
    assert not result.failures
    assert slots in [dict(reading) for reading in result.readings]
    for reading in result.readings:
        assert _texts(PG, dict(reading)) == _texts(PG, slots)


@given(FILLINGS)
def test_regions_tile_the_sentence(slots: dict[str, str]) -> None:
    for sentence in realise(PG, slots):
        assert sentence.regions is not None
        pieces = [sentence.text[r.start : r.end] for r in sentence.regions]
        words = " ".join(piece for piece in pieces[:-1] if piece) + pieces[-1]
        assert words == sentence.text
        assert [r.start for r in sentence.regions] == sorted(r.start for r in sentence.regions)
        assert sentence.regions[-1].name == PUNCTUATION


@given(FILLINGS)
def test_cells_differ_only_in_filler_and_gaps(slots: dict[str, str]) -> None:
    sentences = realise(PG, slots)
    fixed = [r.name for r in PG.regions if r.name not in {"filler", "gap1", "gap2"}]
    for sentence in sentences[1:]:
        for name in fixed:
            one, other = sentences[0].span(name), sentence.span(name)
            assert one is not None
            assert other is not None
            assert sentences[0].text[one.start : one.end] == sentence.text[other.start : other.end]


def test_the_four_cells_are_enough() -> None:
    cells = PG.design("lan2x2").conditions
    result = read_back(PG, {name: text for name, text in _texts(PG, SLOTS).items() if name in cells})
    assert result.ok
    assert result.slots == SLOTS


def test_one_bad_cell_is_named_with_what_was_expected() -> None:
    texts = _texts(PG, SLOTS)
    texts["pf_mg1_pg2"] = "I know who the tale about Mary is likely to amuse soon."
    result = read_back(PG, texts)
    assert result.slots == SLOTS
    (failure,) = result.failures
    assert failure.condition == "pf_mg1_pg2"
    assert failure.expected == "I know who the story about Mary is likely to amuse soon."


@pytest.mark.parametrize("bad", list(load_paradigm("subject_pg").condition_by_name))
def test_the_majority_wins_whichever_cell_is_bad(bad: str) -> None:
    texts = {**_texts(PG, SLOTS), bad: "Something else entirely is written here."}
    result = read_back(PG, texts)
    assert result.slots == SLOTS
    assert [failure.condition for failure in result.failures] == [bad]


def test_two_readings_are_both_given_and_the_slots_that_differ_are_named() -> None:
    wh = load_paradigm("embedded_wh")
    text = "I know what the old lion devoured at dawn."
    result = read_back(wh, {"pf_pg": text})
    assert not result.ok
    assert set(result.ambiguous) == {"subject", "verb", "time"}
    assert {"subject": "the old lion", "verb": "devoured", "time": "at dawn"}.items() <= {
        (name, value) for reading in result.readings for name, value in reading.items()
    }


def test_a_second_cell_settles_what_one_leaves_open() -> None:
    wh = load_paradigm("embedded_wh")
    gap, filled = "I know what the old lion devoured at dawn.", "I know what the old lion devoured the goat at dawn."
    result = read_back(wh, {"pf_pg": gap, "pf_mg": filled})
    assert result.ok
    assert result.slots is not None
    assert result.slots["object"] == "the goat"
    assert result.slots["subject"] == "the old lion"


def test_text_without_any_structure() -> None:
    result = read_back(PG, {"pf_pg1_pg2": "Hello.", "mf_pg1_pg2": ""})
    assert result.slots is None
    assert {failure.condition for failure in result.failures} == {"pf_pg1_pg2", "mf_pg1_pg2"}


@pytest.mark.parametrize("value", ["", " story", "two  spaces", "tab\tbed", None])
def test_a_slot_without_a_proper_value_is_refused_by_name(value: str | None) -> None:
    slots = {name: word for name, word in {**SLOTS, "noun": value}.items() if word is not None}
    with pytest.raises(ParadigmError, match="noun"):
        realise(PG, slots)


@pytest.mark.parametrize(
    "text",
    [
        "I know who the story about is likely to amuse soon.",
        "i know who the story about is likely to amuse soon.",
        "I know who the  story about is likely to amuse soon .",
        "I know who the story about is likely to amuse soon",
    ],
)
def test_a_sentence_with_a_slip_of_the_keyboard_is_still_aligned(text: str) -> None:
    sentence = align(PG, "pf_pg1_pg2", text, SLOTS, Source.IMPORTED)
    assert sentence.text == text
    span = sentence.span("adverb")
    assert span is not None
    assert text[span.start : span.end] == "soon"


def test_a_sentence_of_other_words_is_not_aligned() -> None:
    sentence = align(PG, "pf_pg1_pg2", "I know who the tale about is likely to amuse soon.", SLOTS, Source.IMPORTED)
    assert sentence.regions is None
    assert align(PG, "no_such_cell", "Any text.", SLOTS, Source.IMPORTED).regions is None


@given(st.text(max_size=80), st.sampled_from([c.name for c in PG.conditions]))
def test_any_text_can_be_read_and_aligned_without_an_error(text: str, condition: str) -> None:
    result = read_back(PG, {condition: text})
    assert (result.slots is None) == bool(result.failures)
    sentence = align(PG, condition, text, SLOTS, Source.GENERATED)
    assert sentence.text == text
    for span in sentence.regions or ():
        assert 0 <= span.start <= span.end <= len(text)
