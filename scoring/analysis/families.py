"""Which tests are corrected together: the only place that decides it.

A family is what the frozen plan says, else the paradigm's file (`family` of a contrast), else all tests of a run that nobody named a
family for: of every table, measure, model, data set and group of items that one command or call analyses, and of what differs between
these. What was not said beforehand is called unplanned; a contrast without an expected sign is what is called exploratory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gapsmith.scoring.analysis.contrasts import absence_of, judge_result
from gapsmith.scoring.analysis.results import FROZEN_LATE, Analysis, AnalysisOptions, ContrastResult
from gapsmith.stats import Result, adjust, two_sided_p
from gapsmith.templates import Contrast

UNPLANNED = "this run that the plan does not name"
"""The family of tests that no plan names, where there is one for some of the run."""
UNPLANNED_LATE = f"this run that the plan, {FROZEN_LATE}, does not name"
"""The same where all plans came after scores."""

Other = tuple[Result, Contrast | None, bool]
"""A test beside those of contrasts, the contrast that it is of, and whether there is a plan."""


def corrected_results(
    runs: Sequence[tuple[Sequence[ContrastResult], AnalysisOptions]],
    others: Sequence[Other] = (),
    *,
    plans: Sequence[bool | None] = (),
) -> tuple[tuple[tuple[ContrastResult, ...], ...], tuple[Result, ...]]:
    """The contrasts of several analyses with p corrected over the tests of each family, and judged by it unless the options say
    otherwise; and the other tests with theirs. What has no p, or may not be interpreted, is no test, and what compares different words is none:
    its words say so, whatever its p. `plans` says of each run whether its plan was frozen after the first score; None where it has
    none."""
    every = [result for results, _ in runs for result in results]
    there = [late for late in plans if late is not None]
    rest = "" if not there else UNPLANNED_LATE if all(there) else UNPLANNED
    names = [result.contrast.family or rest for result in every]
    # What differs between models or data sets is in no plan, which is of each by itself.
    names += [rest if has_plan or of is None else of.family or rest for _, of, has_plan in others]
    mains = [replace(own.main, interpretable=False) if own.n_unlike else own.main for own in every]
    all_tests = [*mains, *(own for own, _, _ in others)]
    adjusted = adjust(all_tests, names)
    # Looking at both sides is another family of tests, corrected by itself.
    both = iter(adjust([replace(own, p=two_sided_p(own)) for own in all_tests], names))
    tests = iter(adjusted)

    def judged(result: ContrastResult, test: Result, two_sided: Result, options: AnalysisOptions) -> ContrastResult:
        p, p_both = (test.p_adj, two_sided.p_adj) if options.holm else (test.p, two_sided.p)
        verdict = judge_result(result, result.main, p, options, p_both=p_both)
        return replace(
            result,
            p_holm=test.p_adj,
            family=test.family,
            verdict=verdict,
            by_holm=options.holm,
            absence=absence_of(result, result.main),
        )

    found = tuple(tuple(judged(result, next(tests), next(both), options) for result in results) for results, options in runs)
    return found, adjusted[len(every) :]


def corrected_together(analyses: Sequence[Analysis]) -> tuple[Analysis, ...]:
    """The analyses of one run, their tests corrected together."""
    return corrected_runs(analyses, ())[0]


def corrected_runs(analyses: Sequence[Analysis], others: Sequence[Other]) -> tuple[tuple[Analysis, ...], tuple[Result, ...]]:
    """The analyses of one run and the other tests of it, all corrected together."""
    found, tests = corrected_results(
        [(own.contrasts, own.options) for own in analyses],
        others,
        plans=[None if own.plan is None else own.plan.late for own in analyses],
    )
    return tuple(replace(own, contrasts=results) for own, results in zip(analyses, found, strict=True)), tests
