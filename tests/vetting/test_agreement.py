"""Agreement coefficients against published worked examples, against statsmodels, and at their edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as reference_fleiss

from gapsmith.vetting.agreement import (
    RatingTable,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
    unanimity,
)

pytestmark = pytest.mark.fast


def rng() -> np.random.Generator:
    """A fresh generator."""
    return np.random.default_rng(0)


def table(*raters: str) -> RatingTable:
    """A table from one string per rater, one character per unit, a dot where the rater said nothing."""
    names = [f"r{i}" for i in range(len(raters))]
    return RatingTable(
        {
            unit: {name: labels[unit] for name, labels in zip(names, raters, strict=True) if labels[unit] != "."}
            for unit in range(len(raters[0]))
        }
    )


def test_cohen_on_a_fourfold_table() -> None:
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: observed .70, expected .50.
    found = cohen_kappa(table("y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15), "r0", "r1", rng=rng())
    assert found.estimate == pytest.approx(0.4, abs=1e-12)
    assert found.n == 50
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.4 < found.high


def test_fleiss_on_fourteen_raters_and_five_categories() -> None:
    counts = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    columns = ["".join("abcde"[label] * n for label, n in enumerate(row)) for row in counts]
    found = fleiss_kappa(table(*["".join(column[i] for column in columns) for i in range(14)]), rng=rng())
    assert found.estimate == pytest.approx(0.2099, abs=5e-5)


def test_krippendorff_on_binary_data_of_two_observers() -> None:
    found = krippendorff_alpha(table("0100000010", "1110010000"), rng=rng())
    assert found.estimate == pytest.approx(0.095, abs=5e-4)


def test_krippendorff_on_four_observers_with_missing_values() -> None:
    found = krippendorff_alpha(
        table(
            "123321412...",
            "12332241 25.3".replace(" ", ""),
            ".33323422 51.".replace(" ", ""),
            "123324412 51.".replace(" ", ""),
        ),
        rng=rng(),
    )
    assert found.estimate == pytest.approx(0.743, abs=5e-4)
    assert found.n == 11


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 25).flatmap(lambda n: st.tuples(*[st.lists(st.sampled_from("abc"), min_size=n, max_size=n)] * 3)))
def test_kappas_equal_those_of_statsmodels(raters: tuple[list[str], list[str], list[str]]) -> None:
    numbers = np.array([["abc".index(label) for label in rater] for rater in raters])
    made = table(*["".join(rater) for rater in raters])
    cross = np.zeros((3, 3))
    for a, b in zip(numbers[0], numbers[1], strict=True):
        cross[a, b] += 1
    mine = cohen_kappa(made, "r0", "r1", rng=rng(), resamples=10).estimate
    if mine is not None:
        assert mine == pytest.approx(float(cohens_kappa(cross, return_results=False)), abs=1e-9)
    else:
        assert len(set(raters[0]) | set(raters[1])) == 1
    fleiss = fleiss_kappa(made, rng=rng(), resamples=10).estimate
    if fleiss is not None:
        counts, _ = aggregate_raters(numbers.T, n_cat=3)
        assert fleiss == pytest.approx(float(reference_fleiss(counts)), abs=1e-9)


def test_one_label_only_has_no_coefficient() -> None:
    same = table("aaaa", "aaaa")
    assert unanimity(same).estimate == 1
    for found in (
        cohen_kappa(same, "r0", "r1", rng=rng()),
        fleiss_kappa(same, rng=rng()),
        krippendorff_alpha(same, rng=rng()),
    ):
        assert found.estimate is None
        assert "one label" in found.reason


def test_nobody_twice_has_no_agreement() -> None:
    apart = table("ab..", "..ab")
    assert unanimity(apart).estimate is None
    assert pairwise_agreement(apart, "r0", "r1").n == 0
    assert cohen_kappa(apart, "r0", "r1", rng=rng()).n == 0
    assert fleiss_kappa(table("ab"), rng=rng()).estimate is None
    assert krippendorff_alpha(RatingTable({}), rng=rng()).estimate is None


def test_perfect_and_opposite_raters() -> None:
    assert cohen_kappa(table("abab", "abab"), "r0", "r1", rng=rng()).estimate == 1
    assert cohen_kappa(table("abab", "baba"), "r0", "r1", rng=rng()).estimate == -1
    assert krippendorff_alpha(table("abab", "abab"), rng=rng()).estimate == 1


def test_fleiss_leaves_out_units_that_somebody_did_not_label_and_alpha_does_not() -> None:
    partial = table("ababa", "abab.", "abba.")
    assert fleiss_kappa(partial, rng=rng()).n == 4
    assert krippendorff_alpha(partial, rng=rng()).n == 4
    assert krippendorff_alpha(table("ababa", "ababb", "abba."), rng=rng()).n == 5


def test_intervals_are_reproducible_and_widen_with_confidence() -> None:
    made = table("abcabcabcabcaabbcc", "abcabcabcbbcaacbca")
    narrow = krippendorff_alpha(made, rng=rng(), confidence=0.5)
    wide = krippendorff_alpha(made, rng=rng(), confidence=0.95)
    assert wide == krippendorff_alpha(made, rng=rng(), confidence=0.95)
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low < narrow.low < narrow.high < wide.high
