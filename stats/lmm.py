"""Linear and logistic mixed models over ready numeric columns, computed by mixedlm; `lmm_search` searches the linear ones.

mixedlm sees numeric columns only, an intercept among them as a column of ones: how factors become columns is decided here
(`gapsmith.stats.design`), so that the model that is fitted is the one that was written. What it warns of becomes notes of the fit.

Sources: Bates, Mächler, Bolker & Walker (2015) for the fit; Satterthwaite (1946) and Kuznetsova, Brockhoff & Christensen
(2017) for the degrees of freedom.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.checks import beyond_computing, check_probability
from gapsmith.stats.crossing import codes_of
from gapsmith.stats.lmm_search import SINGULAR, Certificate, find_logistic_optimum, find_optimum

if TYPE_CHECKING:
    import pandas as pd

Family = Literal["gaussian", "binomial"]
"""A normal response, or one of 0 and 1 with a logit link."""

_FEW_LEVELS = 5
"""Below this many levels the variance of a random effect is hardly estimated (Bolker 2015)."""
_RANK = 1e-7
"""A column whose part that earlier columns do not explain is shorter than this share of it is aliased; R's tolerance."""
_SEPARATED = 15.0
"""Log-odds beyond this are those of a share of 0 or 1 in any data of ours: three in ten million."""
NOTHING_LEFT = "fixed and random effects reproduce every value, so nothing is left for the residuals"
_EXACT_FIT = 1e-4
"""A residual standard deviation below this share of what the fixed effects leave is rounding error."""
_FAILED = (ValueError, RuntimeError, np.linalg.LinAlgError)
_NO_END = "the search for its variances did not converge; with fewer random terms it may"
_EXACT = 1e-8
"""Residuals shorter than this share of the response mean that the model has nothing left to estimate a variance from."""


@dataclass(frozen=True, slots=True)
class RandomTerm:
    """One random term: the columns whose coefficients vary over the levels of a grouping factor, freely correlated."""

    group: str
    levels: tuple[Hashable, ...]
    """The level of each row."""
    columns: tuple[str, ...]
    matrix: NDArray[np.float64]
    """Shape (rows, columns)."""
    written: str = ""
    """As a formula writes it, with a single bar: ``(0 + filler[who] | item)``."""
    of: tuple[str, ...] = ()
    """The variables whose term of the formula it is, where it stands alone: none for an intercept."""


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A fixed effect. With Satterthwaite's degrees of freedom in a linear model; in a logistic one `df` is None and
    `statistic` is z, `estimate` in log-odds."""

    name: str
    estimate: float
    se: float
    df: float | None
    statistic: float
    p: float
    """Two-sided."""
    ci: tuple[float, float]


@dataclass(frozen=True, slots=True)
class VarianceComponent:
    """The standard deviation of one coefficient over the levels of a grouping factor."""

    group: str
    name: str
    sd: float
    n_levels: int


@dataclass(frozen=True, slots=True)
class RandomCorrelation:
    """The correlation of two coefficients over the levels of a grouping factor; None where one does not vary."""

    group: str
    first: str
    second: str
    value: float | None


@dataclass(frozen=True, slots=True)
class ReductionStep:
    """A random slope that was tried without."""

    term: str
    """``gap:filler by verb``."""
    chi_square: float | None
    """The likelihood ratio's; None where the model could not be fitted with it."""
    df: int
    p: float | None
    kept: bool
    why: str = ""
    """Why nothing was tested."""


