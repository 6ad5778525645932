"""One-sample t tests over items, and the same numbers recomputed from what papers print.

Student (1908); the effect size is Cohen's dz (Lakens 2013): the mean difference over the standard deviation
of the differences. Reference values: ``tests/reference/stats_reference.py``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from scipy import stats

from stats.checks import as_values, check_alternative, check_count, check_probability
from stats.results import TTest

__all__ = ["dz_from_t", "one_sample_t", "t_from_published", "t_from_summary", "t_p_value"]

_ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""A spread this small against the values themselves is rounding error, not variance."""


def one_sample_t(
    values: Iterable[float], *, null: float = 0.0, alternative: str = "two-sided", confidence: float = 0.95
) -> TTest:
    """Test whether the mean of `values` (one per item) differs from `null`.

    t = (mean - null) / (sd / sqrt(n)), df = n - 1, dz = (mean - null) / sd. The interval is mean ± t* · se,
    two-sided whatever `alternative` is. Assumes independent items and, at small n, differences that are
    roughly normal.

    With fewer than two items, or with no variance, the undefined fields are None and `reason` says why.
    Raises ValueError for a value that is not finite, an unknown alternative or a confidence outside (0, 1).
    """
    data = as_values(values)
    n = data.size
    if n == 0:
        return _summarised(None, None, 0, null, alternative, confidence)
    mean = float(data.mean())
    if n == 1:
        return _summarised(mean, None, 1, null, alternative, confidence)
    sd = float(data.std(ddof=1))
    if sd <= _ROUNDING * float(np.abs(data).max()):
        sd = 0.0
    return _summarised(mean, sd, n, null, alternative, confidence)


def t_from_summary(
    *,
    mean: float,
    sd: float,
    n: int,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> TTest:
    """The test that a published mean, standard deviation and number of items imply.

    Raises ValueError if `sd` is negative, `n` is below 2, or a value is not finite.
    """
    if not (math.isfinite(mean) and math.isfinite(sd)):
        raise ValueError("mean and sd must be finite")
    if sd < 0:
        raise ValueError(f"sd must not be negative, got {sd}")
    if check_count(n, "n") < 2:
        raise ValueError(f"a t test needs at least two items, not {n}")
    return _summarised(mean, sd, n, null, alternative, confidence)


def t_from_published(
    *,
    mean: float,
    t: float,
    n: int,
    null: float = 0.0,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> TTest:
    """The test that a published mean, t and number of items imply: sd = (mean - null) · sqrt(n) / t.

    As exact as the printed figures. Raises ValueError if t is 0 or its sign contradicts the mean's.
    """
    if not (math.isfinite(mean) and math.isfinite(t)):
        raise ValueError("mean and t must be finite")
    if t == 0 or (mean - null) / t <= 0:
        raise ValueError(f"a mean of {mean} against {null} and a t of {t} contradict each other")
    if check_count(n, "n") < 2:
        raise ValueError(f"a t test needs at least two items, not {n}")
    return _summarised(mean, (mean - null) * math.sqrt(n) / t, n, null, alternative, confidence)


def dz_from_t(t: float, n: int) -> float:
    """Cohen's dz from a one-sample or paired t and the number of items: t / sqrt(n), with its sign."""
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t}")
    if check_count(n, "n") < 2:
        raise ValueError(f"a t test needs at least two items, not {n}")
    return t / math.sqrt(n)


def t_p_value(t: float, df: float, alternative: str = "two-sided") -> float:
    """The p value of `t` with `df` degrees of freedom, for the alternative asked for."""
    chosen = check_alternative(alternative)
    if not math.isfinite(t):
        raise ValueError(f"t must be finite, not {t}")
    if not (math.isfinite(df) and df > 0):
        raise ValueError(f"df must be above 0, not {df}")
    if chosen == "greater":
        return float(stats.t.sf(t, df))
    if chosen == "less":
        return float(stats.t.cdf(t, df))
    return min(1.0, 2.0 * float(stats.t.sf(abs(t), df)))


def _summarised(
    mean: float | None, sd: float | None, n: int, null: float, alternative: str, confidence: float
) -> TTest:
    """The test from sufficient statistics; decides what is undefined and why."""
    chosen = check_alternative(alternative)
    check_probability(confidence, "confidence")
    if not math.isfinite(null):
        raise ValueError(f"null must be finite, not {null}")
    reason = None
    if mean is None:
        reason = "no items"
    elif sd is None:
        reason = "one item has no spread: a t test needs at least two"
    elif sd == 0:
        reason = "all items have the same value, so there is no variance to test against"
    if mean is None or sd is None or sd == 0:
        return TTest(
            n=n, mean=mean, sd=sd, se=sd, t=None, df=n - 1 if n > 1 else None, p=None, alternative=chosen,
            ci_low=None, ci_high=None, confidence=confidence, dz=None, null=null, reason=reason,
        )  # fmt: skip
    df = n - 1
    se = sd / math.sqrt(n)
    t = (mean - null) / se
    half = float(stats.t.ppf((1 + confidence) / 2, df)) * se
    return TTest(
        n=n, mean=mean, sd=sd, se=se, t=t, df=df, p=t_p_value(t, df, chosen), alternative=chosen,
        ci_low=mean - half, ci_high=mean + half, confidence=confidence, dz=(mean - null) / sd, null=null,
    )  # fmt: skip
