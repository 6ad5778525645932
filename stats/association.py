"""How closely two variables go together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.checks import ROUNDING, beyond_computing, check_probability
from gapsmith.stats.results import Result

Coefficient = Literal["pearson", "spearman", "point-biserial"]

_NAMES = {"pearson": "Pearson correlation", "spearman": "Spearman rank correlation", "point-biserial": "point-biserial"}


def _is_rounding(values: NDArray[np.float64]) -> bool:
    """Whether what the values vary by is lost in their last digits."""
    return float(values.std()) <= ROUNDING * float(np.abs(values).max())


def correlation(
    first: Sequence[float],
    second: Sequence[float],
    *,
    kind: Coefficient = "pearson",
    confidence: float = 0.95,
) -> Result:
    """The correlation of two variables over the same observations, two-sided; `estimate` is r, `statistic` its t, `df` n - 2.

    ``point-biserial`` is Pearson's r with a second variable of 0 and 1 (or truth values). Spearman's is Pearson's over ranks,
    ties with their mean rank. The interval of Pearson's r is Fisher's; ranks have none here. Undefined below three observations
    and where a variable does not vary. Raises ValueError for lists of different lengths, for values that are not finite, and for
    a point-biserial whose second variable has other values than 0 and 1.
    """
    check_probability(confidence, "confidence")
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"{x.size} and {y.size} values are not of the same observations")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("a correlation needs finite values")
    if kind == "point-biserial" and not np.isin(y, (0.0, 1.0)).all():
        raise ValueError("the second variable of a point-biserial correlation is 0 or 1")
    n, name = len(x), _NAMES[kind]
    why = None
    if n < 3:
        why = f"{n} observation{'s' if n != 1 else ''}: a correlation needs at least three"
    elif (x == x[0]).all() or (y == y[0]).all():
        why = f"the {'first' if (x == x[0]).all() else 'second'} variable does not vary"
    elif kind != "spearman":
        why = beyond_computing(x) or beyond_computing(y)
        if why is None and (name_of := next((which for which, own in (("first", x), ("second", y)) if _is_rounding(own)), None)):
            why = f"the {name_of} variable varies by no more than rounding"
    if why is not None:
        return Result(test=name, n=n, undefined=why, confidence=confidence, interpretable=False)
    if kind == "spearman":
        found = scipy.stats.spearmanr(x, y)
        r, p = float(found.statistic), float(found.pvalue)
    else:
        simple = scipy.stats.pearsonr(x, y)
        r, p = float(simple.statistic), float(simple.pvalue)
    df = n - 2
    t = math.inf if abs(r) >= 1.0 else r * math.sqrt(df / (1.0 - r * r))
    ci = None
    if kind != "spearman" and n > 3 and abs(r) < 1.0:
        half = float(distributions.normal.ppf((1 + confidence) / 2)) / math.sqrt(n - 3)
        ci = (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
    return Result(
        test=name,
        estimate=r,
        ci=ci,
        statistic=t if math.isfinite(t) else None,
        df=float(df),
        p=p,
        n=n,
        confidence=confidence,
    )
