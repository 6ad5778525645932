"""The restricted likelihood of a mean over crossed words: fixed columns and a random intercept for each factor.

y = X b + sum over factors s of Z_s u_s + e, with u_s ~ Normal(0, v_s) and e ~ Normal(0, v_e). Deviance, gradient and second
derivatives are exact (Searle, Casella & McCulloch 1992, ch. 6; Johnson & Thompson 1995 for the average information), and so are
Satterthwaite's degrees of freedom (Satterthwaite 1946; Kuznetsova, Brockhoff & Christensen 2017). Variances may be 0, the
residual one too: the search ends where the derivative is 0 inside and not below 0 at a variance of 0, and says so where it does not.

Formulas with slopes are `gapsmith.stats.lmm`'s; this one is for tests that run a thousand times, and the two agree in tests.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lapack
from threadpoolctl import ThreadpoolController

Floats = NDArray[np.float64]

_RANK = 1e-9
"""An eigenvalue below this share of the largest is none: the columns are counts of words."""
_SMALL = 40
"""Up to this many values the search starts from several places where words could reproduce them all."""
_EXACT = 1e-12
"""A sum of squares below this share of the whole is rounding."""
_ROUNDING = 1e-9
"""Differences of deviances below this are rounding."""
_SINGULAR = 1e-7
"""The least root of a covariance, as a share of its largest, that is not rounding."""
_STEPS = 200
_CERTIFIED = 1e-6
"""A derivative of the deviance by the logarithm of the scale of all variances, above which the search has not ended."""


@dataclass(frozen=True, slots=True)
class Components:
    """The estimates of a model of words."""

    coefficients: Floats
    """Shape (columns,)."""
    covariance: Floats
    """Of the coefficients; shape (columns, columns)."""
    df: Floats
    """Satterthwaite's, one for each coefficient."""
    variances: Floats
    """Of each factor, and last of the residuals; shape (factors + 1,)."""
    deviance: float
    """-2 times the restricted log-likelihood."""
    converged: bool
    """Whether the derivatives certify that no variance can be moved to a lower deviance."""
    combined: Combined
    """The weighted sums of coefficients that were asked for."""


@dataclass(frozen=True, slots=True)
class Combined:
    """Weighted sums of the coefficients, each of shape (sums,)."""

    estimates: Floats
    variances: Floats
    df: Floats
    """Satterthwaite's."""


@dataclass(frozen=True, slots=True)
class _Space:
    """The data in the space that the columns span, where all that depends on words lies; the rest is residuals alone.

    `levels` and `response` are given in an orthonormal basis of what is orthogonal to the fixed columns (the contrasts, of which
    alone the restricted likelihood is made) and in one of what the fixed columns span."""

    levels: Floats
    """Shape (contrasts, levels of all factors)."""
    response: Floats
    """Shape (contrasts,)."""
    fixed_levels: Floats
    """Shape (columns, levels of all factors)."""
    fixed_response: Floats
    """Shape (columns,)."""
    triangle: Floats
    """The fixed columns in their own basis; shape (columns, columns)."""
    log_fixed: float
    """The logarithm of the determinant of the fixed columns' products."""
    factor: NDArray[np.int64]
    """The factor of each level."""
    firsts: NDArray[np.int64]
    """The first level of each factor."""
    below: NDArray[np.bool_]
    """Which places of a matrix of contrasts are on or below its diagonal; shape (contrasts, contrasts)."""
    n_outside: int
    """How many dimensions of the data are residuals alone."""
    outside: float
    """The sum of squares of the residuals from all columns."""


@dataclass(frozen=True, slots=True)
class _Point:
    """What the search needs at one set of variances."""

    deviance: float
    gradient: Floats
    average: Floats
    """The average information, never negative; shape (parameters, parameters)."""
    hessian: Floats
    inverse: Floats
    """Of the covariance of the contrasts; shape (contrasts, contrasts)."""


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What the variances say of the fixed columns."""

    coefficients: Floats
    covariance: Floats
    slopes: Floats
    """The derivative of each coefficient's variance by each parameter; shape (parameters, columns)."""


