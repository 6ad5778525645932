"""Formulas against R's model.matrix, mixed models against lme4 and lmerTest (``tests/reference/mixed_reference.R``)."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import mixedlm
import numpy as np
import pandas as pd
import pytest

from gapsmith.scoring.report.robustness_tables import model_text
from gapsmith.stats import ModelFormulaError, fit_mixed, mixed_results
from gapsmith.stats.design import build_design
from gapsmith.stats.model_formula import parse_formula
from tests.parts import first_of_each
from tests.reference.made_sets import DESIGNS, SMALL, made

REFERENCE_FILES = Path(__file__).parent.parent / "reference"
REFERENCE: dict[str, Any] = json.loads((REFERENCE_FILES / "mixed_reference.json").read_text(encoding="utf-8"))
DATA = pd.read_csv(REFERENCE_FILES / "mixed_data.csv")


def named(block: dict[str, Any]) -> str:
    """A test's name."""
    return f"{block['coding']}: {block['formula']}{'' if block.get('reml', True) else ' ML'}"


def listed(value: Any) -> list[float]:
    """A vector of R's, which writes one of length one as a number."""
    return sorted(value) if isinstance(value, list) else [value]


@pytest.mark.parametrize("block", REFERENCE["matrices"], ids=named)
def test_the_columns_are_those_of_rs_model_matrix(block: dict[str, Any]) -> None:
    few = DATA[DATA["item"] <= "i05"]
    design = build_design(parse_formula(f"surprisal {block['formula']}"), few, coding=block["coding"])
    assert design.fixed.shape == (48, len(block["columns"]))
    np.testing.assert_allclose(design.fixed.T, np.array(block["columns"]), atol=1e-12)
    assert len(set(design.fixed_names)) == len(design.fixed_names)


@pytest.mark.parametrize("block", REFERENCE["lmm"], ids=named)
def test_linear_mixed_models_are_lme4s(block: dict[str, Any]) -> None:
    fit = fit_mixed(block["formula"], DATA, coding=block["coding"], reml=block["reml"])
    assert fit.log_likelihood is not None
    assert fit.log_likelihood > block["log_likelihood"] - 1e-4
    assert fit.log_likelihood == pytest.approx(block["log_likelihood"], abs=1e-3)
    assert fit.singular == block["singular"]
    assert ("singular" in " ".join(fit.notes)) == block["singular"]
    estimates = [own.estimate for own in fit.coefficients]
    assert estimates == pytest.approx(listed_in_order(block["estimate"]), rel=1e-3, abs=1e-4)
    assert [own.se for own in fit.coefficients] == pytest.approx(listed_in_order(block["se"]), rel=1e-3)
    assert sorted(own.sd for own in fit.variances) == pytest.approx(listed(block["sds"]), rel=1e-3, abs=2e-3)
    assert fit.residual_sd == pytest.approx(block["sigma"], rel=1e-3)
    assert [own.df for own in fit.coefficients] == pytest.approx(listed_in_order(block["df"]), rel=1e-3)
    assert [own.p for own in fit.coefficients] == pytest.approx(listed_in_order(block["p"]), rel=1e-2, abs=1e-12)


def listed_in_order(value: Any) -> list[float]:
    """A vector of R's as it stands."""
    return value if isinstance(value, list) else [value]


@pytest.mark.parametrize("block", REFERENCE["glmm"], ids=named)
def test_logistic_mixed_models_are_lme4s(block: dict[str, Any]) -> None:
    fit = fit_mixed(block["formula"], DATA, coding=block["coding"], family="binomial")
    assert fit.log_likelihood == pytest.approx(block["log_likelihood"], abs=1e-3)
    assert fit.singular == block["singular"]
    assert [own.estimate for own in fit.coefficients] == pytest.approx(block["estimate"], rel=1e-3, abs=1e-3)
    # On the boundary lme4 takes second derivatives across it, and its standard errors there mean nothing.
    if not block["singular"]:
        assert [own.se for own in fit.coefficients] == pytest.approx(block["se"], rel=2e-3)
        assert [own.p for own in fit.coefficients] == pytest.approx(block["p"], rel=2e-2, abs=1e-10)
    assert sorted(own.sd for own in fit.variances) == pytest.approx(listed(block["sds"]), rel=3e-3, abs=5e-2)
    assert all(own.df is None for own in fit.coefficients)


