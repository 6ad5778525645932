"""t tests over items: of one mean, and of two sets of items.

Student (1908); the effect size is Cohen's dz (Lakens 2013), the mean difference over the standard deviation of the differences,
with the interval of the noncentral t (Steiger & Fouladi 1997). Reference values: ``tests/reference/stats_reference.py``.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gapsmith.stats import distributions
from gapsmith.stats.checks import ROUNDING, beyond_computing, check_alternative, check_count, check_probability
from gapsmith.stats.distinct_values import distinct, repetition
from gapsmith.stats.results import Result

_NODES = 2_000
"""Points at which the noncentral t is summed."""
_EXACT = 1e-13
"""How close the last two steps towards a noncentrality lie, as a share of it."""
_MOST_STEPS = 200
"""Enough for bisection alone."""


def one_sample_t(
    values: Iterable[float],
    *,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    observations: Sequence[Hashable] | None = None,
    effect_interval: bool = False,
) -> Result:
    """Test whether the mean of `values` (one per item) differs from `null`.

    t = (mean - null) / (sd / sqrt(n)), df = n - 1, dz = (mean - null) / sd. The interval is mean ± t* · se,
    two-sided whatever `alternative` is. `effect` is dz, with its own interval where `effect_interval` asks
    for it. Assumes independent items and, at small n, differences that are roughly normal. With `observations` (a key
    per item, see `gapsmith.stats.distinct_values`) each distinct one counts once.

    With fewer than two observations, or with no variance, the undefined fields are None and `undefined` says why.
    Raises ValueError for a value that is not finite, an unknown alternative or a confidence outside (0, 1).
    """
    chosen = check_alternative(alternative)
    check_probability(confidence, "confidence")
    if not math.isfinite(null):
        raise ValueError(f"null must be finite, not {null}")
    given = distinct(values, observations)
    data, n = given.values, given.n
    beyond = beyond_computing(data)
    mean = float(data.mean()) if n and beyond is None else None
    sd = float(data.std(ddof=1)) if n > 1 and beyond is None else None
    if sd is not None and sd <= ROUNDING * float(np.abs(data).max()):
        sd = 0.0
    if mean is None or sd is None or sd == 0:
        if beyond is not None:
            reason = beyond
        elif mean is None:
            reason = "no items"
        elif sd is None:
            few = "one item" if given.n_given == 1 else f"{given.n_given:,} items with one distinct observation"
            reason = f"{few} has no spread: a t test needs at least two" if given.n_given == 1 else f"{few} have no spread"
        else:
            reason = "all items have the same value, so there is no variance to test against"
        return Result(
            test="t test",
            n=n,
            n_given=given.n_given,
            estimate=mean,
            sd=sd,
            df=n - 1 if n > 1 else None,
            alternative=chosen,
            confidence=confidence,
            undefined=reason,
            assumes=("observations are independent", "their mean is about normal"),
            notes=repetition(given),
            interpretable=False,
        )
    df = n - 1
    se = sd / math.sqrt(n)
    t = (mean - null) / se
    half = float(distributions.t.ppf((1 + confidence) / 2, df)) * se
    return Result(
        test="t test",
        n=n,
        n_given=given.n_given,
        estimate=mean,
        sd=sd,
        statistic=t,
        df=df,
        p=t_p_value(t, df, chosen),
        ci=(mean - half, mean + half),
        effect=(mean - null) / sd,
        alternative=chosen,
        confidence=confidence,
        effect_ci=dz_interval(t, n, confidence=confidence) if effect_interval else None,
        assumes=("observations are independent", "their mean is about normal"),
        notes=repetition(given),
    )


def two_sample_t(
    first: Iterable[float],
    second: Iterable[float],
    *,
    names: tuple[str, str] = ("first", "second"),
    alternative: str = "two-sided",
    confidence: float = 0.95,
    observations: tuple[Sequence[Hashable], Sequence[Hashable]] | None = None,
) -> Result:
    """Test whether two sets of items of their own have the same mean: Welch's t (Welch 1947), which takes no equal variances.

    The estimate is mean(second) - mean(first), t = estimate / sqrt(v1/n1 + v2/n2) with the variances v, and df by Satterthwaite.
    With `observations` (keys for each side) each distinct one counts once, and one that is in both sets takes the ground from
    the test: the result says so and supports no conclusion. `n` counts both. Details: ``means``, ``sds`` and ``ns`` of the sides.
    Undefined where a side has fewer than two observations, or neither has a spread. Raises ValueError on bad input.
    """
    chosen = check_alternative(alternative)
    check_probability(confidence, "confidence")
    keys = observations or (None, None)
    sides = [distinct(own, key) for own, key in zip((first, second), keys, strict=True)]
    n_shared = len(set(keys[0] or ()) & set(keys[1] or ()))
    ns = [own.n for own in sides]
    each = [one_sample_t(own.values) for own in sides]
    means, sds = [own.estimate for own in each], [own.sd for own in each]
    notes = [note for name, own in zip(names, sides, strict=True) for note in (f"{name}: {said}" for said in repetition(own))]
    if n_shared:
        notes.append(f"{names[0]} and {names[1]} share {n_shared:,} of their items, which the test takes to be others.")
    about: dict[str, Any] = {
        "test": "Welch's t test",
        "n": sum(ns),
        "n_given": sum(own.n_given for own in sides),
        "alternative": chosen,
        "confidence": confidence,
        "assumes": ("observations are independent", "the sets have no items in common", "their means are about normal"),
        "notes": tuple(notes),
        "details": {"means": means, "sds": sds, "ns": ns},
    }
    if any(own.estimate is None or own.sd is None for own in each):
        why = next(
            f"{name}: {own.undefined}" for name, own in zip(names, each, strict=True) if own.estimate is None or own.sd is None
        )
        return Result(**about, undefined=why, interpretable=False)
    parts = [own.sd**2 / own.n for own in each if own.sd is not None]
    low, high = (own.estimate for own in each if own.estimate is not None)
    estimate = high - low
    if not sum(parts):
        why = "all items of each set have the same value, so there is no variance to test against"
        return Result(**about, estimate=estimate, undefined=why, interpretable=False)
    se = math.sqrt(sum(parts))
    df = sum(parts) ** 2 / sum(part**2 / (n - 1) for part, n in zip(parts, ns, strict=True))
    half = float(distributions.t.ppf((1 + confidence) / 2, df)) * se
    return Result(
        **about,
        estimate=estimate,
        ci=(estimate - half, estimate + half),
        statistic=estimate / se,
        df=df,
        p=t_p_value(estimate / se, df, chosen),
        interpretable=not n_shared,
    )


def t_p_value(t: float, df: float, alternative: str = "two-sided") -> float:
    """The p value of `t` with `df` degrees of freedom, for the alternative asked for."""
    chosen = check_alternative(alternative)
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t}")
    if not (math.isfinite(df) and df > 0):
        raise ValueError(f"df must be above 0, not {df}")
    if chosen == "greater":
        return float(distributions.t.sf(t, df))
    if chosen == "less":
        return float(distributions.t.cdf(t, df))
    return min(1.0, 2.0 * float(distributions.t.sf(abs(t), df)))


def dz_interval(t: float, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The interval of dz that a one-sample or paired t over `n` observations implies.

    The noncentrality parameters at which the t that was found lies on the upper and the lower limit of its noncentral t
    distribution with n - 1 degrees of freedom, over sqrt(n) (Steiger & Fouladi 1997). Raises ValueError for n below 2 or a t
    that is not finite.
    """
    check_probability(confidence, "confidence")
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t}")
    if check_count(n, "n") < 2:
        raise ValueError(f"a t test needs at least two items, not {n}")
    tail = (1 - confidence) / 2
    # The mirror image of a negative t is computed, so that both ends meet the same arithmetic.
    low, high = _noncentrality(abs(t), n - 1, 1 - tail), _noncentrality(abs(t), n - 1, tail)
    ends = (low / math.sqrt(n), high / math.sqrt(n))
    return ends if t >= 0 else (-ends[1], -ends[0])


