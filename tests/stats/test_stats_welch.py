"""Welch's t test between two sets of items, against scipy and at its ends."""

from __future__ import annotations

import warnings
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gapsmith.stats import two_sample_t

SIDES = st.lists(st.floats(-100, 100).map(lambda value: round(value, 3)), min_size=2, max_size=12)


@given(SIDES, SIDES, st.sampled_from(["two-sided", "greater", "less"]))
def test_it_is_scipys(first: list[float], second: list[float], alternative: Literal["two-sided", "greater", "less"]) -> None:
    found = two_sample_t(first, second, alternative=alternative)
    assert found.estimate == pytest.approx(np.mean(second) - np.mean(first))
    if found.undefined is not None:
        assert len(set(first)) == len(set(second)) == 1
        return
    with warnings.catch_warnings():
        # Of a side without a spread.
        warnings.simplefilter("ignore", RuntimeWarning)
        theirs = scipy_stats.ttest_ind(second, first, equal_var=False, alternative=alternative)
    assert found.statistic == pytest.approx(float(theirs.statistic))
    assert found.df == pytest.approx(float(theirs.df))
    assert found.p == pytest.approx(float(theirs.pvalue), abs=1e-12)


def test_repeats_count_once_and_what_both_sets_have_is_said() -> None:
    found = two_sample_t([1, 1, 2, 4], [3, 5, 2], names=("old", "new"), observations=("aabc", "xyb"))
    alone = two_sample_t([1, 2, 4], [3, 5, 2])
    assert (found.statistic, found.n, found.n_given) == (alone.statistic, 6, 7)
    assert alone.interpretable
    assert not found.interpretable
    assert found.notes == (
        "old: 4 items give 3 distinct observations.",
        "old and new share 1 of their items, which the test takes to be others.",
    )


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        ([1.0], [1.0, 2.0], "first: one item has no spread"),
        ([1.0, 2.0], [], "second: no items"),
        ([1.0, 1.0], [2.0, 2.0], "all items of each set have the same value"),
        ([1e200, 2.0], [1.0, 2.0], "first: a value of 1e+200 is too large"),
    ],
)
def test_where_there_is_no_test_it_says_why(first: list[float], second: list[float], why: str) -> None:
    found = two_sample_t(first, second)
    assert found.p is None
    assert why in (found.undefined or "")
    assert not found.interpretable
