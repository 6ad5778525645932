"""Spearman's rank correlation over observations that come in groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np
from scipy.stats import rankdata

from gapsmith.stats.results import Result

_LEAST = 3
_RESAMPLES = 2000


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
        drawn = (np.concatenate([blocks[i] for i in rng.integers(len(blocks), size=len(blocks))]) for _ in range(_RESAMPLES))
        values = [value for picked in drawn if (value := _rho(x[picked], y[picked])) is not None]
        tail = (1 - confidence) / 2
        if len(values) > _RESAMPLES / 2:
            low, high = np.quantile(values, [tail, 1 - tail])
            interval = (float(low), float(high))
    return Result(test="Spearman's rho", estimate=rho, ci=interval, n=len(x), n_given=len(blocks), confidence=confidence)


def _rho(x: np.ndarray, y: np.ndarray) -> float | None:
    one, other = rankdata(x), rankdata(y)
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one**2).sum() * (other**2).sum()))
    return None if scale == 0 else float((one * other).sum() / scale)
