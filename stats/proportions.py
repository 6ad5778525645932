"""Shares of items: accuracy with Wilson's interval, and the chi-square of a 2x2 table."""

from __future__ import annotations

import math
import sys
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, get_args

import numpy as np
import scipy

from gapsmith.stats import distributions
from gapsmith.stats.checks import check_count, check_probability
from gapsmith.stats.distinct_values import distinct, repetition
from gapsmith.stats.results import Correction, Result, TieRule

_TURNED = 0.05
"""Below this a combined p of tests in both directions is set to 1."""


def wilson_interval(successes: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion (Wilson 1927), without continuity correction; lies within [0,
    1].

    Raises ValueError if n is 0 or `successes` exceeds n.
    """
    _check_share(successes, n)
    check_probability(confidence, "confidence")
    if n == 0:
        raise ValueError("a proportion of no items has no interval")
    p, z = successes / n, float(distributions.normal.ppf(0.5 + 0.5 * confidence))
    denominator = 2 * (n + z**2)
    centre = (2 * n * p + z**2) / denominator
    half = z / denominator * math.sqrt(4 * n * p * (1 - p) + z**2)
    return 0.0 if successes == 0 else centre - half, 1.0 if successes == n else centre + half


def exact_interval(successes: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of a proportion, from quantiles of the beta distribution (Clopper & Pearson 1934).

    It covers the proportion with at least `confidence`, however rare a success is. Raises ValueError if n is 0 or `successes` exceeds n.
    """
    _check_share(successes, n)
    check_probability(confidence, "confidence")
    if n == 0:
        raise ValueError("a proportion of no items has no interval")
    tail = (1 - confidence) / 2
    low = 0.0 if successes == 0 else float(distributions.beta.ppf(tail, successes, n - successes + 1))
    high = 1.0 if successes == n else float(distributions.beta.ppf(1 - tail, successes + 1, n - successes))
    return low, high


def paired_difference_interval(lost: int, gained: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Interval of a difference of two shares over the same `n` items, second minus first, from the items that only the first
    (`lost`) and only the second (`gained`) has: Wald's with a half added to each of the four cells (Agresti & Min 2005).

    Raises ValueError for no items, or more changes than items."""
    if n < 1 or min(lost, gained) < 0 or lost + gained > n:
        raise ValueError(f"{lost} and {gained} of {n} items")
    b, c, m = lost + 0.5, gained + 0.5, n + 2.0
    middle = (c - b) / m
    half = float(distributions.normal.ppf(0.5 + confidence / 2)) * math.sqrt((b + c) - (c - b) ** 2 / m) / m
    return max(-1.0, middle - half), min(1.0, middle + half)


def accuracy(
    values: Iterable[float],
    *,
    direction: int = 1,
    ties: TieRule = "wrong",
    confidence: float = 0.95,
    observations: Sequence[Hashable] | None = None,
) -> Result:
    """The share of items whose value has the expected sign, as in "Delta > 0 in 51.5 % of the items".

    A success is a value strictly above 0 (`direction` +1) or strictly below it (-1). A value of exactly 0
    is a miss (`ties="wrong"`, the papers' criterion) or leaves the denominator (``"excluded"``). With `observations`
    (a key per item) each distinct one counts once. Details: ``successes``; ``ties``, values of exactly 0; ``tie_rule``;
    ``direction``. Raises ValueError on bad input.
    """
    given = distinct(values, observations)
    data = given.values
    check_probability(confidence, "confidence")
    if direction not in (-1, 1):
        raise ValueError(f"direction must be +1 or -1, not {direction}")
    if ties not in get_args(TieRule):
        raise ValueError(f"ties {ties!r} is none of {', '.join(get_args(TieRule))}")
    successes = int(np.count_nonzero(data * direction > 0))
    tied = int(np.count_nonzero(data == 0))
    n = data.size - (tied if ties == "excluded" else 0)
    notes = list(repetition(given))
    if tied:
        how = "left out" if ties == "excluded" else "counted as misses" if tied > 1 else "counted as a miss"
        notes.append(f"{tied:,} {'value is' if tied == 1 else 'values are'} exactly 0 and {how}.")
    test = "share" if ties == "wrong" else "share, values of 0 left out"
    details = {"successes": successes, "ties": tied, "tie_rule": ties, "direction": direction}
    if n == 0:
        return Result(
            test=test,
            n=0,
            n_given=given.n_given,
            confidence=confidence,
            notes=tuple(notes),
            details=details,
            undefined="every value is exactly 0" if tied else "no items",
            interpretable=False,
        )
    return Result(
        test=test,
        n=n,
        n_given=given.n_given,
        estimate=successes / n,
        confidence=confidence,
        notes=tuple(notes),
        ci=wilson_interval(successes, n, confidence=confidence),
        details=details,
    )


def chi_square_counts(
    successes_first: int, n_first: int, successes_second: int, n_second: int, *, correction: Correction
) -> Result:
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


def chi_square_chance(successes: int, n: int, *, chance: float = 0.5) -> Result:
    """Pearson's chi-square test of a count against what chance gives, one degree of freedom, two-sided.

    The statistic is (successes - n chance)^2 / (n chance (1 - chance)); assumes independent items. Raises ValueError for counts
    that are none, or a chance outside (0, 1).
    """
    _check_share(successes, n)
    if not 0 < chance < 1:
        raise ValueError(f"chance must lie between 0 and 1, not {chance}")
    name = "chi-square against chance"
    if n == 0:
        return Result(test=name, n=0, df=1, interpretable=False, undefined="there are no items")
    statistic = (successes - n * chance) ** 2 / (n * chance * (1 - chance))
    return Result(
        test=name,
        n=n,
        estimate=successes / n,
        statistic=statistic,
        df=1,
        p=float(distributions.chi_square.sf(statistic, 1)),
        details={"successes": successes, "chance": chance},
        interpretable=True,
    )


def fisher_combined(tests: Sequence[Result], *, mixed: bool) -> Result:
    """Fisher's combination of the p of several tests: -2 times the sum of their logarithms against a chi-square of twice as many degrees
    of freedom (Fisher 1932), which takes the tests for independent.

    `mixed` says whether their estimates lie on both sides of the null hypothesis: then a combined p below .05 is 1, and others stay as
    they are. Undefined where a test has no p. Raises ValueError for no tests.
    """
    if not tests:
        raise ValueError("there is no test to combine")
    about: dict[str, Any] = {
        "test": "Fisher's combination",
        "n": max(own.n for own in tests),
        "assumes": ("the tests are independent",),
    }
    ps = [own.p for own in tests]
    if any(p is None for p in ps):
        why = next(own.undefined for own in tests if own.p is None)
        return Result(**about, undefined=why or "a test has no p", interpretable=False)
    # A p that is 0 in 64 bits is as small as can be said.
    statistic = -2 * sum(math.log(max(p, sys.float_info.min)) for p in ps if p is not None)
    p = float(distributions.chi_square.sf(statistic, 2 * len(ps)))
    turned = mixed and p < _TURNED
    notes = ("Directions are mixed, so that a combined p below .05 is set to 1.",) if turned else ()
    return Result(**about, statistic=statistic, df=2 * len(ps), p=1.0 if turned else p, notes=notes)


def chi_square_2x2(table: tuple[tuple[int, int], tuple[int, int]], *, correction: Correction) -> Result:
    """Pearson's chi-square test of a 2x2 table of counts, one degree of freedom.

    `correction` has to be named: ``"yates"`` lowers every |observed - expected| by 0.5 (never below 0),
    ``"none"`` leaves it. Assumes that each item is counted once and that items are independent. The estimate is the
    share of the second row minus that of the first. Details: ``table`` and, where defined, ``expected`` counts. With an
    empty row or column the result is undefined and says so. Raises ValueError for negative or
    fractional counts.
    """
    if correction not in get_args(Correction):
        raise ValueError(f"correction {correction!r} is none of {', '.join(get_args(Correction))}")
    if len(table) != 2 or any(len(row) != 2 for row in table):
        raise ValueError("the table must have two rows and two columns")
    (a, b), (c, d) = ([check_count(cell, "a count") for cell in row] for row in table)
    counts = ((a, b), (c, d))
    n = a + b + c + d
    empty = "row" if 0 in (a + b, c + d) else "column" if 0 in (a + c, b + d) else None
    name = f"chi-square ({'Yates' if correction == 'yates' else 'uncorrected'})"
    if empty:
        return Result(
            test=name,
            n=n,
            df=1,
            details={"table": counts, "expected": None},
            interpretable=False,
            undefined=f"a {empty} of the table is empty, so nothing can be compared",
        )
    found = scipy.stats.chi2_contingency(counts, correction=correction == "yates")
    expected = tuple(tuple(float(cell) for cell in row) for row in found.expected_freq)
    return Result(
        test=name,
        n=n,
        estimate=c / (c + d) - a / (a + b),
        statistic=float(found.statistic),
        df=1,
        p=float(found.pvalue),
        details={"table": counts, "expected": expected},
    )


def _check_share(successes: int, n: int) -> None:
    check_count(successes, "successes")
    check_count(n, "n")
    if successes > n:
        raise ValueError(f"{successes} successes out of {n} items")
