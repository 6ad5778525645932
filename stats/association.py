"""Correlations, and two models compared on the same items."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from stats.checks import as_values, check_probability
from stats.convert import as_result
from stats.results import Result
from stats.ttest import one_sample_t

__all__ = ["ModelComparison", "compare_models", "pearson", "point_biserial", "spearman"]


def pearson(first: Iterable[float], second: Iterable[float], *, confidence: float = 0.95) -> Result:
    """Pearson's correlation of pairs, with Fisher's interval and the t test that it is 0 (two-sided).

    t = r sqrt((n - 2) / (1 - r²)) with n - 2 degrees of freedom; the interval is tanh(atanh r ± z / sqrt(n - 3)) (Fisher 1921).
    Assumes pairs that are independent and jointly normal. Undefined, with the reason, below three pairs or without spread; no
    interval below four pairs. Raises ValueError for columns of different lengths and values that are not finite.
    """
    return _correlation("Pearson correlation", as_values(first), as_values(second), confidence, ranks=False)


def spearman(first: Iterable[float], second: Iterable[float], *, confidence: float = 0.95) -> Result:
    """Spearman's rank correlation, ties at their mean rank, with the interval of Bonett & Wright (2000).

    The interval is tanh(atanh r ± z sqrt((1 + r²/2) / (n - 3))); p is that of t with n - 2 degrees of freedom, an approximation
    that is poor below about ten pairs. Otherwise as `pearson`.
    """
    return _correlation("Spearman correlation", as_values(first), as_values(second), confidence, ranks=True)


def point_biserial(success: Sequence[bool], values: Iterable[float], *, confidence: float = 0.95) -> Result:
    """The correlation of a yes or no (1 or 0) with a number: Pearson's, under the name it has there."""
    codes = np.array([1.0 if own else 0.0 for own in success])
    return _correlation("point-biserial correlation", codes, as_values(values), confidence, ranks=False)


def _correlation(
    test: str, first: NDArray[np.float64], second: NDArray[np.float64], confidence: float, *, ranks: bool
) -> Result:
    check_probability(confidence, "confidence")
    if first.size != second.size:
        raise ValueError(f"{first.size} and {second.size} values are no pairs")
    n = int(first.size)
    if ranks:
        first, second = stats.rankdata(first), stats.rankdata(second)
    reason = None
    if n < 3:
        reason = f"{n} pairs are too few for a correlation"
    elif np.ptp(first) == 0 or np.ptp(second) == 0:
        reason = "one of the two has the same value everywhere"
    if reason:
        return Result(test=test, n=n, undefined=reason, confidence=confidence, interpretable=False)
    r = float(np.clip(stats.pearsonr(first, second).statistic, -1, 1))
    notes = []
    statistic, p = None, 0.0
    if abs(r) < 1:
        statistic = r * math.sqrt((n - 2) / (1 - r * r))
        p = min(1.0, 2 * float(stats.t.sf(abs(statistic), n - 2)))
    else:
        notes.append("The two determine each other, so t is infinite.")
    interval = None
    if n > 3 and abs(r) < 1:
        half = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt((1 + r * r / 2 if ranks else 1) / (n - 3))
        interval = (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
    return Result(
        test=test, estimate=r, ci=interval, statistic=statistic, df=n - 2, p=p, n=n, effect=r, effect_ci=interval,
        confidence=confidence, notes=tuple(notes),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Two models on the items that both have a value for."""

    first: str
    second: str
    n_first_only: int
    """Items that only the first has a value for; left out."""
    n_second_only: int
    difference: Result
    """Paired t test of second minus first, by item."""
    successes: Result
    """McNemar's exact test of the shares of values above 0; the estimate is second minus first."""
    table: tuple[tuple[int, int], tuple[int, int]]
    """Items by success of the first (rows: yes, no) and of the second (columns: yes, no)."""


def compare_models(
    first: str,
    second: str,
    values: tuple[Mapping[str, float], Mapping[str, float]],
    *,
    direction: int = 1,
    alternative: str = "two-sided",
    confidence: float = 0.95,
) -> ModelComparison:
    """Compare the values that two models give to the same items (by the item's key), item by item.

    The difference is second minus first, tested by a paired t. Surprisals of two models are comparable only where both count
    the same text (the same critical region, bits); a difference of contrasts mostly is. A success is a value of the sign of
    `direction`; shares are compared by McNemar's exact test over the items on which the models disagree (McNemar 1947),
    two-sided. Only items with a value from both count; the others are counted. The keys may be those of distinct observations.
    Raises ValueError for a direction other than +1 and -1.
    """
    if direction not in (-1, 1):
        raise ValueError(f"direction must be +1 or -1, not {direction}")
    left, right = values
    shared = [key for key in left if key in right]
    one = as_values([left[key] for key in shared])
    two = as_values([right[key] for key in shared])
    only = (len(left) - len(shared), len(right) - len(shared))
    notes = []
    if any(only):
        notes.append(
            f"{only[0]:,} items have a value from {first} only and {only[1]:,} from {second} only; they are left out."
        )
    paired = as_result(one_sample_t(two - one, alternative=alternative, confidence=confidence), n_undefined=sum(only))
    hits = (one * direction > 0, two * direction > 0)
    counts = [[int(np.count_nonzero((hits[0] == a) & (hits[1] == b))) for b in (True, False)] for a in (True, False)]
    n, lost, gained = len(shared), counts[0][1], counts[1][0]
    undefined = "no items" if n == 0 else None
    mcnemar = Result(
        test="McNemar (exact)", n=n, n_undefined=sum(only), undefined=undefined, confidence=confidence,
        estimate=None if undefined else (gained - lost) / n, interpretable=undefined is None,
        # Where the models never disagree nothing speaks against equal shares.
        p=None if undefined else 1.0 if lost + gained == 0 else float(stats.binomtest(gained, lost + gained).pvalue),
        statistic=None if undefined else float(gained), notes=tuple(notes),
    )  # fmt: skip
    table = ((counts[0][0], counts[0][1]), (counts[1][0], counts[1][1]))
    named = [_renamed(result, f"{second} - {first}", notes) for result in (paired, mcnemar)]
    return ModelComparison(first, second, only[0], only[1], named[0], named[1], table)


def _renamed(result: Result, model: str, notes: Sequence[str]) -> Result:
    test = "paired t test" if result.test == "t test" else result.test
    return replace(result, test=test, model=model, notes=(*notes, *(own for own in result.notes if own not in notes)))
