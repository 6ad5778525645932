"""Bootstrap intervals of a mean, over items or over clusters of items.

Percentile intervals (Efron & Tibshirani 1993). Where items belong together (the suites of a battery, the sentences of a text,
items with one verb), whole clusters are drawn, since items of a cluster are no independent draws (Field & Welsh 2007).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stats.checks import as_values, check_count, check_probability

__all__ = ["BootstrapInterval", "GroupAccuracy", "accuracy_by_group", "bootstrap_mean"]

_CHUNK_CELLS = 1 << 21
"""Draws held at a time, so that memory stays flat at any number of clusters."""
_FEW_CLUSTERS = 10
"""Below this many clusters a percentile interval is too narrow (Cameron, Gelbach & Miller 2008)."""


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """A mean with a bootstrap percentile interval."""

    n: int
    n_clusters: int
    """What was drawn: clusters, or items where each is its own."""
    mean: float | None
    ci: tuple[float, float] | None
    confidence: float
    n_draws: int
    note: str = ""
    reason: str | None = None
    """Why there is no interval."""


def bootstrap_mean(
    values: Iterable[float],
    *,
    rng: np.random.Generator,
    clusters: Sequence[Hashable] | None = None,
    confidence: float = 0.95,
    n_draws: int = 9_999,
) -> BootstrapInterval:
    """The mean of `values` with an interval from `n_draws` samples of as many clusters, drawn with replacement.

    A sample's mean is over all its items, so clusters weigh by their size. Without `clusters` each value is its own. Raises
    ValueError for values that are not finite, and for clusters that are not one per value.
    """
    data = as_values(values)
    check_probability(confidence, "confidence")
    if check_count(n_draws, "n_draws") < 1:
        raise ValueError("n_draws must be at least 1")
    if clusters is not None and len(clusters) != data.size:
        raise ValueError(f"{len(clusters)} clusters for {data.size} values")
    sums, sizes = _by_cluster(data, clusters)
    mean = float(data.mean()) if data.size else None
    if sums.size < 2:
        reason = (
            "no items"
            if not data.size
            else "one cluster has no spread"
            if clusters is not None
            else "one item has no spread"
        )
        return BootstrapInterval(data.size, sums.size, mean, None, confidence, 0, reason=reason)
    means = _drawn_means(sums, sizes, rng, n_draws)
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    few = sums.size < _FEW_CLUSTERS
    what = "clusters" if clusters is not None else "items"
    note = f"{sums.size} {what} are few for a bootstrap: the interval is too narrow." if few else ""
    return BootstrapInterval(data.size, sums.size, mean, (float(low), float(high)), confidence, n_draws, note=note)


def _by_cluster(
    data: NDArray[np.float64], clusters: Sequence[Hashable] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum and size of each cluster."""
    if clusters is None:
        return data, np.ones(data.size, dtype=np.float64)
    index: dict[Hashable, int] = {}
    codes = np.array([index.setdefault(cluster, len(index)) for cluster in clusters], dtype=np.int64)
    sums = np.bincount(codes, weights=data).astype(np.float64)
    return sums, np.bincount(codes).astype(np.float64)


def _drawn_means(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], rng: np.random.Generator, n_draws: int
) -> NDArray[np.float64]:
    rows = max(1, _CHUNK_CELLS // sums.size)
    parts = []
    for start in range(0, n_draws, rows):
        drawn = rng.integers(sums.size, size=(min(rows, n_draws - start), sums.size))
        parts.append(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1))
    return np.concatenate(parts)


@dataclass(frozen=True, slots=True)
class GroupAccuracy:
    """The accuracy of a group of suites: the mean of their shares, each suite counting once."""

    group: str
    n_items: int
    n_suites: int
    accuracy: float
    ci: tuple[float, float] | None
    """Over suites drawn with replacement; None for one suite."""
    confidence: float
    note: str = ""
    reason: str | None = None


def accuracy_by_group(
    success: Sequence[bool],
    suites: Sequence[str],
    groups: Sequence[str],
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    n_draws: int = 9_999,
) -> tuple[GroupAccuracy, ...]:
    """The accuracy of each group of suites, in the order in which the groups come, with an interval over suites.

    A suite's accuracy is its share of items that succeed; a group's the mean of its suites' (as batteries of test suites report
    theirs), so that a long suite weighs no more than a short one. The suites of a group are a sample of what it could be tested
    with, so they, not the items, are drawn. Raises ValueError for lists of different lengths and for a suite in two groups.
    """
    if not len(success) == len(suites) == len(groups):
        raise ValueError(
            f"{len(success)} outcomes, {len(suites)} suites and {len(groups)} groups are not of one length"
        )
    group_of: dict[str, str] = {}
    items: dict[str, list[bool]] = {}
    for outcome, suite, group in zip(success, suites, groups, strict=True):
        if group_of.setdefault(suite, group) != group:
            raise ValueError(f"the suite {suite!r} is in the groups {group_of[suite]!r} and {group!r}")
        items.setdefault(suite, []).append(bool(outcome))
    found = []
    for group in dict.fromkeys(groups):
        own = [suite for suite in items if group_of[suite] == group]
        shares = [float(np.mean(items[suite])) for suite in own]
        interval = bootstrap_mean(shares, rng=rng, confidence=confidence, n_draws=n_draws)
        found.append(
            GroupAccuracy(
                group=group,
                n_items=sum(len(items[suite]) for suite in own),
                n_suites=len(own),
                accuracy=float(np.mean(shares)),
                ci=interval.ci,
                confidence=confidence,
                note=interval.note.replace("items", "suites"),
                reason="one suite has no spread" if len(own) == 1 else None,
            )
        )
    return tuple(found)
