"""Regions from tokens: sums, placement of tokens, and every way in which a value is undefined."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gapsmith.bank import Tokens
from gapsmith.scoring.lm import BUNDLED, Engine, open_engine
from gapsmith.scoring.observations import measured_text
from gapsmith.templates import (
    CRITICAL_PLACE,
    PUNCTUATION,
    BosPolicy,
    Paradigm,
    Place,
    RegionSpan,
    Sentence,
    load_paradigm,
    realise,
)
from gapsmith.templates.measures import MEASURES, Value, measure
from tests.making import made_tokens
from tests.scoring.measuring import measured_one, numbers_of, one_item

TEXT = "I know who left soon."
SPANS = (
    RegionSpan("preamble", 0, 6),
    RegionSpan("filler", 7, 10),
    RegionSpan("verb", 11, 15),
    RegionSpan("gap", 16, 16),
    RegionSpan("adverb", 16, 20),
    RegionSpan("final", 20, 21),
)


def tokens(text: str, *cuts: int, values: list[float | None] | None = None, reason: str | None = None) -> Tokens:
    """Tokens of `text` cut at `cuts`, worth 1, 2, 4, 8 … bits unless `values` says otherwise."""
    bounds = [0, *cuts, len(text)]
    pairs = list(pairwise(bounds))
    bits: list[float | None] = values or [float(2**n) for n in range(len(pairs))]
    return made_tokens(text, [(a, b, v) for (a, b), v in zip(pairs, bits, strict=True)], reason)


def sums(scores: Tokens, spans: Sequence[RegionSpan]) -> dict[str, Value]:
    """The surprisal of every span, by region name."""
    text = measured_text(scores)
    return {span.name: measure(text, (span.start, span.end), MEASURES["sum"]) for span in spans}


def test_a_region_is_the_sum_of_its_tokens() -> None:
    """Cut as GPT-2 cuts: I| know| who| le|ft| soon|."""
    found = sums(tokens(TEXT, 1, 6, 10, 13, 15, 20), SPANS)
    assert {name: (score.number, score.n_tokens) for name, score in found.items()} == {
        "preamble": (3.0, 2),
        "filler": (4.0, 1),
        "verb": (8.0 + 16.0, 2),
        "gap": (None, 0),
        "adverb": (32.0, 1),
        "final": (64.0, 1),
    }
    assert found["gap"].reason == "the region is empty"


def test_a_token_across_a_border_belongs_to_where_its_first_character_is() -> None:
    """The full stop is part of the token ``soon.``: the region of the full stop has no value, not zero."""
    found = sums(tokens(TEXT, 1, 6, 10, 15), SPANS)
    assert found["adverb"].number == 16.0
    assert found["final"].number is None
    assert found["final"].reason == "no token begins in the region"


def test_white_space_of_its_own_goes_with_what_follows() -> None:
    text = "I  know "
    spans = (RegionSpan("one", 0, 1), RegionSpan("two", 3, 7))
    found = sums(tokens(text, 1, 2, 7), spans)
    assert (found["one"].number, found["two"].number) == (1.0, 2.0 + 4.0 + 8.0)


def test_an_undefined_token_makes_its_region_undefined_and_no_other() -> None:
    scores = tokens("I know", 1, values=[None, 3.0], reason="no context")
    found = sums(scores, (RegionSpan("one", 0, 1), RegionSpan("two", 2, 6)))
    assert (found["one"].number, found["one"].reason, found["one"].n_tokens) == (None, "no context", 1)
    assert (found["two"].number, found["two"].reason) == (3.0, None)


def test_a_text_without_tokens_passes_its_reason_on() -> None:
    found = sums(made_tokens("I know", [], "cannot be aligned"), (RegionSpan("one", 0, 1),))
    assert (found["one"].number, found["one"].reason) == (None, "cannot be aligned")


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_regions_that_cover_all_characters_add_up_to_the_sentence(data: Any) -> None:
    text = data.draw(st.text(alphabet="ab é😀\t.", min_size=1, max_size=30).filter(lambda t: bool(t.strip())))
    inner = st.lists(st.integers(1, max(1, len(text) - 1)), unique=True, max_size=6).map(sorted)
    scores = tokens(text, *data.draw(inner)) if len(text) > 1 else tokens(text)
    borders = [0, *(data.draw(inner) if len(text) > 1 else []), len(text)]
    spans = []
    for number, (start, end) in enumerate(pairwise(borders)):
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        spans.append(RegionSpan(f"r{number}", start, end))
    found = sums(scores, spans)
    assert sum(score.n_tokens for score in found.values()) == len(scores.values)
    total = sum(score.number or 0.0 for score in found.values())
    assert total == pytest.approx(float(scores.bits.sum()))
    assert all((score.number is None) == (score.reason is not None) for score in found.values())


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The bundled model."""
    return open_engine(BUNDLED, device="cpu")


