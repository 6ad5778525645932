"""Arithmetic for parsing many sentences that are alike: what is equal is multiplied once.

The conditions of an item, and the items of a set, share most of their words with the words beside them, so that most rows that
a layer sees have been seen in the same batch. The products go through numpy, whose BLAS is faster than the one of thinc.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from thinc.backends.numpy_ops import NumpyOps

_FEW = 64
"""Of so few rows the product costs less than the comparison."""


class DistinctRowOps(NumpyOps):  # type: ignore[misc]  # thinc has no types
    """thinc's arithmetic on numpy arrays, with another matrix product: the same numbers up to the last bits."""

    def gemm(self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False) -> Any:
        """``x @ y``, either one transposed first where it says so; each distinct row of `x` is multiplied once."""
        left, right = x.T if trans1 else x, y.T if trans2 else y
        found = None if trans1 or len(x) < _FEW else _distinct(x)
        if found is not None:
            first, which = found
            product = (x[first] @ right)[which]
            if out is None:
                return product
            out[...] = product
            return out
        return np.matmul(left, right, out=out)


def _distinct(rows: Any) -> tuple[Any, Any] | None:
    """(where each distinct row stands first, which of them each row is); None where it would not pay."""
    # Rows are told apart by one number each; should two different rows share theirs, nothing is gained and nothing lost.
    weights = np.cos(np.arange(1, rows.shape[1] + 1, dtype=rows.dtype))
    _, first, which = np.unique(rows @ weights, return_index=True, return_inverse=True)
    if len(first) > 0.7 * len(rows) or not np.array_equal(rows[first][which], rows):
        return None
    return first, which
