"""Evidence for absence: equivalence, the Bayes factor against 20-digit arithmetic, and what follows of both."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath  # type: ignore[import-untyped]  # it has none
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gapsmith.stats import Absence, Alternative, Result, evidence_of_absence, one_sample_t, two_sided_p


def of(estimate: float, se: float, df: float, *, p: float = 0.5) -> Result:
    return Result(test="t test", n=20, estimate=estimate, standard_error=se, df=df, p=p)


def exactly(estimate: float, se: float, df: float, width: float, side: int) -> float:
    """The logarithm of the Bayes factor by mpmath."""
    with mpmath.workdps(20):

        def t(x: mpmath.mpf) -> mpmath.mpf:
            return (1 + x * x / df) ** (-(mpmath.mpf(df) + 1) / 2)

        def one(mu: mpmath.mpf) -> mpmath.mpf:
            return t((estimate - mu) / se) * mpmath.npdf(mu, 0, width)

        ends = [-12 * width, -2 * width, 0, 2 * width, 12 * width]
        near = (middle + k * se for middle in (0, estimate) for k in (-20, -4, -1, 0, 1, 4, 20))
        ends = sorted({*ends, *(end for end in near if abs(end) < 12 * width)})
        ends = [end for end in ends if side * end >= 0]
        return float(mpmath.log(mpmath.quad(one, ends) * (2 if side else 1) / t(mpmath.mpf(estimate) / se)))


@pytest.mark.parametrize(
    ("estimate", "se", "df", "delta", "side"),
    [
        (0.0, 0.1, 39, 0.5, 0),
        (0.05, 0.1, 39, 0.5, 1),
        (-0.3, 0.1, 12.4, 0.5, 1),
        (1.2, 0.3, 0.7, 0.5, 0),
        (2.0, 0.02, 200, 0.25, -1),
        (0.4, 3.0, 5, 0.1, 1),
        (5.287787592757611e-16, 0.5, 1.0, 0.0546875, -1),
    ],
)
def test_evidence_of_absence_is_that_of_twenty_digits(estimate: float, se: float, df: float, delta: float, side: int) -> None:
    found = evidence_of_absence(of(estimate, se, df), delta, side=side)
    assert found is not None
    assert found.log_bayes_factor == pytest.approx(exactly(estimate, se, df, delta, side), rel=1e-6, abs=1e-8)
    for width, log in found.around:
        assert log == pytest.approx(exactly(estimate, se, df, width, side), rel=1e-6, abs=1e-8)


def test_equivalence_is_two_one_sided_tests() -> None:
    values = np.random.default_rng(4).normal(0.05, 0.4, 60)
    found = evidence_of_absence(one_sample_t(values), 0.25)
    assert found is not None
    above = scipy_stats.ttest_1samp(values, 0.25, alternative="less").pvalue
    below = scipy_stats.ttest_1samp(values, -0.25, alternative="greater").pvalue
    assert found.p == pytest.approx(max(above, below))
    low, high = scipy_stats.t.interval(0.9, 59, values.mean(), values.std(ddof=1) / math.sqrt(60))
    assert found.interval == pytest.approx((low, high))
    assert found.is_within is bool(found.p < 0.05)
    one_sided = evidence_of_absence(one_sample_t(values), 0.25, side=1)
    assert one_sided is not None
    assert one_sided.p == pytest.approx(above)


@settings(deadline=None, max_examples=60)
@given(
    st.floats(-3, 3),
    st.floats(0.02, 2),
    st.floats(0.5, 300),
    st.floats(0.05, 2),
    st.sampled_from([-1, 0, 1]),
)
def test_interval_and_p_say_the_same_and_sides_are_mirrors(
    estimate: float, se: float, df: float, delta: float, side: int
) -> None:
    found = evidence_of_absence(of(estimate, se, df), delta, side=side)
    mirrored = evidence_of_absence(of(-estimate, se, df), delta, side=-side)
    assert found is not None
    assert mirrored is not None
    if abs(found.p - 0.05) > 1e-9:
        assert found.is_within is (found.p < 0.05)
    assert mirrored.p == pytest.approx(found.p)
    assert mirrored.log_bayes_factor == pytest.approx(found.log_bayes_factor, abs=1e-6)
    # In another unit nothing changes.
    scaled = evidence_of_absence(of(1e3 * estimate, 1e3 * se, df), 1e3 * delta, side=side)
    assert scaled is not None
    assert scaled.log_bayes_factor == pytest.approx(found.log_bayes_factor, abs=1e-6)


@pytest.mark.parametrize(
    ("estimate", "se", "p", "side", "says"),
    [
        (1.0, 0.1, 0.001, 1, "present"),
        (0.2, 0.05, 0.001, 1, "present, below δ"),
        (-1.0, 0.1, 0.001, 1, "opposite"),
        (-1.0, 0.1, 0.001, 0, "present"),
        (0.02, 0.1, 0.8, 0, "absent"),
        (-0.6, 0.5, 0.2, 1, "absent"),
        (-0.6, 0.5, 0.2, 0, "undecided"),
        (0.4, 0.5, 0.4, 1, "undecided"),
    ],
)
def test_what_follows(estimate: float, se: float, p: float, side: int, says: str) -> None:
    result = of(estimate, se, 40, p=p)
    found = evidence_of_absence(result, 0.5, side=side)
    assert found is not None
    assert found.presence(result, p, 0.05) == says


def test_where_nothing_may_be_concluded_nothing_is_absent() -> None:
    result = of(0.0, 0.1, 40)
    assert isinstance(evidence_of_absence(result, 0.5), Absence)
    for other in (
        replace(result, interpretable=False),
        replace(result, df=None),
        replace(result, standard_error=None),
        replace(result, estimate=None),
    ):
        assert evidence_of_absence(other, 0.5) is None
    for delta, side in ((0.0, 0), (-1.0, 0), (math.nan, 0), (math.inf, 0), (1.0, 2)):
        with pytest.raises(ValueError, match="must be"):
            evidence_of_absence(result, delta, side=side)
    # Extremes stay numbers.
    far = evidence_of_absence(of(1e6, 1e-3, 50), 0.5, side=-1)
    assert far is not None
    assert math.isfinite(far.log_bayes_factor)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_p_of_both_sides_is_scipys_whatever_side_was_looked_at(alternative: Alternative) -> None:
    values = [0.3, 0.9, -0.2, 1.4, 0.6, 0.8]
    both = scipy_stats.ttest_1samp(values, 0).pvalue
    assert two_sided_p(one_sample_t(values, alternative=alternative)) == pytest.approx(both, rel=1e-12)
    assert two_sided_p(one_sample_t([1.0], alternative=alternative)) is None


def test_the_other_side_is_the_opposite_as_far_as_the_correction_goes() -> None:
    result = replace(of(0.38, 0.054, 19), alternative="less", p=1 - 6e-7)
    found = evidence_of_absence(result, 0.5, side=-1)
    assert found is not None
    assert found.is_within
    assert found.presence(result, 1.0, 0.05) == "opposite"
    assert found.presence(result, 1.0, 0.05, p_both=0.01) == "opposite"
    assert found.presence(result, 1.0, 0.05, p_both=0.2) == "undecided"
    near = replace(of(0.01, 0.054, 19), alternative="less", p=0.57)
    other = evidence_of_absence(near, 0.5, side=-1)
    assert other is not None
    assert other.presence(near, 1.0, 0.05) == "absent"
