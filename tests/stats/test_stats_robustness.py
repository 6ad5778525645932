"""Bootstrap, correlations, comparisons of models, and how much a result hangs on a few items."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar

from stats import (
    ItemOutcomes,
    OutlierRule,
    Result,
    accuracy_by_group,
    bootstrap_mean,
    compare_models,
    compare_sets,
    complete_cases,
    leave_one_out,
    one_sample_t,
    outliers,
    pearson,
    point_biserial,
    set_results,
    spearman,
)

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "reference" / "effects_reference.json").read_text(encoding="utf-8")
)
X, Y = REFERENCE["x"], REFERENCE["y"]


def rng() -> np.random.Generator:
    """A fresh generator with a fixed seed."""
    return np.random.default_rng(11)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("pearson", pearson(X, Y)),
        ("spearman", spearman(X, Y)),
        ("point_biserial", point_biserial([bool(own) for own in REFERENCE["yes"]], X)),
    ],
)
def test_correlations_are_rs(name: str, found: Result) -> None:
    block = REFERENCE[name]
    assert found.estimate == pytest.approx(block["r"], rel=1e-9)
    assert found.statistic == pytest.approx(block["t"], rel=1e-9)
    assert found.p == pytest.approx(block["p"], rel=1e-9)
    assert found.ci == pytest.approx((block["low"], block["high"]), rel=1e-9)
    assert (found.n, found.df) == (12, 10)


def test_spearman_gives_ties_their_mean_rank() -> None:
    tied = [1.0, 1.0, 2.0, 3.0, 3.0, 3.0]
    other = [2.0, 1.0, 4.0, 4.0, 6.0, 5.0]
    reference = scipy_stats.spearmanr(tied, other)
    found = spearman(tied, other)
    assert found.estimate == pytest.approx(float(reference.statistic))
    assert found.p == pytest.approx(float(reference.pvalue))


def test_correlations_at_the_edge() -> None:
    perfect = pearson([1.0, 2.0, 3.0, 4.0], [2.0, 4.0, 6.0, 8.0])
    assert (perfect.estimate, perfect.statistic, perfect.p, perfect.ci) == (1.0, None, 0.0, None)
    assert "infinite" in perfect.note
    assert "too few" in str(pearson([1.0, 2.0], [2.0, 4.0]).undefined)
    assert "same value everywhere" in str(spearman([1.0, 1.0, 1.0], [2.0, 4.0, 5.0]).undefined)
    assert pearson([1.0, 2.0, 4.0], [2.0, 4.0, 5.0]).ci is None


def test_the_bootstrap_is_scipys_percentile_interval() -> None:
    data = np.random.default_rng(2).normal(1, 2, 60)
    ours = bootstrap_mean(data, rng=rng(), n_draws=20_000)
    reference = scipy_stats.bootstrap(
        (data,), np.mean, method="percentile", n_resamples=20_000, rng=rng()
    ).confidence_interval
    assert ours.mean == pytest.approx(float(data.mean()))
    assert ours.ci == pytest.approx((float(reference.low), float(reference.high)), abs=0.03)
    assert bootstrap_mean(data, rng=rng()) == bootstrap_mean(data, rng=rng())
    assert ours.note == ""


def test_drawing_clusters_sees_that_their_items_go_together() -> None:
    values = [float(cluster) for cluster in range(12) for _ in range(20)]
    clusters = [cluster for cluster in range(12) for _ in range(20)]
    single = bootstrap_mean(values, rng=rng())
    drawn = bootstrap_mean(values, rng=rng(), clusters=clusters)
    assert (drawn.n, drawn.n_clusters, single.n_clusters) == (240, 12, 240)
    assert single.ci is not None
    assert drawn.ci is not None
    # Twelve values say what 240 rows say here, so the interval is that of the twelve.
    alone = bootstrap_mean([float(cluster) for cluster in range(12)], rng=rng()).ci
    assert drawn.ci == alone
    assert drawn.ci[1] - drawn.ci[0] > 4 * (single.ci[1] - single.ci[0])


def test_clusters_weigh_by_their_size() -> None:
    found = bootstrap_mean([0.0] * 9 + [1.0], rng=rng(), clusters=["a"] * 9 + ["b"])
    assert found.mean == 0.1
    assert "2 clusters are few" in found.note
    assert bootstrap_mean([1.0, 2.0], rng=rng(), clusters=["a", "a"]).reason == "one cluster has no spread"
    assert bootstrap_mean([], rng=rng()).reason == "no items"


def test_the_accuracy_of_a_group_is_the_mean_of_its_suites() -> None:
    suites = ["long"] * 90 + ["short"] * 10 + ["alone"] * 4
    success = [True] * 90 + [False] * 10 + [True, False, True, True]
    groups = ["gaps"] * 100 + ["agreement"] * 4
    gaps, agreement = accuracy_by_group(success, suites, groups, rng=rng())
    assert (gaps.group, gaps.n_items, gaps.n_suites, gaps.accuracy) == ("gaps", 100, 2, 0.5)
    assert gaps.ci == (0.0, 1.0)
    assert "2 suites are few" in gaps.note
    assert (agreement.accuracy, agreement.ci, agreement.reason) == (0.75, None, "one suite has no spread")
    with pytest.raises(ValueError, match="the suite 'long' is in the groups"):
        accuracy_by_group([True, True], ["long", "long"], ["a", "b"], rng=rng())


def test_outliers_lie_beyond_rs_fences() -> None:
    data = [*X, 30.0]
    low, high = REFERENCE["quartiles"]
    beyond = [i for i, v in enumerate(data) if v < low - 1.5 * (high - low) or v > high + 1.5 * (high - low)]
    assert list(outliers(data, rule="iqr")) == beyond == [12]
    median, mad = REFERENCE["median"], REFERENCE["mad"]
    for reach in (0.5, 1.0, 1.31, 3.0):
        far = [i for i, v in enumerate(data) if abs(v - median) > reach * mad]
        assert list(outliers(data, rule="mad", reach=reach)) == far
    assert outliers(data, rule="sd") == (12,)
    assert outliers(data, rule="sd", reach=3.4) == ()
    assert outliers([2.0] * 5) == outliers([1.0]) == ()


def test_leaving_out_finds_the_verb_that_carries_the_result() -> None:
    values = [0.1, -0.2, 0.1, 0.0, 5.0, 6.0, 5.5, 6.5]
    verbs = ["annoy"] * 2 + ["bother"] * 2 + ["amuse"] * 4
    found = leave_one_out(values, verbs)
    assert found.most == "amuse"
    assert found.turns == ("amuse",)
    assert found.without["amuse"] == one_sample_t(values[:4])
    assert found.whole == one_sample_t(values)
    keys = ["a", "a", "b", "b", "c", "c", "d", "d"]
    assert leave_one_out([1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0], verbs, observations=keys).whole.n == 4
    lonely = leave_one_out([1.0], ["x"])
    assert (lonely.most, lonely.turns) == (None, ())


def test_complete_cases_count_what_each_column_lacks() -> None:
    found = complete_cases({"a": [1.0, None, 3.0, math.nan], "b": [1.0, None, None, 2.0]})
    assert found.kept == (0,)
    assert found.n_dropped == 3
    assert found.lacking == {"a": 2, "b": 2}
    assert complete_cases({}).kept == ()


def test_models_are_compared_on_the_items_they_share() -> None:
    draws = np.random.default_rng(4)
    first = {f"i{item}": float(draws.normal(0.2, 1)) for item in range(60)}
    second = {f"i{item}": first.get(f"i{item}", 0.0) + float(draws.normal(0.4, 1)) for item in range(10, 65)}
    found = compare_models("small", "large", (first, second))
    shared = [f"i{item}" for item in range(10, 60)]
    assert (found.n_first_only, found.n_second_only, found.difference.n) == (10, 5, 50)
    reference = scipy_stats.ttest_rel([second[key] for key in shared], [first[key] for key in shared])
    assert found.difference.statistic == pytest.approx(float(reference.statistic))
    assert found.difference.p == pytest.approx(float(reference.pvalue))
    assert (found.difference.test, found.difference.model) == ("paired t test", "large - small")
    exact = mcnemar(np.array(found.table), exact=True)
    assert found.successes.p == pytest.approx(float(exact.pvalue))
    shares = [sum(values[key] > 0 for key in shared) / 50 for values in (first, second)]
    assert found.successes.estimate == pytest.approx(shares[1] - shares[0])
    assert sum(sum(row) for row in found.table) == 50
    assert "10 items have a value from small only and 5 from large only" in found.difference.note


def test_models_that_never_disagree_and_models_without_a_common_item() -> None:
    same = compare_models("a", "b", ({"x": 1.0, "y": -1.0}, {"x": 2.0, "y": -3.0}))
    assert (same.successes.p, same.successes.estimate) == (1.0, 0.0)
    apart = compare_models("a", "b", ({"x": 1.0}, {"y": 1.0}))
    assert (apart.difference.undefined, apart.successes.undefined) == ("no items", "no items")


def test_sets_that_overlap_or_repeat_words_support_no_conclusion() -> None:
    words = {f"i{n}": {"noun": f"n{n % 5}", "verb": f"v{n // 5}"} for n in range(40)}
    outer = ItemOutcomes("all", {f"i{n}": n % 3 == 0 for n in range(40)})
    inner = ItemOutcomes("kept", {f"i{n}": n % 3 == 0 for n in range(20)})
    whole, kept = set_results(compare_sets(outer, inner, correction="yates"))
    assert (whole.dataset, whole.interpretable) == ("all | kept", False)
    assert "share 20 items" in whole.note
    assert (kept.dataset, kept.interpretable) == ("kept | left out", True)
    crossed = ItemOutcomes("crossed", outer.success, words)
    other = ItemOutcomes("other", {f"o{n}": n % 2 == 0 for n in range(40)})
    (only,) = set_results(compare_sets(crossed, other, correction="none"))
    assert only.p is not None
    assert not only.interpretable


@pytest.mark.parametrize(
    "call",
    [
        lambda: pearson([1.0, 2.0, 3.0], [1.0, 2.0]),
        lambda: spearman([1.0, math.nan, 3.0], [1.0, 2.0, 3.0]),
        lambda: bootstrap_mean([1.0, 2.0], rng=rng(), clusters=["a"]),
        lambda: bootstrap_mean([1.0, 2.0], rng=rng(), n_draws=0),
        lambda: accuracy_by_group([True], ["a", "b"], ["g"], rng=rng()),
        lambda: outliers([1.0, 2.0], rule=cast("OutlierRule", "grubbs")),
        lambda: outliers([1.0, 2.0], reach=0.0),
        lambda: leave_one_out([1.0], []),
        lambda: complete_cases({"a": [1.0], "b": []}),
        lambda: compare_models("a", "b", ({}, {}), direction=0),
    ],
)
def test_bad_input_is_refused(call: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        call()