@lru_cache(maxsize=64)
def _spreads(df: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(_NODES,) weights, and the S that they are of: the same for all tests over as many items."""
    ends = [
        math.log(float(distributions.chi_square.ppf(p, df) if p < 0.5 else distributions.chi_square.isf(1 - p, df)) / df) / 2
        for p in (1e-14, 1 - 1e-14)
    ]
    log_s = np.linspace(ends[0], ends[1], _NODES)
    density = distributions.chi_square.pdf(df * np.exp(2 * log_s), df) * np.exp(2 * log_s)
    return density / density.sum(), np.exp(log_s)


def _noncentrality(t: float, df: int, probability: float) -> float:
    """The noncentrality at which `t` is the quantile of `probability`.

    P(T <= t) is the mean of Phi(t S - noncentrality) over S = sqrt(chi2 / df). It is summed over log S, where the density
    falls off fast on both sides, because scipy's own function gives NaN far from the mode.
    """
    weights, s = _spreads(df)

    # P falls from 1 to 0 between these ends. Newton's steps, from where a normal distribution has it, and from the middle of what is
    # left where they leave it.
    low, high = t * float(s[0]) - 9, t * float(s[-1]) + 9
    found = t - float(special.ndtri(probability)) * math.sqrt(1 + t**2 / (2 * df))
    for _ in range(_MOST_STEPS):
        z = t * s - found
        above = float(weights @ special.ndtr(z)) - probability
        low, high = (found, high) if above > 0 else (low, found)
        slope = float(weights @ np.exp(-(z**2) / 2)) / math.sqrt(2 * math.pi)
        there = found + above / slope if slope > 0 else math.inf
        if not low < there < high:
            there = (low + high) / 2
        if abs(there - found) <= _EXACT * max(1.0, abs(there)):
            return there
        found = there
    return found