@dataclass(frozen=True, slots=True)
class MixedFit:
    """A fitted mixed model. Without a fit `coefficients` is empty and `undefined` says why."""

    formula: str
    family: Family
    reml: bool
    coefficients: tuple[Coefficient, ...]
    variances: tuple[VarianceComponent, ...]
    correlations: tuple[RandomCorrelation, ...]
    residual_sd: float | None
    log_likelihood: float | None
    """Of the restricted likelihood where `reml`; Laplace's approximation for a logistic model."""
    n: int
    """Rows."""
    n_undefined: int
    """Rows left out because something in them is missing."""
    singular: bool
    confidence: float
    notes: tuple[str, ...]
    undefined: str | None = None
    steps: tuple[ReductionStep, ...] = ()
    """How its random slopes were chosen on these data; none where the formula stands as it was written."""
    expanded: str = ""
    """The formula with each random term as it was fitted, where that is not how it was written: ``||`` and ``a/b`` written out."""
    certificate: Certificate | None = None
    """What the derivatives say of where the search ended."""

    def coefficient(self, name: str) -> Coefficient:
        """The fixed effect of that name. Raises KeyError naming those there are."""
        for coefficient in self.coefficients:
            if coefficient.name == name:
                return coefficient
        raise KeyError(f"no coefficient {name!r}; there are {', '.join(c.name for c in self.coefficients) or 'none'}")


def is_nothing(sd: float, residual_sd: float | None) -> bool:
    """Whether a random effect is estimated not to vary, beside residuals that do; without any (logistic), beside 1, their unit."""
    if residual_sd is None:
        return sd <= SINGULAR
    return sd <= SINGULAR * residual_sd


def without_fit(formula: str, why: str) -> MixedFit:
    """What stands in the place of a model that cannot be fitted: nothing but the reason."""
    return MixedFit(formula, "gaussian", True, (), (), (), None, None, 0, 0, False, 0.95, (), why)


