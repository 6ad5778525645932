"""Where the deviance of a linear mixed model is least, with a certificate that nothing near is lower.

The deviance is that of Bates, Mächler, Bolker & Walker (2015), profiled over fixed effects and residual variance, with its exact
gradient, both by mixedlm; its parameters are, for each random term, the lower triangle of a factor of the covariance relative to
the residual variance, row by row. Where a covariance is of less than full rank (a variance of 0, a correlation of ±1) no derivative by its
factor tells whether more variance would be likelier, since the factor bounds it by how it is written; the derivative by the
covariance itself does, and the search does not end while it is negative in any direction.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

Floats = NDArray[np.float64]

SINGULAR = 1e-4
"""A relative standard deviation below this is on the boundary; lme4's own tolerance."""
_GRADIENT_STEP, _VARIANCE_STEP = 1e-4, 3e-3
"""Steps of central differences of the gradient, and of the coefficients' variances, in units of each parameter, or of `_LEAST_SCALE`
where it is less."""
_LEAST_SCALE = 0.1
_FLAT = 1e-8
"""Curvature below this share of the strongest is none."""
_OFF = 1e-5
"""A relative standard deviation at which the derivative by a variance of 0 is taken."""
_LOWER = 1e-7
"""A deviance that is lower by more than this is worth going on for."""
_SHORT = 2e-4
"""How much of the deviance a search may leave behind: 1e-4 of the log-likelihood."""
_STEPS = tuple(10.0**power for power in np.arange(-4, 0.6, 0.5))
"""Relative standard deviations that are tried in the place of 0."""
_STARTS = (0.03, 0.1, 0.3, 1.0)
"""Relative standard deviations, without correlations, from which it is searched too: there can be several optima."""
_FEW_STARTS = (0.1,)
"""Where nothing is correlated."""
_ALONE, _BESIDE = (0.1, 0.3, 1.0), 0.03
"""Relative standard deviations of one term, and of the others beside it, from the lowest `_LOWEST` of which it is searched as well: one of two
optima often is that one term varies, and the other that another one does."""
_LOWEST = 3
_ROUNDS = 50
_LAPLACE_STEP = 2e-3
"""Step of the second differences of a logistic model's deviance, in units of each parameter."""
_MODE_TOLERANCE, _MODE_ROUNDS = 1e-10, 200
"""When the search for the mode of the random effects ends: steps shorter than this, and at most so many."""
_SMALL_VARIANCE = 1e-3
"""A variance at which the slope of a logistic model's deviance by one of 0 is taken."""
_POLISH = 4
_SHARES = (1.0, 0.3, 0.1, 0.01)
"""Of Newton's step, which may lead too far."""
_SEARCH: Any = {"ftol": 1e-14, "gtol": 1e-9, "maxiter": 2_000, "maxfun": 20_000}
_LAPLACE_SEARCH: Any = {**_SEARCH, "maxiter": 200}


@dataclass(frozen=True, slots=True)
class Certificate:
    """The derivatives of the deviance where the search ended."""

    gradient: float
    """The largest by a relative standard deviation or another entry of a covariance's factor, times its size: 0 at a minimum."""
    at_zero: float | None
    """The least by a variance that is estimated as 0, in units of the residual variance and over all directions that do not vary: not
    below 0 at a minimum. None where there is none."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """What is estimated where the deviance is least."""

    covariances: tuple[Floats, ...]
    """Of each random term; shape (columns, columns)."""
    coefficients: Floats
    covariance: Floats
    """Of the coefficients; shape (columns, columns)."""
    df: Floats
    """Satterthwaite's, one for each coefficient."""
    sigma: float
    """The residual standard deviation."""
    deviance: float
    singular: bool
    certificate: Certificate
    converged: bool
    """Whether no step is known that lowers the deviance by more than `_SHORT`."""


def find_optimum(matrices: Any, sizes: Sequence[int], *, reml: bool) -> Optimum:
    """Search the deviance of mixedlm's `matrices`, whose random terms have so many columns. Raises ValueError or RuntimeError where
    the deviance cannot be computed."""
    return _Deviance(matrices, sizes, reml).optimum()