def fit_components(
    response: Floats, fixed: Floats, factors: Sequence[NDArray[np.int64]], sums: Floats | None = None
) -> Components:
    """The estimates by restricted likelihood.

    `response` is (n,), `fixed` (n, columns) of full rank, each of `factors` (n,) with the codes 0, 1, … of its levels, and
    -1 for a value that has none of them; `sums` (sums, columns) are weights of the coefficients, for `Components.combined`. Raises
    ValueError where nothing is left to estimate a variance from.
    """
    # Threads that wait for each other take a hundred times longer over matrices as small as these.
    with _threads().limit(limits=1, user_api="blas"):
        return _fit(response, fixed, factors, np.zeros((0, fixed.shape[1])) if sums is None else sums)


@cache
def _threads() -> ThreadpoolController:
    return ThreadpoolController()


def _fit(response: Floats, fixed: Floats, factors: Sequence[NDArray[np.int64]], sums: Floats) -> Components:
    n_left = response.size - fixed.shape[1]
    if n_left < 1:
        raise ValueError(f"{response.size} values are too few for {fixed.shape[1]} columns")
    residual = response - fixed @ np.linalg.lstsq(fixed, response, rcond=None)[0]
    scale = float(residual @ residual) / n_left
    if not scale > 0:
        raise ValueError("the fixed words reproduce every value, so there is no variance to test against")
    # In units of their own spread, so that what ends the search is the same for bits and for milliseconds.
    space = _space(response / math.sqrt(scale), fixed, factors)
    if space.n_outside and space.outside <= _EXACT * n_left:
        raise ValueError("the words reproduce every value, so nothing is left for the residuals")
    n_factors = len(factors)
    starts = [np.full(n_factors + 1, 1 / (n_factors + 1))]
    if n_factors and space.n_outside == 0 and response.size <= _SMALL:
        # Few values that the words could reproduce leave a deviance of several valleys.
        starts += [np.append(np.full(n_factors, words / n_factors), 1 - words) for words in (0.02, 0.99)]
    found = [_descend(space, start) for start in starts]
    variances, point, converged = min(found, key=lambda own: own[1].deviance)
    of_fixed = _fixed(space, variances, point, np.eye(fixed.shape[1]))
    of_sums = _fixed(space, variances, point, sums)
    return Components(
        coefficients=of_fixed.coefficients * math.sqrt(scale),
        covariance=of_fixed.covariance * scale,
        df=_satterthwaite(of_fixed, point, variances, n_left),
        variances=variances * scale,
        deviance=point.deviance + n_left * math.log(2 * math.pi * scale),
        converged=converged,
        combined=Combined(
            of_sums.coefficients * math.sqrt(scale),
            np.diag(of_sums.covariance) * scale,
            _satterthwaite(of_sums, point, variances, n_left),
        ),
    )


def _space(response: Floats, fixed: Floats, factors: Sequence[NDArray[np.int64]]) -> _Space:
    sizes = [int(codes.max()) + 1 for codes in factors]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    n, p, q = response.size, fixed.shape[1], int(starts[-1])
    gram = np.zeros((p + q, p + q))
    towards = np.zeros(p + q)
    gram[:p, :p] = fixed.T @ fixed
    towards[:p] = fixed.T @ response
    for number, (codes, size, start) in enumerate(zip(factors, sizes, starts, strict=False)):
        own = slice(p + start, p + start + size)
        there = codes >= 0
        for column in range(p):
            gram[own, column] = np.bincount(codes[there], weights=fixed[there, column], minlength=size)
        gram[:p, own] = gram[own, :p].T
        towards[own] = np.bincount(codes[there], weights=response[there], minlength=size)
        for earlier in range(number + 1):
            other = slice(p + starts[earlier], p + starts[earlier + 1])
            in_both = there & (factors[earlier] >= 0)
            pairs = codes[in_both] * sizes[earlier] + factors[earlier][in_both]
            both = np.bincount(pairs, minlength=size * sizes[earlier])
            gram[own, other] = both.reshape(size, sizes[earlier])
            gram[other, own] = gram[own, other].T
    values, vectors = np.linalg.eigh(gram)
    kept = values > _RANK * values[-1]
    roots, vectors = np.sqrt(values[kept]), vectors[:, kept]
    columns = (vectors * roots).T
    inside = (vectors.T @ towards) / roots
    share = vectors @ (inside / roots)
    predicted = fixed @ share[:p]
    for codes, start, size in zip(factors, starts, sizes, strict=False):
        # The last is what is predicted by no level, for the code -1.
        predicted = predicted + np.append(share[p + start : p + start + size], 0.0)[codes]
    rest = response - predicted
    outside = float(rest @ rest) if int(kept.sum()) < n else 0.0
    of = np.repeat(np.arange(len(sizes), dtype=np.int64), np.array(sizes, dtype=np.int64))
    orthogonal, triangle = np.linalg.qr(columns[:, :p], mode="complete")
    turned, turned_response = orthogonal.T @ columns[:, p:], orthogonal.T @ inside
    return _Space(
        levels=turned[p:],
        response=turned_response[p:],
        fixed_levels=turned[:p],
        fixed_response=turned_response[:p],
        triangle=triangle[:p],
        log_fixed=2 * float(np.log(np.abs(np.diag(triangle))).sum()),
        factor=of,
        firsts=starts[:-1],
        below=np.tri(turned_response.size - p, dtype=np.bool_),
        n_outside=n - int(kept.sum()),
        outside=outside,
    )


