"""The tests of an analysis for R: what a report's lines test, contrast by contrast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gapsmith.scoring.analysis.contrasts import closed_slots
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.stats import ContrastForR, Result, RMaterial, contrasts_in_r
from gapsmith.templates import MEASURES, listed, weighted_sum

CONTRASTS_FILE = "contrasts.csv"


@dataclass(frozen=True, slots=True)
class TestsForR:
    """The script for the contrasts of an analysis, and what it is held against."""

    material: RMaterial | None
    """None where no contrast has a test."""
    tests: Mapping[str, Result]
    """The test of each contrast that is in the script, as the analysis has it."""
    left_out: tuple[str, ...]
    """What the report says beside that and the script does not test, with the reason."""


def tests_for_r(analysis: Analysis) -> TestsForR:
    """The test of each contrast, in which its verdict has its p, over the same rows and by the same measure."""
    tested, left_out = {}, []
    contrasts = []
    for result in analysis.contrasts:
        name, test = result.contrast.name, result.main
        if test.p is None:
            left_out.append(f"{name} ({test.undefined or 'no test'})")
            continue
        tested[name] = test
        by = MEASURES.find(analysis.options.measure or result.contrast.measure)
        restricted = "".join(f"; {own}" for own in result.restrictions)
        contrasts.append(
            ContrastForR(
                name=name,
                about=f"{weighted_sum(result.contrast.terms)}; {by.title} ({by.unit}), {analysis.measured_as(by.name)}{restricted}",
                values=list(result.values.values()),
                rows=[result.word_rows.get(key, {}) for key in result.values],
                observations=[result.evidence[key] for key in result.values],
                closed=closed_slots(analysis.paradigm),
                alternative=result.alternative,
                by_words=result.words.these is not None,
            )
        )
    left_out += [f"criterion {own.criterion.name} (a share has an interval and no such test)" for own in analysis.criteria]
    return TestsForR(
        material=contrasts_in_r(contrasts, about=_about(analysis, left_out), data_file=CONTRASTS_FILE) if contrasts else None,
        tests=tested,
        left_out=tuple(left_out),
    )


def _about(analysis: Analysis, left_out: Sequence[str]) -> list[str]:
    """What the script is about, in lines."""
    convention, scorer = analysis.options.convention, analysis.scorer
    found = [
        f"The test of each contrast of {analysis.paradigm.name}, as `gapsmith analyze` makes it:  Rscript contrasts.R",
        f"Model {scorer.model}, revision {scorer.revision}; convention {convention}.",
        "p is of each test by itself, not corrected. Not in here: lines over other words, Wilcoxon's test, sign flips, regions"
        + (f"; {listed(left_out)}." if left_out else "."),
    ]
    return [line.replace("\n", " ") for line in found]
