"""One contrast over the items: its values, its tests and what they say of the prediction."""

from __future__ import annotations

import zlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.analysis.aliasing import part_plans, varying_regions
from scoring.analysis.criteria import meets
from scoring.analysis.measured import MeasuredItem
from scoring.analysis.results import (
    TABLES,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
    ItemKey,
    Undefined,
)
from stats import (
    Accuracy,
    Alternative,
    Result,
    TTest,
    accuracy,
    check_alternative,
    crossed_test,
    describe_crossing,
    holm,
    one_sample_t,
    sign_flip_test,
)
from stats import wilcoxon_signed_rank as wilcoxon
from templates.measures import MEASURES
from templates.model import Contrast, Paradigm

__all__ = ["ContrastValues", "analyze_contrast", "contrast_values", "judge", "with_holm"]


_SAME_BITS = 1e-3


@dataclass(frozen=True, slots=True)
class ContrastValues:
    """A contrast's value for every item that has one, in bits, and why the others have none."""

    values: Mapping[ItemKey, float]
    undefined: tuple[Undefined, ...]
    observations: tuple[tuple[str, ...], ...]
    """For each value, the texts up to the ends of what is measured; items with the same are one observation."""
    n_straddling: int = 0
    """Items with a value of which a token lies across the edge of what is measured; it counts where it begins."""

    @property
    def n_distinct(self) -> int:
        """Distinct observations behind the values."""
        return len(set(self.observations))


def contrast_values(items: Sequence[MeasuredItem], contrast: Contrast) -> ContrastValues:
    """The weighted sum of the contrast's terms for each item; undefined where any term is undefined.

    Raises `ConfigError` where the contrast's measure is not there."""
    by = MEASURES.find(contrast.measure)
    values: dict[ItemKey, float] = {}
    undefined: Counter[tuple[str, str]] = Counter()
    behind: list[tuple[str, ...]] = []
    first: dict[tuple[str, ...], float] = {}
    straddling = 0
    for item in items:
        if not meets(item.item.attributes, contrast.where):
            continue
        own = item.values(by)
        total = 0.0
        crossing = False
        for term in contrast.terms:
            value = own.value(term.condition, term.place)
            if value.number is None:
                undefined[term.condition, value.reason or "it has no value"] += 1
                break
            total += float(term.weight) * value.number
            crossing |= value.n_straddling > 0
        else:
            values[item.key] = total
            straddling += crossing
            seen = tuple(own.read_up_to(term.condition, term.place) for term in contrast.terms)
            if abs(first.setdefault(seen, total) - total) > _SAME_BITS:
                # Values made elsewhere may know what comes after; then the whole texts are what they were made from.
                seen = tuple(own.texts[term.condition].text for term in contrast.terms)
            behind.append(seen)
    reasons = tuple(Undefined(condition, reason, count) for (condition, reason), count in undefined.most_common())
    return ContrastValues(values, reasons, tuple(behind), straddling)


def analyze_contrast(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions
) -> ContrastResult:
    """Everything about one contrast but the correction for several tests, which needs the others."""
    found = contrast_values(items, contrast)
    data = np.array(list(found.values.values()), dtype=np.float64)
    alternative = check_alternative(options.alternative or contrast.alternative)
    seen = found.observations
    ttest = one_sample_t(data, alternative=alternative, confidence=options.confidence, observations=seen)
    crossed = _crossed(items, found, data, alternative, options)
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
        wilcoxon=wilcoxon(data, alternative=alternative, observations=seen),
        permutation=sign_flip_test(
            data, rng=rng, alternative=alternative, n_permutations=options.permutations, observations=seen
        ),
        accuracy=_accuracy(data, contrast, options),
        verdict=judge(ttest, contrast.expected, ttest.p if crossed is None else crossed.p, options),
        varying=varying_regions(paradigm, contrast),
        paths=_paths(paradigm, items, contrast, options),
        crossed=crossed,
        n_straddling=found.n_straddling,
    )


def _crossed(
    items: Sequence[MeasuredItem],
    found: ContrastValues,
    data: np.typing.NDArray[np.float64],
    alternative: Alternative,
    options: AnalysisOptions,
) -> Result | None:
    """The mixed model with the words as random effects, where the items cross the same few words; else None."""
    slots = {item.key: item.item.slots for item in items}
    words = [slots[key] for key in found.values]
    known = [own for own in words if own is not None]
    if len(known) < len(words) or not describe_crossing(known).is_crossed:
        return None
    return crossed_test(
        data, known, observations=found.observations, alternative=alternative, confidence=options.confidence
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
    """The results with p corrected over the tests of each family, and judged by it."""
    groups: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for result in results:
        if result.p_raw is not None:
            groups[_family(result.contrast)][result.contrast.name] = result.p_raw
    adjusted = {name: p for group in groups.values() for name, p in holm(group).items()}
    corrected = []
    for result in results:
        p = adjusted.get(result.contrast.name)
        verdict = judge(result.ttest, result.contrast.expected, p, options)
        corrected.append(replace(result, p_holm=p, verdict=verdict))
    return corrected


def _family(contrast: Contrast) -> str:
    """What the tests that are corrected together share: what the paradigm says, else the table that shows them."""
    table = next(kinds for kinds in TABLES if contrast.kind in kinds)
    return contrast.family or f"table of {' and '.join(table)}"


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