@dataclass(frozen=True, slots=True)
class LogisticOptimum:
    """What is estimated where Laplace's deviance of a logistic model is least."""

    covariances: tuple[Floats, ...]
    """Of each random term; shape (columns, columns)."""
    coefficients: Floats
    covariance: NDArray[Any] | None
    """Of the coefficients, by the curvature over all parameters; None where that says nothing."""
    gained: float
    """By how much the deviance is lower than where mixedlm's search ended."""
    singular: bool
    certificate: Certificate
    converged: bool


def find_logistic_optimum(outcome: Any, sizes: Sequence[int]) -> LogisticOptimum:
    """Go on from where mixedlm's search of a logistic model ended, and, where coefficients are correlated, from other starts."""
    return _LogisticDeviance(outcome, sizes).optimum()


@dataclass(frozen=True, slots=True)
class _Surface:
    """The deviance around a place, by covariance parameters."""

    gradient: Floats
    hessian: Floats
    scale: Floats
    """The size of each parameter, or `_LEAST_SCALE`."""

    def axes(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Eigenvalues and eigenvectors of the Hessian, and which have curvature: what is on the boundary has none, and says nothing;
        lmerTest leaves it out as well."""
        values, vectors = np.linalg.eigh(self.hessian)
        return values, vectors, values > _FLAT * max(1.0, float(np.abs(values).max(initial=0.0)))

    def newton(self) -> tuple[Floats, float]:
        """The step to where its quadratic form is least, and by how much that is lower; along what has no curvature there is none."""
        values, vectors, curved = self.axes()
        along = vectors[:, curved].T @ self.gradient
        return -vectors[:, curved] @ (along / values[curved]), float((along**2 / values[curved]).sum() / 2)


class _Covariances(ABC):
    """The covariances of random terms as the numbers that are searched: the lower triangle of a factor of each, row by row."""

    def __init__(self, sizes: Sequence[int]) -> None:
        ends = np.cumsum([size * (size + 1) // 2 for size in sizes]).tolist()
        self.terms = [(size, slice(end - size * (size + 1) // 2, end)) for size, end in zip(sizes, ends, strict=True)]
        self.scales = [own.start + row * (row + 1) // 2 + row for size, own in self.terms for row in range(size)]
        """The places of the factors' diagonals."""
        self.n = int(ends[-1])
        self._bounds: list[tuple[float | None, None]] = [(None, None)] * self.n
        for place in self.scales:
            self._bounds[place] = (0.0, None)

    def _allowed(self, theta: Floats) -> Floats:
        theta = theta.copy()
        theta[self.scales] = np.maximum(theta[self.scales], 0.0)
        return theta

    def _factor(self, theta: Floats, size: int, own: slice) -> Floats:
        factor = np.zeros((size, size))
        factor[np.tril_indices(size)] = theta[own]
        return factor

    def _still(self, theta: Floats) -> list[tuple[slice, Floats, Floats, Floats]]:
        """Of each term that has directions without variance: its place, its covariance, these directions and those that vary, times
        their standard deviations; shapes (size, directions)."""
        found = []
        for size, own in self.terms:
            factor = self._factor(theta, size, own)
            values, vectors = np.linalg.eigh(factor @ factor.T)
            still = values <= SINGULAR**2
            if np.any(still):
                found.append((own, factor @ factor.T, vectors[:, still], vectors[:, ~still] * np.sqrt(values[~still])))
        return found

    def _with(self, theta: Floats, own: slice, covariance: Floats) -> Floats:
        moved = theta.copy()
        size = len(covariance)
        moved[own] = np.linalg.cholesky(covariance + np.eye(size) * (_OFF / 10) ** 2)[np.tril_indices(size)]
        return moved

    def _off_the_boundary(self, theta: Floats) -> list[Floats]:
        """Places at which what does not vary varies, a little or much, by itself or turning what varies towards it."""
        points = []
        for own, covariance, still, varying in self._still(theta):
            ways = list(still.T)
            if len(ways) > 1:
                ways.insert(0, self._by_variance(theta, own, covariance, still)[1])
            towards = [np.zeros(len(covariance)), *varying.T, *-varying.T]
            for direction in ways:
                for step in (sd * direction for sd in _STEPS):
                    for along in towards:
                        turned = np.outer(along + step, along + step) - np.outer(along, along)
                        points.append(self._with(theta, own, covariance + turned))
        return points

    def _one_alone(self) -> list[Floats]:
        """Places at which one term varies, and the others hardly do."""
        found = []
        for size, own in self.terms if len(self.terms) > 1 else ():
            for sd in _ALONE:
                place = self._without_correlations(_BESIDE)
                place[own] = (sd * np.eye(size))[np.tril_indices(size)]
                found.append(place)
        return found

    def _exchanged(self, theta: Floats) -> list[Floats]:
        """Places at which a term that does not vary does so in the place of another one."""
        varies = [bool(np.any(np.abs(theta[own]) > SINGULAR)) for _, own in self.terms]
        found = []
        for (size, own), still in zip(self.terms, varies, strict=True):
            for (_, other), varying in zip(self.terms, varies, strict=True):
                for sd in _ALONE if varying and not still else ():
                    place = theta.copy()
                    place[other] = 0.0
                    place[own] = (sd * np.eye(size))[np.tril_indices(size)]
                    found.append(place)
        return found

    @abstractmethod
    def _by_variance(self, theta: Floats, own: slice, covariance: Floats, still: Floats) -> tuple[float, Floats]:
        """The least derivative of the deviance by the variance in a direction that does not vary, and that direction."""

    def _without_correlations(self, sd: float) -> Floats:
        start = np.zeros(self.n)
        start[self.scales] = sd
        return start


class _Deviance(_Covariances):
    """The deviance of a linear model."""

    def __init__(self, matrices: Any, sizes: Sequence[int], reml: bool) -> None:
        from mixedlm.estimation.reml import LMMOptimizer

        super().__init__(sizes)
        self.matrices, self.reml = matrices, reml
        self._evaluator = LMMOptimizer(matrices, REML=reml)
        value, gradient = self._evaluator._optimization_functions("L-BFGS-B", use_analytic_gradient=True)
        if gradient is None:
            raise RuntimeError("this build of mixedlm has no exact gradient; install its wheel")
        self._value: Callable[[Floats], float] = value
        # Without the gradient, which costs several times as much where there are dozens of variances.
        self._height: Callable[[Floats], float] = self._evaluator.objective
        self._gradient: Callable[[Floats], Any] = gradient

    def optimum(self) -> Optimum:
        """Search from each start, and on from wherever something lower is known."""
        starts = [np.asarray(self._evaluator.get_start_theta(), dtype=np.float64)]
        correlated = any(size > 1 for size, _ in self.terms)
        starts += [self._without_correlations(sd) for sd in (_STARTS if correlated else _FEW_STARTS)]
        starts += sorted(self._one_alone(), key=self._height)[:_LOWEST]
        theta = min((self._descend(start) for start in starts), key=self._height)
        converged, surface = False, None
        for _ in range(_ROUNDS):
            gain, lower = self._lower(theta, self._off_the_boundary(theta))
            if gain <= _LOWER:
                gain, lower = self._lower(
                    theta, list(map(self._descend, sorted(self._exchanged(theta), key=self._height)[:_LOWEST]))
                )
            if gain <= _LOWER:
                theta, surface = self._polished(theta)
                step, expected = surface.newton()
                gain, lower = self._lower(theta, [self._allowed(theta + share * step) for share in _SHARES])
                converged = max(gain, expected) <= _SHORT
            if gain <= _LOWER or lower is None:
                break
            theta, surface = self._descend(lower), None
        return self._described(theta, surface or self._surface(theta), converged=converged)

    def _descend(self, start: Floats) -> Floats:
        found = scipy.optimize.minimize(
            self._value, start, jac=self._gradient, method="L-BFGS-B", bounds=self._bounds, options=_SEARCH
        )
        theta = np.asarray(found.x, dtype=np.float64)
        if not (np.all(np.isfinite(theta)) and math.isfinite(self._value(theta))):
            raise ValueError("the search for its variances left what can be computed")
        return theta

    def _polished(self, theta: Floats) -> tuple[Floats, _Surface]:
        """A few of Newton's steps, where they lower the deviance or, within rounding, its derivatives."""
        surface = self._surface(theta)
        for _ in range(_POLISH):
            step, gain = surface.newton()
            moved = self._allowed(theta + step)
            if gain < 1e-12 or self._height(moved) > self._height(theta) + 1e-9:
                break
            there = self._surface(moved)
            if there.newton()[1] >= gain:
                break
            theta, surface = moved, there
        return theta, surface

    def _lower(self, theta: Floats, points: Sequence[Floats]) -> tuple[float, Floats | None]:
        """By how much one of the places is lower than this one, and that place; better still, all that are lower at once."""
        here = self._height(theta)
        values = [self._height(point) for point in points]
        place = min(range(len(points)), key=values.__getitem__, default=None)
        if place is None or values[place] >= here:
            return 0.0, None
        together = theta.copy()
        for number in sorted((at for at, value in enumerate(values) if value < here - _LOWER), key=lambda at: -values[at]):
            changed = points[number] != theta
            together[changed] = points[number][changed]
        value = self._height(together)
        return (here - value, together) if value < values[place] else (here - values[place], points[place])

    def _surface(self, theta: Floats) -> _Surface:
        scale = np.maximum(np.abs(theta), _LEAST_SCALE)
        hessian = np.empty((theta.size, theta.size))
        for i, step in enumerate(_GRADIENT_STEP * scale):
            moved = theta.copy()
            moved[i] += step
            above = np.asarray(self._gradient(moved))
            moved[i] -= 2 * step
            hessian[i] = (above - np.asarray(self._gradient(moved))) / (2 * step)
        return _Surface(np.array(self._gradient(theta)), (hessian + hessian.T) / 2, scale)

    def _by_variance(self, theta: Floats, own: slice, covariance: Floats, still: Floats) -> tuple[float, Floats]:
        """The least derivative of the deviance by the variance in a direction that does not vary, and that direction.

        Of the derivative by the whole covariance, G, the gradient by its factor L is the lower triangle of 2 G L; a little off the
        boundary L has an inverse, and G follows column by column from the last.
        """
        moved = self._with(theta, own, covariance + _OFF**2 * still @ still.T)
        size = len(covariance)
        factor = self._factor(moved, size, own)
        triangle = self._factor(np.asarray(self._gradient(moved)), size, own) / 2
        by_covariance = np.zeros((size, size))
        for column in reversed(range(size)):
            for row in reversed(range(column, size)):
                known = float(by_covariance[row, column + 1 :] @ factor[column + 1 :, column])
                value = (triangle[row, column] - known) / factor[column, column]
                by_covariance[row, column] = by_covariance[column, row] = value
        values, vectors = np.linalg.eigh(still.T @ by_covariance @ still)
        return float(values[0]), still @ vectors[:, 0]

    def _described(self, theta: Floats, surface: _Surface, *, converged: bool) -> Optimum:
        core = self._evaluator._final_evaluation(theta)
        at_zero = [self._by_variance(theta, own, full, still)[0] for own, full, still, _ in self._still(theta)]
        sigma = float(core.sigma)
        factors = [self._factor(theta, size, own) * sigma for size, own in self.terms]
        return Optimum(
            covariances=tuple(factor @ factor.T for factor in factors),
            coefficients=np.asarray(core.beta),
            covariance=np.linalg.inv(core.fixed_information) * sigma**2,
            df=self._satterthwaite(theta, surface),
            sigma=sigma,
            deviance=float(core.deviance),
            singular=bool(np.any(theta[self.scales] < SINGULAR)),
            certificate=Certificate(float(np.abs(surface.gradient * surface.scale).max()), min(at_zero, default=None)),
            converged=converged,
        )

    def _satterthwaite(self, theta: Floats, surface: _Surface) -> Floats:
        """2 / (d'Ad + 2/m), where d is the gradient of the logarithm of a coefficient's variance by the covariance parameters, A their
        covariance, and m = n - p for restricted likelihood, n for full."""
        most = self.matrices.n_obs - self.matrices.n_fixed
        left = most if self.reml else self.matrices.n_obs
        slopes = np.empty((self.matrices.n_fixed, theta.size))
        for i, step in enumerate(_VARIANCE_STEP * surface.scale):
            moved = theta.copy()
            moved[i] += step
            above = self._log_variances(moved)
            moved[i] -= 2 * step
            slopes[:, i] = (above - self._log_variances(moved)) / (2 * step)
        values, vectors, curved = surface.axes()
        spread = (slopes @ vectors[:, curved]) ** 2 @ (2 / values[curved])
        return np.asarray(np.minimum(2 / (spread + 2 / left), most), dtype=np.float64)

    def _log_variances(self, theta: Floats) -> Floats:
        core = self._evaluator._evaluate_core(theta)
        if core is None:
            raise ValueError("near the end of the search the variances of the estimates cannot be computed")
        return np.array(np.log(np.diag(np.linalg.inv(core.fixed_information)) * core.sigma**2))


class _LogisticDeviance(_Covariances):
    """Laplace's deviance of a logistic model, by covariance parameters and coefficients together; derivatives are differences."""

    def __init__(self, outcome: Any, sizes: Sequence[int]) -> None:
        from mixedlm.estimation.joint_glmm import JointGLMMObjective

        super().__init__(sizes)
        self._outcome = outcome
        self._objective = JointGLMMObjective(outcome.matrices, outcome.family, pirls_tol=_MODE_TOLERANCE)
        self._size = self._objective.parameter_scale(outcome.theta)
        self._bounds = [*self._bounds, *[(None, None)] * (self._size.size - self.n)]

    def optimum(self) -> LogisticOptimum:
        """The lowest place that is known, and the curvature there."""
        place = np.concatenate([self._outcome.theta, self._outcome.beta])
        if any(size > 1 for size, _ in self.terms):
            starts = [np.concatenate([self._without_correlations(sd), place[self.n :]]) for sd in _STARTS]
            place = min((place, *map(self._descend, starts)), key=self._value)
        converged = False
        for _ in range(_ROUNDS):
            here = self._value(place)
            gradient, hessian, free = self._derivatives(place)
            if not (math.isfinite(here) and np.all(np.isfinite(hessian))):
                raise ValueError("near the end of the search the likelihood cannot be computed")
            points = self._off_the_boundary(place)
            values, vectors = np.linalg.eigh(hessian)
            if values[0] > 0:
                moved = place.copy()
                moved[free] -= vectors @ ((vectors.T @ gradient[free]) / values)
                points.append(self._allowed(moved))
            lower = min(points, key=self._value, default=place)
            gain = here - self._value(lower)
            converged = bool(gain <= _SHORT)
            if gain <= _SHORT / 10:
                break
            place = self._descend(lower)
        return self._described(place, gradient, hessian, free, converged=converged)

    def _value(self, place: Floats) -> float:
        """The deviance; infinite where the mode of the random effects is not found."""
        from mixedlm.estimation.laplace import glmm_deviance_with_status

        if math.isfinite(value := self._objective(place)):
            return value
        # The compiled search for the mode does not always get lower by each step, and circles where a level's rows are all right or
        # all wrong. The same library's search in Python, which is taken where a start is named, halves a step until it does.
        known = self._objective.mode_matrices
        offset = self._outcome.matrices.offset + self._outcome.matrices.X @ place[self.n :]
        value, _, _, converged = glmm_deviance_with_status(
            place[: self.n],
            dataclasses.replace(known, offset=offset),
            self._outcome.family,
            u_start=np.zeros(known.n_random),
            pirls_maxiter=_MODE_ROUNDS,
            pirls_tol=_MODE_TOLERANCE,
        )
        return float(value) if converged and math.isfinite(value) else math.inf

    def _descend(self, start: Floats) -> Floats:
        def value(place: Any) -> float:
            found = self._value(place)
            return found if math.isfinite(found) else 1e10

        found = scipy.optimize.minimize(
            value, start, jac=self._slopes, method="L-BFGS-B", bounds=self._bounds, options=_LAPLACE_SEARCH
        )
        return np.asarray(found.x, dtype=np.float64)

    def _slopes(self, place: Floats) -> Any:
        found = np.zeros(place.size)
        for i, step in enumerate(_GRADIENT_STEP * self._size):
            moved = place.copy()
            moved[i] += step
            above = self._value(moved)
            moved[i] -= 2 * step
            slope = (above - self._value(moved)) / (2 * step)
            found[i] = slope if math.isfinite(slope) else 0.0
        return found

    def _derivatives(self, place: Floats) -> tuple[Floats, Floats, list[int]]:
        """The gradient, and the second derivatives by the parameters that are not on the boundary, which these are."""
        steps = _LAPLACE_STEP * self._size
        free = [i for i in range(place.size) if i not in self.scales or place[i] > 2 * steps[i]]

        def at(*moves: tuple[int, int]) -> float:
            point = place.copy()
            for i, sign in moves:
                point[i] += sign * steps[i]
            return self._value(point)

        here = at()
        hessian = np.zeros((len(free), len(free)))
        for row, i in enumerate(free):
            hessian[row, row] = (at((i, 1)) - 2 * here + at((i, -1))) / steps[i] ** 2
            for column, j in enumerate(free[:row]):
                corners = sum(a * b * at((i, a), (j, b)) for a in (1, -1) for b in (1, -1))
                hessian[row, column] = hessian[column, row] = corners / (4 * steps[i] * steps[j])
        return self._slopes(place), hessian, free

    def _by_variance(self, theta: Floats, own: slice, covariance: Floats, still: Floats) -> tuple[float, Floats]:
        here = self._value(theta)
        k = still.shape[1]
        slopes = np.zeros((k, k))

        def along(direction: Floats) -> float:
            """The derivative at 0, from two steps, so that the curvature between them cancels."""
            near, far = (
                (self._value(self._with(theta, own, covariance + v * np.outer(direction, direction))) - here) / v
                for v in (_SMALL_VARIANCE / 2, _SMALL_VARIANCE)
            )
            return 2 * near - far

        for i in range(k):
            slopes[i, i] = along(still[:, i])
        for i in range(k):
            for j in range(i):
                slopes[i, j] = slopes[j, i] = (along(still[:, i] + still[:, j]) - slopes[i, i] - slopes[j, j]) / 2
        values, vectors = np.linalg.eigh(slopes)
        return float(values[0]), still @ vectors[:, 0]

    def _described(
        self, place: Floats, gradient: Floats, hessian: Floats, free: list[int], *, converged: bool
    ) -> LogisticOptimum:
        fixed = [free.index(position) for position in range(self.n, place.size)]
        covariance = None
        if np.all(np.isfinite(hessian)) and float(np.linalg.eigvalsh(hessian).min()) > 0:
            # Of all parameters together, so that the uncertainty of the variances counts.
            covariance = 2 * np.linalg.inv(hessian)[np.ix_(fixed, fixed)]
        factors = [self._factor(place, size, own) for size, own in self.terms]
        at_zero = [self._by_variance(place, own, full, still)[0] for own, full, still, _ in self._still(place)]
        inside = np.abs(gradient[free] * np.maximum(np.abs(place[free]), _LEAST_SCALE))
        return LogisticOptimum(
            covariances=tuple(factor @ factor.T for factor in factors),
            coefficients=place[self.n :],
            covariance=covariance,
            gained=self._value(np.concatenate([self._outcome.theta, self._outcome.beta])) - self._value(place),
            singular=bool(np.any(place[self.scales] < SINGULAR)),
            certificate=Certificate(float(inside.max()), min(at_zero, default=None)),
            converged=converged,
        )