def test_names_of_coefficients_say_what_is_compared() -> None:
    def names(coding: Any, formula: str = "surprisal ~ filler * gap + (1 | item)") -> list[str]:
        return [own.name for own in fit_mixed(formula, DATA, coding=coding).coefficients]

    assert names("sum") == ["(Intercept)", "filler[that]", "gap[filled]", "filler[that]:gap[filled]"]
    assert names("treatment")[1] == "filler[who vs that]"
    assert names({"filler": "treatment"})[1:3] == ["filler[who vs that]", "gap[filled]"]
    assert names("sum", "surprisal ~ C(filler, treatment) + (1 | item)")[1] == "C(filler, treatment)[who vs that]"
    assert names("sum", "surprisal ~ 0 + gap + (1 | item)") == ["gap[=filled]", "gap[=open]"]


def test_levels_take_the_order_asked_for_or_that_of_a_category() -> None:
    plain = fit_mixed("surprisal ~ filler + (1 | item)", DATA).coefficients[1]
    turned = fit_mixed("surprisal ~ filler + (1 | item)", DATA, levels={"filler": ["who", "that"]}).coefficients[1]
    assert turned.name == "filler[who]"
    assert turned.estimate == pytest.approx(-plain.estimate)
    category = DATA.assign(filler=pd.Categorical(DATA["filler"], categories=["who", "that"]))
    assert fit_mixed("surprisal ~ filler + (1 | item)", category).coefficients[1] == turned
    with pytest.raises(ModelFormulaError, match="level 'that', which is none of who"):
        fit_mixed("surprisal ~ filler + (1 | item)", DATA, levels={"filler": ["who"]})


def test_rows_without_a_value_are_left_out_and_counted() -> None:
    holes = DATA.copy()
    holes["surprisal"] = holes["surprisal"].astype(object)
    holes.loc[[3, 9], "surprisal"] = None
    holes.loc[4, "gap"] = None
    fit = fit_mixed("surprisal ~ filler + gap + (1 | item)", holes)
    assert (fit.n, fit.n_undefined) == (189, 3)
    assert fit.notes[0] == "3 of 192 rows lack a value and were left out."
    same = fit_mixed("surprisal ~ filler + gap + (1 | item)", DATA.drop(index=[3, 4, 9]))
    assert [own.estimate for own in fit.coefficients] == [own.estimate for own in same.coefficients]
    # A hole in a column that the formula does not name changes nothing.
    assert fit_mixed("surprisal ~ filler + (1 | verb)", holes.drop(columns="gap").fillna({"surprisal": 9.0})).n == 192


def test_a_column_that_others_determine_is_left_out_and_named() -> None:
    doubled = DATA.assign(twice=DATA["length"] * 2.0)
    fit = fit_mixed("surprisal ~ length + twice + (1 | item)", doubled)
    assert [own.name for own in fit.coefficients] == ["(Intercept)", "length"]
    assert "Left out because other columns determine it: twice." in fit.notes


def test_results_carry_each_fixed_effect() -> None:
    fit = fit_mixed("surprisal ~ filler * gap + (1 | item)", DATA)
    results = mixed_results(fit)
    assert [own.contrast for own in results] == [own.name for own in fit.coefficients]
    second = results[1]
    assert (second.test, second.n) == ("mixed model", 192)
    assert (second.estimate, second.df, second.p) == (
        fit.coefficients[1].estimate,
        fit.coefficients[1].df,
        fit.coefficients[1].p,
    )
    nothing = fit_mixed("y ~ x + (1 | g)", {"y": [1.0, 1.0, 2.0, 2.0], "x": [0.0, 0.0, 1.0, 1.0], "g": ["a", "b", "a", "b"]})
    assert nothing.undefined is not None
    (only,) = mixed_results(nothing)
    assert (only.p, only.interpretable) == (None, False)
    assert "reproduce every value" in str(only.undefined)


