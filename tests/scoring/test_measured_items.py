"""Measures and formulas over what an engine says of an item's sentences."""

from __future__ import annotations

import math
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from gapsmith.bank.formats.catalogue import read_foreign
from gapsmith.bank.formats.source import SourceFile
from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import Request, open_engine
from gapsmith.scoring.observations import ByItem, ItemKey, ItemNames, Observations, measured_text, outcomes
from gapsmith.templates import RegionSpan
from gapsmith.templates.formula import parse_formula
from gapsmith.templates.measures import MEASURES
from tests.scoring.measuring import one_item

SUITE = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats" / "suite.json"


def _tokens(text: str, *bits: float | None) -> Tokens:
    """One token per word; None is a token without a value."""
    spans, at = [], 0
    for word in text.split():
        start = text.index(word, at)
        spans.append((max(0, start - 1), start + len(word)))
        at = start + len(word)
    values = np.array([0.0 if b is None else b * math.log(2) for b in bits], dtype=np.float32)
    asked = np.array([b is not None for b in bits])
    return Tokens(text, "", np.array(spans, dtype=np.int32), None, values, asked, None, "not asked for")


def _table(**texts: Tokens) -> Observations:
    regions = {
        name: (RegionSpan("np", 0, 1), RegionSpan("gap", 1, 1), RegionSpan("vp", 2, len(tokens.text)))
        for name, tokens in texts.items()
    }
    measured = {name: measured_text(tokens) for name, tokens in texts.items()}
    return one_item(measured, regions, critical={"a": "vp"}, numbers={"1": "np", "2": "gap", "3": "vp"})


def _outcome(table: Observations, formula: str, by: str = "sum") -> tuple[float | None, float | None, str]:
    """What a formula comes to here and for SyntaxGym, and why it comes to nothing."""
    found = outcomes(table, parse_formula(formula), MEASURES[by])
    ours, theirs = (None if math.isnan(value) else float(value) for value in (found.values.value[0], found.syntaxgym[0]))
    return ours, theirs, found.values.reason[0]


def test_a_formula_over_an_items_sentences() -> None:
    table = _table(a=_tokens("x yy z", 1, 2, 4), b=_tokens("x yy z", 2, 2, 3))
    assert _outcome(table, "a - b@vp")[0] == pytest.approx(1.0, abs=1e-6)
    assert _outcome(table, "(3;%a%) > (3;%b%) & (2;%a%) = 0 | (9;%a%) > 0")[0] is None
    assert _outcome(table, "(3;%a%) > (3;%b%) & (*;%a%) > 6.9") == (1.0, 1.0, "")
    assert _outcome(table, "a@gap = 0 & a@next(np) > 5") == (1.0, 1.0, "")


def test_what_is_undefined_says_which_and_why() -> None:
    table = _table(a=_tokens("x yy z", 1, None, 4))
    assert _outcome(table, "a@vp > a@np") == (None, None, "a@vp: not asked for")
    assert _outcome(table, "a@np - c@np")[2] == "c@np: the item has no sentence in this condition"
    assert _outcome(table, "a@gap - a@np")[2] == "a@gap: the region is empty"
    assert _outcome(table, "a@pp > 0")[2] == "a@pp: the sentence has no such region"


def test_syntaxgyms_mean_of_a_sentence_is_a_sum_of_means_and_the_difference_is_said() -> None:
    sentences = {"a": _tokens("x yy z", 6, 2, 4), "b": _tokens("x yy z", 2, 5, 6)}
    # Over all tokens 12/3 < 13/3; region by region 6 + (2 + 4)/2 = 9 > 2 + (5 + 6)/2 = 7.5. An empty region has no mean.
    measured = {name: measured_text(tokens) for name, tokens in sentences.items()}
    table = one_item(measured, dict.fromkeys(sentences, (RegionSpan("np", 0, 1), RegionSpan("vp", 2, 6))))
    formula = parse_formula("(*;%a%) < (*;%b%)")
    assert _outcome(table, formula.text, "mean")[:2] == (1.0, 0.0)
    assert list(outcomes(table, formula, MEASURES["mean"]).differing) == [0]
    assert not len(outcomes(table, formula, MEASURES["sum"]).differing)


@pytest.mark.shared
@pytest.mark.skipif(not SUITE.exists(), reason="the sample suite is not beside the checkout")
def test_the_sample_suite_under_the_bundled_model_gives_what_a_spreadsheet_gives() -> None:
    suite = read_foreign(SourceFile(SUITE))
    texts = [s.text for item in suite.items for s in item.sentences]
    found = {
        tokens.text: tokens
        for chunk in open_engine("bundled").score([Request(text) for text in dict.fromkeys(texts)])
        for tokens in chunk
    }
    numbers = {region.number: region.name for region in suite.regions if region.number is not None}
    differing = 0
    for item in suite.items:
        # The sheet: for every condition a row of region sums, by counting each token where its first letter stands.
        sheet: dict[str, list[float]] = {}
        for sentence in item.sentences:
            tokens = found[sentence.text]
            row = [0.0] * len(suite.regions)
            for (start, end), nats in zip(tokens.spans.tolist(), tokens.values.tolist(), strict=True):
                first = next(i for i in range(start, end) if not sentence.text[i].isspace())
                column = next(n for n, region in enumerate(sentence.regions or ()) if region.start <= first < region.end)
                row[column] += nats / math.log(2)
            sheet[sentence.condition] = row
        f6, t6 = sheet["what_nogap"][5], sheet["that_nogap"][5]
        f7, t7 = sheet["what_gap"][6], sheet["that_gap"][6]
        expected = [
            f6 > t6 and f7 < t7,
            f6 - t6 > f7 - t7,
            sum(sheet["that_nogap"]) < sum(sheet["what_nogap"]),
        ]
        table = one_item(
            {s.condition: measured_text(found[s.text]) for s in item.sentences},
            {s.condition: s.spans for s in item.sentences},
            numbers=numbers,
        )
        said = [_outcome(table, formula, suite.metric or "sum") for formula in suite.predictions]
        assert [outcome[0] for outcome in said] == expected
        assert [outcome[1] for outcome in said] == expected
        differing += expected.count(False)
    assert 0 < differing < 9, "some hold and some do not, so that the comparison says something"


def test_values_by_item_are_read_as_a_dictionary_is_and_share_the_items_names() -> None:
    keys = tuple(ItemKey("set", str(number)) for number in range(1_000))
    names, at = ItemNames(keys), np.arange(0, 1_000, 2)
    values = np.arange(500) / 4
    found = ByItem[float](names, at, values)
    plain = {keys[place]: float(value) for place, value in zip(at, values, strict=True)}
    assert found == plain
    assert (list(found), list(found.values()), list(found.items())) == (list(plain), list(plain.values()), list(plain.items()))
    assert (found[keys[4]], found.get(keys[5]), found.get(ItemKey("set", "x")), len(found)) == (0.5, None, None, 500)
    assert type(found[keys[4]]) is float
    assert ByItem[str](names, np.array([1]), ["one"])[keys[1]] == "one"
    with pytest.raises(ValueError, match="so many items"):
        ByItem[float](names, None, values)
    tracemalloc.start()
    kept = [ByItem[float](names, at, values.copy()) for _ in range(20)]
    took, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # A dictionary of them takes ten times as much.
    assert len(kept) == 20
    assert took < 20 * 500 * 10
