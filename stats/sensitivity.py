"""How much a result hangs on a few items: rules for outliers, leaving one out, complete cases."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.checks import as_values
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import one_sample_t

OutlierRule = Literal["sd", "mad", "iqr"]
"""What is far off: by standard deviations from the mean, by scaled median absolute deviations from the median (Leys et al. 2013),
or by interquartile ranges beyond the quartiles (Tukey 1977)."""

_DEFAULT_REACH: Mapping[str, float] = {"sd": 2.5, "mad": 3.0, "iqr": 1.5}
_MAD_SCALE = 1.4826022185056018
"""Makes the median absolute deviation of a normal variable its standard deviation: 1 / Phi^-1(3/4)."""


def outliers(values: Iterable[float], *, rule: OutlierRule = "mad", reach: float | None = None) -> tuple[int, ...]:
    """The positions of the values that lie further off than `reach` (2.5 SD, 3 MAD or 1.5 IQR by default).

    The rule is applied once, not again to what is left. With no spread nothing is an outlier. Quartiles are interpolated
    linearly. Raises ValueError for values that are not finite, an unknown rule, or a reach that is not above 0.
    """
    data = as_values(values)
    if rule not in get_args(OutlierRule):
        raise ValueError(f"rule {rule!r} is none of {', '.join(get_args(OutlierRule))}")
    far = _DEFAULT_REACH[rule] if reach is None else reach
    if not far > 0:
        raise ValueError(f"reach must be above 0, not {far}")
    if data.size < 2:
        return ()
    low, high = _fences(data, rule, far)
    return tuple(int(position) for position in np.flatnonzero((data < low) | (data > high)))


def _fences(data: NDArray[np.float64], rule: str, reach: float) -> tuple[float, float]:
    """What still counts as near."""
    if rule == "iqr":
        lower, upper = (float(quartile) for quartile in np.quantile(data, [0.25, 0.75]))
        spread = upper - lower
    elif rule == "mad":
        lower = upper = float(np.median(data))
        spread = _MAD_SCALE * float(np.median(np.abs(data - lower)))
    else:
        lower = upper = float(data.mean())
        spread = float(data.std(ddof=1))
    if spread == 0:
        return float(data.min()), float(data.max())
    return lower - reach * spread, upper + reach * spread


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """A one-sample t test without each item, or each group of items, in turn."""

    whole: Result
    without: Mapping[Hashable, Result]
    """The test without that item or group, by its name."""
    most: Hashable | None
    """The one whose absence moves the mean furthest; None where no test without one is defined."""
    turns: tuple[Hashable, ...]
    """Those without which p passes to the other side of alpha, or the mean changes its sign."""


def leave_one_out(
    values: Iterable[float],
    names: Sequence[Hashable],
    *,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    observations: Sequence[Hashable] | None = None,
) -> LeaveOneOut:
    """The t test of `values` without each name in turn; items of one name (a verb, a template) leave together.

    Raises ValueError as `one_sample_t` does, and for names that are not one per value.
    """
    data = as_values(values)
    if len(names) != data.size:
        raise ValueError(f"{len(names)} names for {data.size} values")
    whole = one_sample_t(data, alternative=alternative, observations=observations)
    without: dict[Hashable, Result] = {}
    for name in dict.fromkeys(names):
        kept = [position for position, other in enumerate(names) if other != name]
        keys = None if observations is None else [observations[position] for position in kept]
        without[name] = one_sample_t(data[kept], alternative=alternative, observations=keys)
    moved = {
        name: abs(test.estimate - whole.estimate)
        for name, test in without.items()
        if test.estimate is not None and whole.estimate is not None
    }
    turns = tuple(name for name, test in without.items() if _turned(whole, test, alpha))
    return LeaveOneOut(whole, without, max(moved, key=moved.__getitem__) if moved else None, turns)


def _turned(whole: Result, part: Result, alpha: float) -> bool:
    if whole.estimate is None or part.estimate is None or whole.p is None or part.p is None:
        return False
    return (whole.p < alpha) != (part.p < alpha) or whole.estimate * part.estimate < 0


@dataclass(frozen=True, slots=True)
class CompleteCases:
    """The items that have a value in every column."""

    kept: tuple[int, ...]
    """Their positions."""
    n_dropped: int
    lacking: Mapping[str, int]
    """For each column, the items without a value in it; an item may lack several."""


def complete_cases(columns: Mapping[str, Sequence[float | None]]) -> CompleteCases:
    """The items for which every column has a value, so that all tests are over the same ones.

    A value that is None or NaN is missing. Raises ValueError for columns of different lengths.
    """
    if len({len(values) for values in columns.values()}) > 1:
        raise ValueError("the columns are not of one length")
    missing = {name: [value is None or bool(np.isnan(value)) for value in values] for name, values in columns.items()}
    n = len(next(iter(missing.values()), []))
    kept = tuple(position for position in range(n) if not any(gaps[position] for gaps in missing.values()))
    return CompleteCases(kept, n - len(kept), {name: sum(gaps) for name, gaps in missing.items()})
