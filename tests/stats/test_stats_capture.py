"""Capture-recapture against exact fractions, against its definition, and against a world whose number is known."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gapsmith.stats import capture_recapture

COUNTS = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60)).filter(lambda c: c[2] <= min(c[0], c[1]))


@given(COUNTS, st.sampled_from([0.8, 0.95, 0.99]))
def test_estimate_and_interval_are_those_of_the_literature(counts: tuple[int, int, int], confidence: float) -> None:
    n1, n2, m = counts
    got = capture_recapture(n1, n2, m, confidence=confidence)
    assert got.found == n1 + n2 - m
    if not got.found:
        assert (got.estimate, got.left, got.left_low, got.left_high) == (None, None, None, None)
        return
    chapman = Fraction((n1 + 1) * (n2 + 1), m + 1) - 1
    assert got.estimate == pytest.approx(float(chapman))
    assert got.lincoln_petersen == (None if m == 0 else pytest.approx(float(Fraction(n1 * n2, m))))
    left = chapman - got.found
    # (n1 - m)(n2 - m) / (m + 1): what is left is never negative.
    assert left == Fraction((n1 - m) * (n2 - m), m + 1)
    assert got.left == pytest.approx(float(left))
    if left == 0:
        assert (got.left_low, got.left_high) == (None, None), "no spread is no certainty"
        return
    variance = Fraction((n1 + 1) * (n2 + 1) * (n1 - m) * (n2 - m), (m + 1) ** 2 * (m + 2))
    # A log-normal variable with that mean and variance, as scipy has its spread.
    sigma = float(np.sqrt(np.log(1 + float(variance) / float(left) ** 2)))
    low, high = stats.lognorm.interval(confidence, s=sigma, scale=float(left))
    assert got.left_low == pytest.approx(low)
    assert got.left_high == pytest.approx(high)


def test_petersens_plaice_shape() -> None:
    """Seber's textbook form: 100 marked, 60 caught, 20 of them marked."""
    got = capture_recapture(100, 60, 20)
    assert got.lincoln_petersen == pytest.approx(300)
    assert got.estimate == pytest.approx(101 * 61 / 21 - 1)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(7)
    truth, held = 80, 0
    worlds = 400
    for _ in range(worlds):
        first, second = rng.random(truth) < 0.6, rng.random(truth) < 0.5
        got = capture_recapture(int(first.sum()), int(second.sum()), int((first & second).sum()))
        assert got.left_low is not None
        assert got.left_high is not None
        held += got.found + got.left_low <= truth <= got.found + got.left_high
    assert 0.9 <= held / worlds <= 0.99


@pytest.mark.parametrize("counts", [(1, 2, 2), (-1, 0, 0), (3, 3, -1)])
def test_counts_that_cannot_be_are_refused(counts: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        capture_recapture(*counts)
