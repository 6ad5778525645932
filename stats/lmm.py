"""Linear and logistic mixed models over ready numeric columns, fitted by mixedlm.

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
from scipy import stats

from gapsmith.stats.checks import beyond_computing, check_probability

if TYPE_CHECKING:
    import pandas as pd

Family = Literal["gaussian", "binomial"]
"""A normal response, or one of 0 and 1 with a logit link."""

_FEW_LEVELS = 5
"""Below this many levels the variance of a random effect is hardly estimated (Bolker 2015)."""
_SINGULAR = 1e-4
"""A relative standard deviation below this is on the boundary; lme4's own tolerance."""
_DEVIANCE_STEP = 3e-3
"""Step of the derivatives of a linear model's deviance, in units of each parameter, or of `_LEAST_SCALE` where it is less."""
_LEAST_SCALE = 0.1
_FLAT = 1e-8
"""Curvature below this share of the strongest is none."""
_HESSIAN_STEP = 2e-3
"""Step of the numerical second derivatives, in units of each parameter."""
_RANK = 1e-7
"""A column whose part that earlier columns do not explain is shorter than this share of it is aliased; R's tolerance."""
_SEPARATED = 15.0
"""Log-odds beyond this are those of a share of 0 or 1 in any data of ours: three in ten million."""
_EXACT_FIT = 1e-4
"""A residual standard deviation below this share of what the fixed effects leave is rounding error."""
_SHORT = 2e-4
"""How much of the deviance a search may leave behind: lme4's optimisers differ by as much."""
_PROBES = (0.03, 0.1, 0.3, 1.0)
"""Relative standard deviations that are tried in the place of 0, where the deviance is flat to the first order."""
_STARTS = (0.1, 0.3)
"""Relative standard deviations, without correlations, from which correlated terms are searched again: they can have several optima."""
_RESTARTS = 5
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

    def coefficient(self, name: str) -> Coefficient:
        """The fixed effect of that name. Raises KeyError naming those there are."""
        for coefficient in self.coefficients:
            if coefficient.name == name:
                return coefficient
        raise KeyError(f"no coefficient {name!r}; there are {', '.join(c.name for c in self.coefficients) or 'none'}")


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
    beyond = next(filter(None, map(beyond_computing, (response, *fixed.T, *(term.matrix for term in random)))), None)
    kept = list(range(fixed.shape[1])) if beyond else _independent_columns(fixed)
    dropped = [name for position, name in enumerate(fixed_names) if position not in kept]
    if dropped:
        said.append(f"Left out because other columns determine it: {', '.join(dropped)}.")
    names = [fixed_names[position] for position in kept]
    matrix = fixed[:, kept]
    reason = beyond or _nothing_to_fit(response, matrix, random, family)
    outcome = None if reason else _run(response, matrix, random, family, reml, weights, said)
    if isinstance(outcome, str):
        reason, outcome = outcome, None
    if outcome is not None and not outcome.converged:
        # Its numbers are where the search happened to stop, and nothing can be tested with them.
        reason, outcome = _NO_END, None
    surface: _Surface | None = None
    if outcome is not None and family == "gaussian":
        try:
            ended = _ended(outcome, response, random)
        except _FAILED as error:
            ended, reason = None, f"the model could not be fitted: {error}"
        else:
            reason = None if ended else _NO_END
        outcome, surface = ended or (None, None)
    if outcome is None:
        return MixedFit(
            formula=formula,
            family=family,
            reml=reml and family == "gaussian",
            coefficients=(),
            variances=(),
            correlations=(),
            residual_sd=None,
            log_likelihood=None,
            n=n,
            n_undefined=n_undefined,
            singular=False,
            confidence=confidence,
            notes=tuple(said),
            undefined=reason,
        )
    variances, correlations = _components(outcome, random)
    singular = bool(outcome.isSingular(tol=_SINGULAR))
    if singular:
        zero = [f"{v.name} by {v.group}" for v in variances if v.sd <= _SINGULAR * (_scale(outcome, family))]
        which = f" ({', '.join(zero)})" if zero else ""
        said.append(f"The fit is singular: a variance is estimated as zero or a correlation as ±1{which}.")
    return MixedFit(
        formula=formula,
        family=family,
        reml=reml and family == "gaussian",
        coefficients=_coefficients(outcome, names, surface, confidence),
        variances=variances,
        correlations=correlations,
        residual_sd=float(outcome.sigma) if family == "gaussian" else None,
        log_likelihood=float(outcome.logLik().value),
        n=n,
        n_undefined=n_undefined,
        singular=singular,
        confidence=confidence,
        notes=tuple(dict.fromkeys(said)),
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
    if family == "gaussian":
        if levels >= n:
            raise ValueError(
                f"the grouping factor {term.group} has one level per row ({levels:,}): its effects cannot be told from the "
                "residuals; leave it out, or give each level several rows"
            )
        if levels * len(term.columns) >= n:
            raise ValueError(
                f"{len(term.columns)} random effects for each of {levels:,} levels of {term.group} are as many as the {n:,} "
                "rows: leave out slopes"
            )
    if levels < _FEW_LEVELS:
        return [f"{term.group} has {levels} levels: with fewer than five its variance is hardly estimated."]
    return []


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


def codes_of(levels: Sequence[Hashable]) -> NDArray[np.int64]:
    """Levels as whole numbers from 0, in the order of their text and not of their rows; shape (rows,)."""
    index = {level: number for number, level in enumerate(sorted(dict.fromkeys(levels), key=str))}
    return np.fromiter(map(index.__getitem__, levels), dtype=np.int64, count=len(levels))


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


def _run(
    response: NDArray[np.float64],
    fixed: NDArray[np.float64],
    random: Sequence[RandomTerm],
    family: Family,
    reml: bool,
    weights: NDArray[np.float64] | None,
    said: list[str],
) -> Any:
    """mixedlm's fit, or a sentence saying why there is none; its warnings are appended to `said`."""
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
            if family == "gaussian":
                # Near zero the restart finds the lower of two optima.
                search: dict[str, Any] = {**quiet, "ftol": 1e-12, "gtol": 1e-8, "restart_edge": True}
                outcome: Any = None
                if all(term.matrix.shape[1] == 1 for term in random):
                    # Its default asks for a gradient that rounding denies to thousands of rows, and then goes on for seconds.
                    descent = mixedlm.lmerControl(**search, optimizer="L-BFGS-B", use_analytic_gradient=True)
                    outcome = mixedlm.lmer(formula, table, REML=reml, control=descent)
                if outcome is None or not outcome.converged:
                    outcome = mixedlm.lmer(formula, table, REML=reml, control=mixedlm.lmerControl(**search))
            else:
                outcome = mixedlm.glmer(
                    formula,
                    table,
                    family=mixedlm.families.Binomial(),
                    weights=weights,
                    control=mixedlm.glmerControl(**quiet),
                )
        except _FAILED as error:
            return f"the model could not be fitted: {error}"
    said += sorted({str(warning.message) for warning in caught})
    if not np.all(np.isfinite(outcome.beta)):
        return "the fit gave no finite estimates"
    spread = float((response - fixed @ np.linalg.lstsq(fixed, response, rcond=None)[0]).std())
    if family == "gaussian" and float(outcome.sigma) <= _EXACT_FIT * spread:
        return "fixed and random effects reproduce every value, so nothing is left for the residuals"
    if family == "binomial" and np.any(np.abs(fixed @ np.asarray(outcome.beta)) > _SEPARATED):
        said.append("Some condition is always right or always wrong: its log-odds have no end, and their estimates mean nothing.")
    return outcome


def _scale(outcome: Any, family: Family) -> float:
    return float(outcome.sigma) if family == "gaussian" else 1.0


def _coefficients(outcome: Any, names: Sequence[str], surface: _Surface | None, confidence: float) -> tuple[Coefficient, ...]:
    """Estimates with t tests and Satterthwaite's degrees of freedom, or z tests for a logistic model, which has no `surface`."""
    covariance = _logistic_covariance(outcome) if surface is None else np.asarray(outcome.vcov())
    degrees = [None] * len(names) if surface is None else _satterthwaite(outcome, surface)
    found = []
    for position, (name, df) in enumerate(zip(names, degrees, strict=True)):
        estimate = float(outcome.beta[position])
        se = math.sqrt(float(covariance[position, position]))
        distribution = stats.norm() if df is None else stats.t(df)
        half = float(distribution.ppf((1 + confidence) / 2)) * se
        found.append(
            Coefficient(
                name=name,
                estimate=estimate,
                se=se,
                df=df,
                statistic=estimate / se,
                p=min(1.0, 2 * float(distribution.sf(abs(estimate / se)))),
                ci=(estimate - half, estimate + half),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Surface:
    """The deviance of a linear model around an end of the search, by covariance parameters."""

    here: float
    gradient: NDArray[np.float64]
    hessian: NDArray[np.float64]
    slopes: NDArray[np.float64]
    """Of the logarithm of each coefficient's variance; shape (coefficients, parameters)."""

    def newton(self) -> tuple[NDArray[np.float64], float]:
        """The step to where its quadratic form is least, and by how much that is lower; along what has no curvature there is none."""
        values, vectors, curved = self.axes()
        along = vectors[:, curved].T @ self.gradient
        return -vectors[:, curved] @ (along / values[curved]), float((along**2 / values[curved]).sum() / 2)

    def axes(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Eigenvalues and eigenvectors of the Hessian, and which have curvature: a variance on the boundary has none, and says
        nothing; lmerTest leaves it out as well."""
        values, vectors = np.linalg.eigh(self.hessian)
        return values, vectors, values > _FLAT * max(1.0, float(np.abs(values).max(initial=0.0)))


def _surface(outcome: Any) -> _Surface:
    """By central differences. mixedlm's own take their second derivatives in steps so small that the rounding of a deviance over
    thousands of rows moves them by a few per cent."""
    from mixedlm.estimation.reml import LMMOptimizer

    evaluator = LMMOptimizer(outcome.matrices, REML=outcome.REML)
    theta = np.asarray(outcome.theta, dtype=np.float64)
    steps = _DEVIANCE_STEP * np.maximum(np.abs(theta), _LEAST_SCALE)

    def at(*moves: tuple[int, int]) -> tuple[float, NDArray[np.float64]]:
        """The deviance, and the logarithm of each coefficient's variance, some steps away."""
        point = theta.copy()
        for position, sign in moves:
            point[position] += sign * steps[position]
        core = evaluator._evaluate_core(point)
        if core is None:
            raise ValueError("near the end of the search the variances of the estimates cannot be computed")
        variance = np.diag(np.linalg.inv(core.fixed_information)) * core.sigma**2
        return float(core.deviance), np.log(variance)

    here = at()[0]
    gradient = np.zeros(theta.size)
    hessian = np.zeros((theta.size, theta.size))
    slopes = np.zeros((outcome.matrices.n_fixed, theta.size))
    for i in range(theta.size):
        (up, above), (down, below) = at((i, 1)), at((i, -1))
        gradient[i] = (up - down) / (2 * steps[i])
        hessian[i, i] = (up - 2 * here + down) / steps[i] ** 2
        slopes[:, i] = (above - below) / (2 * steps[i])
        for j in range(i):
            corners = sum(a * b * at((i, a), (j, b))[0] for a in (1, -1) for b in (1, -1))
            hessian[i, j] = hessian[j, i] = corners / (4 * steps[i] * steps[j])
    return _Surface(here, gradient, hessian, slopes)


def _ended(outcome: Any, response: NDArray[np.float64], random: Sequence[RandomTerm]) -> tuple[Any, _Surface] | None:
    """The fit where no step is known that lowers the deviance: neither Newton's nor one away from a variance of 0. The search goes
    on from such steps; None where it does not end."""
    if any(len(term.columns) > 1 for term in random):
        starts = [_without_correlations(random, sd) for sd in _STARTS]
        # The first is kept where another is lower by rounding only.
        others = [
            own for own in (outcome.refit(response, start=start) for start in starts) if own.deviance < outcome.deviance - _SHORT
        ]
        outcome = min(others, key=lambda own: float(own.deviance), default=outcome)
    for _ in range(_RESTARTS):
        surface = _surface(outcome)
        lower = _lower_point(outcome, surface, random)
        if lower is None:
            return outcome, surface
        outcome = outcome.refit(response, start=lower)
    return None


def _lower_point(outcome: Any, surface: _Surface, random: Sequence[RandomTerm]) -> NDArray[np.float64] | None:
    """Parameters at which the deviance is lower than at the end of the search, by more than may be left behind."""
    from mixedlm.estimation.reml import LMMOptimizer

    evaluator = LMMOptimizer(outcome.matrices, REML=outcome.REML)
    theta = np.asarray(outcome.theta, dtype=np.float64)
    scales = _scales(random)
    points = []
    step, gain = surface.newton()
    if gain > _SHORT:
        moved = theta + step
        moved[scales] = np.maximum(moved[scales], 0.0)
        points.append(moved)
    points += _off_the_boundary(theta, random)
    found = [(float(evaluator.objective(point)), number) for number, point in enumerate(points)]
    least = min(found, default=(math.inf, 0))
    return points[least[1]] if least[0] < surface.here - _SHORT else None


def _off_the_boundary(theta: NDArray[np.float64], random: Sequence[RandomTerm]) -> list[NDArray[np.float64]]:
    """Points at which what does not vary varies a little, by itself or with what varies. That a factor has a 0 in its diagonal bounds
    it in one direction only by how it is written, so it is the covariance that is moved."""
    points, before = [], 0
    for term in random:
        size = len(term.columns)
        own = slice(before, before + size * (size + 1) // 2)
        before = own.stop
        factor = np.zeros((size, size))
        factor[np.tril_indices(size)] = theta[own]
        values, vectors = np.linalg.eigh(factor @ factor.T)
        for still in np.flatnonzero(values <= _SINGULAR**2):
            towards = [np.zeros(size)]
            towards += [
                sign * vectors[:, j] * math.sqrt(values[j]) for j in np.flatnonzero(values > _SINGULAR**2) for sign in (1, -1)
            ]
            for probe in _PROBES:
                for along in towards:
                    # One more column of the factor's: by itself, or turned into one that is there.
                    step = probe * vectors[:, still]
                    moved = factor @ factor.T + np.outer(step, step) + np.outer(step, along) + np.outer(along, step)
                    points.append(theta.copy())
                    points[-1][own] = np.linalg.cholesky(moved + np.eye(size) * _SINGULAR**2)[np.tril_indices(size)]
    return points


def _without_correlations(random: Sequence[RandomTerm], sd: float) -> NDArray[np.float64]:
    """Covariance parameters where all relative standard deviations are that one."""
    start = np.zeros(sum(len(term.columns) * (len(term.columns) + 1) // 2 for term in random))
    start[_scales(random)] = sd
    return start


def _scales(random: Sequence[RandomTerm]) -> list[int]:
    """The places of the relative standard deviations among the covariance parameters, the lower triangles of each term's
    factor row by row."""
    found, before = [], 0
    for term in random:
        size = len(term.columns)
        found += [before + row * (row + 1) // 2 + row for row in range(size)]
        before += size * (size + 1) // 2
    return found


def _satterthwaite(outcome: Any, surface: _Surface) -> list[float]:
    """The degrees of freedom of each coefficient: 2 / (d'Ad + 2/m), where d is the gradient of the logarithm of its variance
    by the covariance parameters, A their covariance, and m = n - p for restricted likelihood, n for full."""
    left = outcome.matrices.n_obs - (outcome.matrices.n_fixed if outcome.REML else 0)
    most = outcome.matrices.n_obs - outcome.matrices.n_fixed
    values, vectors, curved = surface.axes()
    spread = (surface.slopes @ vectors[:, curved]) ** 2 @ (2 / values[curved])
    return [float(df) for df in np.minimum(2 / (spread + 2 / left), most)]


def _logistic_covariance(outcome: Any) -> NDArray[np.float64]:
    """The covariance of the fixed effects from the curvature of the deviance over all parameters, as lme4 takes it.

    Twice the inverse of the Hessian over covariance parameters and coefficients together, so that the uncertainty of the
    variances counts. A variance on the boundary has no curvature and is held there.
    """
    from mixedlm.estimation.joint_glmm import JointGLMMObjective

    objective = JointGLMMObjective(outcome.matrices, outcome.family, pirls_tol=1e-10)
    centre = np.concatenate([outcome.theta, outcome.beta])
    steps = _HESSIAN_STEP * objective.parameter_scale(outcome.theta)
    free = [
        position
        for position, (low, _) in enumerate(objective.bounds)
        if low is None or not math.isfinite(low) or centre[position] > low + 2 * steps[position]
    ]

    def deviance(*moves: tuple[int, int]) -> float:
        point = centre.copy()
        for position, sign in moves:
            point[position] += sign * steps[position]
        return objective(point)

    here = deviance()
    hessian = np.zeros((len(free), len(free)))
    for row, i in enumerate(free):
        hessian[row, row] = (deviance((i, 1)) - 2 * here + deviance((i, -1))) / steps[i] ** 2
        for column, j in enumerate(free[:row]):
            corners = sum(a * b * deviance((i, a), (j, b)) for a in (1, -1) for b in (1, -1))
            hessian[row, column] = hessian[column, row] = corners / (4 * steps[i] * steps[j])
    fixed = [free.index(position) for position in range(len(outcome.theta), centre.size)]
    if np.all(np.isfinite(hessian)) and float(np.linalg.eigvalsh(hessian).min()) > 0:
        inverse = 2 * np.linalg.inv(hessian)
        return np.asarray(inverse[np.ix_(fixed, fixed)])
    return np.asarray(outcome.vcov())


def _components(
    outcome: Any, random: Sequence[RandomTerm]
) -> tuple[tuple[VarianceComponent, ...], tuple[RandomCorrelation, ...]]:
    """Standard deviations and correlations of the random effects, in the order of the terms."""
    variances, correlations = [], []
    components = outcome.VarCorr()
    for number, term in enumerate(random):
        covariance = np.atleast_2d(np.asarray(components.get_cov(f"g{number}"), dtype=np.float64))
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
