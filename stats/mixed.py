"""Mixed models from a formula."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.design import Coding, DoubleBar, Frame, ModelMatrices, build_design
from gapsmith.stats.lmm import Family, MixedFit, RandomTerm, fit_columns
from gapsmith.stats.model_formula import ModelFormula, ModelFormulaError, parse_formula


def fit_mixed(
    formula: str,
    frame: Frame,
    *,
    coding: Coding | Mapping[str, Coding] = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    family: Family = "gaussian",
    reml: bool = True,
    confidence: float = 0.95,
    double_bar: DoubleBar = "contrasts",
) -> MixedFit:
    """Fit a linear mixed model, or with ``family="binomial"`` a logistic one, to the rows of `frame`.

    `formula` is in R's notation (`gapsmith.stats.model_formula`), as in ``surprisal ~ filler * gap + (1 | item) + (1 | item:gap)``. Factors
    become numeric columns by `coding`, with their levels in the order of `levels` where given (`gapsmith.stats.design.build_design`). A
    linear model is fitted by restricted likelihood (`reml`) and tested by t with Satterthwaite's degrees of freedom; a logistic
    one by Laplace's approximation of the likelihood and tested by z. Its response is 0 or 1, or ``cbind(successes, failures)``.

    ``(x || g)`` is, by `double_bar`, independent contrasts of x, or lme4's reading; `expanded` of the fit has it written out.

    Rows with a missing value are left out and counted. Raises FormulaError for a formula that cannot be read or a column that is
    not there, ValueError for a grouping factor with a level per row, and for responses that are not 0 or 1.
    """
    model = PreparedModel.of(parse_formula(formula), frame, coding, levels, family, double_bar)
    fit = model.fit(model.design.random, formula=formula, reml=reml, confidence=confidence)
    plain = not any(bars.double for bars in model.parsed.random) and "/" not in formula
    return fit if plain else replace(fit, expanded=model.design.expanded)


def count_variances(
    formula: str, frame: Frame, *, levels: Mapping[str, Sequence[str]] | None = None, double_bar: DoubleBar = "contrasts"
) -> int:
    """How many variances and covariances a fit of the formula searches. Raises as `fit_mixed` does for the formula and its columns."""
    design = build_design(parse_formula(formula), frame, levels=levels, double_bar=double_bar)
    return sum(len(term.columns) * (len(term.columns) + 1) // 2 for term in design.random)


@dataclass(frozen=True, slots=True)
class PreparedModel:
    """The columns of a model, and what is said of its rows, so that it can be fitted with more or fewer random terms."""

    parsed: ModelFormula
    design: ModelMatrices
    response: NDArray[np.float64]
    weights: NDArray[np.float64] | None
    family: Family
    notes: tuple[str, ...]

    @classmethod
    def of(
        cls,
        parsed: ModelFormula,
        frame: Frame,
        coding: Coding | Mapping[str, Coding],
        levels: Mapping[str, Sequence[str]] | None,
        family: Family,
        double_bar: DoubleBar,
    ) -> PreparedModel:
        """Raises as `fit_mixed` does."""
        formula = parsed.text
        if not parsed.random:
            raise ModelFormulaError(f"{formula!r} has no random term, as in '+ (1 | item)'; without one it is no mixed model")
        design = build_design(parsed, frame, coding=coding, levels=levels, double_bar=double_bar)
        response, rows = design.response, len(design.rows)
        notes = []
        if design.n_undefined:
            notes.append(f"{design.n_undefined:,} of {design.n_undefined + rows:,} rows lack a value and were left out.")
        weights = None
        if response.ndim == 2:
            if family != "binomial":
                raise ModelFormulaError("counts of successes and failures need a logistic model: family 'binomial'")
            if np.any(response < 0) or np.any(response != np.round(response)):
                raise ValueError(f"{parsed.response.text} must be whole numbers of at least 0")
            weights = response.sum(axis=1)
            if np.any(weights == 0):
                raise ValueError(f"{parsed.response.text} is 0 of 0 in a row; leave it out")
            response = response[:, 0] / weights
        elif family == "binomial" and not np.all((response == 0) | (response == 1)):
            raise ValueError(f"a logistic model needs a response of 0 and 1; {parsed.response.text} has other values")
        return cls(parsed, design, response, weights, family, tuple(notes))

    def fit(self, random: Sequence[RandomTerm], *, formula: str, reml: bool, confidence: float) -> MixedFit:
        """The fit with these random terms."""
        return fit_columns(
            self.response,
            self.design.fixed,
            self.design.fixed_names,
            random,
            family=self.family,
            reml=reml,
            confidence=confidence,
            formula=formula,
            n_undefined=self.design.n_undefined,
            notes=self.notes,
            weights=self.weights,
        )

    def written(self, random: Sequence[RandomTerm]) -> str:
        """The formula with these random terms."""
        return " + ".join([self.parsed.written_fixed, *(term.written for term in random)])
