"""One contrast over the items: its values, its tests and what they say of the prediction."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.analysis.aliasing import part_plans, varying_regions
from scoring.analysis.measured import MeasuredItem, observation, term_value
from scoring.analysis.results import (
    TABLES,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
    ItemKey,
    Undefined,
)
from stats import Accuracy, TTest, accuracy, check_alternative, holm, one_sample_t, sign_flip_test
from stats import wilcoxon_signed_rank as wilcoxon
from templates.model import Contrast, Paradigm

__all__ = ["ContrastValues", "analyze_contrast", "contrast_values", "judge", "with_holm"]


@dataclass(frozen=True, slots=True)
class ContrastValues:
    """A contrast's value for every item that has one, in bits, and why the others have none."""

    values: Mapping[ItemKey, float]
    undefined: tuple[Undefined, ...]
    n_distinct: int
    """Distinct observations behind the values: different texts up to the ends of what is measured."""


def contrast_values(items: Sequence[MeasuredItem], contrast: Contrast) -> ContrastValues:
    """The signed sum of the contrast's terms for each item; undefined where any term is undefined."""
    values: dict[ItemKey, float] = {}
    undefined: Counter[tuple[str, str]] = Counter()
    behind: set[tuple[str, ...]] = set()
    for item in items:
        if any(item.item.attributes.get(name) != wanted for name, wanted in contrast.where.items()):
            continue
        total = 0.0
        for term in contrast.terms:
            value = term_value(item, term)
            if isinstance(value, str):
                undefined[term.condition, value] += 1
                break
            total += term.sign * value
        else:
            values[item.key] = total
            behind.add(tuple(observation(item, term) for term in contrast.terms))
    reasons = tuple(Undefined(condition, reason, count) for (condition, reason), count in undefined.most_common())
    return ContrastValues(values, reasons, len(behind))


def analyze_contrast(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions
) -> ContrastResult:
    """Everything about one contrast but the correction for several tests, which needs the others."""
    found = contrast_values(items, contrast)
    data = np.array(list(found.values.values()), dtype=np.float64)
    alternative = check_alternative(options.alternative or contrast.alternative)
    ttest = one_sample_t(data, alternative=alternative, confidence=options.confidence)
    rng = np.random.default_rng([options.seed, zlib.crc32(contrast.name.encode())])
    return ContrastResult(
        contrast=contrast,
        alternative=alternative,
        n_items=len(found.values),
        n_undefined=sum(undefined.count for undefined in found.undefined),
        undefined=found.undefined,
        n_distinct=found.n_distinct,
        values=found.values,
        ttest=ttest,
        p_holm=None,
        wilcoxon=wilcoxon(data, alternative=alternative),
        permutation=sign_flip_test(data, rng=rng, alternative=alternative, n_permutations=options.permutations),
        accuracy=_accuracy(data, contrast, options),
        verdict=judge(ttest, contrast.expected, ttest.p, options),
        varying=varying_regions(paradigm, contrast),
        paths=_paths(paradigm, items, contrast, options),
    )


def judge(ttest: TTest, expected: int, p: float | None, options: AnalysisOptions) -> Conclusion:
    """What a test says of a prediction, at alpha = 1 - confidence; `p` is the test's own or the corrected one.

    A one-sided test speaks for its own side only: it finds the mean there, or finds nothing. So an alternative that
    looks away from the expected sign can say that the effect is the opposite, and never that it is as expected.
    """
    if p is None or ttest.mean is None:
        return Conclusion.UNDEFINED
    if p >= 1 - options.confidence:
        return Conclusion.NO_EVIDENCE
    sign = {"greater": 1, "less": -1}.get(ttest.alternative, 1 if ttest.mean > 0 else -1)
    if expected == 0:
        return Conclusion.ABOVE if sign > 0 else Conclusion.BELOW
    return Conclusion.AS_EXPECTED if sign == expected else Conclusion.OPPOSITE


def with_holm(results: Sequence[ContrastResult], options: AnalysisOptions) -> list[ContrastResult]:
    """The results with p corrected over the tests of each table, and judged by it."""
    table_of = {kind: number for number, kinds in enumerate(TABLES) for kind in kinds}
    groups: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for result in results:
        if result.ttest.p is not None:
            groups[table_of[result.contrast.kind]][result.contrast.name] = result.ttest.p
    adjusted = {name: p for group in groups.values() for name, p in holm(group).items()}
    corrected = []
    for result in results:
        p = adjusted.get(result.contrast.name)
        verdict = judge(result.ttest, result.contrast.expected, p, options)
        corrected.append(replace(result, p_holm=p, verdict=verdict))
    return corrected


def _accuracy(data: np.typing.NDArray[np.float64], contrast: Contrast, options: AnalysisOptions) -> Accuracy:
    direction = -1 if contrast.expected < 0 else 1
    return accuracy(data, direction=direction, ties=options.ties, confidence=options.confidence)


def _paths(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions
) -> tuple[tuple[ContrastPart, ...], ...]:
    """The contrast taken apart, where it changes two factors together and the items have the conditions in between."""
    paths = []
    for plans in part_plans(paradigm, contrast):
        parts = []
        for plan in plans:
            data = np.array(list(contrast_values(items, plan.contrast).values.values()), dtype=np.float64)
            if data.size == 0:
                return ()
            ttest = one_sample_t(data, confidence=options.confidence)
            parts.append(ContrastPart(plan, ttest, _accuracy(data, contrast, options)))
        paths.append(tuple(parts))
    return tuple(paths)
