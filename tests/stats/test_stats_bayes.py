"""The Bayesian binomial mixed model, on the counts behind a published table."""

from __future__ import annotations

import csv
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith.stats import BayesFit, Priors, fit_bayes, posh_table_8

LATER = Path(__file__).parents[2].parent / "shared" / "data" / "posh_results.csv"
FORMULA = "cbind(correct, wrong) ~ (scale(size) + category) * filtered + source + (1 | phenomenon)"
# Alphabetical order would turn the signs of filtering and of the source round.
LEVELS = {"filtered": ["yes", "no"], "source": ["baby", "wiki"]}
# Posterior medians as printed (POSH-BENCH, table 12), without the terms that the prior decides.
PRINTED = {
    "scale(size)": 0.12,
    "filtered[yes]": 0.09,
    "source[baby]": 0.09,
    "scale(size):filtered[yes]": -0.00,
    "category[binding]:filtered[yes]": -0.10,
    "category[island]:filtered[yes]": -0.18,
    "category[question formation]:filtered[yes]": -0.16,
}
# Printed 95 % intervals of the same terms.
INTERVALS = {
    "scale(size)": (0.10, 0.14),
    "filtered[yes]": (0.07, 0.11),
    "source[baby]": (0.07, 0.10),
    "scale(size):filtered[yes]": (-0.02, 0.02),
    "category[binding]:filtered[yes]": (-0.13, -0.08),
    "category[island]:filtered[yes]": (-0.20, -0.16),
    "category[question formation]:filtered[yes]": (-0.18, -0.14),
}


@pytest.fixture(scope="module")
def approximate() -> BayesFit:
    """The approximation, which needs nothing but numpy."""
    return fit_bayes(FORMULA, posh_table_8(), levels=LEVELS, method="laplace")


def test_the_shipped_counts_are_the_printed_percentages() -> None:
    table = posh_table_8()
    assert {len(column) for column in table.values()} == {99}
    assert all(right + wrong == 1500 for right, wrong in zip(table["correct"], table["wrong"], strict=True))
    shares = zip(table["correct"], table["percent"], strict=True)
    assert all(abs(right / 15 - percent) < 0.034 for right, percent in shares)
    # The printed averages over the nine phenomena, which were rounded once more.
    printed = {("10", "yes"): 63.0, ("30", "yes"): 63.2, ("50", "yes"): 66.3, ("100", "no"): 70.0}
    for (size, filtered), average in printed.items():
        own = [
            percent
            for percent, *cell in zip(table["percent"], table["size"], table["filtered"], table["source"], strict=True)
            if cell == [int(size), filtered, "baby"]
        ]
        assert sum(own) / 9 == pytest.approx(average, abs=0.1)


def test_the_approximation_gives_the_printed_medians_and_intervals(approximate: BayesFit) -> None:
    assert (approximate.n, approximate.n_trials, approximate.method) == (99, 148_500, "laplace")
    for name, printed in PRINTED.items():
        found = approximate.posterior(name)
        assert found.median == pytest.approx(printed, abs=0.01)
        assert found.ci == pytest.approx(INTERVALS[name], abs=0.012)
        assert (found.rhat, found.ess) == (None, None)
    assert approximate.posterior("SD of phenomenon").median == pytest.approx(0.69, abs=0.03)
    assert approximate.posterior("(Intercept)").median == pytest.approx(0.59, abs=0.02)


def test_the_level_without_a_column_is_implied(approximate: BayesFit) -> None:
    """The positive effect of filtering is that of wanna alone."""
    found = approximate.posterior("category[wanna]:filtered[yes]")
    interactions = [own.median for own in approximate.coefficients if own.name.startswith("category") and "filtered" in own.name]
    assert found.median == pytest.approx(-sum(interactions), abs=0.005)
    assert found.median == pytest.approx(0.44, abs=0.015)
    assert found.ci[0] > 0.4
    assert [own.name for own in approximate.implied] == ["category[wanna]", "category[wanna]:filtered[yes]"]


def test_only_the_categories_hang_on_the_prior() -> None:
    fits = [
        fit_bayes(FORMULA, posh_table_8(), levels=LEVELS, method="laplace", priors=Priors(coefficient=sd)) for sd in (0.3, 5.0)
    ]
    tight, loose = (fit.posterior("category[island]").median for fit in fits)
    assert loose - tight > 0.2
    for name in PRINTED:
        first, second = (fit.posterior(name).median for fit in fits)
        assert first == pytest.approx(second, abs=0.01)


def test_counts_say_what_their_single_answers_say() -> None:
    rows = [("a", 1), ("a", 0), ("a", 1), ("b", 1), ("b", 0), ("c", 1), ("c", 1), ("c", 0), ("c", 0)] * 8
    single: dict[str, list[Any]] = {"y": [y for _, y in rows], "g": [g for g, _ in rows]}
    names = sorted(set(single["g"]))
    counted = {
        "g": names,
        "yes": [sum(y for g, y in rows if g == name) for name in names],
        "no": [sum(1 - y for g, y in rows if g == name) for name in names],
    }
    one = fit_bayes("y ~ 1 + (1 | g)", single, method="laplace")
    two = fit_bayes("cbind(yes, no) ~ 1 + (1 | g)", counted, method="laplace")
    assert (one.n_trials, two.n_trials) == (72, 72)
    # Both the same posterior, from draws of their own.
    assert one.coefficients[0].median == pytest.approx(two.coefficients[0].median, abs=0.01)
    assert one.group_sds[0].median == pytest.approx(two.group_sds[0].median, abs=0.01)


