"""Accuracies of batteries of test suites, each suite counting once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from gapsmith.stats.checks import check_probability
from gapsmith.stats.results import Result

_FEW = 10
"""Below this many suites a percentile interval is too narrow (Cameron, Gelbach & Miller 2008)."""


def accuracy_by_group(
    success: Sequence[bool],
    suites: Sequence[str],
    groups: Sequence[str],
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    n_draws: int = 9_999,
) -> tuple[Result, ...]:
    """The accuracy of each group of suites, in the order in which the groups come, with an interval over suites.

    A suite's accuracy is its share of items that succeed; a group's the mean of its suites' (as batteries of test suites report
    theirs), so that a long suite weighs no more than a short one. The suites of a group are a sample of what it could be tested
    with, so they, not the items, are drawn with replacement: the interval is `scipy.stats.bootstrap`'s of percentiles. `n`
    counts suites, the detail ``n_items`` items. Raises ValueError for lists of different lengths and for a suite in two groups.
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
        interval, notes = None, ["One suite has no spread, so there is no interval."]
        if len(members) > 1:
            drawn = stats.bootstrap(
                (shares,), np.mean, method="percentile", n_resamples=n_draws, confidence_level=confidence, rng=rng
            ).confidence_interval
            interval = (float(drawn.low), float(drawn.high))
            notes = [f"{len(members)} suites are few: the interval is too narrow."] if len(members) < _FEW else []
        found.append(
            Result(
                test="mean share of suites",
                group=group,
                estimate=float(shares.mean()),
                ci=interval,
                n=len(members),
                confidence=confidence,
                notes=tuple(notes),
                details={"n_items": sum(len(items[suite]) for suite in members)},
            )
        )
    return tuple(found)
