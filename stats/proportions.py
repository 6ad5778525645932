"""Shares of items: accuracy with Wilson's interval, the exact binomial test, and the 2x2 chi-square."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import get_args

import numpy as np
from scipy import stats

from stats.checks import as_values, check_alternative, check_count, check_probability
from stats.results import Accuracy, BinomialTest, ChiSquare, Correction, TieRule

__all__ = ["accuracy", "binomial_test", "chi_square_2x2", "chi_square_counts", "wilson_interval"]


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion (Wilson 1927), without continuity correction; lies within [0,
    1].

    Raises ValueError if n is 0 or `successes` exceeds n.
    """
    _check_share(successes, n)
    check_probability(confidence, "confidence")
    if n == 0:
        raise ValueError("a proportion of no items has no interval")
    z = float(stats.norm.ppf((1 + confidence) / 2))
    share = successes / n
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # At 0 and n the bounds are exactly 0 and 1; rounding must not push them past.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return low, high


def accuracy(
    values: Iterable[float], *, direction: int = 1, ties: TieRule = "wrong", confidence: float = 0.95
) -> Accuracy:
    """The share of items whose value has the expected sign, as in "Delta > 0 in 51.5 % of the items".

    A success is a value strictly above 0 (`direction` +1) or strictly below it (-1). A value of exactly 0
    is a miss (`ties="wrong"`, the papers' criterion) or leaves the denominator (``"excluded"``); `ties` in
    the result counts them either way. Raises ValueError on bad input.
    """
    data = as_values(values)
    check_probability(confidence, "confidence")
    if direction not in (-1, 1):
        raise ValueError(f"direction must be +1 or -1, not {direction}")
    if ties not in get_args(TieRule):
        raise ValueError(f"ties {ties!r} is none of {', '.join(get_args(TieRule))}")
    successes = int(np.count_nonzero(data * direction > 0))
    tied = int(np.count_nonzero(data == 0))
    n = data.size - (tied if ties == "excluded" else 0)
    if n == 0:
        return Accuracy(
            n=0, successes=0, ties=tied, tie_rule=ties, direction=direction, proportion=None, ci_low=None,
            ci_high=None, confidence=confidence, reason="every value is exactly 0" if tied else "no items",
        )  # fmt: skip
    low, high = wilson_interval(successes, n, confidence=confidence)
    return Accuracy(
        n=n, successes=successes, ties=tied, tie_rule=ties, direction=direction, proportion=successes / n,
        ci_low=low, ci_high=high, confidence=confidence,
    )  # fmt: skip


def binomial_test(successes: int, n: int, *, null: float = 0.5, alternative: str = "two-sided") -> BinomialTest:
    """The exact binomial test that the share of successes is `null`.

    Two-sided p sums the outcomes that are no more likely than the observed one. Raises ValueError on bad
    input.
    """
    _check_share(successes, n)
    check_probability(null, "null")
    chosen = check_alternative(alternative)
    if n == 0:
        return BinomialTest(n=0, successes=0, proportion=None, null=null, p=None, alternative=chosen, reason="no items")
    p = float(stats.binomtest(successes, n, null, alternative=chosen).pvalue)
    return BinomialTest(n=n, successes=successes, proportion=successes / n, null=null, p=p, alternative=chosen)


def chi_square_counts(
    successes_first: int, n_first: int, successes_second: int, n_second: int, *, correction: Correction
) -> ChiSquare:
    """`chi_square_2x2` on two shares given as successes out of n."""
    _check_share(successes_first, n_first)
    _check_share(successes_second, n_second)
    return chi_square_2x2(
        (
            (successes_first, n_first - successes_first),
            (successes_second, n_second - successes_second),
        ),
        correction=correction,
    )


def chi_square_2x2(table: tuple[tuple[int, int], tuple[int, int]], *, correction: Correction) -> ChiSquare:
    """Pearson's chi-square test of a 2x2 table of counts, one degree of freedom.

    `correction` has to be named: ``"yates"`` lowers every |observed - expected| by 0.5 (never below 0),
    ``"none"`` leaves it. Assumes that each item is counted once and that items are independent. With an
    empty row or column the result is undefined and `reason` says so. Raises ValueError for negative or
    fractional counts.
    """
    if correction not in get_args(Correction):
        raise ValueError(f"correction {correction!r} is none of {', '.join(get_args(Correction))}")
    if len(table) != 2 or any(len(row) != 2 for row in table):
        raise ValueError("the table must have two rows and two columns")
    (a, b), (c, d) = ([check_count(cell, "a count") for cell in row] for row in table)
    counts = ((a, b), (c, d))
    rows, columns, n = (a + b, c + d), (a + c, b + d), a + b + c + d
    if 0 in rows or 0 in columns:
        where = "row" if 0 in rows else "column"
        return ChiSquare(
            table=counts, expected=None, statistic=None, df=1, p=None, correction=correction, n=n,
            reason=f"a {where} of the table is empty, so nothing can be compared",
        )  # fmt: skip
    expected = (
        (rows[0] * columns[0] / n, rows[0] * columns[1] / n),
        (rows[1] * columns[0] / n, rows[1] * columns[1] / n),
    )
    shift = 0.5 if correction == "yates" else 0.0
    statistic = sum(
        max(0.0, abs(counts[i][j] - expected[i][j]) - shift) ** 2 / expected[i][j] for i in range(2) for j in range(2)
    )
    return ChiSquare(
        table=counts, expected=expected, statistic=statistic, df=1, p=float(stats.chi2.sf(statistic, 1)),
        correction=correction, n=n,
    )  # fmt: skip


def _check_share(successes: int, n: int) -> None:
    check_count(successes, "successes")
    check_count(n, "n")
    if successes > n:
        raise ValueError(f"{successes} successes out of {n} items")
