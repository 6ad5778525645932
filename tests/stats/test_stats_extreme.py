"""Values at the ends of what a computer can hold: a reason, and never a number that is none."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.stats import correlation, fit_mixed, one_sample_t, sign_flip_test
from gapsmith.stats.results import Result


def _mixed(values: Sequence[float]) -> Result:
    groups = [str(n % 3) for n in range(3 * len(values))]
    fit = fit_mixed("y ~ 1 + (1 | g)", {"y": [*values] * 3, "g": groups})
    numbers = [number for own in fit.coefficients for number in (own.estimate, own.se, own.statistic, own.p, *own.ci)]
    assert all(map(math.isfinite, numbers))
    return Result(test="mixed", n=fit.n, p=fit.coefficients[0].p if fit.coefficients else None, undefined=fit.undefined)


TESTS: dict[str, Callable[[Sequence[float]], Result]] = {
    "t": lambda values: one_sample_t(values, effect_interval=True),
    "flips": lambda values: sign_flip_test(values, rng=np.random.default_rng(1)),
    "flips, drawn": lambda values: sign_flip_test([*values] * 9, rng=np.random.default_rng(1), n_permutations=99),
    "correlation": lambda values: correlation(values, range(len(values))),
    "the other way": lambda values: correlation(range(len(values)), values),
    "mixed model": _mixed,
}
EXTREME = {
    "large": ([1e200, 1.1e200, -1e200, 2e200], "too large to compute with"),
    "one of them": ([1e200, 1.0, 2.0, 3.0], "too large to compute with"),
    "the largest": ([1e308, 1.5e308, 1e308, 1.7e308], "too large to compute with"),
    "small": ([1e-300, 2e-300, -1e-300, 3e-300], "too small to compute with"),
    "the smallest": ([5e-324, 1e-323, 0.0, 5e-324], "too small to compute with"),
}


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("values", EXTREME)
def test_what_cannot_be_computed_has_a_reason(values: str, test: str) -> None:
    given_values, why = EXTREME[values]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = TESTS[test](given_values)
    assert found.p is None
    assert why in (found.undefined or "")


@pytest.mark.parametrize("test", TESTS)
def test_a_tiny_value_among_others_is_nothing_special(test: str) -> None:
    assert TESTS[test]([1e-300, 1.0, -2.0, 4.0]).undefined is None


def test_what_varies_by_rounding_only_does_not_correlate() -> None:
    found = correlation([1.0, 1.0 + 1e-15, 1.0, 1.0 + 2e-15], [1.0, 2.0, 3.0, 5.0])
    assert found.undefined == "the first variable varies by no more than rounding"


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_every_number_is_finite_or_has_a_reason(values: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for test in ("t", "flips", "correlation"):
            found = TESTS[test](values)
            numbers = [found.estimate, found.statistic, found.sd, found.p, *(found.ci or ()), *(found.effect_ci or ())]
            assert all(number is None or math.isfinite(number) for number in numbers)
            assert found.undefined is not None or found.p is not None
