"""Bayesian binomial mixed models on counts.

    correct_i ~ Binomial(n_i, logit^-1(x_i b + sum over grouping factors u))        u ~ Normal(0, sd of the factor)

A row of counts says what its Bernoulli rows would, so 148,500 answers are as many rows as there are combinations of model, seed
and phenomenon. Two ways to the posterior: the no-U-turn sampler (Hoffman & Gelman 2014; numpyro, the extra ``bayes``), and
without it a nested Laplace approximation, in which coefficients and group effects are normal given the group standard
deviations and these are summed over a grid (Rue, Martino & Chopin 2009).
"""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gapsmith.stats.checks import check_probability
from gapsmith.stats.design import Coding, Frame, ModelMatrices, build_design
from gapsmith.stats.model_formula import ModelFormulaError, parse_formula

Method = Literal["nuts", "laplace"]

_GRID = 41
"""Points per group standard deviation; with two factors 1,681 fits of a few dozen parameters."""
_GRID_ENDS = (0.004, 12.0)
_MOST_GROUPS = 2
_MOST_LEVELS = 2_000
"""Grouping factors of the approximation, and levels in all: beyond them a fit takes hours."""
_RHAT = 1.01
_ESS = 400
"""R-hat above the one, or an effective sample size below the other, is said (Vehtari et al. 2021)."""


@dataclass(frozen=True, slots=True)
class Priors:
    """Standard deviations of the priors, in log-odds: normal about 0, for group standard deviations half-normal."""

    intercept: float = 1.5
    coefficient: float = 0.5
    group: float = 1.0


@dataclass(frozen=True, slots=True)
class Posterior:
    """What is believed of one quantity after the data."""

    name: str
    median: float
    sd: float
    ci: tuple[float, float]
    """Equal-tailed credible interval."""
    rhat: float | None = None
    """Of the sampler; None for the approximation."""
    ess: float | None = None


@dataclass(frozen=True, slots=True)
class BayesFit:
    """A Bayesian binomial mixed model."""

    formula: str
    method: Method
    priors: Priors
    coefficients: tuple[Posterior, ...]
    """In log-odds."""
    implied: tuple[Posterior, ...]
    """The last level of each sum-coded factor of three levels or more: minus the sum of the others."""
    group_sds: tuple[Posterior, ...]
    n: int
    """Rows of counts."""
    n_trials: int
    n_undefined: int
    confidence: float
    chains: int
    draws: int
    """Per chain, after warm-up; 0 for the approximation."""
    divergences: int
    notes: tuple[str, ...]

    def posterior(self, name: str) -> Posterior:
        """A coefficient, an implied one, or a group standard deviation. Raises KeyError naming those there are."""
        everything = (*self.coefficients, *self.implied, *self.group_sds)
        for found in everything:
            if found.name == name:
                return found
        raise KeyError(f"no {name!r}; there are {', '.join(found.name for found in everything)}")


