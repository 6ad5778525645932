"""What analyses come to: results that read well in Python, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from gapsmith.app.requests.base import StageRequest
from gapsmith.templates import ConfigError, did_you_mean

if TYPE_CHECKING:
    import pandas

    from gapsmith.scoring.analysis import Analysis, ContrastResult, CriterionResult, RunComparison, Sensitivity
    from gapsmith.stats import FormulaComparison, MixedFit


@dataclass(frozen=True, slots=True)
class Analyzed:
    """What was asked of analyses, and what came out; ``analyzed["P1"].p`` is the p value of the contrast P1."""

    request: StageRequest
    analyses: tuple[Analysis, ...] = ()
    """One for each paradigm, under one model; empty where several models or data sets were compared."""
    comparisons: tuple[RunComparison, ...] = ()
    """Several models, data sets, contexts or words side by side, for each paradigm."""
    fits: tuple[MixedFit, ...] = ()
    """The mixed models of the formulas, paradigm by paradigm."""
    models: tuple[FormulaComparison, ...] = ()
    """Where several formulas were asked for: how their models compare, for each paradigm."""
    checks: tuple[Sensitivity, ...] = ()
    """What the contrasts hang on."""
    notes: tuple[str, ...] = ()
    """Choices that were made because nothing was asked for, and paradigms that were left out."""

    @property
    def contrasts(self) -> tuple[ContrastResult, ...]:
        """The contrasts of all analyses."""
        return tuple(result for analysis in self.analyses for result in analysis.contrasts)

    @property
    def criteria(self) -> tuple[CriterionResult, ...]:
        """The criteria of all analyses."""
        return tuple(result for analysis in self.analyses for result in analysis.criteria)

    def __getitem__(self, name: str) -> ContrastResult:
        """The contrast of that name, or ``paradigm.contrast`` where several paradigms have one. Raises `ConfigError`."""
        found = [
            result
            for analysis in self.analyses
            for result in analysis.contrasts
            if name in (result.contrast.name, f"{analysis.paradigm.name}.{result.contrast.name}")
        ]
        if len(found) == 1:
            return found[0]
        known = [result.contrast.name for result in self.contrasts]
        if found:
            named = [f"{analysis.paradigm.name}.{name}" for analysis in self.analyses]
            raise ConfigError(f"several paradigms have a contrast {name!r}", hint=f"Say one of: {', '.join(named)}.")
        raise ConfigError(f"there is no contrast {name!r}", hint=f"{did_you_mean(name, known)}There are: {', '.join(known)}.")

    def __iter__(self) -> Iterator[Analysis]:
        return iter(self.analyses)

    def __len__(self) -> int:
        return len(self.analyses)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each contrast: paradigm, contrast, estimate (bits), ci_low, ci_high, t, df, p, n, verdict, mark; of comparisons with a
        column ``run`` before them. Of mixed models a row for each coefficient, of checks one for each way of computing."""
        import pandas

        from gapsmith.scoring.analysis import plain_data

        if self.fits:
            return pandas.DataFrame(
                [{"formula": fit.formula, **plain_data(own)} for fit in self.fits for own in fit.coefficients]
            )
        if self.checks:
            return pandas.DataFrame([plain_data(own) for check in self.checks for own in check.variants])
        rows = [
            {
                **({"run": run} if run else {}),
                "paradigm": analysis.paradigm.name,
                "contrast": result.contrast.name,
                "estimate": result.estimate,
                "ci_low": result.ci[0],
                "ci_high": result.ci[1],
                "t": result.statistic,
                "df": result.df,
                "p": result.p,
                "n": result.n,
                "verdict": result.verdict.value,
                "mark": result.mark,
            }
            for run, analysis in self._runs()
            for result in analysis.contrasts
        ]
        return pandas.DataFrame(rows)

    def _runs(self) -> Iterator[tuple[str, Analysis]]:
        yield from (("", analysis) for analysis in self.analyses)
        for comparison in self.comparisons:
            for run in comparison.runs:
                yield ", ".join(run.place(axis) for axis in comparison.varying), run.analysis

    def _repr_html_(self) -> str:
        if not self.analyses:
            return f"<pre>{escape(self.as_text())}</pre>"
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_text(self) -> str:
        """The results as the command prints them."""
        # What another kind of result needs is not imported.
        if self.fits:
            from gapsmith.scoring.report import model_text, models_text

            return "\n".join([*map(model_text, self.fits), *map(models_text, self.models)])
        if self.checks:
            from gapsmith.scoring.report import sensitivity_text

            return "\n\n".join(map(sensitivity_text, self.checks))
        if self.comparisons:
            from gapsmith.scoring.report import comparison_text

            return "\n\n".join(map(comparison_text, self.comparisons))
        from gapsmith.scoring.report import analysis_text

        return "\n\n".join(map(analysis_text, self.analyses))

    def as_data(self) -> list[Any]:
        """The results as JSON takes them: a list of objects."""
        from gapsmith.scoring.analysis import analysis_json, plain_data

        if self.fits:
            return [*plain_data(self.fits), *plain_data(self.models)]
        if self.checks:
            from gapsmith.scoring.analysis import sensitivity_json

            return [sensitivity_json(one) for one in self.checks]
        if self.comparisons:
            from gapsmith.scoring.analysis import comparison_json

            return [comparison_json(one) for one in self.comparisons]
        return [analysis_json(one) for one in self.analyses]
