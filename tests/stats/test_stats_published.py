"""The figures of the published studies that follow by arithmetic from what the papers print."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gapsmith.stats import accuracy, chi_square_counts, one_sample_t, wilson_interval
from gapsmith.stats.ttest import t_p_value

pytestmark = pytest.mark.fast

# GPT-2 on the 33 eight-permutation items: mean in bits and t with 32 degrees of freedom.
PUBLISHED = {"P1": (-2.61, -5.95), "P2": (-3.50, -7.59), "P3": (1.32, 4.12), "P4": (4.22, 10.02)}
# GPT-2 surprisals in bits of one tuple of Lan et al.
TUPLE = {"PFMG": 4.14, "PFPG": 22.98, "MFMG": 5.77, "MFPG": 23.34}


def items(mean: float, t: float, n: int) -> list[float]:
    """Values of `n` items whose mean and t are the printed ones."""
    ranks = np.linspace(-1, 1, n)
    sd = mean * math.sqrt(n) / t
    return list(mean + sd * ranks / ranks.std(ddof=1))


@pytest.mark.parametrize(("name", "dz"), [("P1", -1.04), ("P2", -1.32), ("P3", 0.72), ("P4", 1.74)])
def test_effect_sizes_of_the_wh_effects(name: str, dz: float) -> None:
    mean, t = PUBLISHED[name]
    result = one_sample_t(items(mean, t, 33), effect_interval=True)
    assert result.effect is not None
    assert round(result.effect, 2) == dz
    assert result.statistic == pytest.approx(t)
    assert result.df == 32
    interval = result.effect_ci
    assert interval is not None
    # All four wh-effects are far from none, which their intervals say too.
    assert interval[0] < dz < interval[1]
    assert interval[0] * interval[1] > 0


@pytest.mark.parametrize("name", ["P1", "P2", "P4"])
def test_p_values_printed_as_below_one_in_ten_thousand(name: str) -> None:
    assert t_p_value(PUBLISHED[name][1], 32) < 0.0001


def test_p3_is_two_sided() -> None:
    p = t_p_value(4.12, 32)
    assert round(p, 5) == 0.00025
    # Printed as .0002: a one-sided p would have been printed as .0001.
    assert f"{p:.4f}" == "0.0002"
    assert f"{t_p_value(4.12, 32, 'greater'):.4f}" == "0.0001"


def test_gap_two_interactions_are_differences_of_wh_effects() -> None:
    means = {name: mean for name, (mean, _) in PUBLISHED.items()}
    assert round(means["P3"] - means["P1"], 2) == 3.93
    assert round(means["P4"] - means["P2"], 2) == 7.72


def test_direct_preference_is_at_chance() -> None:
    assert t_p_value(1.49, 32) == pytest.approx(0.146, abs=0.0005)
    assert round(17 / 33, 3) == 0.515
    assert round(29 / 33, 3) == 0.879
    low, high = wilson_interval(17, 33)
    assert low < 0.5 < high
    assert wilson_interval(29, 33)[0] > 0.5


def test_refined_stimuli_are_tested_one_tailed_with_a_two_sided_interval() -> None:
    assert round(t_p_value(1.66, 9, "greater"), 3) == 0.066
    did = one_sample_t(items(2.70, 2.64, 10), alternative="greater")
    assert did.p is not None
    assert did.ci_low is not None
    assert did.ci_high is not None
    assert round(did.p, 3) == 0.013
    assert (round(did.ci_low, 2), round(did.ci_high, 2)) == (0.39, 5.01)


@pytest.mark.parametrize(
    ("first", "second", "shares", "statistic", "printed_p"),
    [
        ((452, 8064), (404, 5760), ("5.61", "7.01"), 11.2381, "0.0008"),
        ((5544, 8064), (4201, 5760), ("68.75", "72.93"), 28.0780, "0.0000"),
    ],
)
def test_original_against_filtered_stimuli(
    first: tuple[int, int],
    second: tuple[int, int],
    shares: tuple[str, str],
    statistic: float,
    printed_p: str,
) -> None:
    assert tuple(f"{100 * hits / n:.2f}" for hits, n in (first, second)) == shares
    result = chi_square_counts(*first, *second, correction="yates")
    assert result.statistic is not None
    assert round(result.statistic, 4) == statistic
    assert result.df == 1
    assert f"{result.p:.4f}" == printed_p
    uncorrected = chi_square_counts(*first, *second, correction="none")
    assert uncorrected.statistic is not None
    assert round(uncorrected.statistic, 4) != statistic


@pytest.mark.parametrize(
    ("original", "filtered", "shares", "statistic"),
    [
        ((452, 8064), (404, 5760), ("7.01", "2.08"), 74.69),
        ((5544, 8064), (4201, 5760), ("72.93", "58.29"), 163.59),
    ],
)
def test_kept_against_removed_stimuli(
    original: tuple[int, int], filtered: tuple[int, int], shares: tuple[str, str], statistic: float
) -> None:
    removed = (original[0] - filtered[0], original[1] - filtered[1])
    assert removed[1] == 864 + 1440
    assert tuple(f"{100 * hits / n:.2f}" for hits, n in (filtered, removed)) == shares
    result = chi_square_counts(*filtered, *removed, correction="yates")
    assert result.statistic is not None
    assert round(result.statistic, 2) == statistic


def test_one_published_tuple() -> None:
    plus = TUPLE["PFMG"] - TUPLE["PFPG"]
    minus = TUPLE["MFMG"] - TUPLE["MFPG"]
    assert round(plus, 2) == -18.84
    assert round(minus, 2) == -17.57
    assert round(plus - minus, 2) == -1.27
    assert accuracy([plus]).details["successes"] == 0
