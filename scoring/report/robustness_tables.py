"""What a result hangs on, and mixed models, as tables: for the terminal and for a section of the report."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis import Analysis, Sensitivity, describe_scorer, label
from gapsmith.scoring.report.numbers import bits, interval, p_value, plain, plain_interval, unit_of
from gapsmith.scoring.report.tables import Table, degrees, render_text

if TYPE_CHECKING:
    from gapsmith.stats import FormulaComparison, MixedFit, ReductionStep


@dataclass(frozen=True, slots=True)
class RobustnessPart:
    """A mixed model of a paradigm's items, or what its contrasts hang on."""

    title: str
    """The paradigm's; empty where the report has only one."""
    table: Table | None
    """None where a model could not be fitted."""
    lines: tuple[str, ...] = ()
    """Why there is no model."""
    not_tried: tuple[str, ...] = ()
    """Ways of computing the contrasts that these items do not allow."""


@dataclass(frozen=True, slots=True)
class RobustnessSection:
    """Mixed models, or checks, as a report shows them."""

    title: str
    name: str
    """For links within the page."""
    about: str
    parts: tuple[RobustnessPart, ...]


def robustness_sections(
    analyses: Sequence[Analysis],
    fits: Sequence[MixedFit],
    checks: Sequence[Sensitivity],
    models: Sequence[FormulaComparison] = (),
) -> tuple[RobustnessSection, ...]:
    """The sections of a report on mixed models, of which each analysis has as many as there are formulas, with their comparison, and on
    checks.

    Raises ValueError where models were fitted to some of the analyses only: they do not say what they are about."""
    if len(fits) % len(analyses) or (models and len(models) != len(analyses)):
        raise ValueError("a report has a mixed model for each of its analyses and formulas, or none")
    several = len(analyses) > 1
    found = []
    if fits:
        formulas = len(fits) // len(analyses)
        parts = []
        for place, of in enumerate(analyses):
            title = of.title if several else ""
            parts += [_model_part(fit, title) for fit in fits[place * formulas : (place + 1) * formulas]]
            parts += [RobustnessPart(title, models_table(own)) for own in models[place : place + 1]]
        found.append(RobustnessSection("Mixed models", "mixed-models", _ABOUT_MODELS, tuple(parts)))
    if checks:
        parts = [_check_part(own, own.analysis.title if several else "") for own in checks]
        found.append(RobustnessSection("What the contrasts hang on", "sensitivity", _ABOUT_CHECKS, tuple(parts)))
    return tuple(found)


_ABOUT_MODELS = (
    "A mixed model takes all sentences at once, with items, and what else its formula names, as random effects. It is beside the"
    " tests of the contrasts, and changes no verdict above."
)
_ABOUT_CHECKS = "Each contrast computed in other ways, one change at a time. Where a row has a star, the verdict above depends on that choice."


def _model_part(fit: MixedFit, title: str) -> RobustnessPart:
    if fit.undefined is not None:
        return RobustnessPart(title, None, (_not_fitted(fit), *fit.notes))
    return RobustnessPart(title, model_table(fit))


def _check_part(found: Sensitivity, title: str) -> RobustnessPart:
    if not found.variants:
        return RobustnessPart(title, None, ("No contrast has a value that could hang on anything.",), found.not_tried)
    return RobustnessPart(title, sensitivity_table(found), not_tried=found.not_tried)


def _not_fitted(fit: MixedFit) -> str:
    return f"{fit.formula}: not fitted, because {fit.undefined}"


def sensitivity_table(found: Sensitivity) -> Table:
    """One row per contrast and way of computing it; a star where that says something else than the analysis."""
    names = {
        result.contrast.name: label(result.contrast) + (f" ({result.mark})" if result.mark else "")
        for result in found.analysis.contrasts
    }
    rows, shown = [], ""
    for own in found.variants:
        test = own.result
        rows.append(
            (
                names[own.contrast] if own.contrast != shown else "",
                own.what,
                bits(test.estimate),
                interval(test.ci_low, test.ci_high),
                plain(test.statistic),
                p_value(test.p),
                f"{test.n:,}",
                f"{own.verdict.value}{' *' if own.turns else ''}",
            )
        )
        shown = own.contrast
    columns = ("", "computed", "mean", f"{100 * found.analysis.options.confidence:g}% CI", "t", "p", "n", "verdict")
    unit = unit_of(result.contrast.measure for result in found.analysis.contrasts)
    return Table(
        f"What the contrasts of {found.analysis.paradigm.name} hang on ({unit})",
        columns,
        tuple(rows),
        frozenset({2, 3, 4, 5, 6}),
        ("*: says something else than the analysis", "verdicts from p, not corrected for several tests"),
    )


def sensitivity_text(found: Sensitivity, *, width: int = 80) -> str:
    """The table with what could not be tried."""
    blocks = [_table(sensitivity_table(found), width), f"Scored by {describe_scorer(found.analysis.scorer)}."]
    if found.not_tried:
        blocks.append("Not tried:\n" + "\n".join(_wrapped(line, width, "- ") for line in found.not_tried))
    return "\n\n".join(blocks) + "\n"


