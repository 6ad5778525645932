"""Two models compared on the same items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

from gapsmith.stats.checks import as_values
from gapsmith.stats.distinct_values import in_key_order
from gapsmith.stats.proportions import paired_difference_interval
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import one_sample_t


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
    values: tuple[Mapping[Any, float], Mapping[Any, float]],
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
    # Not in the order of the items, on which the last digits of sums would depend.
    shared = in_key_order(key for key in left if key in right)
    one = as_values([left[key] for key in shared])
    two = as_values([right[key] for key in shared])
    only = (len(left) - len(shared), len(right) - len(shared))
    notes = []
    if any(only):
        notes.append(f"{only[0]:,} items have a value from {first} only and {only[1]:,} from {second} only; they are left out.")
    paired = replace(
        one_sample_t(two - one, alternative=alternative, confidence=confidence, effect_interval=True),
        n_undefined=sum(only),
    )
    hits = (one * direction > 0, two * direction > 0)
    counts = [[int(np.count_nonzero((hits[0] == a) & (hits[1] == b))) for b in (True, False)] for a in (True, False)]
    n, lost, gained = len(shared), counts[0][1], counts[1][0]
    undefined = "no items" if n == 0 else None
    mcnemar = Result(
        test="McNemar (exact)",
        n=n,
        n_undefined=sum(only),
        undefined=undefined,
        confidence=confidence,
        estimate=None if undefined else (gained - lost) / n,
        ci=None if undefined else paired_difference_interval(lost, gained, n, confidence=confidence),
        interpretable=undefined is None,
        # Where the models never disagree nothing speaks against equal shares.
        p=None if undefined else 1.0 if lost + gained == 0 else float(scipy.stats.binomtest(gained, lost + gained).pvalue),
        statistic=None if undefined else float(gained),
        notes=tuple(notes),
    )
    table = ((counts[0][0], counts[0][1]), (counts[1][0], counts[1][1]))
    named = [_renamed(result, f"{second} - {first}", notes) for result in (paired, mcnemar)]
    return ModelComparison(first, second, only[0], only[1], named[0], named[1], table)


def _renamed(result: Result, model: str, notes: Sequence[str]) -> Result:
    test = "paired t test" if result.test == "t test" else result.test
    return replace(result, test=test, model=model, notes=(*notes, *(note for note in result.notes if note not in notes)))
