"""Agreement coefficients against published worked examples, against statsmodels, and at their edges."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as reference_fleiss

from gapsmith.vetting.agreement import (
    INTERVAL_LABELS,
    INTERVAL_UNITS,
    Coincidences,
    RatingTable,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
    unanimity,
)

pytestmark = pytest.mark.fast


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
    found = cohen_kappa(table("y" * 25 + "n" * 25, "y" * 20 + "n" * 5 + "y" * 10 + "n" * 15), "r0", "r1")
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
    found = fleiss_kappa(table(*["".join(column[i] for column in columns) for i in range(14)]))
    assert found.estimate == pytest.approx(0.2099, abs=5e-5)


def test_krippendorff_on_binary_data_of_two_observers() -> None:
    found = krippendorff_alpha(table("0100000010", "1110010000"))
    assert found.estimate == pytest.approx(0.095, abs=5e-4)


def test_krippendorff_on_four_observers_with_missing_values() -> None:
    found = krippendorff_alpha(
        table(
            "123321412...",
            "12332241 25.3".replace(" ", ""),
            ".33323422 51.".replace(" ", ""),
            "123324412 51.".replace(" ", ""),
        ),
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
    mine = cohen_kappa(made, "r0", "r1").estimate
    if mine is not None:
        assert mine == pytest.approx(float(cohens_kappa(cross, return_results=False)), abs=1e-9)
    else:
        assert len(set(raters[0]) | set(raters[1])) == 1
    fleiss = fleiss_kappa(made).estimate
    if fleiss is not None:
        counts, _ = aggregate_raters(numbers.T, n_cat=3)
        assert fleiss == pytest.approx(float(reference_fleiss(counts)), abs=1e-9)


def test_one_label_only_has_no_coefficient() -> None:
    same = table("aaaa", "aaaa")
    assert unanimity(same).estimate == 1
    for found in (
        cohen_kappa(same, "r0", "r1"),
        fleiss_kappa(same),
        krippendorff_alpha(same),
    ):
        assert found.estimate is None
        assert "one label" in found.reason


def test_nobody_twice_has_no_agreement() -> None:
    apart = table("ab..", "..ab")
    assert unanimity(apart).estimate is None
    assert pairwise_agreement(apart, "r0", "r1").n == 0
    assert cohen_kappa(apart, "r0", "r1").n == 0
    assert fleiss_kappa(table("ab")).estimate is None
    assert krippendorff_alpha(RatingTable({})).estimate is None


def test_perfect_and_opposite_raters() -> None:
    assert cohen_kappa(table("abab", "abab"), "r0", "r1").estimate == 1
    assert cohen_kappa(table("abab", "baba"), "r0", "r1").estimate == -1
    assert krippendorff_alpha(table("abab", "abab")).estimate == 1


def test_fleiss_leaves_out_units_that_somebody_did_not_label_and_alpha_does_not() -> None:
    partial = table("ababa", "abab.", "abba.")
    assert fleiss_kappa(partial).n == 4
    assert krippendorff_alpha(partial).n == 4
    assert krippendorff_alpha(table("ababa", "ababb", "abba.")).n == 5


def test_an_interval_holds_the_estimate_widens_with_confidence_and_stays_in_range() -> None:
    made = table("abcabcabcabcaabbccabc", "abcabcabcbbcaacbcaabc")
    narrow, wide = krippendorff_alpha(made, confidence=0.5), krippendorff_alpha(made, confidence=0.95)
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.estimate is not None
    assert -1 <= wide.low < narrow.low < wide.estimate < narrow.high < wide.high <= 1


def test_an_interval_is_near_that_of_statsmodels_where_there_are_many_units() -> None:
    first, second = "a" * 400 + "b" * 400, "a" * 330 + "b" * 70 + "a" * 90 + "b" * 310
    found = cohen_kappa(table(first, second), "r0", "r1")
    known = cohens_kappa(np.array([[330, 70], [90, 310]]))
    assert found.low == pytest.approx(known.kappa_low, abs=0.01)
    assert found.high == pytest.approx(known.kappa_upp, abs=0.01)


def test_where_all_agree_the_interval_ends_at_one_and_not_in_a_point() -> None:
    found = cohen_kappa(table("ab" * 15, "ab" * 15), "r0", "r1")
    assert (found.estimate, found.high) == (1, 1)
    assert found.low is not None
    assert 0.5 < found.low < 0.95


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("ab" * 5, "ab" * 4 + "bb", "with 10 in common an interval cannot be trusted; from 20 on there is one"),
        ("a" * 29 + "b", "a" * 29 + "b", "label 'b' was given 2 times"),
        ("a" * 29 + "b", "a" * 30, "label 'b' was given once"),
        ("a" * 27 + "bcb", "a" * 26 + "bbcb", "labels other than 'a' were given 7 times"),
    ],
)
def test_without_enough_units_or_labels_there_is_no_interval_and_a_reason(first: str, second: str, reason: str) -> None:
    both = table(first, second)
    for found in (cohen_kappa(both, "r0", "r1"), fleiss_kappa(both), krippendorff_alpha(both)):
        assert found.estimate is not None
        assert (found.low, found.high) == (None, None)
        assert reason in found.reason


@pytest.mark.parametrize(("kappa", "share"), [(0.0, 0.2), (0.6, 0.5), (0.9, 0.2)])
@pytest.mark.parametrize(("ordered", "small_sample"), [(True, False), (False, False), (False, True)])
def test_intervals_hold_what_is_true(kappa: float, share: float, ordered: bool, small_sample: bool) -> None:
    patterns = [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
    apart = (1 - kappa) * share * (1 - share)
    chances = [share - apart, apart, apart, 1 - share - apart]
    counts = np.random.default_rng(3).multinomial(40, chances, size=1500).astype(float)
    # Of a label given fewer times than that, no interval is shown.
    given = 2 * counts[:, 0] + counts[:, 1] + counts[:, 2]
    shown = counts[np.minimum(given, 80 - given) >= INTERVAL_LABELS]
    low, high = Coincidences.of(patterns, ordered=ordered, small_sample=small_sample).intervals(shown)
    assert np.mean((low <= kappa) & (kappa <= high)) >= 0.92


def test_the_simulation_on_record_is_of_these_limits_and_bears_the_intervals_out() -> None:
    stored = json.loads((Path(__file__).parents[2] / "benchmarks" / "kappa.json").read_text(encoding="utf-8"))
    assert stored["from"] == [INTERVAL_UNITS, INTERVAL_LABELS]
    many = [cell for cell in stored["cells"].values() if cell["shown"] >= 400]
    assert len(many) > 500
    assert min(cell["held"] / cell["shown"] for cell in many) >= 0.92
