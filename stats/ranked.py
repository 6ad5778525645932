"""Spearman's rank correlation over observations that come in groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.results import Result

_LEAST = 3
_RESAMPLES = 2000
_AT_ONCE = 2_000_000
"""Samples times observations that are ranked at once, which bounds the memory."""

Values = NDArray[np.float64]


def rank_correlation(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> Result:
    """Spearman's rho of two values of each observation, ties sharing their mean rank, with a percentile interval over 2,000
    resamples of whole groups (Davison & Hinkley 1997, section 3.8): the sentences of one item are no independent draws. No p.

    The three sequences are of one length. Undefined below three observations and where one of the values never varies;
    without an interval where there are fewer than three groups."""
    x, y = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    rho = _rho(x, y) if len(x) >= _LEAST else None
    if rho is None:
        why = "one of the two never varies" if len(x) >= _LEAST else "fewer than three observations"
        return Result(test="Spearman's rho", n=len(x), confidence=confidence, undefined=why)
    members: dict[Hashable, list[int]] = defaultdict(list)
    for position, group in enumerate(groups):
        members[group].append(position)
    blocks = [np.array(positions) for positions in members.values()]
    # Groups in the order of their values: what is drawn is not to depend on the order in which they came.
    blocks.sort(key=lambda block: sorted(zip(x[block].tolist(), y[block].tolist(), strict=True)))
    interval = None
    if len(blocks) >= _LEAST:
        rng = np.random.default_rng(seed)
        often = np.empty((_RESAMPLES, len(x)), dtype=np.int64)
        for row in often:
            drawn = np.bincount(rng.integers(len(blocks), size=len(blocks)), minlength=len(blocks))
            for block, times in zip(blocks, drawn, strict=True):
                row[block] = times
        values = _rhos(x, y, often)
        values = values[~np.isnan(values)]
        tail = (1 - confidence) / 2
        if len(values) > _RESAMPLES / 2:
            low, high = np.quantile(values, [tail, 1 - tail])
            interval = (float(low), float(high))
    return Result(test="Spearman's rho", estimate=rho, ci=interval, n=len(x), n_given=len(blocks), confidence=confidence)


def _rho(x: Values, y: Values) -> float | None:
    (rho,) = _rhos(x, y, np.ones((1, len(x)), dtype=np.int64))
    return None if np.isnan(rho) else float(rho)


def _rhos(x: Values, y: Values, often: NDArray[np.int64]) -> Values:
    """(samples,): rho of each row of `often` (samples, observations), which says how often it has each observation; NaN where one
    of the two never varies in it."""
    found = []
    for part in np.array_split(often, max(1, often.size // _AT_ONCE)):
        one, other = _ranks(x, part), _ranks(y, part)
        n = part.sum(axis=1, keepdims=True)
        one, other = (own - (part * own).sum(axis=1, keepdims=True) / n for own in (one, other))
        scale = np.sqrt((part * one**2).sum(axis=1) * (part * other**2).sum(axis=1))
        found.append(np.where(scale == 0, np.nan, (part * one * other).sum(axis=1) / np.where(scale == 0, 1, scale)))
    return np.concatenate(found)


def _ranks(values: Values, often: NDArray[np.int64]) -> Values:
    """(samples, observations): the rank that each value has in each sample, equal ones sharing their mean rank."""
    order = np.argsort(values, kind="stable")
    distinct, which = np.unique(values, return_inverse=True)
    counts = np.add.reduceat(often[:, order], np.searchsorted(values[order], distinct), axis=1)
    ranks: Values = (counts.cumsum(axis=1) - counts + (counts + 1) / 2)[:, which]
    return ranks