def posh_table_8() -> dict[str, list[Any]]:
    """The printed percentages of a published table (POSH-BENCH, table 8) as counts of 1,500, one row per cell.

    Columns: category, phenomenon, size (million words), source (baby, wiki), filtered (yes, no), percent, correct, wrong. Each
    cell pools three seeds of 500 pairs; a count is what its rounded percentage says, so it may be one off.
    """
    text = files("gapsmith.stats").joinpath("data/posh_table_8.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    numbers = {"size": int, "percent": float, "correct": int, "wrong": int}
    return {name: [numbers.get(name, str)(row[name]) for row in rows] for name in rows[0]}


def fit_bayes(
    formula: str,
    frame: Frame,
    *,
    coding: Coding | Mapping[str, Coding] = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    priors: Priors | None = None,
    method: Method | None = None,
    confidence: float = 0.95,
    chains: int = 4,
    draws: int = 1_000,
    seed: int = 1,
) -> BayesFit:
    """The posterior of a binomial mixed model, as in ``cbind(correct, wrong) ~ size * category + (1 | phenomenon)``.

    Random terms are intercepts. `method` is ``nuts`` where numpyro is installed and ``laplace`` otherwise, unless named; the fit
    says which. The sampler runs `chains` chains of as many warm-up steps as `draws`; R-hat, effective sample size and divergences
    are kept, and said where they are bad. What the data do not settle (the effect of a category beside random effects of the few
    phenomena in it) depends on `priors`: compare a fit with others.

    Raises FormulaError as `gapsmith.stats.fit_mixed` does, and for a random slope; ValueError for counts that are none, and
    ModuleNotFoundError for ``nuts`` without numpyro.
    """
    check_probability(confidence, "confidence")
    own_priors = priors or Priors()
    if min(own_priors.intercept, own_priors.coefficient, own_priors.group) <= 0:
        raise ValueError("a prior's standard deviation must be above 0")
    parsed = parse_formula(formula)
    if not parsed.random:
        raise ModelFormulaError(f"{formula!r} has no random term, as in '+ (1 | item)'")
    design = build_design(parsed, frame, coding=coding, levels=levels)
    data = _counts(design, parsed.response.text, own_priors)
    notes = []
    if design.n_undefined:
        rows = design.n_undefined + len(design.rows)
        notes.append(f"{design.n_undefined:,} of {rows:,} rows lack a value and were left out.")
    available = find_spec("numpyro") is not None
    chosen: Method = method or ("nuts" if available else "laplace")
    if chosen == "nuts" and not available:
        raise ModuleNotFoundError(
            "the sampler needs numpyro: pip install 'gapsmith[bayes]', or ask for the approximation (laplace)"
        )
    if method is None and not available:
        notes.append(
            "numpyro is not installed, so the posterior is a nested Laplace approximation: pip install 'gapsmith[bayes]'."
        )
    if chosen == "laplace" and len(data.groups) > _MOST_GROUPS:
        raise ModelFormulaError(
            f"the approximation takes {_MOST_GROUPS} grouping factors, not {len(data.groups)}: leave one out, or use the sampler "
            "(pip install 'gapsmith[bayes]')"
        )
    sampled = _sample(data, chains, draws, seed) if chosen == "nuts" else _approximate(data, seed)
    tail = (1 - confidence) / 2

    def described(name: str, values: NDArray[np.float64]) -> Posterior:
        low, median, high = (float(quantile) for quantile in np.quantile(values, [tail, 0.5, 1 - tail]))
        rhat, ess = _diagnostics(values) if chosen == "nuts" else (None, None)
        return Posterior(name, median, float(values.std()), (low, high), rhat, ess)

    coefficients = tuple(described(name, sampled.beta[..., i]) for i, name in enumerate(design.fixed_names))
    implied = tuple(described(name, -sampled.beta[..., columns].sum(axis=-1)) for name, columns in _implied(design).items())
    sds = tuple(described(f"SD of {term.group}", sampled.sds[..., i]) for i, term in enumerate(design.random))
    notes += _complaints((*coefficients, *sds), sampled.divergences)
    return BayesFit(
        formula=formula,
        method=chosen,
        priors=own_priors,
        coefficients=coefficients,
        implied=implied,
        group_sds=sds,
        n=len(design.rows),
        n_trials=int(data.trials.sum()),
        n_undefined=design.n_undefined,
        confidence=confidence,
        chains=chains if chosen == "nuts" else 0,
        draws=draws if chosen == "nuts" else 0,
        divergences=sampled.divergences,
        notes=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Data:
    """Counts, columns and priors; `groups` holds the level of each row for each grouping factor."""

    successes: NDArray[np.float64]
    trials: NDArray[np.float64]
    fixed: NDArray[np.float64]
    prior_sd: NDArray[np.float64]
    """Of each coefficient."""
    groups: tuple[NDArray[np.int64], ...]
    group_prior: float


@dataclass(frozen=True, slots=True)
class _Draws:
    """Draws by chain: `beta` (chains, draws, coefficients), `sds` (chains, draws, grouping factors)."""

    beta: NDArray[np.float64]
    sds: NDArray[np.float64]
    divergences: int = 0


def _counts(design: ModelMatrices, response: str, priors: Priors) -> _Data:
    values = design.response
    if values.ndim == 1:
        if not np.all((values == 0) | (values == 1)):
            raise ValueError(f"a binomial model needs 0 and 1 or cbind(successes, failures); {response} has other values")
        values = np.column_stack([values, 1 - values])
    if np.any(values < 0) or np.any(values != np.round(values)):
        raise ValueError(f"{response} must be whole numbers of at least 0")
    trials = values.sum(axis=1)
    if np.any(trials == 0):
        raise ValueError(f"{response} is 0 of 0 in a row; leave it out")
    groups = []
    for term in design.random:
        if term.columns != ("(Intercept)",):
            raise ModelFormulaError(f"the random term of {term.group} has slopes; only intercepts, as in (1 | {term.group})")
        index: dict[Hashable, int] = {}
        groups.append(np.array([index.setdefault(level, len(index)) for level in term.levels], dtype=np.int64))
    n_levels = sum(int(codes.max()) + 1 for codes in groups)
    if n_levels > _MOST_LEVELS:
        raise ModelFormulaError(
            f"{n_levels:,} levels of grouping factors; {_MOST_LEVELS:,} are the most. Use counts, or fit_mixed"
        )
    prior_sd = np.array([priors.intercept if name == "(Intercept)" else priors.coefficient for name in design.fixed_names])
    return _Data(values[:, 0], trials, design.fixed, prior_sd, tuple(groups), priors.group)


def _implied(design: ModelMatrices) -> dict[str, list[int]]:
    """For the last level of each sum-coded factor, the columns whose negative sum is its effect."""
    found: dict[str, list[int]] = {}
    for text, levels in design.sum_levels.items():
        if len(levels) < 3:
            continue
        shown = {f"{text}[{level}]" for level in levels[:-1]}
        for position, name in enumerate(design.fixed_names):
            parts = name.split(":")
            if shown & set(parts):
                last = ":".join(f"{text}[{levels[-1]}]" if part in shown else part for part in parts)
                found.setdefault(last, []).append(position)
    return found


def _approximate(data: _Data, seed: int) -> _Draws:
    """Draws from the nested Laplace approximation: a normal per grid point of the standard deviations, by its evidence."""
    axis = np.geomspace(*_GRID_ENDS, _GRID)
    points, means, factors, weights = [], [], [], []
    start = np.zeros(data.fixed.shape[1] + sum(int(codes.max()) + 1 for codes in data.groups))
    for point in itertools.product(axis, repeat=len(data.groups)):
        mode, precision, height = _mode_given(data, np.array(point), start)
        start = mode
        cholesky = np.linalg.cholesky(precision)
        # The grid is even in log sd, so its density carries the factor sd.
        prior = sum(-0.5 * (sd / data.group_prior) ** 2 + math.log(sd) for sd in point)
        weights.append(height - float(np.log(np.diag(cholesky)).sum()) + prior)
        points.append(point)
        means.append(mode)
        factors.append(cholesky)
    share = np.exp(np.array(weights) - max(weights))
    share /= share.sum()
    rng = np.random.default_rng(seed)
    n_draws, p = 40_000, data.fixed.shape[1]
    chosen = rng.choice(len(points), n_draws, p=share)
    beta = np.empty((n_draws, p))
    for position in np.unique(chosen):
        where = np.flatnonzero(chosen == position)
        noise = rng.standard_normal((start.size, where.size))
        beta[where] = (means[position][:, None] + np.linalg.solve(factors[position].T, noise))[:p].T
    # Between the points of the grid the standard deviations are spread evenly, in logs.
    step = math.log(axis[1] / axis[0])
    sds = np.array(points)[chosen] * np.exp(rng.uniform(-step / 2, step / 2, (n_draws, len(data.groups))))
    return _Draws(beta[None], sds[None])


def _mode_given(
    data: _Data, sds: NDArray[np.float64], start: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """The mode of coefficients and group effects given the standard deviations, the precision there, and the log density.

    Newton's method; the log density is concave, and a step that does not raise it is halved.
    """
    matrix, prior = _columns(data, sds)
    constant = float(0.5 * np.log(prior).sum())

    def density(point: NDArray[np.float64]) -> float:
        eta = matrix @ point
        likelihood = float((data.successes * eta - data.trials * np.logaddexp(0, eta)).sum())
        return likelihood - 0.5 * float((prior * point**2).sum()) + constant

    point, height = start, density(start)
    for _ in range(100):
        share = special.expit(matrix @ point)
        gradient = matrix.T @ (data.successes - data.trials * share) - prior * point
        precision = (matrix.T * (data.trials * share * (1 - share))) @ matrix + np.diag(prior)
        step = np.linalg.solve(precision, gradient)
        size = 1.0
        while (tried := density(point + size * step)) < height and size > 1e-6:
            size /= 2
        if tried < height:
            break
        done = tried - height < 1e-10 * (1 + abs(height))
        point, height = point + size * step, tried
        if done:
            break
    share = special.expit(matrix @ point)
    return point, (matrix.T * (data.trials * share * (1 - share))) @ matrix + np.diag(prior), height


def _columns(data: _Data, sds: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The columns of coefficients and group effects side by side, and the prior precision of each."""
    columns, precisions = [data.fixed], [1 / data.prior_sd**2]
    for codes, sd in zip(data.groups, sds, strict=True):
        n_levels = int(codes.max()) + 1
        columns.append(np.eye(n_levels)[codes])
        precisions.append(np.full(n_levels, 1 / sd**2))
    return np.hstack(columns), np.concatenate(precisions)


def _sample(data: _Data, chains: int, draws: int, seed: int) -> _Draws:
    """Draws of the no-U-turn sampler, in double precision, of all chains at once."""
    import jax
    import jax.numpy as jnp
    from numpyro.infer import MCMC, NUTS

    matrix, _ = _columns(data, np.ones(len(data.groups)))
    # Sampled in the coordinates in which the approximation is round: the effects of a group and of what it is nested in are so
    # alike that the sampler would otherwise take hundreds of small steps along a ridge.
    scales = np.full(len(data.groups), 0.7 * data.group_prior)
    mode, precision, _ = _mode_given(data, scales, np.zeros(matrix.shape[1]))
    # Effects that the data hardly tell from 0 are sampled in units of their standard deviation, which may then go to 0 without a
    # funnel; others as they are (Papaspiliopoulos, Roberts & Skold 2007).
    in_units = _hardly_there(data, mode, precision)
    if in_units:
        scales[in_units] = 0.05 * data.group_prior
        mode, precision, _ = _mode_given(data, scales, mode)
    back = np.linalg.inv(np.linalg.cholesky(precision)).T
    p = data.fixed.shape[1]

    def energy(point: dict[str, Any]) -> Any:
        """Minus the log density, up to a constant: that of the model in the docstring, in `z` and the logs of the sds."""
        values = mode + back @ point["z"]
        log = -0.5 * ((values[:p] / data.prior_sd) ** 2).sum()
        eta = data.fixed @ values[:p]
        first = p
        for number, codes in enumerate(data.groups):
            log_sd = point["log_sd"][number]
            last = first + int(codes.max()) + 1
            effects = values[first:last]
            if number in in_units:
                log -= 0.5 * ((effects / scales[number]) ** 2).sum()
                effects = effects * jnp.exp(log_sd) / scales[number]
            else:
                log -= 0.5 * ((effects / jnp.exp(log_sd)) ** 2).sum() + (last - first) * log_sd
            eta += effects[codes]
            # The half-normal prior of the sd; its log is what is sampled, hence + log_sd.
            log += log_sd - 0.5 * (jnp.exp(log_sd) / data.group_prior) ** 2
            first = last
        return -(log + (data.successes * eta - data.trials * jnp.logaddexp(0.0, eta)).sum())

    rng = np.random.default_rng(seed)
    start = {
        "z": rng.standard_normal((chains, matrix.shape[1])),
        "log_sd": np.log(data.group_prior * rng.uniform(0.3, 1.2, (chains, len(data.groups)))),
    }
    with jax.enable_x64(True):
        sampler = MCMC(
            NUTS(potential_fn=energy, target_accept_prob=0.97 if in_units else 0.9),
            num_warmup=draws,
            num_samples=draws,
            num_chains=chains,
            chain_method="vectorized",
            progress_bar=False,
        )
        sampler.run(jax.random.PRNGKey(seed), init_params=start, extra_fields=("diverging",))
        found = {name: np.asarray(values, dtype=np.float64) for name, values in sampler.get_samples(group_by_chain=True).items()}
        divergences = int(np.asarray(sampler.get_extra_fields()["diverging"]).sum())
    beta = (mode + found["z"] @ back.T)[..., :p]
    return _Draws(beta, np.exp(found["log_sd"]), divergences)


def _hardly_there(data: _Data, mode: NDArray[np.float64], precision: NDArray[np.float64]) -> list[int]:
    """The grouping factors whose effects at the mode are less than five of their own standard errors apart."""
    found, first = [], data.fixed.shape[1]
    for number, codes in enumerate(data.groups):
        last = first + int(codes.max()) + 1
        errors = 1 / np.sqrt(np.diag(precision)[first:last])
        if mode[first:last].std() < 5 * errors.mean():
            found.append(number)
        first = last
    return found


def _diagnostics(values: NDArray[np.float64]) -> tuple[float, float]:
    """R-hat over split chains and the effective sample size of draws (chains, draws)."""
    from numpyro.diagnostics import effective_sample_size, split_gelman_rubin

    return float(split_gelman_rubin(values)), float(effective_sample_size(values))


def _complaints(posteriors: Sequence[Posterior], divergences: int) -> list[str]:
    """What is wrong with the sampling."""
    found = []
    mixed = [posterior.name for posterior in posteriors if posterior.rhat is not None and not posterior.rhat <= _RHAT]
    few = [posterior.name for posterior in posteriors if posterior.ess is not None and not posterior.ess >= _ESS]
    if mixed:
        found.append(f"The chains disagree (R-hat above {_RHAT}): {', '.join(mixed)}. Take more draws.")
    if few:
        found.append(f"Fewer than {_ESS} independent draws: {', '.join(few)}. Take more draws.")
    if divergences:
        found.append(f"{divergences} divergent transitions: parts of the posterior were not reached.")
    return found