def fit_columns(
    response: NDArray[np.float64],
    fixed: NDArray[np.float64],
    fixed_names: Sequence[str],
    random: Sequence[RandomTerm],
    *,
    family: Family = "gaussian",
    reml: bool = True,
    confidence: float = 0.95,
    formula: str = "",
    n_undefined: int = 0,
    notes: Sequence[str] = (),
    weights: NDArray[np.float64] | None = None,
) -> MixedFit:
    """Fit `response` (n,) on the columns of `fixed` (n, p) with random terms.

    In a logistic model `weights` (n,) are the trials of each row, whose share of successes the response then is.

    A fixed column that earlier ones determine is left out, as R does, with a note. Raises ValueError for a grouping factor
    with one level, with one level per row (its effects and the residuals are the same thing), or for more random effects than
    rows.
    """
    check_probability(confidence, "confidence")
    n = response.size
    response, fixed, random, weights = _by_numbers(response, fixed, random, weights)
    said = list(notes)
    for term in random:
        said += _check_group(term, n, family)
    if family == "gaussian":
        _check_columns(random, n)
    beyond = next(filter(None, map(beyond_computing, (response, *fixed.T, *(term.matrix for term in random)))), None)
    kept = list(range(fixed.shape[1])) if beyond else _independent_columns(fixed)
    dropped = [name for position, name in enumerate(fixed_names) if position not in kept]
    if dropped:
        said.append(f"Left out because other columns determine it: {', '.join(dropped)}.")
    names = [fixed_names[position] for position in kept]
    matrix = fixed[:, kept]
    reason = beyond or _nothing_to_fit(response, matrix, random, family)
    shape = _Shape(formula, family, reml and family == "gaussian", n, n_undefined, confidence)
    found: MixedFit | str = reason or ""
    if not reason:
        run = _linear if family == "gaussian" else _logistic
        found = run(response, matrix, names, random, shape, weights, said)
    if isinstance(found, MixedFit):
        return found
    return _unfitted(shape, found, said)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is known of a fit before it is there."""

    formula: str
    family: Family
    reml: bool
    n: int
    n_undefined: int
    confidence: float


def _unfitted(shape: _Shape, why: str, said: Sequence[str]) -> MixedFit:
    return MixedFit(
        formula=shape.formula,
        family=shape.family,
        reml=shape.reml,
        coefficients=(),
        variances=(),
        correlations=(),
        residual_sd=None,
        log_likelihood=None,
        n=shape.n,
        n_undefined=shape.n_undefined,
        singular=False,
        confidence=shape.confidence,
        notes=tuple(said),
        undefined=why,
    )


def _linear(
    response: NDArray[np.float64],
    fixed: NDArray[np.float64],
    names: Sequence[str],
    random: Sequence[RandomTerm],
    shape: _Shape,
    weights: NDArray[np.float64] | None,  # noqa: ARG001 - a linear model has none
    said: list[str],
) -> MixedFit | str:
    """The fit of a linear model, or why there is none."""
    import mixedlm

    table, formula = _table(response, fixed, random)
    try:
        matrices = mixedlm.lFormula(formula, table).matrices
        found = find_optimum(matrices, [len(term.columns) for term in random], reml=shape.reml)
    except _FAILED as error:
        return f"the model could not be fitted: {error}"
    if not np.all(np.isfinite(found.coefficients)):
        return "the fit gave no finite estimates"
    spread = float((response - fixed @ np.linalg.lstsq(fixed, response, rcond=None)[0]).std())
    if found.sigma <= _EXACT_FIT * spread:
        return NOTHING_LEFT
    if not found.converged:
        # Its numbers are where the search happened to stop, and nothing can be tested with them.
        return _NO_END
    return _fit(
        shape,
        _coefficients(names, found.coefficients, found.covariance, list(map(float, found.df)), shape.confidence),
        _components(found.covariances, random),
        residual_sd=found.sigma,
        log_likelihood=-found.deviance / 2,
        singular=found.singular,
        certificate=found.certificate,
        said=said,
    )


def _logistic(
    response: NDArray[np.float64],
    fixed: NDArray[np.float64],
    names: Sequence[str],
    random: Sequence[RandomTerm],
    shape: _Shape,
    weights: NDArray[np.float64] | None,
    said: list[str],
) -> MixedFit | str:
    """The fit of a logistic model, or why there is none; what mixedlm warns of is appended to `said`."""
    import mixedlm

    table, formula = _table(response, fixed, random)
    quiet: dict[str, Any] = {
        "check_nlev_gtreq_5": "ignore",
        "check_singular": False,
        "check_conv": False,
        "check_rankX": "ignore",
        "check_scaleX": "ignore",
    }
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            outcome = mixedlm.glmer(
                formula, table, family=mixedlm.families.Binomial(), weights=weights, control=mixedlm.glmerControl(**quiet)
            )
        except _FAILED as error:
            return f"the model could not be fitted: {error}"
    said += sorted({str(warning.message) for warning in caught})
    if not np.all(np.isfinite(outcome.beta)):
        return "the fit gave no finite estimates"
    if np.any(np.abs(fixed @ np.asarray(outcome.beta)) > _SEPARATED):
        said.append("Some condition is always right or always wrong: its log-odds have no end, and their estimates mean nothing.")
    try:
        found = find_logistic_optimum(outcome, [len(term.columns) for term in random])
    except _FAILED as error:
        return f"the model could not be fitted: {error}"
    if not found.converged:
        return _NO_END
    covariance = np.asarray(outcome.vcov()) if found.covariance is None else found.covariance
    return _fit(
        shape,
        _coefficients(names, found.coefficients, covariance, None, shape.confidence),
        _components(found.covariances, random),
        residual_sd=None,
        # mixedlm's has the constant of the counts.
        log_likelihood=float(outcome.logLik().value) + found.gained / 2,
        singular=found.singular,
        certificate=found.certificate,
        said=said,
    )


def _fit(
    shape: _Shape,
    coefficients: tuple[Coefficient, ...],
    components: tuple[tuple[VarianceComponent, ...], tuple[RandomCorrelation, ...]],
    *,
    residual_sd: float | None,
    log_likelihood: float,
    singular: bool,
    certificate: Certificate | None,
    said: list[str],
) -> MixedFit:
    variances, correlations = components
    if singular:
        zero = [f"{v.name} by {v.group}" for v in variances if is_nothing(v.sd, residual_sd)]
        which = f" ({', '.join(zero)})" if zero else ""
        said.append(f"The fit is singular: a variance is estimated as zero or a correlation as ±1{which}.")
    return MixedFit(
        formula=shape.formula,
        family=shape.family,
        reml=shape.reml,
        coefficients=coefficients,
        variances=variances,
        correlations=correlations,
        residual_sd=residual_sd,
        log_likelihood=log_likelihood,
        n=shape.n,
        n_undefined=shape.n_undefined,
        singular=singular,
        confidence=shape.confidence,
        notes=tuple(dict.fromkeys(said)),
        certificate=certificate,
    )


def _by_numbers(
    response: NDArray[np.float64],
    fixed: NDArray[np.float64],
    random: Sequence[RandomTerm],
    weights: NDArray[np.float64] | None,
) -> tuple[NDArray[np.float64], NDArray[np.float64], tuple[RandomTerm, ...], NDArray[np.float64] | None]:
    """The rows in the order of their numbers, and levels by what stands in their rows: a search that sums in another order stops
    elsewhere in its last digits, so neither the order of a file nor what its items are called may say in which."""
    parts = [response[:, None], fixed, *(term.matrix for term in random)]
    if weights is not None:
        parts.append(weights[:, None])
    alike = np.unique(np.hstack(parts), axis=0, return_inverse=True)[1].reshape(-1)
    ranks = []
    for term in random:
        rows: dict[Hashable, list[int]] = {}
        for level, row in zip(term.levels, alike.tolist(), strict=True):
            rows.setdefault(level, []).append(row)
        ordered = sorted(rows, key=lambda level: (sorted(rows[level]), str(level)))
        rank = {level: number for number, level in enumerate(ordered)}
        ranks.append(np.array([rank[level] for level in term.levels]))
    order = np.lexsort((*reversed(ranks), alike))
    terms = tuple(
        replace(term, levels=tuple(f"{number:09}" for number in own[order].tolist()), matrix=term.matrix[order])
        for term, own in zip(random, ranks, strict=True)
    )
    return response[order], fixed[order], terms, None if weights is None else weights[order]


def _check_group(term: RandomTerm, n: int, family: Family) -> list[str]:
    """What has to be said of a grouping factor; raises where no model can be fitted with it."""
    levels = _n_levels(term)
    if levels < 2:
        raise ValueError(f"the grouping factor {term.group} has one level only; leave it out")
    if family == "gaussian" and levels >= n:
        raise ValueError(
            f"the grouping factor {term.group} has one level per row ({levels:,}): its effects cannot be told from the "
            "residuals; leave it out, or give each level several rows"
        )
    if levels < _FEW_LEVELS:
        return [f"{term.group} has {levels} levels: with fewer than five its variance is hardly estimated."]
    return []


def _check_columns(random: Sequence[RandomTerm], n: int) -> None:
    """Refuse slopes of one group that together are as many as the rows: they and the residuals are the same thing."""
    for group in dict.fromkeys(term.group for term in random):
        own = [term for term in random if term.group == group]
        columns, levels = sum(len(term.columns) for term in own), max(map(_n_levels, own))
        if columns * levels >= n:
            raise ValueError(
                f"{columns} random effects for each of {levels:,} levels of {group} are as many as the {n:,} rows: leave out slopes"
            )


def _n_levels(term: RandomTerm) -> int:
    """Levels that have an effect in any row; one whose columns are all 0 has none."""
    rows = np.any(term.matrix != 0, axis=1)
    return len({level for level, there in zip(term.levels, rows, strict=True) if there})


def _independent_columns(matrix: NDArray[np.float64]) -> list[int]:
    """The columns that are not linear combinations of columns before them."""
    kept: list[int] = []
    basis: list[NDArray[np.float64]] = []
    for position in range(matrix.shape[1]):
        column = matrix[:, position]
        rest = column.copy()
        for _ in range(2):  # a second pass removes what rounding left of the first
            for direction in basis:
                rest -= (direction @ rest) * direction
        length = float(np.linalg.norm(rest))
        if length > _RANK * float(np.linalg.norm(column)):
            kept.append(position)
            basis.append(rest / length)
    return kept


def _nothing_to_fit(
    response: NDArray[np.float64], fixed: NDArray[np.float64], random: Sequence[RandomTerm], family: Family
) -> str | None:
    """Why there is no model to fit, or None."""
    n, columns = fixed.shape
    if columns == 0:
        return "no fixed effect is left"
    if n <= columns:
        return f"{n} rows are too few for {columns} fixed effects"
    if family == "binomial":
        return "every response is the same" if np.all(response == response[0]) else None
    residual = response - fixed @ np.linalg.lstsq(fixed, response, rcond=None)[0]
    size = float(np.linalg.norm(response))
    if float(np.linalg.norm(residual)) <= _EXACT * size:
        return "the fixed effects reproduce every value, so there is no variance to test against"
    intercepts = [term for term in random if len(term.columns) == 1 and np.all(term.matrix == 1)]
    # Random intercepts that reproduce the data leave a residual variance of 0 and no likelihood.
    for term in intercepts:
        codes = codes_of(term.levels)
        sums = np.bincount(codes, weights=residual)
        within = residual - (sums / np.bincount(codes))[codes]
        if float(np.linalg.norm(within)) <= _EXACT * size:
            return f"the values are the same within each level of {term.group}, so nothing is left for the residuals"
    return None


def _table(response: NDArray[np.float64], fixed: NDArray[np.float64], random: Sequence[RandomTerm]) -> tuple[pd.DataFrame, str]:
    """The numeric columns under neutral names, and the formula over them."""
    import pandas as pd

    columns: dict[str, NDArray[Any]] = {"y": response}
    terms = []
    for position in range(fixed.shape[1]):
        columns[f"x{position}"] = fixed[:, position]
        terms.append(f"x{position}")
    for number, term in enumerate(random):
        columns[f"g{number}"] = codes_of(term.levels)
        inner = []
        for position in range(term.matrix.shape[1]):
            columns[f"z{number}_{position}"] = term.matrix[:, position]
            inner.append(f"z{number}_{position}")
        terms.append(f"(0 + {' + '.join(inner)} | g{number})")
    return pd.DataFrame(columns), f"y ~ 0 + {' + '.join(terms)}"


def _coefficients(
    names: Sequence[str],
    estimates: NDArray[np.float64],
    covariance: NDArray[np.float64],
    degrees: Sequence[float] | None,
    confidence: float,
) -> tuple[Coefficient, ...]:
    """Estimates with t tests by these degrees of freedom, or z tests where there are none, as for a logistic model."""
    found = []
    for position, name in enumerate(names):
        df = None if degrees is None else degrees[position]
        estimate = float(estimates[position])
        se = math.sqrt(float(covariance[position, position]))
        share, size = (1 + confidence) / 2, abs(estimate / se)
        quantile = distributions.normal.ppf(share) if df is None else distributions.t.ppf(share, df)
        beyond = distributions.normal.sf(size) if df is None else distributions.t.sf(size, df)
        half = float(quantile) * se
        found.append(
            Coefficient(
                name=name,
                estimate=estimate,
                se=se,
                df=df,
                statistic=estimate / se,
                p=min(1.0, 2 * float(beyond)),
                ci=(estimate - half, estimate + half),
            )
        )
    return tuple(found)


def _components(
    covariances: Sequence[NDArray[np.float64]], random: Sequence[RandomTerm]
) -> tuple[tuple[VarianceComponent, ...], tuple[RandomCorrelation, ...]]:
    """Standard deviations and correlations of the random effects, in the order of the terms."""
    variances, correlations = [], []
    for term, covariance in zip(random, covariances, strict=True):
        sds = np.sqrt(np.clip(np.diag(covariance), 0, None))
        levels = _n_levels(term)
        for position, name in enumerate(term.columns):
            variances.append(VarianceComponent(term.group, name, float(sds[position]), levels))
        for second in range(len(term.columns)):
            for first in range(second):
                both = float(sds[first] * sds[second])
                value = float(covariance[first, second]) / both if both > 0 else None
                correlations.append(RandomCorrelation(term.group, term.columns[first], term.columns[second], value))
    return tuple(variances), tuple(correlations)
