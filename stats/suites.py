"""Accuracies of batteries of test suites, each suite counting once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.checks import ROUNDING, check_probability
from gapsmith.stats.results import Result


def accuracy_by_group(
    success: Sequence[bool],
    suites: Sequence[str],
    groups: Sequence[str],
    *,
    confidence: float = 0.95,
) -> tuple[Result, ...]:
    """The accuracy of each group of suites, in the order in which the groups come, with an interval over suites.

    A suite's accuracy is its share of items that succeed; a group's the mean of its suites' (as batteries of test suites report
    theirs), so that a long suite weighs no more than a short one. The suites of a group are a sample of what it could be tested
    with: the interval is Wilson's (1927) with the variance that suites have in the place of that of single answers, and Student's t of
    one degree of freedom fewer than suites, (p - P)^2 = t^2 c P (1 - P) / k with c = s^2 / (p (1 - p)). It lies within 0 and 1. `n` counts
    suites, the detail ``n_items`` items. Suites that are all alike have no interval. Raises ValueError for lists of different lengths and
    for a suite in two groups.
    """
    check_probability(confidence, "confidence")
    if not len(success) == len(suites) == len(groups):
        raise ValueError(f"{len(success)} outcomes, {len(suites)} suites and {len(groups)} groups are not of one length")
    group_of: dict[str, str] = {}
    items: dict[str, list[bool]] = {}
    for outcome, suite, group in zip(success, suites, groups, strict=True):
        if group_of.setdefault(suite, group) != group:
            raise ValueError(f"the suite {suite!r} is in the groups {group_of[suite]!r} and {group!r}")
        items.setdefault(suite, []).append(bool(outcome))
    found = []
    for group in dict.fromkeys(groups):
        members = [suite for suite in items if group_of[suite] == group]
        shares = np.array([np.mean(items[suite]) for suite in members])
        interval, notes = _interval(shares, confidence)
        found.append(
            Result(
                test="mean share of suites",
                group=group,
                estimate=float(shares.mean()),
                ci=interval,
                n=len(members),
                confidence=confidence,
                notes=notes,
                assumes=("suites are a sample of those that a group could be tested with",),
                details={"n_items": sum(len(items[suite]) for suite in members)},
            )
        )
    return tuple(found)


def _interval(shares: NDArray[np.float64], confidence: float) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    k = len(shares)
    if k == 1:
        return None, ("One suite has no spread, so there is no interval.",)
    variance = float(shares.var(ddof=1))
    if variance <= (ROUNDING * float(shares.max())) ** 2:
        return None, (f"The {k} suites have the same share, so there is no spread to make an interval of.",)
    share = float(shares.mean())
    z = float(distributions.t.ppf((1 + confidence) / 2, k - 1)) ** 2 * variance / (share * (1 - share)) / k
    middle, half = (share + z / 2) / (1 + z), math.sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return (max(0.0, middle - half), min(1.0, middle + half)), ()
