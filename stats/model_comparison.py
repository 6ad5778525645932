"""Mixed models of the same rows, held against each other: likelihood ratios, AIC and BIC.

Models whose fixed effects differ are compared by full likelihood, all others as they were fitted: restricted likelihoods of different fixed
effects are of different data. A likelihood ratio is of two models of which one is inside the other; where variances are what differs
the test is careful, since none can be below 0 (Stram & Lee 1994). AIC = 2k - 2 log L (Akaike 1974), BIC = k log n - 2 log L (Schwarz
1978) with n the rows, k fixed effects, variances and correlations, and in a linear model the residual variance.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.design import Coding, DoubleBar, Frame
from gapsmith.stats.lmm import Family, RandomTerm
from gapsmith.stats.mixed import PreparedModel
from gapsmith.stats.model_formula import parse_formula

_RANK = 1e-7
"""A column whose part outside of others is shorter than this share of it lies within them."""


@dataclass(frozen=True, slots=True)
class ComparedModel:
    """One of the models; without a fit `undefined` says why, and there are no numbers."""

    formula: str
    parameters: int
    log_likelihood: float | None
    aic: float | None
    bic: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class LikelihoodRatio:
    """A model against a larger one that has it inside; or why there is no test."""

    smaller: int
    larger: int
    """Places among the models."""
    chi_square: float | None
    df: int | None
    p: float | None
    undefined: str | None = None


@dataclass(frozen=True, slots=True)
class FormulaComparison:
    """Models of the same rows, by number of parameters."""

    models: tuple[ComparedModel, ...]
    tests: tuple[LikelihoodRatio, ...]
    """Of each model and the next larger one."""
    criterion: Literal["REML", "ML", "Laplace"]
    """By which likelihood all of them are compared."""
    n: int
    """Rows."""
    variances_differ: bool
    """Whether a test is of a variance, and so careful."""


def compare_mixed(
    formulas: Sequence[str],
    frame: Frame,
    *,
    coding: Coding | Mapping[str, Coding] = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    family: Family = "gaussian",
    double_bar: DoubleBar = "contrasts",
) -> FormulaComparison:
    """Compare the models of the formulas. Raises as `gapsmith.stats.fit_mixed` does, and ValueError for fewer than two, for different responses
    and for formulas whose missing values leave different rows."""
    if len(formulas) < 2:
        raise ValueError("two models are needed to compare")
    models = [PreparedModel.of(parse_formula(formula), frame, coding, levels, family, double_bar) for formula in formulas]
    if len({model.parsed.response.text for model in models}) > 1:
        raise ValueError("the models are of different responses, so their likelihoods cannot be compared")
    if len({model.design.rows for model in models}) > 1:
        raise ValueError(
            "missing values leave the models different rows, so their likelihoods cannot be compared; take the rows without a value in any "
            "of their columns out first"
        )
    first = models[0].design.fixed
    same = all(_within(first, own.design.fixed) and _within(own.design.fixed, first) for own in models)
    reml = family == "gaussian" and same
    n = len(models[0].design.rows)
    found = []
    for model in models:
        fit = model.fit(model.design.random, formula=model.parsed.text, reml=reml, confidence=0.95)
        k = len(fit.coefficients) + _parameters(model.design.random) + (family == "gaussian")
        value = fit.log_likelihood
        own = ComparedModel(
            model.parsed.text,
            k,
            value,
            None if value is None else 2 * k - 2 * value,
            None if value is None else k * math.log(n) - 2 * value,
            fit.undefined,
        )
        found.append((own, model))
    found.sort(key=lambda pair: pair[0].parameters)
    tests = [_ratio(place, *found[place], *found[place + 1]) for place in range(len(found) - 1)]
    differ = any(test.p is not None and not _same_random(found[test.smaller][1], found[test.larger][1]) for test in tests)
    criterion: Literal["REML", "ML", "Laplace"] = "Laplace" if family == "binomial" else "REML" if reml else "ML"
    return FormulaComparison(tuple(own for own, _ in found), tuple(tests), criterion, n, differ)


def _ratio(
    place: int, less: ComparedModel, smaller: PreparedModel, more: ComparedModel, larger: PreparedModel
) -> LikelihoodRatio:
    df = more.parameters - less.parameters
    reason = None
    if less.log_likelihood is None or more.log_likelihood is None:
        reason = "one of the models has no fit"
    elif df == 0:
        reason = "both have as many parameters"
    elif not (_within(smaller.design.fixed, larger.design.fixed) and _random_within(smaller, larger)):
        reason = "neither is inside the other; AIC and BIC compare them"
    if reason is not None or less.log_likelihood is None or more.log_likelihood is None:
        return LikelihoodRatio(place, place + 1, None, None, None, reason)
    chi_square = max(0.0, 2 * (more.log_likelihood - less.log_likelihood))
    return LikelihoodRatio(place, place + 1, chi_square, df, float(distributions.chi_square.sf(chi_square, df)))


def _parameters(random: Sequence[RandomTerm]) -> int:
    return sum(len(term.columns) * (len(term.columns) + 1) // 2 for term in random)


def _within(some: NDArray[np.float64], all_of: NDArray[np.float64]) -> bool:
    """Whether each column is a combination of the others."""
    rest = some - all_of @ np.linalg.lstsq(all_of, some, rcond=None)[0]
    return bool(np.all(np.linalg.norm(rest, axis=0) <= _RANK * np.linalg.norm(some, axis=0)))


def _random_within(smaller: PreparedModel, larger: PreparedModel) -> bool:
    """Whether each random term lies in one of the larger model's."""
    return all(
        any(term.levels == other.levels and _within(term.matrix, other.matrix) for other in larger.design.random)
        for term in smaller.design.random
    )


def _same_random(smaller: PreparedModel, larger: PreparedModel) -> bool:
    return _random_within(smaller, larger) and _random_within(larger, smaller)