@pytest.mark.full
def test_the_approximation_is_exact_arithmetic_where_that_can_be_had() -> None:
    """One coefficient and one grouping factor of one trial each, integrated on a fine grid."""
    data = {"k": [30, 12], "m": [10, 28], "g": ["a", "b"]}
    priors = Priors(intercept=1.0, group=0.5)
    found = fit_bayes("cbind(k, m) ~ 1 + (1 | g)", data, method="laplace", priors=priors)
    b = np.linspace(-3, 3, 61)[:, None, None, None]
    u = np.linspace(-3, 3, 61)
    s = np.geomspace(0.004, 4, 60)[None, None, None, :]
    first, second = u[None, :, None, None], u[None, None, :, None]

    def binomial(eta: Any, k: int, m: int) -> Any:
        return k * eta - (k + m) * np.logaddexp(0, eta)

    log = binomial(b + first, 30, 10) + binomial(b + second, 12, 28) - b**2 / 2
    # The grid of sd is even in logs, hence + log s, which one of the two -log s of the normals takes off.
    log = log - (first**2 + second**2) / (2 * s**2) - np.log(s) - (s / 0.5) ** 2 / 2
    # Only where the grid is fine enough for the normals.
    weights = np.exp(log - log.max()) * (s > 0.1)
    mass = weights.sum(axis=(1, 2, 3))
    mean = float((mass * b.ravel()).sum() / mass.sum())
    sd = math.sqrt(float((mass * (b.ravel() - mean) ** 2).sum() / mass.sum()))
    assert found.coefficients[0].median == pytest.approx(mean, abs=0.03)
    assert found.coefficients[0].sd == pytest.approx(sd, rel=0.08)


def test_the_sampler_agrees_with_the_printed_table_and_the_approximation(approximate: BayesFit) -> None:
    """One short run: 80 draws a chain settle the medians to .004, and too few for R-hat to be clean are complained of."""
    pytest.importorskip("numpyro", reason="numpyro is not installed (the extra 'bayes')")
    fit = fit_bayes(FORMULA, posh_table_8(), levels=LEVELS, method="nuts", draws=80)
    assert (fit.chains, fit.draws, fit.divergences) == (4, 80, 0)
    for name, printed in PRINTED.items():
        found = fit.posterior(name)
        assert found.median == pytest.approx(printed, abs=0.01)
        assert found.median == pytest.approx(approximate.posterior(name).median, abs=0.004)
        assert found.rhat == pytest.approx(1, abs=0.05)
        assert found.ess is not None
        assert found.ess > 40
    sds = [one.posterior("SD of phenomenon").median for one in (fit, approximate)]
    assert sds[0] == pytest.approx(sds[1], abs=0.1)
    assert any("independent draws" in note or "R-hat" in note for note in fit.notes)


@pytest.mark.shared
@pytest.mark.skipif(not LATER.is_file(), reason="needs the repository's counts beside the checkout")
def test_the_repositorys_later_counts_are_another_data_set() -> None:
    category = {"island": "island", "question": "question", "principle": "binding", "wanna": "wanna"}
    with LATER.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    table: dict[str, list[Any]] = {
        "size": [int(row["size_million"]) for row in rows],
        "source": [row["corpus"] for row in rows],
        "filtered": [row["filtered"] for row in rows],
        "seed": [row["seed"] for row in rows],
        "phenomenon": [row["phenomenon"] for row in rows],
        "category": [next(own for start, own in category.items() if row["phenomenon"].startswith(start)) for row in rows],
        "correct": [int(row["correct"]) for row in rows],
        "wrong": [int(row["n"]) - int(row["correct"]) for row in rows],
    }
    fit = fit_bayes(FORMULA.replace("(1 | ph", "(1 | seed) + (1 | ph"), table, levels=LEVELS, method="laplace")
    assert (fit.n, fit.n_trials) == (297, 148_500)
    assert fit.posterior("scale(size)").median == pytest.approx(0.16, abs=0.01)
    assert fit.posterior("source[baby]").median == pytest.approx(0.05, abs=0.01)
    assert fit.posterior("filtered[yes]").median == pytest.approx(0.07, abs=0.01)
    assert fit.posterior("category[question]:filtered[yes]").median == pytest.approx(-0.09, abs=0.01)
    assert [own.name for own in fit.group_sds] == ["SD of seed", "SD of phenomenon"]


def test_as_many_levels_as_answers_are_refused_at_once() -> None:
    many = {"y": [0, 1] * 1500, "item": [f"i{item}" for item in range(3000)]}
    with pytest.raises(ValueError, match="3,000 levels of grouping factors"):
        fit_bayes("y ~ 1 + (1 | item)", many, method="laplace")


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("cbind(correct, wrong) ~ size", "no random term"),
        ("cbind(correct, wrong) ~ size + (size | phenomenon)", "has slopes; only intercepts"),
        ("percent ~ size + (1 | phenomenon)", "needs 0 and 1 or cbind"),
        ("cbind(correct, percent) ~ size + (1 | phenomenon)", "whole numbers"),
        ("cbind(I(correct * 0), I(wrong * 0)) ~ size + (1 | phenomenon)", "0 of 0"),
        (
            "cbind(correct, wrong) ~ 1 + (1 | phenomenon) + (1 | category) + (1 | source)",
            "takes 2 grouping factors, not 3",
        ),
        ("cbind(correct, wrong) ~ nothing + (1 | phenomenon)", "no column 'nothing'"),
    ],
)
def test_what_is_no_such_model_is_refused(formula: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        fit_bayes(formula, posh_table_8(), method="laplace")
    with pytest.raises(ValueError, match="must be above 0"):
        fit_bayes(FORMULA, posh_table_8(), priors=Priors(group=0))
