"""Measures over stretches of a text: values by hand, places, straddling tokens, and what is undefined."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.templates import ConfigError, RegionSpan
from gapsmith.templates.formula import EMPTY, Place, evaluate, parse_formula
from gapsmith.templates.measures import (
    MEASURES,
    MeasuredText,
    Unigrams,
    Value,
    boundary_corrected,
    locate,
    measure,
    word_starts,
)

pytestmark = pytest.mark.fast

NAN = math.nan


def scored(text: str, *tokens: tuple[str, float], **more: object) -> MeasuredText:
    """A text cut into pieces that follow one another; spaces belong to the piece that has them."""
    spans, bits, at = [], [], 0
    for piece, value in tokens:
        assert text.startswith(piece, at), f"{piece!r} at {at}"
        spans.append((at, at + len(piece)))
        bits.append(value)
        at += len(piece)
    return MeasuredText(
        text,
        np.array(spans, dtype=np.int32).reshape(-1, 2),
        np.array(bits, dtype=np.float64),
        **more,  # type: ignore[arg-type]  # chosen so that the types go together
    )


#         0         1         2
#         0123456789012345678901
TEXT = "I know who slept soon."
WORDS = scored(TEXT, ("I", 8.0), (" know", 2.0), (" who", 4.0), (" sl", 7.0), ("ept", 1.0), (" soon", 3.0), (".", 0.5))
REGIONS = (
    RegionSpan("matrix", 0, 6),
    RegionSpan("filler", 7, 10),
    RegionSpan("gap", 10, 10),
    RegionSpan("verb", 11, 16),
    RegionSpan("adverb", 17, 21),
    RegionSpan("punctuation", 21, 22),
)


def _value(place: str, by: str = "sum", text: MeasuredText = WORDS, **more: object) -> Value:
    (operand,) = parse_formula(f"a@{place}").operands
    where = locate(operand.place, text.text, REGIONS, critical="adverb", numbers={"1": "matrix", "3": "gap"})
    return measure(text, where, MEASURES[by], **more)  # type: ignore[arg-type]  # chosen so that the types go together


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ("sum", 8.0),
        ("mean", 4.0),
        ("mean_word", 8.0),
        ("mean_char", 8.0 / 5),
        ("median", 4.0),
        ("range", 6.0),
        ("max", 7.0),
        ("min", 1.0),
        ("logprob", -8.0),
        ("perplexity", 16.0),
    ],
)
def test_a_word_of_two_tokens_by_every_measure(by: str, expected: float) -> None:
    assert _value("verb", by) == Value(expected, 2, 0)


def test_measures_of_the_sentence_count_its_words_and_characters() -> None:
    assert _value("sentence").number == 25.5
    assert _value("*", "mean").number == 25.5 / 7
    assert _value("sentence", "mean_word").number == 25.5 / 5
    assert _value("sentence", "mean_char").number == 25.5 / 22


def test_slor_is_the_log_odds_by_token_against_the_same_tokenizers_unigrams() -> None:
    table = Unigrams.from_counts("tok", [0, 1, 5, 0])
    assert table.bits.tolist() == pytest.approx([math.log2(10), math.log2(5), math.log2(10 / 6), math.log2(10)])
    text = scored("ab", ("a", 3.0), ("b", 2.0), ids=[0, 2], tokenizer="tok")
    expected = ((-3.0 - math.log2(1 / 10)) + (-2.0 - math.log2(6 / 10))) / 2
    found = measure(text, (0, 2), MEASURES["slor"], unigrams=table)
    assert found.number == pytest.approx(expected)
    with pytest.raises(ValueError, match="tokenizer other"):
        measure(text, (0, 2), MEASURES["slor"], unigrams=Unigrams("other", table.bits))
    with pytest.raises(ValueError, match="unigram table"):
        measure(text, (0, 2), MEASURES["slor"])


def test_places_by_name_number_critical_and_what_follows() -> None:
    assert _value("critical").number == _value("adverb").number == 3.0
    assert _value("1").number == _value("matrix").number == 10.0
    assert _value("next(filler)").number == 8.0, "the gap is empty, so the verb is next"
    assert _value("next(3)").number == 8.0
    assert _value("next(next(gap))").number == 3.0
    assert _value("next(critical)").number == 0.5
    assert _value("punctuation").number == 0.5


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("object", "the sentence has no such region"),
        ("9", "the sentence has no such region"),
        ("next(punctuation_mark)", "the sentence has no such region"),
        ("next(next(critical))", "no region with words follows"),
        ("gap", "the region is empty"),
    ],
)
def test_a_place_that_is_not_there_is_undefined_with_a_reason(place: str, reason: str) -> None:
    assert (_value(place).number, _value(place).reason) == (None, reason)


def test_sentences_without_spans_have_their_sentence_and_their_final_mark() -> None:
    assert locate(Place("sentence"), TEXT, None) == (0, 22)
    assert locate(Place("punctuation"), TEXT, None) == (21, 22)
    assert locate(Place("punctuation"), 'He said: "Who?!"', None) == (13, 16)
    assert locate(Place("punctuation"), "no mark (here)", None) == "the sentence does not end with a mark"
    assert locate(Place("verb"), TEXT, None) == "the sentence is not aligned with the paradigm"
    assert locate(Place("critical"), TEXT, REGIONS) == "the condition has no critical region"


def test_an_empty_region_adds_nothing_under_measures_that_add_up() -> None:
    values = {by: _value("gap", by) for by in ("sum", "logprob", "mean", "max")}
    assert {by: value.adds_nothing for by, value in values.items()} == {
        "sum": True,
        "logprob": True,
        "mean": False,
        "max": False,
    }
    assert values["sum"].operand is EMPTY
    assert evaluate(parse_formula("a > b"), lambda c, _: 1.0 if c == "a" else values["sum"].operand) is True
    assert evaluate(parse_formula("a > b"), lambda c, _: 1.0 if c == "a" else values["mean"].operand) is None


def test_a_token_belongs_where_its_first_character_lies_and_straddling_ones_are_counted() -> None:
    text = scored("the wall's end.", ("the", 1.0), (" wall'", 5.0), ("s", 2.0), (" end.", 7.0))
    wall, clitic, end, mark = (4, 8), (8, 10), (11, 14), (14, 15)
    by = MEASURES["sum"]
    assert measure(text, wall, by) == Value(5.0, 1, 1)
    assert measure(text, clitic, by) == Value(2.0, 1, 1)
    assert measure(text, end, by) == Value(7.0, 1, 1)
    assert measure(text, mark, by) == Value(None, 0, 1, "no token begins in the region")
    assert measure(text, (0, 3), by) == Value(1.0, 1, 0)
    assert measure(text, (0, 15), by).n_straddling == 0


def test_a_token_of_spaces_goes_with_the_character_that_follows() -> None:
    text = scored("a  b ", ("a", 1.0), (" ", 2.0), (" b", 4.0), (" ", 8.0))
    assert measure(text, (0, 1), MEASURES["sum"]) == Value(1.0, 1, 0)
    assert measure(text, (3, 4), MEASURES["sum"]) == Value(14.0, 3, 0)


def test_undefined_values_and_empty_texts_say_why() -> None:
    text = scored("a b", ("a", NAN), (" b", 2.0), reason="the first token has no context without BOS")
    assert measure(text, (0, 1), MEASURES["sum"]) == Value(None, 1, 0, text.reason)
    assert measure(text, (2, 3), MEASURES["sum"]).number == 2.0
    assert measure(scored("a b", ("a", 1.0), (" b", NAN)), (0, 3), MEASURES["max"]).reason == "' b' has no value"
    assert measure(scored("a", ("a", 1.0)), (1, 1), MEASURES["sum"]).operand is EMPTY
    for text in (scored(""), scored("  ")):
        for span in ((0, 0), (0, len(text.text))):
            value = measure(text, span, MEASURES["sum"])
            assert (value.operand, value.reason) == (None, "the text is empty")


def test_a_perplexity_beyond_all_numbers_is_undefined_not_infinite() -> None:
    assert measure(scored("a", ("a", 4000.0)), (0, 1), MEASURES["perplexity"]).number is None


def test_the_boundary_correction_moves_mass_between_words_and_keeps_the_sentence() -> None:
    boundary = np.array([9.0, 0.25, 0.5, 0.125, 3.0, 0.75, 1.0, 0.0])
    text = MeasuredText(WORDS.text, WORDS.spans, WORDS.bits, boundary)
    starts = word_starts(text.text, text.spans.tolist(), has_context=False)
    assert starts.tolist() == [False, True, True, True, False, True, True]
    # " know" loses the surprisal of its own beginning (.25) and gains that of " who" (.5).
    assert boundary_corrected(text.bits, boundary, starts)[1] == 2.0 - 0.25 + 0.5
    assert _value("verb", text=text, corrected=True) == Value(8.0 - 0.125 + 0.75, 2, 0)
    assert _value("sentence", text=text, corrected=True).number == _value("sentence").number
    behind = MeasuredText(WORDS.text, WORDS.spans, WORDS.bits, boundary, context="It rained.")
    assert _value("sentence", text=behind, corrected=True).number == 25.5 - 9.0
    with pytest.raises(ValueError, match="boundary"):
        _value("verb", corrected=True)


def test_arrays_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="spans"):
        MeasuredText("a", np.zeros((2, 2), dtype=np.int32), np.zeros(1))
    with pytest.raises(ValueError, match="boundaries"):
        MeasuredText("a", np.zeros((1, 2), dtype=np.int32), np.zeros(1), np.zeros(1))
    with pytest.raises(ValueError, match="stretch"):
        measure(WORDS, (3, 99), MEASURES["sum"])


def test_an_unknown_measure_is_named_with_those_there_are() -> None:
    assert MEASURES.find("slor") is MEASURES["slor"]
    with pytest.raises(ConfigError, match="perplexety") as caught:
        MEASURES.find("perplexety")
    assert "perplexity" in caught.value.hint


def test_white_space_at_the_end_straddles_nothing() -> None:
    text = MeasuredText("aa  ", np.array([(0, 3), (3, 4)], dtype=np.int32), np.array([1.0, 2.0]))
    assert measure(text, (0, 2), MEASURES["sum"]) == Value(3.0, 2, 0)


@given(st.data())
def test_regions_that_cover_a_text_share_out_its_surprisal(data: st.DataObject) -> None:
    text = data.draw(st.text(alphabet="ab .'é\u0301", min_size=1, max_size=24).filter(str.strip), label="text")

    def cut(label: str) -> list[tuple[int, int]]:
        edges = sorted({0, len(text), *data.draw(st.lists(st.integers(0, len(text)), max_size=6), label=label)})
        return list(pairwise(edges))

    tokens, regions = cut("tokens"), cut("regions")
    bits = [data.draw(st.integers(0, 64), label="bits") / 4 for _ in tokens]
    scored_text = MeasuredText(text, np.array(tokens, dtype=np.int32), np.array(bits))
    values = [measure(scored_text, region, MEASURES["sum"]) for region in regions]
    assert sum(value.n_tokens for value in values) == len(tokens)
    assert sum(value.number or 0.0 for value in values) == sum(bits)
    # By definition: a token straddles a region if it has a character other than a space on both sides of an edge.
    for value, (start, end) in zip(values, regions, strict=True):
        straddling = 0
        for first, last in tokens:
            visible = {i for i in range(first, last) if not text[i].isspace()}
            straddling += bool({i for i in visible if start <= i < end}) and not all(start <= i < end for i in visible)
        assert value.n_straddling == straddling