def test_groups_that_are_all_right_or_nearly_all_wrong_are_fitted_as_glmer_does() -> None:
    """lme4 1.1.31, `glmer(cbind(right, wrong) ~ length + (1 | suite))` with bobyqa and tolPwrss 1e-10. The compiled search for the
    suites' effects circles at most of the places that are tried here; a fit that ended there named no reason but eigenvalues."""
    suites = {
        "a": (15, 61, 79, 236),
        "b": (39, 30, 185, 133),
        "c": (60, 7, 294, 23),
        "d": (50, 22, 205, 111),
        "e": (67, 0, 325, 1),
        "f": (75, 0, 317, 0),
        "g": (47, 10, 288, 40),
        "h": (42, 27, 179, 136),
        "i": (74, 0, 314, 2),
        "j": (1, 68, 22, 300),
    }
    rows = [
        {"suite": suite, "length": length, "right": counts[at], "wrong": counts[at + 1]}
        for suite, counts in suites.items()
        for length, at in ((3.0, 0), (4.0, 2))
    ]
    fit = fit_mixed("cbind(right, wrong) ~ length + (1 | suite)", pd.DataFrame(rows), family="binomial")
    assert fit.undefined is None
    assert fit.log_likelihood == pytest.approx(-70.97722478, abs=1e-6)
    assert [own.estimate for own in fit.coefficients] == pytest.approx([1.692850509, 0.093355164], abs=1e-5)
    assert [own.se for own in fit.coefficients] == pytest.approx([1.12563777, 0.12341464], abs=1e-4)
    assert fit.variances[0].sd == pytest.approx(3.149743, abs=1e-4)