def model_table(fit: MixedFit) -> Table:
    """The fixed effects of a mixed model; random effects and the likelihood as notes."""
    logistic = fit.family == "binomial"
    rows = tuple(
        (
            own.name,
            plain(own.estimate, 3),
            plain(own.se, 3),
            plain_interval(*own.ci, digits=3),
            plain(own.statistic),
            degrees(own.df),
            p_value(own.p),
        )
        for own in fit.coefficients
    )
    columns = (
        "",
        "log odds" if logistic else "estimate",
        "SE",
        f"{100 * fit.confidence:g}% CI",
        "z" if logistic else "t",
        "df",
        "p",
    )
    notes = [f"{fit.n:,} rows"]
    if fit.undefined is None:
        notes += [f"SD of {own.name} by {own.group} ({own.n_levels:,} levels): {plain(own.sd, 3)}" for own in fit.variances]
        notes += [f"residual SD: {plain(fit.residual_sd, 3)}"] if fit.residual_sd is not None else []
        how = "Laplace" if logistic else "REML" if fit.reml else "ML"
        notes += [f"log likelihood ({how}): {plain(fit.log_likelihood)}"] if fit.log_likelihood is not None else []
        notes.append("p: Wald's z" if logistic else "p: t with Satterthwaite's degrees of freedom, two-sided")
        notes += _coding_notes([own.name for own in fit.coefficients])
        notes += [f"as fitted: {fit.expanded}"] if fit.expanded else []
        notes += map(_step, fit.steps)
        if fit.steps:
            notes.append(
                "random slopes by the likelihood ratio at .20, backward from the model without correlations, highest order first "
                "(Matuschek et al. 2017)"
            )
    return Table(
        f"{'Logistic mixed' if logistic else 'Mixed'} model: {fit.formula}",
        columns,
        rows,
        frozenset(range(1, 7)),
        (*notes, *fit.notes),
    )


def _step(step: ReductionStep) -> str:
    """A random slope that was tried without, and what came of it."""
    what = "kept" if step.kept else "left out"
    if step.chi_square is None:
        return f"{what}: {step.term}, since {step.why}"
    return f"{what}: {step.term}, χ²({step.df}) = {plain(step.chi_square)}, p = {p_value(step.p)}"


def models_table(found: FormulaComparison) -> Table:
    """Models of the same rows, by number of parameters, each but the first tested against the one before it."""
    tests = {own.larger: own for own in found.tests}
    rows = []
    notes = [f"{found.n:,} rows; log likelihood: {found.criterion}"]
    for place, own in enumerate(found.models):
        test = tests.get(place)
        ratio = ("", "", "") if test is None or test.p is None else (plain(test.chi_square), str(test.df), p_value(test.p))
        rows.append((own.formula, str(own.parameters), plain(own.log_likelihood), plain(own.aic), plain(own.bic), *ratio))
        if own.undefined is not None:
            notes.append(f"{own.formula}: not fitted, because {own.undefined}")
        elif test is not None and test.undefined is not None:
            notes.append(f"{own.formula} is not tested against the one above: {test.undefined}")
    notes.append("χ²: likelihood ratio against the model above; AIC, BIC: less is better")
    if found.variances_differ:
        notes.append("a variance cannot be below 0, so a test of one is careful: its p is too large, up to twice")
    columns = ("", "parameters", "log likelihood", "AIC", "BIC", "χ²", "df", "p")
    return Table("Mixed models compared", columns, tuple(rows), frozenset(range(1, 8)), tuple(notes))


def models_text(found: FormulaComparison, *, width: int = 80) -> str:
    """The comparison for a terminal."""
    return _table(models_table(found), width) + "\n"


_SUM_CODED = re.compile(r"[^\[\]:]+\[(?!=)(?:(?! vs )[^\]])*\]")
_CODED = re.compile(r"[^\[\]:]+_code")


def _coding_notes(names: Sequence[str]) -> list[str]:
    """What coefficients of coded factors say, for the codings that there are: of single factors and of their interactions."""
    found = []
    for coded, main, twice in (
        (
            _SUM_CODED,
            "the level against the average of its factor's levels; of two levels half the difference",
            "a quarter of the",
        ),
        (_CODED, "the difference between its first and its last level, coded +1/2 and -1/2", "the"),
    ):
        parts = [[*name.split(":")] for name in names]
        own = [len(split) for split in parts if all(coded.fullmatch(part) for part in split)]
        shown = "factor[level]" if coded is _SUM_CODED else "factor_code"
        if 1 in own:
            found.append(f"{shown}: {main}")
        if 2 in own:
            found.append(f"{shown}:{shown}: of two levels each, {twice} difference in differences")
        if max(own, default=0) > 2:
            more = "half" if coded is _SUM_CODED else "the same"
            found.append(f"with each further factor {more} of the difference between such differences")
    return found


def model_text(fit: MixedFit, *, width: int = 80) -> str:
    """The model for a terminal; why there is none, where there is none."""
    if fit.undefined is not None:
        lines = [_not_fitted(fit), *fit.notes]
        return "\n".join(_wrapped(line, width, "") for line in lines) + "\n"
    return _table(model_table(fit), width) + "\n"


def _table(table: Table, width: int) -> str:
    return render_text(table, width=width) + "\n".join(_wrapped(note, width, "  ") for note in table.notes)


def _wrapped(line: str, width: int, mark: str) -> str:
    return textwrap.fill(line, width, initial_indent=mark, subsequent_indent=" " * len(mark))
