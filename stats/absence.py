"""Whether an effect is absent: equivalence within ±δ, and a Bayes factor, from an estimate, its standard error and degrees of freedom.

δ is the smallest effect that matters, and has to be said before the data are looked at. An effect is taken as absent where the 90 %
interval lies inside ±δ (two one-sided tests; Schuirmann 1987), or below δ on the side that was predicted. The Bayes factor holds an
effect of about the size of δ against none (Dienes 2014).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import scipy

from gapsmith.stats import distributions
from gapsmith.stats.results import Result

Presence = Literal["present", "present, below δ", "opposite", "absent", "undecided"]

_LEVEL = 0.90
"""Of the interval of two one-sided tests at .05."""
_AROUND = (0.5, 2.0)
"""Prior widths beside δ, as shares of it."""
_MOST_LOG = 300 * math.log(10)
"""A Bayes factor beyond 10^±300 is not said in numbers."""


@dataclass(frozen=True, slots=True)
class Absence:
    """What an estimate says against an effect of δ or more."""

    delta: float
    """In the unit of the estimate, above 0."""
    side: int
    """+1 or -1 where that sign was predicted; 0 where either counts."""
    interval: tuple[float, float]
    """The two-sided 90 % interval."""
    p: float
    """Of the claim that the effect is smaller than δ: the larger of two one-sided p, or the one on the predicted side."""
    log_bayes_factor: float
    """Natural logarithm of how much likelier the estimate is under an effect of about δ than under none."""
    prior: str
    """What is expected of an effect, in words."""
    around: tuple[tuple[float, float], ...]
    """The same with narrower and wider priors: their width, and the logarithm."""

    @property
    def is_within(self) -> bool:
        """Whether the interval leaves no room for an effect of δ."""
        low, high = self.interval
        return self.side * (high if self.side > 0 else low) < self.delta if self.side else -self.delta < low and high < self.delta

    @property
    def is_small(self) -> bool:
        """Whether the whole interval lies inside ±δ."""
        return -self.delta < self.interval[0] and self.interval[1] < self.delta

    def presence(self, result: Result, p: float | None, alpha: float, *, p_both: float | None = None) -> Presence:
        """What follows, `p` being that of the test of an effect, corrected or not, at `alpha`, and `p_both` the same of the test that looks
        at both sides.

        An effect on the other side than the one that was predicted is no absence: where `p_both` shows it, it is the opposite, and where
        that holds before the correction only (`two_sided_p`), it is undecided.
        """
        if p is not None and p < alpha and result.estimate is not None:
            sign = {"greater": 1, "less": -1}.get(result.alternative, 1 if result.estimate > 0 else -1)
            if self.side and sign != self.side:
                return "opposite"
            return "present, below δ" if self.is_small else "present"
        own = two_sided_p(result)
        if self.side and result.estimate is not None and self.side * result.estimate < 0 and own is not None and own < alpha:
            return "opposite" if p_both is None or p_both < alpha else "undecided"
        return "absent" if self.is_within else "undecided"


def two_sided_p(result: Result) -> float | None:
    """The p of a t test's `result` if it had looked at both sides; its own where it did, or where it has no p."""
    if result.p is None or result.alternative == "two-sided":
        return result.p
    estimate, se, df = result.estimate, result.se, result.df
    if estimate is None or se is None or df is None or not se > 0:
        return min(1.0, 2 * min(result.p, 1 - result.p))
    return float(2 * distributions.t.sf(abs(estimate / se), df))


def evidence_of_absence(result: Result, delta: float, *, side: int = 0) -> Absence | None:
    """What `result` says against an effect of `delta`; None where it has no estimate with a standard error and degrees of freedom, or
    where nothing may be concluded from it.

    The prior of an effect is Normal(0, delta), or half of it on the side (+1 or -1) that was predicted. The Bayes factor is
    ∫ t_df((estimate − μ) / se) π(μ) dμ over t_df(estimate / se). Raises ValueError for a delta that is not above 0 or not finite, and
    another side.
    """
    if not (math.isfinite(delta) and delta > 0):
        raise ValueError(f"δ must be a number above 0, not {delta}")
    if side not in (-1, 0, 1):
        raise ValueError(f"the side must be -1, 0 or 1, not {side}")
    estimate, se, df = result.estimate, result.se, result.df
    if not result.interpretable or estimate is None or se is None or df is None or not se > 0:
        return None
    half = float(distributions.t.ppf((1 + _LEVEL) / 2, df)) * se
    upper, lower = float(distributions.t.sf((delta - estimate) / se, df)), float(distributions.t.sf((delta + estimate) / se, df))
    return Absence(
        delta=delta,
        side=side,
        interval=(estimate - half, estimate + half),
        p={1: upper, -1: lower, 0: max(upper, lower)}[side],
        log_bayes_factor=_log_bayes_factor(estimate, se, df, delta, side),
        prior=f"Normal(0, {delta:g})" if not side else f"half of Normal(0, {delta:g}), {'above' if side > 0 else 'below'} 0",
        around=tuple((share * delta, _log_bayes_factor(estimate, se, df, share * delta, side)) for share in _AROUND),
    )


def _log_bayes_factor(estimate: float, se: float, df: float, width: float, side: int) -> float:
    """By adaptive quadrature, piece by piece around where the likelihood and the prior have their mass."""

    def log_t(x: float) -> float:
        # What does not depend on x cancels.
        return -(df + 1) / 2 * math.log1p(x * x / df)

    def density(z: float) -> float:
        return math.exp(log_t((estimate - width * z) / se) - z * z / 2) / math.sqrt(2 * math.pi)

    centre, spread = estimate / width, se / width
    edges = {sign * edge for edge in (0.0, 0.1, 1.0, 3.0, 8.0, 40.0) for sign in (-1, 1)}
    edges |= {middle + factor * spread for middle in (0.0, centre) for factor in (-30, -6, -2, 0, 2, 6, 30)}
    low, high = (0.0 if side > 0 else -40.0), (0.0 if side < 0 else 40.0)
    inside = [low]
    for edge in sorted(edges):
        # An estimate of 1e-16 beside 0 would make a piece in which rounding is all there is to integrate.
        if edge - inside[-1] > 1e-6 * min(1.0, spread) and edge < high:
            inside.append(edge)
    inside.append(high)
    parts = [scipy.integrate.quad(density, *piece, limit=200, epsabs=0, epsrel=1e-9)[0] for piece in pairwise(inside)]
    total = sum(parts) * (2 if side else 1)
    log = (math.log(total) if total > 0 else -math.inf) - log_t(estimate / se)
    return min(max(log, -_MOST_LOG), _MOST_LOG)