@pytest.fixture(scope="module")
def paradigm() -> Paradigm:
    """The eight permutations."""
    return load_paradigm("subject_pg")


def example(paradigm: Paradigm, condition: str) -> Sentence:
    """The paradigm's own example in one cell."""
    sentences = realise(paradigm, {slot.name: slot.example for slot in paradigm.visible_slots})
    return next(sentence for sentence in sentences if sentence.condition == condition)


@pytest.mark.parametrize(("condition", "word"), [("pf_pg1_pg2", "soon"), ("pf_pg1_mg2", "Anna")])
def test_the_critical_region_is_the_adverb_or_the_name(engine: Engine, paradigm: Paradigm, condition: str, word: str) -> None:
    sentence = example(paradigm, condition)
    scores = measured_one(engine, sentence.text)
    critical = paradigm.condition(condition).critical
    table = one_item({condition: measured_text(scores)}, {condition: sentence.regions}, critical={condition: critical or ""})
    names = [region.name for region in paradigm.regions]
    found = numbers_of(table, condition, *(Place(name) for name in (*names, PUNCTUATION)), CRITICAL_PLACE)
    place = sentence.text.index(f" {word}")
    placed = zip(scores.spans.tolist(), scores.bits.tolist(), strict=True)
    own = [value for (start, _), value in placed if place <= start < place + 1 + len(word)]
    assert found["critical"] == pytest.approx(sum(value or 0.0 for value in own))
    assert table.column(condition, CRITICAL_PLACE, MEASURES["sum"]).n_tokens.tolist() == [len(own)]
    total = sum(value for name in (*names, PUNCTUATION) if isinstance(value := found[name], float))
    assert total == pytest.approx(float(scores.bits.sum()))
    assert found["gap1"] == "the region is empty"


def test_what_has_no_value_says_why(engine: Engine, paradigm: Paradigm) -> None:
    text, first = "I know who left.", Place(paradigm.regions[0].name)
    scores = measured_text(measured_one(engine, text))
    aligned = (RegionSpan(first.name, 0, 6),)
    unscored = one_item({"pf_pg1_pg2": None}, {"pf_pg1_pg2": aligned})
    assert numbers_of(unscored, "pf_pg1_pg2", first) == {first.name: "the sentence has not been scored"}
    partly = one_item({"pf_pg1_pg2": scores}, {"pf_pg1_pg2": aligned}, critical={"pf_pg1_pg2": "after_gap2"})
    found = numbers_of(partly, "pf_pg1_pg2", first, CRITICAL_PLACE)
    assert isinstance(found[first.name], float)
    assert found["critical"] == "the sentence has no such region"


def test_without_bos_only_the_first_region_is_lost(paradigm: Paradigm) -> None:
    sentence = example(paradigm, "pf_pg1_pg2")
    engine = open_engine(BUNDLED, bos=BosPolicy.NONE)
    scores = measured_one(engine, sentence.text)
    assert sentence.regions is not None
    found = sums(scores, sentence.regions)
    undefined = {name for name, score in found.items() if score.number is None}
    assert undefined == {"preamble", "gap1", "gap2"}
    assert "BOS" in (found["preamble"].reason or "")
