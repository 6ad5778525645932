"""Shares over several models: against lme4's glmer, and where models, words or nothing at all can be a sample."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gapsmith.stats import Result, Shares, shares_over_models

N, M, VERBS = 24, 7, 8


def made(**other: Any) -> Shares:
    """Seven seeds that are right or wrong about 24 items with eight verbs."""
    rng = np.random.default_rng(3)
    verbs = rng.integers(VERBS, size=N)
    odds = 0.6 + rng.normal(0, 0.7, (M, 1)) + rng.normal(0, 0.9, (1, N)) + rng.normal(0, 0.6, VERBS)[verbs]
    truths = rng.random((M, N)) < 1 / (1 + np.exp(-odds))
    names = tuple(f"s{number}" for number in range(M))
    rows = tuple({"verb": f"v{verb}"} for verb in verbs)
    return replace(Shares(truths, names, rows, tuple(range(N)), ({},) * M, noun="seed"), **other)


def only(given: Shares, n: int) -> Shares:
    """The first models of these."""
    return replace(given, truths=given.truths[:n], models=given.models[:n], levels=given.levels[:n])


def the(found: tuple[Result, ...]) -> Result:
    (own,) = found
    return own


def test_seeds_items_and_words_are_what_glmer_says_of_them() -> None:
    """`glmer(correct ~ 1 + (1 | seed) + (1 | item) + (1 | verb), family = binomial)`, lme4 1.1.31 (bobyqa, tolPwrss 1e-10)."""
    found = the(shares_over_models(made()))
    assert found.details["log_odds"] == pytest.approx(0.9118990324, rel=1e-5)
    assert found.details["se_log_odds"] == pytest.approx(0.3519554114, rel=1e-4)
    assert found.details["sds"] == pytest.approx(
        {"items": 0.9235095026, "models": 0.1360431772, "words of verb": 0.5624911012}, rel=1e-3
    )
    assert found.estimate == pytest.approx(1 / (1 + math.exp(-0.9118990324)), rel=1e-5)
    assert found.details["observed"] == made().truths.mean()
    assert found.df == M - 1
    assert found.scope == "over other seeds of the kind, over other verbs"
    assert found.p is None


def test_kinds_of_models_differ_as_glmer_says() -> None:
    """The same with `size` (-.5 and .5) as a fixed effect."""
    levels = tuple({"size": "a" if number < 3 else "b"} for number in range(M))
    mean, size = shares_over_models(made(levels=levels))
    assert mean.details["log_odds"] == pytest.approx(0.8830154770, rel=1e-5)
    assert size.estimate == pytest.approx(0.8954806688, rel=1e-5)
    assert size.se == pytest.approx(0.3828848108, rel=1e-4)
    assert (size.df, size.unit, size.details["what"]) == (5, "log-odds", "size: b - a")
    assert size.p is not None


def test_few_seeds_are_fixed_and_named_as_in_glmer() -> None:
    """`glmer(correct ~ seed + (1 | item) + (1 | verb))` of three seeds, sum coded."""
    found = the(shares_over_models(only(made(), 3)))
    assert found.details["log_odds"] == pytest.approx(0.463722980469, rel=1e-5)
    assert found.details["se_log_odds"] == pytest.approx(0.427321547998, rel=1e-4)
    assert found.scope == "for these 3 seeds (s0, s1, s2), over other verbs"
    assert found.test == "share over seeds, these seeds"
    assert found.details["sd_models"] is None
    assert the(shares_over_models(only(made(), 5))).scope.startswith("for these 5 seeds")
    assert the(shares_over_models(only(made(), 6))).scope.startswith("over other seeds of the kind")


def test_copies_and_the_order_of_items_and_models_say_nothing() -> None:
    given = made()
    before = the(shares_over_models(given))
    twice = replace(
        given,
        truths=np.hstack([given.truths, given.truths]),
        rows=given.rows * 2,
        observations=given.observations * 2,
    )
    after = the(shares_over_models(twice))
    assert (after.estimate, after.ci, after.n, after.n_given) == (before.estimate, before.ci, N, 2 * N)
    order = np.random.default_rng(1).permutation(N).tolist()
    moved = replace(given, truths=given.truths[:, order], rows=tuple(given.rows[n] for n in order))
    turned = the(shares_over_models(replace(moved, truths=moved.truths[::-1], models=moved.models[::-1])))
    assert turned.estimate == pytest.approx(before.estimate, rel=1e-6)
    assert turned.ci == pytest.approx(before.ci, rel=1e-6)


def test_what_cannot_be_estimated_has_a_reason() -> None:
    given = made(rows=())
    for truth in (True, False):
        found = the(shares_over_models(replace(given, truths=np.full((M, N), truth))))
        assert (found.estimate, found.ci, found.interpretable) == (None, None, False)
        assert "every item is" in (found.undefined or "")
        assert found.details["observed"] == float(truth)
    one = replace(given, truths=given.truths[:, :1], observations=(1,))
    assert the(shares_over_models(one)).undefined
    together = tuple({"size": "ab"[n % 2], "family": "xy"[n % 2]} for n in range(M))
    assert "go together" in (shares_over_models(made(levels=together))[1].undefined or "")
    with pytest.raises(ValueError, match="observations"):
        shares_over_models(replace(given, observations=(1,)))


def test_of_unknown_words_and_too_few_items_beside_them_it_is_said() -> None:
    assert "not known" in the(shares_over_models(made(rows=()))).scope
    given = made()
    few = replace(
        given,
        truths=given.truths[:, :8],
        rows=tuple({"verb": f"v{number // 2}"} for number in range(8)),
        observations=tuple(range(8)),
    )
    found = the(shares_over_models(few))
    assert "these words taken as given" in found.scope
    assert not found.interpretable
    assert "too few beside the words" in found.note
