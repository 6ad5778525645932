"""What more items would show: against statsmodels where no word repeats, and against simulation where words do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.power import TTestPower

from gapsmith.scoring.analysis import closed_slots
from gapsmith.stats import (
    ModelSpread,
    Pilot,
    SlotVariance,
    half_width,
    items_for,
    model_variances,
    models_for,
    one_sample_t,
    over_models,
    pilot_assumed,
    pilot_of,
    power_of,
    smallest_effect,
    standard_error,
    word_test,
    words_for,
)
from gapsmith.templates import load_paradigm, sample


def made(
    n: int, k: int, share: float, seed: int, *, mean: float = 0.0, adverbs: int = 0
) -> tuple[np.ndarray[Any, Any], list[dict[str, str]]]:
    """Values of variance 1, a share of which verbs carry."""
    rng = np.random.default_rng(seed)
    verbs = rng.integers(k, size=n)
    values = mean + rng.normal(0, math.sqrt(1 - share), n) + rng.normal(0, math.sqrt(share), k)[verbs]
    rows = [{"verb": str(verb)} | ({"adverb": str(rng.integers(adverbs))} if adverbs else {}) for verb in verbs]
    return values, rows


def pilot(k: int = 8, share: float = 0.2, residual: float = 0.8) -> Pilot:
    return Pilot(40, residual, 1.0, 1, (SlotVariance("verb", share, 1 / k),), "two-sided")


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("effect", [0.2, 0.5])
def test_power_of_the_t_test_is_statsmodels(effect: float, alternative: str) -> None:
    values = np.random.default_rng(1).normal(0.3, 1.3, 30)
    test = one_sample_t(values, alternative=alternative)
    found = pilot_of(test, word_test(values, [{}] * 30), [{}] * 30)
    assert found is not None
    sided = "two-sided" if alternative == "two-sided" else "larger"
    other = TTestPower().power(effect / values.std(ddof=1), 50, 0.05, alternative=sided)
    assert power_of(found, 50, effect) == pytest.approx(other, abs=1e-8)
    least = smallest_effect(found, 50)
    assert power_of(found, 50, least) == pytest.approx(0.8, abs=1e-6)
    size = TTestPower().solve_power(0.5 / values.std(ddof=1), power=0.8, alpha=0.05, alternative=sided)
    assert items_for(found, 0.5) == math.ceil(size)


def test_where_words_repeat_the_variance_is_that_of_simulated_means() -> None:
    """The variance of the mean of 60 items over 8 verbs, and what is left of it with ever more items."""
    means = [made(60, 8, 0.2, seed)[0].mean() for seed in range(4_000)]
    se, df = standard_error(pilot(), 60)
    assert se == pytest.approx(np.std(means), rel=0.04)
    assert df == pytest.approx(7, abs=0.1)
    assert standard_error(pilot(), math.inf) == pytest.approx((math.sqrt(0.2 / 8), 7))
    assert half_width(pilot(), 1e9) == pytest.approx(half_width(pilot(), math.inf), rel=1e-3)


@pytest.mark.full
def test_power_is_that_of_the_rule_in_simulations() -> None:
    found = 0
    for seed in range(400):
        values, rows = made(60, 8, 0.2, seed, mean=0.6)
        line = word_test(values, rows, others=False).these
        assert line is not None
        found += line.p is not None and line.p < 0.05
    assert found / 400 == pytest.approx(power_of(pilot(), 60, 0.6), abs=0.07)


def test_a_pilot_has_the_variances_of_its_model_and_a_band_around_them() -> None:
    values, rows = made(120, 10, 0.3, 5, adverbs=3)
    words = word_test(values, rows)
    assert words.these is not None
    found = pilot_of(words.these, words, rows)
    assert found is not None
    assert [slot.name for slot in found.slots] == ["verb"]
    assert found.slots[0].variance == pytest.approx(words.these.details["sds"]["verb"] ** 2)
    assert found.slots[0].repeat == pytest.approx(0.1, abs=0.03)
    assert found.inflation >= 1
    assert found.n_columns == 3
    assert found.low[0] < found.residual < found.high[0]
    assert found.low[1][0] < found.slots[0].variance < found.high[1][0]
    assert smallest_effect(found.at("low"), 60) < smallest_effect(found, 60) < smallest_effect(found.at("high"), 60)


def test_a_variance_of_zero_stands_at_its_upper_end() -> None:
    for seed in range(20):
        values, rows = made(60, 8, 0.0, seed)
        words = word_test(values, rows)
        if words.these is not None and words.these.details["sds"]["verb"] == 0:
            found = pilot_of(words.these, words, rows)
            assert found is not None
            assert found.slots[0].is_bound
            assert found.low[1][0] == 0
            assert found.slots[0].variance == found.high[1][0] > 0
            assert half_width(found, math.inf) == half_width(found.at("high"), math.inf) > 0
            return
    raise AssertionError("no set had a variance of 0")


def test_items_that_vary_with_their_words_alone_are_no_pilot() -> None:
    values, rows = made(60, 8, 0.2, 3)
    words = word_test(values, rows)
    assert words.these is not None
    details = {**words.these.details, "residual_sd": 0.0}
    without = replace(words, these=replace(words.these, details=details))
    assert without.these is not None
    assert pilot_of(without.these, without, rows) is None


def _names() -> list[Any]:
    """The shipped paradigms; two of those with most slots always, all in the full run."""
    always = ("subject_pg", "atb")
    found = sorted(path.stem for path in (Path(__file__).parents[2] / "templates" / "paradigms").glob("*.toml"))
    return [pytest.param(name, marks=() if name in always else pytest.mark.full) for name in found]


@pytest.mark.parametrize("name", _names())
def test_what_is_estimated_lies_within_its_band(name: str) -> None:
    """Of pilots in which all words vary a little, so that several slots have small variances: each costs degrees of freedom once."""
    paradigm = load_paradigm(name)
    for n in (40, 200):
        rows = [paradigm.in_parts(row) for row in islice(sample(paradigm, 1), n)]
        rng = np.random.default_rng(n)
        values = rng.normal(size=len(rows))
        for slot in sorted({own for row in rows for own in row}):
            effects: dict[str, float] = {}
            sd = rng.choice([0.1, 0.25, 0.4])
            values += [effects.setdefault(row.get(slot, ""), rng.normal() * sd) for row in rows]
        words = word_test(values, rows, closed=closed_slots(paradigm), others=False)
        own = pilot_of(words.these or one_sample_t(values), words, rows)
        for size in (8, 12, 20, 40):
            if own is not None and size > own.n_columns + 1:
                low, found, high = (smallest_effect(one, size) for one in (own.at("low"), own, own.at("high")))
                assert low <= found <= high


@pytest.mark.full
@pytest.mark.parametrize("share", [0.0, 0.15])
def test_a_pilot_promises_too_little_rather_than_too_much(share: float) -> None:
    """The power that pilots predict for as many items, beside how often these find the effect (400 sets)."""
    found, predicted = [], []
    for seed in range(400):
        values, rows = made(40, 12, share, seed, mean=0.5)
        words = word_test(values, rows, others=False)
        assert words.these is not None
        own = pilot_of(words.these, words, rows)
        assert own is not None
        assert words.these.p is not None
        found.append(words.these.p < 0.05)
        predicted.append(power_of(own, 40, 0.5))
    assert np.mean(found) - 0.25 < np.mean(predicted) < np.mean(found) + 0.05


def crossed_values(n_models: int, n: int, of_models: float, left: float, seed: int, mean: float = 0.0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(seed)
    return (
        mean
        + rng.normal(0, math.sqrt(of_models), (n_models, 1))
        + rng.normal(0, 1, (1, n))
        + rng.normal(0, math.sqrt(left), (n_models, n))
    )


def test_over_models_the_variance_and_the_power_are_those_of_simulated_seeds() -> None:
    """Ten seeds of 30 items: what a mean varies by, and how often an effect is found by the test of seeds."""
    own = Pilot(30, 1 + 0.5 / 10, 1.0, 1, (), "two-sided", models=ModelSpread(10, 0.2, 0.5, 0.1, 0.4))
    se, _ = standard_error(own, 30)
    assert se == pytest.approx(math.sqrt(1 / 30 + 0.2 / 10 + 0.5 / 300))
    assert standard_error(own, math.inf)[0] == pytest.approx(math.sqrt(0.2 / 10))
    assert standard_error(own, 30, math.inf)[0] == pytest.approx(math.sqrt(1 / 30))
    means = [crossed_values(10, 30, 0.2, 0.5, seed).mean() for seed in range(2_000)]
    assert np.std(means) == pytest.approx(se, rel=0.05)
    found = 0
    for seed in range(300):
        values = crossed_values(10, 30, 0.2, 0.5, seed, mean=0.6)
        p = over_models(values, [f"m{n}" for n in range(10)], lambda own, _: one_sample_t(own))[0].p
        found += p is not None and p < 0.05
    assert found / 300 == pytest.approx(power_of(own, 30, 0.6), abs=0.08)
    # Items are what limits here: no number of models finds what these items cannot.
    assert models_for(own, 30, 0.3) is None
    enough = models_for(own, 30, 0.65)
    assert enough is not None
    assert power_of(own, 30, 0.65, models=enough) >= 0.8 > power_of(own, 30, 0.65, models=enough - 1)


def test_a_pilot_of_seeds_has_a_band_and_fewer_than_a_sample_reckons_with_one() -> None:
    values = crossed_values(3, 40, 0.3, 0.5, 4)
    test = one_sample_t(values.mean(axis=0))
    alone = pilot_of(test, word_test(values.mean(axis=0), [{}] * 40), [{}] * 40)
    variances = model_variances(values, ["a"] * 3)
    assert alone is not None
    assert variances is not None
    found = alone.over(variances, 3)
    assert found.models is not None
    assert found.models.low < found.models.variance < found.models.high
    assert found.models.usual == 6
    assert smallest_effect(found, 40) == smallest_effect(found, 40, models=6)
    assert smallest_effect(found.at("low"), 40) < smallest_effect(found, 40) < smallest_effect(found.at("high"), 40)
    # Models that do not differ by more than chance are not known to be alike.
    same = alone.over(replace(variances, between=variances.left / 40), 3)
    assert same.models is not None
    assert same.models.is_bound
    assert same.models.variance == same.models.high > 0


def test_words_and_not_items_are_too_few() -> None:
    own = pilot(k=5, share=0.5, residual=0.5)
    assert items_for(own, 0.5) is None
    needed = words_for(own, "verb", 0.5)
    assert needed is not None
    assert needed > 5
    more = pilot(k=needed, share=0.5, residual=0.5)
    assert items_for(more, 0.5) is not None
    two = Pilot(40, 0.5, 1.0, 1, (SlotVariance("verb", 0.2, 0.2), SlotVariance("adverb", 0.4, 0.2)), "two-sided")
    assert words_for(two, "verb", 0.3) is None


def test_where_nothing_may_be_concluded_there_is_no_pilot() -> None:
    words = word_test([1.0, 2.0, 3.0], [{}] * 3)
    assert pilot_of(one_sample_t([1.0]), words, [{}]) is None
    assert pilot_of(one_sample_t([1.0, 1.0, 1.0]), words, [{}] * 3) is None
    with pytest.raises(ValueError, match="power"):
        smallest_effect(pilot(), 20, power=1.5)


@settings(deadline=None, max_examples=30)
@given(st.floats(0.01, 3), st.floats(0, 2), st.integers(6, 60), st.integers(6, 500))
def test_more_items_never_find_less(residual: float, variance: float, k: int, n: int) -> None:
    own = pilot(k, variance, residual)
    # Where words are all that counts, more items lower Satterthwaite's degrees of freedom a little towards those of the words.
    least = 1 + 1e-3
    assert half_width(own, 2 * n) <= half_width(own, n) * least
    assert smallest_effect(own, 2 * n) <= smallest_effect(own, n) * least
    over = replace(own, models=ModelSpread(6, variance, residual, 0.0, variance))
    assert standard_error(over, 2 * n)[0] <= standard_error(over, n)[0] * (1 + 1e-9)
    assert smallest_effect(over, n, models=40) <= smallest_effect(over, n, models=6) * (1 + 1e-6)


def test_assumed_words_alone_are_the_mean_of_their_words() -> None:
    """Half the interval of a mean over eight words that take turns, whatever the number of items."""
    pilot = pilot_assumed([{"verb": f"v{n % 8}"} for n in range(800)], share=0.1)
    assert half_width(pilot, math.inf) == pytest.approx(scipy_stats.t.ppf(0.975, 7) * (0.1 / 8) ** 0.5, rel=0.01)
    # Five words are held fixed, and with `others` a sample.
    five = [{"verb": f"v{n % 5}"} for n in range(100)]
    assert half_width(pilot_assumed(five, share=0.1), math.inf) == 0
    assert half_width(pilot_assumed(five, share=0.1, others=True), math.inf) > 0.3
