"""Student's t, chi-square and the normal distribution, from scipy's special functions; elementwise over arrays.

The same functions that `scipy.stats` calls, so the same digits, without the half second that importing all of `scipy.stats` takes.
Arguments outside of a distribution's support have the probability that is theirs; degrees of freedom must be above 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special


class _T:
    """Student's t with `df` degrees of freedom, which may be infinite."""

    def sf(self, x: Any, df: Any) -> Any:
        """The probability of more than x."""
        return special.stdtr(df, np.negative(x))

    def cdf(self, x: Any, df: Any) -> Any:
        """The probability of at most x."""
        return special.stdtr(df, x)

    def ppf(self, share: Any, df: Any) -> Any:
        """The quantile with `share` below it; `share` above 0 and below 1."""
        return special.stdtrit(df, share)

    def isf(self, share: Any, df: Any) -> Any:
        """The quantile with `share` above it; `share` above 0 and below 1."""
        return -special.stdtrit(df, share)


class _ChiSquare:
    """Chi-square with `df` degrees of freedom."""

    def sf(self, x: Any, df: Any) -> Any:
        """The probability of more than x."""
        return special.chdtrc(df, np.maximum(x, 0.0))

    def ppf(self, share: Any, df: Any) -> Any:
        """The quantile with `share` below it."""
        return 2 * special.gammaincinv(df / 2, share)

    def isf(self, share: Any, df: Any) -> Any:
        """The quantile with `share` above it."""
        return special.chdtri(df, share)

    def pdf(self, x: Any, df: Any) -> Any:
        """The density at x, above 0."""
        return np.exp(special.xlogy(df / 2.0 - 1, x) - x / 2.0 - special.gammaln(df / 2.0) - (np.log(2) * df) / 2.0)


class _Normal:
    """The standard normal distribution."""

    def sf(self, x: Any) -> Any:
        """The probability of more than x."""
        return special.ndtr(np.negative(x))

    def ppf(self, share: Any) -> Any:
        """The quantile with `share` below it."""
        return special.ndtri(share)


class _Beta:
    """The beta distribution with parameters `a` and `b`."""

    def ppf(self, share: Any, a: Any, b: Any) -> Any:
        """The quantile with `share` below it."""
        return special.betaincinv(a, b, share)


t, chi_square, normal, beta = _T(), _ChiSquare(), _Normal(), _Beta()