def _at(space: _Space, variances: Floats) -> _Point | None:
    """The deviance and its derivatives; None where the variances leave no likelihood."""
    residual = float(variances[-1])
    n_out = space.n_outside
    if n_out and residual <= 0:
        return None
    # Of contrasts alone: words may reproduce all of these while a fixed word is in no random slot.
    scaled = space.levels * np.sqrt(variances[space.factor])
    covariance = scaled @ scaled.T
    covariance.flat[:: len(covariance) + 1] += residual
    # LAPACK has no matrix without rows, which is what words that are all fixed leave here.
    lower, failed = lapack.dpotrf(covariance, lower=1) if covariance.size else (covariance, 0)
    diagonal = lower.diagonal()
    if failed or diagonal.min(initial=np.inf) <= _SINGULAR * diagonal.max(initial=0.0):
        return None
    # LAPACK fills one triangle of an inverse.
    half = lapack.dpotri(lower, lower=1)[0] if lower.size else lower
    inverse = np.where(space.below, half, half.T)
    pulled = inverse @ space.response
    deviance = 2 * float(np.log(diagonal).sum()) + space.log_fixed + float(space.response @ pulled)
    if n_out:
        deviance += n_out * math.log(residual) + space.outside / residual

    n_factors = variances.size - 1
    projected = inverse @ space.levels
    between = space.levels.T @ projected
    towards = space.levels.T @ pulled
    # K_s = Z_s Z_s' inside; the residuals' K is the identity, there and outside.
    products = np.empty((n_factors + 1, n_factors + 1))
    products[:-1, :-1] = _by_factor(space, _by_factor(space, between**2), axis=1)
    products[:-1, -1] = products[-1, :-1] = _by_factor(space, (projected**2).sum(axis=0))
    products[-1, -1] = float((inverse**2).sum())
    traces = np.append(_by_factor(space, between.diagonal()), inverse.trace())
    quadratic = np.append(_by_factor(space, towards**2), pulled @ pulled)
    one_each = np.zeros((towards.size, n_factors + 1))
    one_each[np.arange(towards.size), space.factor] = towards
    moved = space.levels @ one_each
    moved[:, -1] = pulled
    average = moved.T @ inverse @ moved
    if n_out:
        products[-1, -1] += n_out / residual**2
        traces[-1] += n_out / residual
        quadratic[-1] += space.outside / residual**2
        average[-1, -1] += space.outside / residual**3
    return _Point(deviance, gradient=traces - quadratic, average=average, hessian=2 * average - products, inverse=inverse)


def _by_factor(space: _Space, values: Floats, axis: int = 0) -> Floats:
    """Sums over the levels of each factor."""
    # reduceat knows no empty list of starts
    if not space.firsts.size:
        return np.zeros([0 if own == axis else size for own, size in enumerate(values.shape)])
    return np.add.reduceat(values, space.firsts, axis=axis)