def test_a_search_that_was_cut_short_gives_no_number_to_conclude_from(monkeypatch: pytest.MonkeyPatch) -> None:
    formula = "surprisal ~ filler * gap + (filler | item) + (1 | word)"
    assert fit_mixed(formula, DATA).undefined is None
    monkeypatch.setattr(mixedlm, "glmerControl", partial(mixedlm.glmerControl, maxiter=1))
    # Neither descends nor goes on: each round ends where it began.
    monkeypatch.setattr("gapsmith.stats.lmm_search.scipy.optimize.minimize", lambda *given, **_: SimpleNamespace(x=given[1]))
    monkeypatch.setattr("gapsmith.stats.lmm_search._POLISH", 0)
    monkeypatch.setattr("gapsmith.stats.lmm_search._ROUNDS", 1)
    logistic = fit_mixed("correct ~ filler * gap + (1 | item)", DATA, family="binomial")
    for fit in (fit_mixed(formula, DATA), logistic):
        assert (fit.coefficients, fit.variances) == ((), ())
        (only,) = mixed_results(fit)
        assert (only.estimate, only.p, only.ci, only.interpretable) == (None, None, None, False)
        assert "did not converge" in str(only.undefined)
        assert "not fitted, because the search for its variances did not converge" in " ".join(model_text(fit).split())


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("surprisal ~ filler", "no random term"),
        ("surprisal ~ nothing + (1 | item)", "no column 'nothing'; there are item, word"),
        ("surprisal ~ filler + (1 | nothing)", "no column 'nothing'"),
        ("surprisal ~ poly(length, 2) + (1 | item)", r"poly\(\) .* is none of the functions"),
        ("surprisal ~ filler + (1 | row)", "row has one level per row"),
        ("surprisal ~ filler + (filler * gap * island | item)", "as many as the 192 rows"),
        ("surprisal ~ filler + (1 | same)", "same has one level only"),
        ("surprisal ~ same + (1 | item)", "the factor same has one level only"),
        ("surprisal ~ log(zero) + (1 | item)", r"log\(zero\) is -inf where zero is 0"),
        ("surprisal ~ log(filler) + (1 | item)", "filler is no number"),
        ("filler ~ gap + (1 | item)", "filler is no number"),
        ("surprisal ~ length ^ 1.5 + (1 | item)", "must be a whole number"),
        ("surprisal ~ C(filler, helmert) + (1 | item)", "the coding 'helmert' is none of sum, treatment"),
        ("surprisal ~ filler + (1 | item", "is missing at its end"),
        ("cbind(hits, misses) ~ filler + (1 | item)", "need a logistic model"),
        ("surprisal ~ filler + (1 | item) + (filler | item)", "the intercept varies by item in two random terms"),
        ("surprisal ~ filler + (1 | item) + (1 | item)", "the intercept varies by item in two random terms"),
        ("surprisal ~ " + "(" * 5000 + "filler" + ")" * 5000 + " + (1 | item)", "5,001 parentheses"),
        ("surprisal ~ empty + (1 | item)", "no row has a value in every column"),
    ],
)
def test_what_cannot_be_fitted_is_refused_with_the_reason(formula: str, why: str) -> None:
    odd = DATA.assign(row=range(len(DATA)), same="x", zero=0, empty=math.nan)
    with pytest.raises(ValueError, match=why):
        fit_mixed(formula, odd)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda d: d.assign(correct=d["correct"] * 2), "needs a response of 0 and 1"),
        (lambda d: d.assign(correct=d["surprisal"]), "needs a response of 0 and 1"),
    ],
)
def test_a_logistic_model_takes_zeros_and_ones_only(change: Callable[[Any], Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        fit_mixed("correct ~ filler + (1 | item)", change(DATA), family="binomial")


def test_a_logistic_model_of_one_outcome_is_undefined() -> None:
    fit = fit_mixed("correct ~ filler + (1 | item)", DATA.assign(correct=1), family="binomial")
    assert fit.undefined == "every response is the same"


def test_a_condition_that_is_always_right_is_said() -> None:
    fit = fit_mixed("right ~ filler + (1 | item)", DATA.assign(right=(DATA["filler"] == "who") * 1), family="binomial")
    assert "always right or always wrong" in " ".join(fit.notes)


def test_numbers_of_any_size_are_fitted_alike() -> None:
    plain = fit_mixed("surprisal ~ filler + (1 | item)", DATA)
    for scale, shift in ((1e7, 1e9), (1e-9, 0.0)):
        other = fit_mixed("surprisal ~ filler + (1 | item)", DATA.assign(surprisal=DATA["surprisal"] * scale + shift))
        assert other.coefficients[1].estimate == pytest.approx(plain.coefficients[1].estimate * scale, rel=1e-4)
        assert other.coefficients[1].statistic == pytest.approx(plain.coefficients[1].statistic, rel=1e-4)


def test_a_name_with_other_characters_stands_between_backticks() -> None:
    fit = fit_mixed("surprisal ~ `gap 2` + (1 | `the item`)", DATA.rename(columns={"gap": "gap 2", "item": "the item"}))
    assert [own.name for own in fit.coefficients] == ["(Intercept)", "gap 2[filled]"]


def test_what_stands_below_a_model_is_true_of_its_coefficients() -> None:
    """For every coding, and for interactions, of exact data: cell means 1, 2, 4 and 12."""
    rng = np.random.default_rng(1)
    cells = {("who", "gap"): 1.0, ("who", "none"): 2.0, ("that", "gap"): 4.0, ("that", "none"): 12.0}
    rows = [(item, *cell, mean) for item in range(20) for cell, mean in cells.items()]
    off = rng.normal(size=20)
    noise = rng.normal(scale=0.01, size=(20, 4))
    noise -= noise.mean(axis=0)
    frame: dict[str, list[Any]] = {
        "item": [str(row[0]) for row in rows],
        "filler": [row[1] for row in rows],
        "gap": [row[2] for row in rows],
        "y": [row[3] + off[row[0]] - off.mean() + noise[row[0], n % 4] for n, row in enumerate(rows)],
    }
    frame["filler_code"] = [0.5 if level == "who" else -0.5 for level in frame["filler"]]
    frame["gap_code"] = [0.5 if level == "gap" else -0.5 for level in frame["gap"]]
    filler, both = (1 + 2 - 4 - 12) / 2, (1 - 2) - (4 - 12)
    levels = {"filler": ("who", "that"), "gap": ("gap", "none")}
    sums = fit_mixed("y ~ filler * gap + (1 | item)", frame, levels=levels)
    of = {own.name: own.estimate for own in sums.coefficients}
    assert of["filler[who]"] == pytest.approx(filler / 2)
    assert of["filler[who]:gap[gap]"] == pytest.approx(both / 4)
    said = " ".join(model_text(sums).split())
    assert "factor[level]: the level against the average of its factor's levels; of two levels half the difference" in said
    assert "factor[level]:factor[level]: of two levels each, a quarter of the difference in differences" in said
    assert "_code" not in said
    codes = fit_mixed("y ~ filler_code * gap_code + (1 | item)", frame)
    of = {own.name: own.estimate for own in codes.coefficients}
    assert of["filler_code"] == pytest.approx(filler)
    assert of["filler_code:gap_code"] == pytest.approx(both)
    said = " ".join(model_text(codes).split())
    assert "factor_code: the difference between its first and its last level" in said
    assert "factor_code:factor_code: of two levels each, the difference in differences" in said
    assert "half" not in said.replace("+1/2", "")
    treated = fit_mixed("y ~ filler + (1 | item)", frame, levels=levels, coding="treatment")
    assert "difference" not in model_text(treated)


OPTIMA: dict[str, Any] = json.loads((REFERENCE_FILES / "lme4_optima.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "block",
    first_of_each(OPTIMA["sets"], lambda block: (block["design"], block["criterion"])),
    ids=lambda block: f"{block['design']} {block['seed']} {block['criterion']}",
)
def test_no_optimum_is_lower_than_the_better_of_lme4s(block: dict[str, Any]) -> None:
    """Sets in which lme4's two optimisers, or our earlier search, ended elsewhere than the best."""
    design = (DESIGNS | SMALL)[block["design"]]
    fit = fit_mixed(design.formula, made(design, block["seed"]), family=design.family, reml=block["criterion"] == "REML")
    assert fit.log_likelihood is not None
    assert fit.certificate is not None
    logistic = design.family == "binomial"
    assert fit.log_likelihood > max(block["usual"], block["bobyqa"]) - (1e-3 if logistic else 1e-4)
    assert fit.certificate.gradient < (1e-2 if logistic else 1e-4)
    assert fit.certificate.at_zero is None or fit.certificate.at_zero > (-1e-3 if logistic else -1e-6)


def made_with_two_groups(seed: int) -> dict[str, list[Any]]:
    """Twenty items by two factors, of few verbs and nouns, whose slopes go together."""
    rng = np.random.default_rng(seed)
    verbs, nouns = (rng.normal(size=(k, 4)) * rng.choice([0, 0.3, 1]) for k in (5, 4))
    rows = []
    for _ in range(20):
        verb, noun, own = int(rng.integers(5)), int(rng.integers(4)), rng.normal() * 0.5
        for a in (-0.5, 0.5):
            for b in (-0.5, 0.5):
                y = np.array([1, a, b, a * b]) @ (verbs[verb] + nouns[noun]) + own + rng.normal() * 0.5
                rows.append({"y": float(y), "a": a, "b": b, "verb": f"v{verb}", "noun": f"n{noun}"})
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.full
@pytest.mark.parametrize("seed", range(20, 40))
def test_no_other_start_ends_lower(seed: int) -> None:
    """Correlated slopes have several optima: mixedlm alone, from random starts, finds none that is likelier."""
    data = made_with_two_groups(seed)
    fit = fit_mixed("y ~ a * b + (a + b | verb) + (1 | noun)", data)
    assert fit.log_likelihood is not None
    quiet = mixedlm.lmerControl(check_nlev_gtreq_5="ignore", check_singular=False, check_conv=False)
    terms = "(1 + a + b | verb) + (1 | noun)"
    alone = mixedlm.lmer(f"y ~ a * b + {terms}", pd.DataFrame(data), control=quiet)
    rng = np.random.default_rng(seed)
    for _ in range(6):
        start = rng.normal(size=7) * 0.5
        start[[0, 2, 5, 6]] = abs(start[[0, 2, 5, 6]])
        other = alone.refit(np.array(data["y"]), start=start)
        assert fit.log_likelihood > float(other.logLik().value) - 1e-4
