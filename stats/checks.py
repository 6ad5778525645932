"""Checks of what callers pass in. Bad input raises ValueError; nothing is dropped, filled in or
reinterpreted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import cast, get_args

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.results import Alternative

ROUNDING = 64 * float(np.finfo(np.float64).eps)
"""A spread this small against the values themselves is rounding error, not variance."""
_LARGEST, _SMALLEST = 1e140, 1e-140
"""Values whose squares, and sums of millions of these, a float64 holds to its full precision."""


def as_values(values: Iterable[float]) -> NDArray[np.float64]:
    """The values as a one-dimensional float64 array.

    Raises ValueError for anything that is not a finite number: undefined values have to be counted and left
    out by the caller, who knows their reasons.
    """
    array = np.asarray(values if isinstance(values, np.ndarray) else list(values))
    if array.size and array.dtype.kind not in "fiu":
        raise ValueError(f"values must be numbers, not {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"values must be one-dimensional, not of shape {array.shape}")
    result: NDArray[np.float64] = array.astype(np.float64)
    if not np.isfinite(result).all():
        position = int(np.flatnonzero(~np.isfinite(result))[0])
        raise ValueError(f"value {position} is {result[position]}; leave undefined values out and count them")
    return result


def beyond_computing(values: NDArray[np.float64]) -> str | None:
    """Why nothing with a square in it can be worked out of these values: their squares, or sums of them, leave what 64 bits hold.
    None where all is well."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest > _LARGEST:
        return f"a value of {largest:.3g} is too large to compute with"
    if 0 < largest < _SMALLEST:
        return f"values of at most {largest:.3g} are too small to compute with"
    return None


def check_alternative(alternative: str) -> Alternative:
    """`alternative` if it is one of the three; ValueError naming them otherwise."""
    known = get_args(Alternative)
    if alternative not in known:
        raise ValueError(f"alternative {alternative!r} is none of {', '.join(known)}")
    return cast("Alternative", alternative)


def check_probability(value: float, name: str) -> float:
    """`value` if it lies strictly between 0 and 1."""
    if not (math.isfinite(value) and 0.0 < value < 1.0):
        raise ValueError(f"{name} must lie between 0 and 1, not {value}")
    return value


def check_count(value: int, name: str) -> int:
    """`value` if it is a whole number of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 0:
        raise ValueError(f"{name} must be a whole number of at least 0, not {value!r}")
    return int(value)
