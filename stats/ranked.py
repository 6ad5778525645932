"""Spearman's rank correlation over observations that come in groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.results import Result

_LEAST = 3
_MOST_BLOCKS = 400
"""More groups than this are left out some at a time."""
_ONE = 1e-12
"""A correlation this near to 1 is 1."""
_AT_ONCE = 2_000_000
"""Samples times observations that are ranked at once, which bounds the memory."""

Values = NDArray[np.float64]


def rank_correlation(
    first: Sequence[float],
    second: Sequence[float],
    groups: Sequence[Hashable],
    *,
    confidence: float = 0.95,
) -> Result:
    """Spearman's rho of two values of each observation, ties sharing their mean rank. The sentences of one item are no independent draws, so
    the interval is of Fisher's z with the standard error that leaving out one group after the other gives (jackknife; Efron & Tibshirani
    1993, ch. 11) and Student's t of one degree of freedom fewer than groups. No p.

    The three sequences are of one length. Undefined below three observations and where one of the values never varies; without an interval,
    and a note that says why, where there are fewer than three groups, or rho is 1 or -1."""
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
    interval, notes = _interval(x, y, rho, blocks, confidence)
    return Result(
        test="Spearman's rho", estimate=rho, ci=interval, n=len(x), n_given=len(blocks), confidence=confidence, notes=notes
    )


def _interval(
    x: Values, y: Values, rho: float, blocks: Sequence[NDArray[np.int64]], confidence: float
) -> tuple[tuple[float, float] | None, tuple[str, ...]]:
    """Without each of the blocks, or of as many parts of them as are looked at."""
    if len(blocks) < _LEAST:
        return None, ("Fewer than three groups do not tell how rho varies.",)
    k = min(len(blocks), _MOST_BLOCKS)
    often = np.ones((k, len(x)), dtype=np.int64)
    for number, block in enumerate(blocks):
        often[number % k, block] = 0
    without = _rhos(x, y, often)
    if np.isnan(without).any() or max(abs(rho), float(np.abs(without).max())) >= 1 - _ONE:
        return None, ("Without one of the groups the two never vary, or go together without exception, so there is no interval.",)
    each = np.arctanh(without)
    spread = np.sqrt((k - 1) / k * ((each - each.mean()) ** 2).sum())
    half = float(distributions.t.ppf((1 + confidence) / 2, k - 1)) * float(spread)
    middle = float(np.arctanh(rho))
    return (float(np.tanh(middle - half)), float(np.tanh(middle + half))), ()


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
