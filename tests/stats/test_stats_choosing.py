"""What `||` means, which random slopes are left out, and how models compare; R's numbers are of R 4.2.2 with lme4 1.1-31."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from gapsmith.stats import compare_mixed, export_r, fit_mixed, reduce_mixed
from tests.reference.made_sets import DESIGNS, made

DATA = pd.read_csv(Path(__file__).parent.parent / "reference" / "mixed_data.csv")


@pytest.mark.parametrize(
    ("double_bar", "log_likelihood", "expanded"),
    [
        (
            "contrasts",
            -384.915669528674,
            "surprisal ~ gap + (1 | item) + (0 + `verb[annoy]` | item) + (0 + `verb[bother]` | item) + (1 | word)",
        ),
        ("split", -380.507785921258, "surprisal ~ gap + (1 | item) + (0 + verb | item) + (1 | word)"),
    ],
)
def test_double_bars_are_independent_contrasts_or_what_lme4_reads(double_bar: str, log_likelihood: float, expanded: str) -> None:
    formula = "surprisal ~ gap + (verb || item) + (1 | word)"
    fit = fit_mixed(formula, DATA, double_bar=double_bar)  # type: ignore[arg-type]
    assert fit.expanded == expanded
    assert fit.log_likelihood == pytest.approx(log_likelihood, abs=1e-4)
    # The formula as it was fitted is one that can be read, here and by R.
    assert fit_mixed(expanded, DATA).log_likelihood == pytest.approx(log_likelihood, abs=1e-4)
    material = export_r(formula, DATA, double_bar=double_bar)  # type: ignore[arg-type]
    assert material.formula == expanded
    assert ('data[["verb[annoy]"]]' in material.script) == (double_bar == "contrasts")


def test_interactions_and_every_coding_have_columns_that_can_be_read_back() -> None:
    for formula in (
        "surprisal ~ filler + (filler * gap || item)",
        "surprisal ~ gap + (0 + C(depth) || item) + (1 | word)",
        "surprisal ~ gap + (C(filler, treatment) * length || item)",
    ):
        fit = fit_mixed(formula, DATA)
        assert "||" not in fit.expanded
        assert fit_mixed(fit.expanded, DATA).log_likelihood == pytest.approx(fit.log_likelihood)


def test_slopes_are_left_out_backward_and_each_step_is_said() -> None:
    data = made(DESIGNS["many bars"], 3)
    fit = reduce_mixed("y ~ a * b + (a * b | item) + (a * b | verb) + (a * b | noun)", data)
    orders = [step.term.count(":") for step in fit.steps]
    assert orders == sorted(orders, reverse=True)
    first = fit.steps[0]
    assert (first.term, first.p, first.kept) == ("a:b by item", None, False)
    assert "the residuals are the same thing" in first.why
    assert "Chosen on these data" in fit.notes[-1]
    for group in ("item", "verb", "noun"):
        assert f"(1 | {group})" in fit.expanded
    kept = {step.term for step in fit.steps if step.kept}
    assert kept == {"a:b by verb"}
    # What a kept slope contains is kept with it.
    assert "(0 + a | verb)" in fit.expanded
    step = next(step for step in fit.steps if step.kept)
    without = fit_mixed(fit.expanded.replace(" + (0 + a:b | verb)", ""), data)
    assert without.log_likelihood is not None
    assert step.p is not None
    assert step.p < 0.2
    protected = reduce_mixed("y ~ a * b + (1 | item) + (a * b || verb) + (a * b || noun)", data, keep=["noun", "verb"])
    assert not protected.steps
    assert "(0 + a:b | noun)" in protected.expanded


def test_models_compare_as_by_rs_anova() -> None:
    """``anova(lmer(…), lmer(…), refit = TRUE)`` over mixed_data.csv: log-likelihood, AIC, BIC, chi-square."""
    found = compare_mixed(["surprisal ~ filler * gap + (1 | item)", "surprisal ~ filler + (1 | item)"], DATA)
    assert found.criterion == "ML"
    small, large = found.models
    assert (small.formula, small.parameters, large.parameters) == ("surprisal ~ filler + (1 | item)", 4, 6)
    (test,) = found.tests
    assert test.chi_square == pytest.approx(190.913983128, abs=1e-3)
    assert test.df == 2
    assert [own.aic for own in found.models] == pytest.approx([947.972361701, 761.058378572], abs=1e-3)
    assert [own.bic for own in found.models] == pytest.approx([961.002343189, 780.603350804], abs=1e-3)
    assert not found.variances_differ
    random = compare_mixed(["surprisal ~ gap + (1 | item)", "surprisal ~ gap + (filler | item)"], DATA)
    assert (random.criterion, random.variances_differ) == ("REML", True)
    apart = compare_mixed(["surprisal ~ gap + (1 | item)", "surprisal ~ filler + island + (1 | item)"], DATA)
    assert apart.tests[0].p is None
    assert "neither is inside the other" in str(apart.tests[0].undefined)


def test_models_of_other_rows_are_not_compared() -> None:
    holes = DATA.assign(length=np.where(DATA.index == 3, np.nan, DATA["length"]))
    with pytest.raises(ValueError, match="different rows"):
        compare_mixed(["surprisal ~ gap + (1 | item)", "surprisal ~ gap + length + (1 | item)"], holes)
    with pytest.raises(ValueError, match="different responses"):
        compare_mixed(["surprisal ~ gap + (1 | item)", "length ~ gap + (1 | item)"], DATA)
