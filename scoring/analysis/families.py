"""Which tests are corrected together: the only place that decides it.

A family is what the paradigm's file says (`family` of a contrast), else all tests of a run that nobody named a family for: of every
table, measure, model, data set and group of items that one command or call analyses. What was not said beforehand is exploratory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gapsmith.scoring.analysis.contrasts import judge
from gapsmith.scoring.analysis.results import Analysis, AnalysisOptions, ContrastResult
from gapsmith.stats import Result, adjust, evidence_of_absence


def corrected_results(
    runs: Sequence[tuple[Sequence[ContrastResult], AnalysisOptions]],
) -> tuple[tuple[ContrastResult, ...], ...]:
    """The contrasts of several analyses with p corrected over the tests of each family, and judged by it unless the options say
    otherwise. What has no p, or may not be interpreted, is no test."""
    every = [result for results, _ in runs for result in results]
    tests = iter(adjust([own.main for own in every], [own.contrast.family for own in every]))

    def judged(result: ContrastResult, test: Result, options: AnalysisOptions) -> ContrastResult:
        p = test.p_adj if options.holm else test.p
        delta, side = result.contrast.delta, result.contrast.expected
        absence = None if delta is None else evidence_of_absence(result.main, delta, side=side)
        verdict = judge(result.main, result.contrast.expected, p, options, absence)
        return replace(result, p_holm=test.p_adj, family=test.family, verdict=verdict, by_holm=options.holm, absence=absence)

    return tuple(tuple(judged(result, next(tests), options) for result in results) for results, options in runs)


def corrected_together(analyses: Sequence[Analysis]) -> tuple[Analysis, ...]:
    """The analyses of one run, their tests corrected together."""
    found = corrected_results([(own.contrasts, own.options) for own in analyses])
    return tuple(replace(own, contrasts=results) for own, results in zip(analyses, found, strict=True))
