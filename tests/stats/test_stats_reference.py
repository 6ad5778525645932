"""Every statistic against values computed independently (``tests/reference/stats_reference.py``)."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gapsmith.stats import (
    Correction,
    ZeroRule,
    chi_square_chance,
    chi_square_counts,
    exact_interval,
    fisher_combined,
    holm,
    one_sample_t,
    rank_correlation,
    sign_flip_test,
    wilcoxon_signed_rank,
    wilson_interval,
)

pytestmark = pytest.mark.fast

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "reference" / "stats_reference.json").read_text(encoding="utf-8")
)
ALTERNATIVES = ("two-sided", "greater", "less")


def expected_p(block: dict[str, Any], alternative: str) -> Any:
    """The reference p for an alternative, to nine digits."""
    return pytest.approx(block[f"p_{alternative.replace('-', '_')}"], rel=1e-9)


@pytest.mark.parametrize("data", ["clean", "tied"])
def test_t_test_agrees_in_every_field(data: str) -> None:
    block = REFERENCE[f"t_{data}"]
    result = one_sample_t(REFERENCE[data])
    assert (result.n, result.df) == (block["n"], block["df"])
    names = {
        "mean": "estimate",
        "sd": "sd",
        "se": "se",
        "t": "statistic",
        "dz": "effect",
        "ci_low": "ci_low",
        "ci_high": "ci_high",
    }
    for name, field in names.items():
        assert getattr(result, field) == pytest.approx(block[name], rel=1e-12)
    for alternative in ALTERNATIVES:
        one = one_sample_t(REFERENCE[data], alternative=alternative)
        assert one.p == expected_p(block, alternative)
        assert (one.ci_low, one.ci_high) == (result.ci_low, result.ci_high)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_wilcoxon_exact(alternative: str) -> None:
    block = REFERENCE["wilcoxon_clean"]
    result = wilcoxon_signed_rank(REFERENCE["clean"], alternative=alternative)
    assert result.details["method"] == "exact"
    assert (result.statistic, result.details["w_minus"]) == (block["w_plus"], block["w_minus"])
    assert result.p == expected_p(block, alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
@pytest.mark.parametrize(("name", "times", "method"), [("tied", 1, "exact"), ("many", 5, "normal")])
def test_wilcoxon_with_ties_and_zeros(name: str, times: int, method: str, zeros: ZeroRule, alternative: str) -> None:
    block = REFERENCE[f"wilcoxon_{name}_{zeros}"]
    result = wilcoxon_signed_rank(times * REFERENCE["tied"], alternative=alternative, zeros=zeros)
    assert (result.details["method"], result.details["zeros"], result.n, result.details["n_used"]) == (
        method,
        zeros,
        15 * times,
        block["n_used"],
    )
    assert (result.statistic, result.details["w_minus"]) == (block["w_plus"], block["w_minus"])
    assert result.p == expected_p(block, alternative)


def test_the_smallest_p_of_five_values_is_that_of_their_signs_whatever_is_tied() -> None:
    for values in ([1.0, 2, 3, 4, 5], [1.0, 1, 3, 4, 5], [2.0] * 5, [0.0, 1, 1, 3, 4, 5]):
        assert wilcoxon_signed_rank(values).p == 2 / 2**5
    assert wilcoxon_signed_rank([1.0, 1, 3, 4, 5], alternative="greater").p == 1 / 2**5


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("data", ["clean", "tied"])
def test_sign_flips_exact(data: str, alternative: str) -> None:
    block = REFERENCE[f"sign_flip_{data}"]
    result = sign_flip_test(REFERENCE[data], rng=np.random.default_rng(0), alternative=alternative)
    assert (result.details["method"], result.details["n_permutations"]) == ("exact", block["n_permutations"])
    assert result.p == expected_p(block, alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_drawn_sign_flips_come_near_the_exact_p(alternative: str) -> None:
    block = REFERENCE["sign_flip_clean"]
    result = sign_flip_test(
        REFERENCE["clean"],
        rng=np.random.default_rng(7),
        alternative=alternative,
        n_permutations=40_000,
        exact_up_to=0,
    )
    assert (result.details["method"], result.details["n_permutations"]) == ("random", 40_000)
    assert result.p == pytest.approx(block[f"p_{alternative.replace('-', '_')}"], abs=0.008)


@pytest.mark.parametrize("row", REFERENCE["wilson"], ids=lambda row: f"{row['successes']}of{row['n']}")
def test_wilson_interval(row: dict[str, Any]) -> None:
    low, high = wilson_interval(row["successes"], row["n"])
    assert low == pytest.approx(row["low"], abs=1e-12)
    assert high == pytest.approx(row["high"], abs=1e-12)


@pytest.mark.parametrize(("successes", "n"), [(0, 1000), (6, 1000), (3, 7), (7, 7)])
def test_the_exact_interval_is_scipys(successes: int, n: int) -> None:
    by_scipy = scipy_stats.binomtest(successes, n).proportion_ci(method="exact")
    assert exact_interval(successes, n) == pytest.approx((by_scipy.low, by_scipy.high), rel=1e-9)
    low, high = exact_interval(successes, n, confidence=0.5)
    assert by_scipy.low <= low <= successes / n <= high <= by_scipy.high
    with pytest.raises(ValueError, match="no items"):
        exact_interval(0, 0)


@pytest.mark.parametrize("name", sorted(REFERENCE["chi_square"]))
def test_chi_square(name: str) -> None:
    block = REFERENCE["chi_square"][name]
    correction: Correction = "yates" if block["yates"] else "none"
    result = chi_square_counts(*block["first"], *block["second"], correction=correction)
    assert (result.df, result.test) == (1, f"chi-square ({'Yates' if correction == 'yates' else 'uncorrected'})")
    assert result.statistic == pytest.approx(block["statistic"], rel=1e-10)
    assert result.p == pytest.approx(block["p"], rel=1e-8)


def test_holm_agrees_with_statsmodels() -> None:
    given = {str(position): p for position, p in enumerate(REFERENCE["holm"]["p"])}
    assert list(holm(given).values()) == pytest.approx(REFERENCE["holm"]["adjusted"], rel=1e-12)


@pytest.mark.parametrize(("successes", "n", "chance"), [(714, 1500, 0.5), (3, 40, 0.25), (20, 20, 0.5), (10, 20, 0.5)])
def test_chi_square_against_chance_is_scipys(successes: int, n: int, chance: float) -> None:
    found = chi_square_chance(successes, n, chance=chance)
    by_scipy = scipy_stats.chisquare([successes, n - successes], [n * chance, n * (1 - chance)])
    assert found.statistic == pytest.approx(by_scipy.statistic)
    assert found.p == pytest.approx(by_scipy.pvalue)
    assert found.estimate == successes / n


def test_p_values_are_combined_as_by_scipy() -> None:
    tests = [chi_square_chance(c, 200) for c in (120, 110, 104)]
    own = fisher_combined(tests, mixed=False)
    theirs = scipy_stats.combine_pvalues([test.p for test in tests if test.p is not None], method="fisher")
    assert (own.statistic, own.p, own.df) == pytest.approx((float(theirs.statistic), float(theirs.pvalue), 6))
    assert fisher_combined(tests, mixed=True).p == 1.0
    assert fisher_combined([chi_square_chance(0, 0), *tests], mixed=False).p is None


def test_rank_correlations_are_scipys_and_groups_widen_the_interval() -> None:
    rng = np.random.default_rng(4)
    base = np.repeat(rng.normal(size=12), 4)
    first, second = np.round(base + 0.3 * rng.normal(size=48), 1), np.round(base + 0.3 * rng.normal(size=48), 1)
    by_item = rank_correlation(first.tolist(), second.tolist(), [number // 4 for number in range(48)])
    alone = rank_correlation(first.tolist(), second.tolist(), list(range(48)))
    assert by_item.estimate == alone.estimate == pytest.approx(scipy_stats.spearmanr(first, second).statistic)
    assert by_item.ci is not None
    assert alone.ci is not None
    assert by_item.ci[1] - by_item.ci[0] > alone.ci[1] - alone.ci[0]
    # The jackknife by hand, of single observations, on Fisher's scale.
    kept = [np.arange(48) != n for n in range(48)]
    each = np.arctanh([scipy_stats.spearmanr(first[own], second[own]).statistic for own in kept])
    half = scipy_stats.t.ppf(0.975, 47) * math.sqrt(47 / 48 * ((each - each.mean()) ** 2).sum())
    middle = math.atanh(scipy_stats.spearmanr(first, second).statistic)
    assert alone.ci == pytest.approx((math.tanh(middle - half), math.tanh(middle + half)), abs=1e-9)
    same = rank_correlation([1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], range(4))
    assert same.estimate == pytest.approx(1.0)
    assert same.ci is None
    assert "no interval" in same.note


def test_the_interval_of_a_rank_correlation_over_items_holds_as_often_as_it_says() -> None:
    """300 sets of six items with four sentences each: at least .92; more items than are left out one by one change little."""
    rng = np.random.default_rng(6)
    held = 0
    for _ in range(300):
        item, sentence = rng.normal(size=(6, 1, 2)), rng.normal(size=(6, 4, 2))
        made = np.sqrt(0.4) * item + np.sqrt(0.6) * sentence
        x, y = made[..., 0].ravel(), (0.5 * made[..., 0] + np.sqrt(0.75) * made[..., 1]).ravel()
        own = rank_correlation(x.tolist(), y.tolist(), [n // 4 for n in range(24)])
        held += own.ci is not None and own.ci[0] <= 6 / math.pi * math.asin(0.25) <= own.ci[1]
    assert held / 300 >= 0.92
    first = rng.normal(size=900)
    second = 0.5 * first + rng.normal(size=900)
    many = rank_correlation(first.tolist(), second.tolist(), range(900))
    rho = scipy_stats.spearmanr(first, second).statistic
    assert many.ci == pytest.approx(tuple(np.tanh(np.arctanh(rho) + np.array([-1, 1]) * 1.96 * 1.06 / math.sqrt(897))), abs=0.02)