def _fixed(space: _Space, variances: Floats, point: _Point, sums: Floats) -> _Fixed:
    """Weighted sums of the coefficients by generalised least squares: what the fixed columns would have without words, less what the words
    explain."""
    scaled = space.fixed_levels * variances[space.factor]
    towards = scaled @ space.levels.T @ point.inverse
    solving = sums @ np.linalg.inv(space.triangle)
    coefficients = solving @ (space.fixed_response - towards @ space.response)
    # The weights of the response, in the basis of the fixed columns and in that of the contrasts.
    weights = solving @ towards
    of_words = space.fixed_levels.T @ solving.T - space.levels.T @ weights.T
    residual = float(variances[-1])
    # As a sum of squares, which rounding cannot take below 0.
    covariance = (of_words.T * variances[space.factor]) @ of_words + residual * (solving @ solving.T + weights @ weights.T)
    own = (solving**2).sum(axis=1) + (weights**2).sum(axis=1)
    return _Fixed(coefficients, covariance, slopes=np.vstack([_by_factor(space, of_words**2), own]))


def _descend(space: _Space, start: Floats) -> tuple[Floats, _Point, bool]:
    """Newton's steps among the variances that are not held at 0, each as long as it lowers the deviance."""
    here = start
    point = _at(space, here)
    assert point is not None  # all variances are above 0
    for _ in range(_STEPS):
        free = (here > 0) | (point.gradient < 0)
        if _violation(point, here) < _CERTIFIED * 1e-3:
            break
        step = np.zeros_like(here)
        step[free] = _newton(point, free)
        length, best = 1.0, None
        while length > 1e-8:
            there = np.maximum(here + length * step, 0.0)
            # What is nearly nothing is nothing: a sequence that only halves a variance never ends.
            there[there < 1e-12] = 0.0
            if space.n_outside and there[-1] <= 0:
                there[-1] = here[-1] / 10
            tried = _at(space, there)
            if tried is not None and _is_lower(tried, there, point, here):
                best = (there, tried)
                break
            length /= 2
        if best is None:
            break
        here, point = best
    return here, point, _violation(point, here) < _CERTIFIED


def _is_lower(tried: _Point, there: Floats, point: _Point, here: Floats) -> bool:
    """Whether a place is lower; where rounding hides that, whether its derivatives are nearer to those of a minimum."""
    if tried.deviance < point.deviance - _ROUNDING:
        return True
    return tried.deviance <= point.deviance + _ROUNDING and _violation(tried, there) < _violation(point, here) / 2


def _newton(point: _Point, free: NDArray[np.bool_]) -> Floats:
    """Towards the lowest point of the parabola; where that has none, by the average information, which always has one."""
    own = np.ix_(free, free)
    gradient = point.gradient[free]
    for matrix in (point.hessian[own], point.average[own]):
        values, vectors = np.linalg.eigh(matrix)
        if values[0] > 1e-10 * abs(values[-1]):
            return np.asarray(-(vectors @ ((vectors.T @ gradient) / values)))
    kept = values > 1e-10 * abs(values[-1])
    return np.asarray(-(vectors[:, kept] @ ((vectors[:, kept].T @ gradient) / values[kept])))


def _violation(point: _Point, variances: Floats) -> float:
    """How far the derivatives are from those of a minimum."""
    slope = point.gradient
    return float(np.max(np.where(variances > 0, np.abs(slope) * np.minimum(1, variances), np.maximum(0, -slope))))


def _satterthwaite(of_fixed: _Fixed, point: _Point, variances: Floats, n_left: int) -> Floats:
    """2 var^2 / (d' A d), with A the covariance of the variances, those at 0 held there; df below 1 stay as they are."""
    free = variances > 0
    values, vectors = np.linalg.eigh(point.hessian[np.ix_(free, free)] / 2)
    curved = values > 1e-8 * max(values.max(initial=0.0), 1e-300)
    spread = (of_fixed.slopes[free].T @ vectors[:, curved]) ** 2 @ (1 / values[curved])
    own = np.diag(of_fixed.covariance)
    # A variance that no parameter moves is known.
    found = np.array([2 * v**2 / s if s > 0 else n_left for v, s in zip(own, spread, strict=True)], dtype=np.float64)
    # Where only the residuals vary they are whole, but for rounding.
    return np.where(found > n_left * (1 - 1e-6), float(n_left), found)
