"""Tests of a centre at 0 that do not assume normal differences: Wilcoxon's signed ranks and sign flips."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import get_args

import numpy as np
import scipy
from numpy.typing import NDArray

from gapsmith.stats.checks import beyond_computing, check_alternative, check_count
from gapsmith.stats.distinct_values import distinct, repetition
from gapsmith.stats.results import Alternative, Result, ZeroRule

EXACT_FLIPS = 32
"""Up to this many items every assignment of signs is counted."""
_EXACT_RANKS = 50
"""Up to this many values other than 0 the distribution of W+ is computed exactly: 2^50 assignments are whole numbers in float64."""
_MOST_EXACT = 44
"""Values whose assignments can be counted: halves of these have 2^22 sums."""
_CHUNK_CELLS = 1 << 21
"""Signs drawn at a time, so that memory stays flat at any number of items."""


def wilcoxon_signed_rank(
    values: Iterable[float],
    *,
    alternative: str = "two-sided",
    zeros: ZeroRule = "wilcox",
    observations: Sequence[Hashable] | None = None,
) -> Result:
    """Wilcoxon's signed-rank test that the values (one per item) are symmetric about 0.

    Exact for up to 50 values other than 0, ties included: the share of the 2^n assignments of signs to these ranks (Streitberg &
    Röhmel 1986). Beyond, the normal approximation with tie correction and a continuity correction of 0.5. `zeros` says what
    happens to values of exactly 0 (Wilcoxon 1945; Pratt 1959). With `observations` (a key per item) each distinct one counts
    once.

    `statistic` is W+, the sum of the ranks of the positive values; `effect` the rank-biserial correlation
    (W+ - W-) / (W+ + W-). Details: ``w_minus``; ``n_used``, the values left once those of exactly 0 were set aside;
    ``method``, exact or normal; ``zeros``. With no value other than 0 the result is undefined. Raises ValueError on bad input.
    """
    given = distinct(values, observations)
    data = given.values
    chosen = check_alternative(alternative)
    if zeros not in get_args(ZeroRule):
        raise ValueError(f"zeros {zeros!r} is none of {', '.join(get_args(ZeroRule))}")
    nonzero = data[data != 0]
    if nonzero.size == 0:
        reason = "no items" if data.size == 0 else "every value is exactly 0"
        return Result(
            test="Wilcoxon signed rank",
            n=data.size,
            n_given=given.n_given,
            alternative=chosen,
            undefined=reason,
            notes=repetition(given),
            interpretable=False,
            details={"w_minus": None, "n_used": 0, "method": "none", "zeros": zeros},
        )
    ranked = data if zeros == "pratt" else nonzero
    ranks = _average_ranks(np.abs(ranked))
    w_plus = float(ranks[ranked > 0].sum())
    w_minus = float(ranks[ranked < 0].sum())
    exact = nonzero.size <= _EXACT_RANKS
    if exact:
        p = _exact_p(ranks[ranked != 0], w_plus, chosen)
    else:
        p = float(scipy.stats.wilcoxon(data, alternative=chosen, zero_method=zeros, correction=True, method="approx").pvalue)
    method = "exact" if exact else "normal"
    return Result(
        test=f"Wilcoxon signed rank ({method})",
        assumes=("observations are independent", "their values lie symmetrically"),
        n=data.size,
        n_given=given.n_given,
        statistic=w_plus,
        p=min(1.0, p),
        effect=(w_plus - w_minus) / (w_plus + w_minus),
        alternative=chosen,
        notes=repetition(given),
        details={"w_minus": w_minus, "n_used": int(nonzero.size), "method": method, "zeros": zeros},
    )


def _average_ranks(sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The place of each from 1 on; what is equal shares the mean of its places."""
    _, place, times = np.unique(sizes, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    shared: NDArray[np.float64] = (last - (times - 1) / 2)[place]
    return shared


def _exact_p(ranks: NDArray[np.float64], w_plus: float, alternative: Alternative) -> float:
    """The share of the assignments of signs to `ranks`, whole or half numbers, whose W+ is at least as extreme."""
    ways = np.ones(1)
    for twice in (2 * ranks).astype(np.int64).tolist():
        ways = np.concatenate([ways, np.zeros(twice)]) + np.concatenate([np.zeros(twice), ways])
    place, total = int(2 * w_plus), float(ways.sum())
    greater, less = float(ways[place:].sum()) / total, float(ways[: place + 1].sum()) / total
    if alternative == "two-sided":
        return 2 * min(greater, less)
    return greater if alternative == "greater" else less


def sign_flip_test(
    values: Iterable[float],
    *,
    rng: np.random.Generator,
    alternative: str = "two-sided",
    n_permutations: int = 9_999,
    exact_up_to: int = EXACT_FLIPS,
    observations: Sequence[Hashable] | None = None,
) -> Result:
    """A permutation test of the mean at 0 that flips the sign of each item's value.

    With at most `exact_up_to` items all 2^n assignments are counted and p is the share at least as
    extreme as the data (the data are one of them): each half of the items has 2^(n/2) sums, and for each sum of one
    half those of the other that reach far enough are counted. Beyond, `n_permutations` assignments are drawn from
    `rng` and p = (extreme + 1) / (n_permutations + 1), which is never 0 (Phipson & Smyth 2010). "Extreme"
    is |mean| for a two-sided test. With `observations` (a key per item) each distinct one counts once.
    Details: ``method``, exact (every assignment) or random; ``n_permutations``, the assignments looked at, the
    observed one not counted where they were drawn.

    Raises ValueError on bad input.
    """
    given = distinct(values, observations)
    data = given.values
    chosen = check_alternative(alternative)
    if check_count(n_permutations, "n_permutations") < 1:
        raise ValueError("n_permutations must be at least 1")
    if not 0 <= check_count(exact_up_to, "exact_up_to") <= _MOST_EXACT:
        raise ValueError(f"exact_up_to must be at most {_MOST_EXACT}, not {exact_up_to}")
    n = data.size
    beyond = beyond_computing(data)
    if n == 0 or beyond is not None:
        return Result(
            test="sign flips",
            n=n,
            n_given=given.n_given,
            alternative=chosen,
            undefined=beyond or "no items",
            interpretable=False,
            details={"method": "none", "n_permutations": 0},
        )
    observed = float(data.sum())
    # Sums that are equal but for the order of addition must count as equal.
    slack = 8 * float(np.finfo(np.float64).eps) * math.sqrt(n) * float(np.abs(data).sum())
    if n <= exact_up_to:
        extreme = _count_every(data, observed, slack, chosen)
        p, method, looked_at = extreme / 2**n, "exact", 2**n
    else:
        extreme = _count_random(data, observed, slack, chosen, n_permutations, rng)
        p, method, looked_at = (extreme + 1) / (n_permutations + 1), "random", n_permutations
    return Result(
        test=f"sign flips ({method})",
        assumes=("observations are independent", "their values lie symmetrically"),
        n=n,
        n_given=given.n_given,
        estimate=observed / n,
        p=p,
        alternative=chosen,
        notes=repetition(given),
        details={"method": method, "n_permutations": looked_at},
    )


def _all_sums(data: NDArray[np.float64]) -> NDArray[np.float64]:
    """The 2^n sums that the assignments of signs give, by doubling."""
    sums = np.zeros(1)
    for value in data:
        sums = np.concatenate([sums - value, sums + value])
    return sums


def _count_every(data: NDArray[np.float64], observed: float, slack: float, alternative: Alternative) -> int:
    """How many of all 2^n assignments are at least as extreme, from the sums of either half of the values."""
    half = data.size // 2
    one, other = _all_sums(data[:half]), np.sort(_all_sums(data[half:]))

    def above(limit: float) -> int:
        """Assignments whose sum is at least `limit`."""
        return int((other.size - np.searchsorted(other, np.sort(limit - one), side="left")).sum())

    def below(limit: float) -> int:
        return int(np.searchsorted(other, np.sort(limit - one), side="right").sum())

    if alternative == "greater":
        return above(observed - slack)
    if alternative == "less":
        return below(observed + slack)
    reach = abs(observed) - slack
    # Where 0 is as extreme as anything every assignment is; else the two sides have nothing in common.
    return int(one.size * other.size) if reach <= 0 else above(reach) + below(-reach)


def _count_random(
    data: NDArray[np.float64],
    observed: float,
    slack: float,
    alternative: Alternative,
    n_permutations: int,
    rng: np.random.Generator,
) -> int:
    """How many of the drawn assignments are at least as extreme; signs come as single bits, in chunks."""
    width = (data.size + 7) // 8
    rows = max(1, _CHUNK_CELLS // data.size)
    total = float(data.sum())
    extreme = 0
    for start in range(0, n_permutations, rows):
        size = min(rows, n_permutations - start)
        packed = np.frombuffer(rng.bytes(size * width), dtype=np.uint8).reshape(size, width)
        kept = np.unpackbits(packed, axis=1, count=data.size)
        extreme += _count_extreme(2 * (kept @ data) - total, observed, slack, alternative)
    return extreme


def _count_extreme(sums: NDArray[np.float64], observed: float, slack: float, alternative: Alternative) -> int:
    if alternative == "greater":
        hits = sums >= observed - slack
    elif alternative == "less":
        hits = sums <= observed + slack
    else:
        hits = np.abs(sums) >= abs(observed) - slack
    return int(np.count_nonzero(hits))
