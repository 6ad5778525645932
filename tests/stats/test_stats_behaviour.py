"""What the statistics do at the edges: undefined results with reasons, refused input, properties."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.stats import (
    Correction,
    TieRule,
    ZeroRule,
    accuracy,
    chi_square_2x2,
    chi_square_counts,
    distinct,
    dz_interval,
    holm,
    one_sample_t,
    sign_flip_test,
    wilcoxon_signed_rank,
    wilson_interval,
)

pytestmark = pytest.mark.fast

BITS = st.floats(min_value=-60, max_value=60).map(lambda v: round(v, 6))
SAMPLES = st.lists(BITS, min_size=0, max_size=30)
ALTERNATIVES = st.sampled_from(["two-sided", "greater", "less"])


def rng() -> np.random.Generator:
    """A fresh generator with a fixed seed."""
    return np.random.default_rng(1)


def numbers(result: Any) -> list[float]:
    """All float fields of a result that are not None."""
    return [v for v in dataclasses.asdict(result).values() if isinstance(v, float)]


@given(SAMPLES, ALTERNATIVES)
def test_no_result_is_ever_nan_or_infinite(values: list[float], alternative: str) -> None:
    results: list[Any] = [
        one_sample_t(values, alternative=alternative),
        wilcoxon_signed_rank(values, alternative=alternative),
        sign_flip_test(values, rng=rng(), alternative=alternative, n_permutations=50, exact_up_to=8),
        accuracy(values),
    ]
    for result in results:
        assert all(math.isfinite(v) for v in numbers(result))
        p = getattr(result, "p", None)
        assert p is None or 0 <= p <= 1
        # A missing value always has a reason, and a reason always a missing value.
        wanted = result.estimate if result.test == "share" else result.p
        assert (wanted is None) == (result.undefined is not None) == (not result.interpretable)


@given(SAMPLES, ALTERNATIVES)
def test_permutation_p_is_never_zero(values: list[float], alternative: str) -> None:
    drawn = sign_flip_test(values, rng=rng(), alternative=alternative, n_permutations=20, exact_up_to=0)
    exact = sign_flip_test(values[:10], rng=rng(), alternative=alternative)
    for result in (drawn, exact):
        assert result.p is None or 0 < result.p <= 1


@given(st.lists(BITS, min_size=2, max_size=20))
def test_signs_turn_with_the_data(values: list[float]) -> None:
    up, down = one_sample_t(values), one_sample_t([-v for v in values])
    if up.statistic is None or down.statistic is None:
        assert up.statistic is down.statistic is None
        return
    assert down.statistic == pytest.approx(-up.statistic)
    assert down.effect == pytest.approx(-cast("float", up.effect))
    assert down.p == pytest.approx(up.p)
    greater, less = (
        wilcoxon_signed_rank(values, alternative="greater"),
        wilcoxon_signed_rank([-v for v in values], alternative="less"),
    )
    assert greater.p == pytest.approx(less.p)
    assert accuracy(values).details["successes"] == accuracy([-v for v in values], direction=-1).details["successes"]


@given(st.integers(0, 200), st.integers(0, 200))
def test_wilson_holds_the_share_and_stays_inside(successes: int, failures: int) -> None:
    n = successes + failures
    if n == 0:
        with pytest.raises(ValueError, match="no items"):
            wilson_interval(0, 0)
        return
    low, high = wilson_interval(successes, n)
    assert 0 <= low <= successes / n <= high <= 1


@given(st.dictionaries(st.text(min_size=1, max_size=3), st.floats(0, 1), max_size=8))
def test_holm_never_lowers_a_p_and_keeps_their_order(p_values: dict[str, float]) -> None:
    adjusted = holm(p_values)
    assert list(adjusted) == list(p_values)
    for name, p in p_values.items():
        assert p <= adjusted[name] <= 1
        for other, q in p_values.items():
            assert p > q or adjusted[name] <= adjusted[other]


def test_one_item_and_none() -> None:
    one, none = one_sample_t([1.5]), one_sample_t([])
    assert (one.n, one.estimate, one.sd, one.statistic, one.p, one.ci, one.effect) == (
        1,
        1.5,
        None,
        None,
        None,
        None,
        None,
    )
    assert "at least two" in str(one.undefined)
    assert (none.n, none.estimate, none.undefined) == (0, None, "no items")


@pytest.mark.parametrize("value", [0.0, 0.1, -7.25, 1e6 / 3])
def test_no_variance(value: float) -> None:
    result = one_sample_t([value] * 7)
    assert result.estimate == pytest.approx(value)
    assert (result.sd, result.statistic, result.p) == (0.0, None, None)
    assert "no variance" in str(result.undefined)


def test_rounding_error_is_not_variance() -> None:
    assert one_sample_t([0.3, 0.1 + 0.2, 0.3]).statistic is None


def test_ties_are_misses_or_left_out_as_asked() -> None:
    values = [1.0, 0.0, -1.0, 2.0]
    wrong, excluded = accuracy(values), accuracy(values, ties="excluded")
    assert (wrong.details["successes"], wrong.n, wrong.details["ties"], wrong.estimate) == (2, 4, 1, 0.5)
    assert (excluded.details["successes"], excluded.n, excluded.details["ties"], excluded.estimate) == (2, 3, 1, 2 / 3)
    assert accuracy([0.0], ties="excluded").undefined == "every value is exactly 0"


def test_drawn_signs_are_reproducible_and_take_the_generator_given() -> None:
    values = list(np.random.default_rng(3).normal(0.3, 1, 40))
    first, second = (sign_flip_test(values, rng=np.random.default_rng(5)).p for _ in range(2))
    assert first == second
    assert sign_flip_test(values, rng=np.random.default_rng(6)).p != first


def test_chi_square_with_an_empty_column_is_undefined() -> None:
    result = chi_square_counts(10, 10, 12, 12, correction="yates")
    assert (result.statistic, result.p) == (None, None)
    assert "column" in str(result.undefined)
    assert "row" in str(chi_square_counts(0, 0, 3, 12, correction="none").undefined)


def test_yates_never_turns_a_difference_round() -> None:
    result = chi_square_2x2(((5, 5), (5, 6)), correction="yates")
    assert result.statistic == 0.0
    assert result.p == 1.0


@pytest.mark.parametrize(
    "call",
    [
        lambda: one_sample_t([1.0, math.nan]),
        lambda: one_sample_t([1.0, math.inf]),
        lambda: one_sample_t(cast("list[float]", [1.0, None])),
        lambda: one_sample_t(cast("list[float]", ["1.0", "2.0"])),
        lambda: one_sample_t(np.ones((2, 2))),
        lambda: one_sample_t([1.0, 2.0], alternative="both"),
        lambda: one_sample_t([1.0, 2.0], confidence=95),
        lambda: one_sample_t([1.0, 2.0], null=math.nan),
        lambda: dz_interval(math.nan, 5),
        lambda: dz_interval(1.0, 1),
        lambda: distinct([1.0, 2.0], ["a"]),
        lambda: chi_square_counts(3, 2, 1, 2, correction="none"),
        lambda: wilcoxon_signed_rank([1.0], zeros=cast("ZeroRule", "drop")),
        lambda: wilcoxon_signed_rank([1.0], alternative="one-sided"),
        lambda: sign_flip_test([1.0], rng=rng(), n_permutations=0),
        lambda: sign_flip_test([1.0], rng=rng(), exact_up_to=50),
        lambda: accuracy([1.0], direction=0),
        lambda: accuracy([1.0], ties=cast("TieRule", "half")),
        lambda: wilson_interval(3, 2),
        lambda: wilson_interval(-1, 2),
        lambda: wilson_interval(1, 2, confidence=1),
        lambda: chi_square_counts(1, 2, 1, 2, correction=cast("Correction", "auto")),
        lambda: chi_square_2x2(((1, -1), (1, 1)), correction="none"),
        lambda: chi_square_2x2(cast("Any", ((1, 1, 1), (1, 1, 1))), correction="none"),
        lambda: holm({"a": 1.2}),
        lambda: holm({"a": math.nan}),
    ],
)
def test_bad_input_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
