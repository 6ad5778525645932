"""Suites, comparisons of models, and how much a result hangs on a few items."""

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

from gapsmith.stats import (
    ItemOutcomes,
    OutlierRule,
    accuracy_by_group,
    compare_models,
    compare_sets,
    complete_cases,
    leave_one_out,
    one_sample_t,
    outliers,
    set_results,
)

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "reference" / "effects_reference.json").read_text(encoding="utf-8")
)
X = REFERENCE["x"]


def rng() -> np.random.Generator:
    """A fresh generator with a fixed seed."""
    return np.random.default_rng(11)


def test_the_accuracy_of_a_group_is_the_mean_of_its_suites() -> None:
    suites = ["long"] * 90 + ["short"] * 10 + ["alone"] * 4
    success = [True] * 90 + [False] * 10 + [True, False, True, True]
    groups = ["gaps"] * 100 + ["agreement"] * 4
    gaps, agreement = accuracy_by_group(success, suites, groups)
    assert (gaps.group, gaps.details["n_items"], gaps.n, gaps.estimate) == ("gaps", 100, 2, 0.5)
    assert gaps.ci is not None
    assert 0.0 <= gaps.ci[0] < 0.01
    assert 0.99 < gaps.ci[1] <= 1.0
    assert (agreement.estimate, agreement.ci) == (0.75, None)
    assert "no spread" in agreement.note
    with pytest.raises(ValueError, match="the suite 'long' is in the groups"):
        accuracy_by_group([True, True], ["long", "long"], ["a", "b"])


def test_suites_that_are_alike_have_no_interval_and_a_reason() -> None:
    (alike,) = accuracy_by_group([True, False] * 3, [str(n // 2) for n in range(6)], ["g"] * 6)
    assert (alike.estimate, alike.ci) == (0.5, None)
    assert "the same share" in alike.note


@pytest.mark.parametrize(("k", "a", "b"), [(3, 2, 2), (5, 9, 1), (8, 30, 1), (20, 2, 2)])
def test_the_interval_over_suites_holds_as_often_as_it_says(k: int, a: float, b: float) -> None:
    """400 sets of suites of 20 items whose shares are drawn around a / (a + b): at least .92, where resampling suites held in .76 to .93."""
    draws = np.random.default_rng([k, 5])
    held, made = 0, 0
    for _ in range(400):
        hits = draws.binomial(20, draws.beta(a, b, k))
        success = [n < hit for hit in hits for n in range(20)]
        (own,) = accuracy_by_group(success, [str(n // 20) for n in range(20 * k)], ["g"] * (20 * k))
        if own.ci is not None:
            assert 0 <= own.ci[0] <= own.ci[1] <= 1
            held += own.ci[0] <= a / (a + b) <= own.ci[1]
            made += 1
    assert made > 250
    assert held / made >= 0.92


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
        lambda: accuracy_by_group([True], ["a", "b"], ["g"]),
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
