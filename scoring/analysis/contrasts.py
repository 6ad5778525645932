"""One contrast over the items: its values, its tests and what they say of the prediction. The only place that decides what a
contrast's test says of it (`judge`), and which tests of an analysis are corrected together (`with_holm`)."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from gapsmith.scoring.analysis.aliasing import changes_together, part_plans
from gapsmith.scoring.analysis.results import (
    TABLES,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
)
from gapsmith.scoring.observations import Observations, PredictedValues, contrast_values, words_read
from gapsmith.stats import (
    Alternative,
    Result,
    accuracy,
    adjust,
    check_alternative,
    crossed_test,
    crossing_of_observations,
    one_sample_t,
    sign_flip_test,
)
from gapsmith.stats import wilcoxon_signed_rank as wilcoxon
from gapsmith.templates import MEASURES, Contrast, Paradigm


def analyze_contrast(paradigm: Paradigm, table: Observations, contrast: Contrast, options: AnalysisOptions) -> ContrastResult:
    """Everything about one contrast but the correction for several tests, which needs the others."""
    found = values_of(table, contrast, options)
    data, seen = found.numbers, found.observations
    alternative = _alternative(contrast, options)
    ttest = one_sample_t(data, alternative=alternative, confidence=options.confidence, observations=seen, effect_interval=True)
    crossed = _crossed(paradigm, contrast, found, alternative, options)
    rng = np.random.default_rng([options.seed, zlib.crc32(contrast.name.encode())])
    return ContrastResult(
        contrast=contrast,
        alternative=alternative,
        n_items=len(data),
        n_undefined=sum(undefined.count for undefined in found.undefined),
        undefined=found.undefined,
        n_distinct=len(set(seen)),
        n_overlapping=found.n_overlapping,
        values=found.by_item,
        reasons=found.reasons_by_item,
        evidence=found.evidence_by_item,
        restrictions=found.restrictions,
        ttest=ttest,
        p_holm=None,
        wilcoxon=wilcoxon(data, alternative=alternative, observations=seen),
        permutation=sign_flip_test(
            data, rng=rng, alternative=alternative, n_permutations=options.permutations, observations=seen
        ),
        accuracy=_accuracy(data, contrast, options, seen),
        verdict=judge(ttest, contrast.expected, ttest.p if crossed is None else crossed.p, options),
        together=changes_together(paradigm, contrast, found.given),
        n_unlike=found.n_unlike,
        paths=_paths(paradigm, table, contrast, options),
        crossed=crossed,
        n_straddling=found.n_straddling,
    )


def _alternative(contrast: Contrast, options: AnalysisOptions) -> Alternative:
    if options.alternative == "expected":
        return {-1: "less", 0: "two-sided", 1: "greater"}[contrast.expected]  # type: ignore[return-value]  # each is one
    return check_alternative(options.alternative or contrast.alternative)


def values_of(table: Observations, contrast: Contrast, options: AnalysisOptions) -> PredictedValues:
    """The contrast's value for every item that it is about, by the measure of the options, else its own. Raises `ConfigError`
    where the measure is not there."""
    return contrast_values(table, contrast, MEASURES.find(options.measure or contrast.measure), corrected=options.corrected)


def _crossed(
    paradigm: Paradigm, contrast: Contrast, found: PredictedValues, alternative: Alternative, options: AnalysisOptions
) -> Result | None:
    """The mixed model with the words as random effects, where the items cross the same few words; else None."""
    items = [found.given.items[position] for position in found.having]
    words = words_read(items, paradigm, [(term.condition, term.place) for term in contrast.terms])
    if words.kind == "unknown" or not crossing_of_observations(words.rows, found.observations).is_crossed:
        return None
    return crossed_test(
        found.numbers, words.rows, observations=found.observations, alternative=alternative, confidence=options.confidence
    )


def judge(ttest: Result, expected: int, p: float | None, options: AnalysisOptions) -> Conclusion:
    """What a test says of a prediction, at alpha = 1 - confidence; `p` is the test's own or the corrected one.

    A one-sided test speaks for its own side only: it finds the mean there, or finds nothing. So an alternative that
    looks away from the expected sign can say that the effect is the opposite, and never that it is as expected.
    """
    if p is None or ttest.estimate is None:
        return Conclusion.UNDEFINED
    if p >= 1 - options.confidence:
        return Conclusion.NO_EVIDENCE
    sign = {"greater": 1, "less": -1}.get(ttest.alternative, 1 if ttest.estimate > 0 else -1)
    if expected == 0:
        return Conclusion.ABOVE if sign > 0 else Conclusion.BELOW
    return Conclusion.AS_EXPECTED if sign == expected else Conclusion.OPPOSITE


def with_holm(results: Sequence[ContrastResult], options: AnalysisOptions) -> list[ContrastResult]:
    """The results with p corrected over the tests of each family, and judged by it."""
    tests = {r.contrast.name: r.ttest if r.crossed is None else r.crossed for r in results}
    named = [replace(own, contrast=name, test="") for name, own in tests.items()]
    families = {result.contrast.name: family_of(result.contrast) for result in results}
    adjusted = {own.contrast: own.p_adj for own in adjust(named, families)}
    corrected = []
    for result in results:
        p = adjusted.get(result.contrast.name)
        verdict = judge(result.ttest, result.contrast.expected, p, options)
        corrected.append(replace(result, p_holm=p, verdict=verdict))
    return corrected


def family_of(contrast: Contrast) -> str:
    """What the tests that are corrected together share: what the paradigm says, else the table that shows them."""
    table = next(kinds for kinds in TABLES if contrast.kind in kinds)
    return contrast.family or f"table of {' and '.join(table)}"


def _accuracy(
    data: np.typing.NDArray[np.float64], contrast: Contrast, options: AnalysisOptions, seen: Sequence[Hashable]
) -> Result:
    direction = -1 if contrast.expected < 0 else 1
    return accuracy(data, direction=direction, ties=options.ties, confidence=options.confidence, observations=seen)


def _paths(
    paradigm: Paradigm, table: Observations, contrast: Contrast, options: AnalysisOptions
) -> tuple[tuple[ContrastPart, ...], ...]:
    """The contrast taken apart, where it changes two factors together and the items have the conditions in between."""
    paths = []
    for plans in part_plans(paradigm, contrast):
        parts = []
        for plan in plans:
            found = values_of(table, plan.contrast, options)
            data = found.numbers
            if data.size == 0:
                return ()
            test = one_sample_t(data, confidence=options.confidence, observations=found.observations)
            crossed = _crossed(paradigm, plan.contrast, found, "two-sided", options)
            if crossed is not None:
                # The mean is that of the items; what is said of it is what holds for their words.
                test = replace(test, ci=crossed.ci, statistic=crossed.statistic, df=crossed.df, p=crossed.p)
            parts.append(ContrastPart(plan, test, _accuracy(data, contrast, options, found.observations)))
        paths.append(tuple(parts))
    return tuple(paths)
