"""Every test as one kind of result."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.stats import (
    Result,
    accuracy,
    adjust,
    chi_square_counts,
    dz_interval,
    holm,
    one_sample_t,
    sign_flip_test,
    wilcoxon_signed_rank,
)

pytestmark = pytest.mark.fast

REFERENCE: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "reference" / "effects_reference.json").read_text(encoding="utf-8")
)
VALUES = [-1.25, 0.5, 2.75, -0.125, 1.5, 3.0, -2.0, 0.875]


@pytest.mark.parametrize("row", REFERENCE["dz"], ids=lambda row: f"t={row['t']}, n={row['n']}")
def test_the_interval_of_dz_is_that_of_the_noncentral_t(row: dict[str, Any]) -> None:
    low, high = dz_interval(row["t"], row["n"])
    assert low == pytest.approx(row["low"], abs=1e-6)
    assert high == pytest.approx(row["high"], abs=1e-6)


@pytest.mark.parametrize(("t", "n"), [(1e4, 3), (-59.6, 9), (0.0, 2), (300.0, 5760)])
def test_the_interval_of_dz_holds_dz_however_extreme(t: float, n: int) -> None:
    low, high = dz_interval(t, n)
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert low < t / math.sqrt(n) < high


def test_each_test_gives_the_same_kind_of_result() -> None:
    t = one_sample_t(VALUES, alternative="greater", effect_interval=True)
    rng = np.random.default_rng(0)
    results = [
        t,
        wilcoxon_signed_rank(VALUES),
        sign_flip_test(VALUES, rng=rng),
        accuracy(VALUES),
        chi_square_counts(5, 20, 9, 20, correction="yates"),
    ]
    assert all(isinstance(result, Result) and result.undefined is None and result.interpretable for result in results)
    assert [result.test for result in results] == [
        "t test",
        "Wilcoxon signed rank (exact)",
        "sign flips (exact)",
        "share",
        "chi-square (Yates)",
    ]
    assert t.statistic is not None
    assert t.effect_ci == dz_interval(t.statistic, t.n)
    assert t.alternative == "greater"
    assert (t.ci_low, t.ci_high) == t.ci
    assert results[4].estimate == pytest.approx(0.2)


def test_what_is_undefined_says_why_and_supports_no_conclusion() -> None:
    for found in (
        one_sample_t([1.0]),
        wilcoxon_signed_rank([0.0, 0.0]),
        accuracy([]),
        chi_square_counts(3, 3, 4, 4, correction="none"),
    ):
        assert found.undefined
        assert found.p is None
        assert not found.interpretable
        assert not any(isinstance(v, float) and math.isnan(v) for v in dataclasses.asdict(found).values())


def test_repeated_observations_and_ties_are_notes() -> None:
    keys = ["a", "b", "c", "a"]
    values = [1.0, 0.0, -1.0, 1.0]
    assert one_sample_t(values, observations=keys).note == "4 items give 3 distinct observations."
    share = accuracy(values, observations=keys, ties="excluded")
    assert share.note == "4 items give 3 distinct observations. 1 value is exactly 0 and left out."
    assert accuracy(values).note == "1 value is exactly 0 and counted as a miss."


def test_p_is_corrected_within_families_and_stays_beside() -> None:
    raw = {"a": 0.01, "b": 0.02, "c": 0.03, "d": 0.04}
    results = [Result(test="t test", contrast=name, n=10, p=p) for name, p in raw.items()]
    one = adjust(results)
    assert {own.contrast: own.p_adj for own in one} == pytest.approx(holm(raw))
    assert [own.p for own in one] == list(raw.values())
    two = adjust(results, ["wh", "wh", "pair", "pair"])
    assert [own.p_adj for own in two] == pytest.approx([0.02, 0.02, 0.06, 0.06])
    assert [own.family for own in two] == ["the 2 tests of wh"] * 2 + ["the 2 tests of pair"] * 2
    three = adjust(results, ["wh", "wh", "", ""])
    assert [own.family for own in three][-1] == "the 2 tests of this run, unplanned"


def test_models_are_one_family_and_untestable_ones_do_not_count() -> None:
    given = [Result(test="t test", contrast=name, model=model, n=9, p=0.03) for model in ("x", "y") for name in ("a", "b")]
    given.append(Result(test="t test", contrast="c", model="x", n=1, undefined="one item"))
    given.append(Result(test="t test", contrast="d", model="x", n=9, p=1e-9, interpretable=False))
    assert [own.p_adj for own in adjust(given)] == [0.12, 0.12, 0.12, 0.12, None, None]
