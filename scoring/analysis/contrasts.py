"""One contrast over the items: its values, its tests and what they say of the prediction. The only place that decides what a
contrast's test says of it (`judge`), and which tests of an analysis are corrected together (`with_holm`)."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from gapsmith.scoring.analysis.aliasing import changes_together, part_plans
from gapsmith.scoring.analysis.criteria import meets
from gapsmith.scoring.analysis.measured import MeasuredItem
from gapsmith.scoring.analysis.results import (
    TABLES,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
    ItemKey,
    ObservedValue,
    Undefined,
    observed_in,
)
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
from gapsmith.templates import MEASURES, SENTENCE_PLACE, Contrast, Paradigm


@dataclass(frozen=True, slots=True)
class ContrastValues:
    """A contrast's value for every item that has one, in bits, and why the others have none."""

    values: Mapping[ItemKey, float]
    seen: Mapping[ItemKey, ObservedValue]
    """What each was computed from."""
    undefined: tuple[Undefined, ...]
    reasons: Mapping[ItemKey, str]
    """Condition and reason, for each item that has none."""
    observations: tuple[tuple[str, ...], ...]
    """For each value, the texts up to the ends of what is measured; items with the same are one observation."""
    n_straddling: int = 0
    """Items with a value of which a token lies across the edge of what is measured; it counts where it begins."""
    n_unlike: int = 0
    """Items with a value that compares different words; see `ContrastResult`."""

    @property
    def n_distinct(self) -> int:
        """Distinct observations behind the values."""
        return len(set(self.observations))


def contrast_values(items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions | None = None) -> ContrastValues:
    """The weighted sum of the contrast's terms for each item; undefined where any term is undefined.

    The measure is the contrast's own, or that of the options. Raises `ConfigError` where it is not there."""
    asked = options or AnalysisOptions()
    by = MEASURES.find(asked.measure or contrast.measure)
    values: dict[ItemKey, float] = {}
    undefined: Counter[tuple[str, str]] = Counter()
    why: dict[ItemKey, str] = {}
    seen: dict[ItemKey, ObservedValue] = {}
    straddling = unlike = 0
    places = [(float(term.weight), term.condition, term.place) for term in contrast.terms]
    unlike_words: dict[tuple[str, ...], bool] = {}
    for item in items:
        if not meets(item.item.attributes, contrast.where):
            continue
        own = item.values(by, corrected=asked.corrected)
        total = 0.0
        crossing = False
        for weight, condition, place in places:
            value = own.value(condition, place)
            if value.number is None:
                reason = value.reason or "it has no value"
                undefined[condition, reason] += 1
                why[item.key] = f"{condition}: {reason}"
                break
            total += weight * value.number
            crossing |= value.n_straddling > 0
        else:
            values[item.key] = total
            straddling += crossing
            words = tuple([own.words(condition, place) for _, condition, place in places])
            if words not in unlike_words:
                unlike_words[words] = _unlike(words, contrast)
            unlike += unlike_words[words]
            read = tuple([own.read_up_to(condition, place) for _, condition, place in places])
            whole = tuple([part for _, condition, place in places for part in own.whole(condition, place)])
            seen[item.key] = ObservedValue((total,), read, whole, own.elsewhere, own.by_whole_text)
    reasons = tuple(Undefined(condition, reason, count) for (condition, reason), count in undefined.most_common())
    observations = tuple(observed_in(list(seen.values())))
    return ContrastValues(values, seen, reasons, why, observations, straddling, unlike)


def _unlike(measured: Sequence[str], contrast: Contrast) -> bool:
    """Whether the words that are measured, by term, do not cancel. Whole sentences are compared as such, whatever their words."""
    weights: dict[str, Fraction] = {}
    for words, term in zip(measured, contrast.terms, strict=True):
        if term.place == SENTENCE_PLACE:
            return False
        weights[words.casefold()] = weights.get(words.casefold(), Fraction(0)) + term.weight
    return any(weights.values())


def analyze_contrast(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions
) -> ContrastResult:
    """Everything about one contrast but the correction for several tests, which needs the others."""
    found = contrast_values(items, contrast, options)
    data = np.array(list(found.values.values()), dtype=np.float64)
    alternative = _alternative(contrast, options)
    seen = found.observations
    ttest = one_sample_t(data, alternative=alternative, confidence=options.confidence, observations=seen, effect_interval=True)
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
        reasons=found.reasons,
        seen=found.seen,
        observed=dict(zip(found.values, found.observations, strict=True)),
        ttest=ttest,
        p_holm=None,
        wilcoxon=wilcoxon(data, alternative=alternative, observations=seen),
        permutation=sign_flip_test(
            data, rng=rng, alternative=alternative, n_permutations=options.permutations, observations=seen
        ),
        accuracy=_accuracy(data, contrast, options, seen),
        verdict=judge(ttest, contrast.expected, ttest.p if crossed is None else crossed.p, options),
        together=changes_together(paradigm, contrast, items),
        n_unlike=found.n_unlike,
        paths=_paths(paradigm, items, contrast, options),
        crossed=crossed,
        n_straddling=found.n_straddling,
    )


def _alternative(contrast: Contrast, options: AnalysisOptions) -> Alternative:
    if options.alternative == "expected":
        return {-1: "less", 0: "two-sided", 1: "greater"}[contrast.expected]  # type: ignore[return-value]  # each is one
    return check_alternative(options.alternative or contrast.alternative)


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
    if len(known) < len(words) or not crossing_of_observations(known, found.observations).is_crossed:
        return None
    return crossed_test(data, known, observations=found.observations, alternative=alternative, confidence=options.confidence)


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
    families = {result.contrast.name: _family(result.contrast) for result in results}
    adjusted = {own.contrast: own.p_adj for own in adjust(named, families)}
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


def _accuracy(
    data: np.typing.NDArray[np.float64], contrast: Contrast, options: AnalysisOptions, seen: Sequence[Hashable]
) -> Result:
    direction = -1 if contrast.expected < 0 else 1
    return accuracy(data, direction=direction, ties=options.ties, confidence=options.confidence, observations=seen)


def _paths(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrast: Contrast, options: AnalysisOptions
) -> tuple[tuple[ContrastPart, ...], ...]:
    """The contrast taken apart, where it changes two factors together and the items have the conditions in between."""
    paths = []
    for plans in part_plans(paradigm, contrast):
        parts = []
        for plan in plans:
            found = contrast_values(items, plan.contrast, options)
            data = np.array(list(found.values.values()), dtype=np.float64)
            if data.size == 0:
                return ()
            test = one_sample_t(data, confidence=options.confidence, observations=found.observations)
            crossed = _crossed(items, found, data, "two-sided", options)
            if crossed is not None:
                # The mean is that of the items; what is said of it is what holds for their words.
                test = replace(test, ci=crossed.ci, statistic=crossed.statistic, df=crossed.df, p=crossed.p)
            parts.append(ContrastPart(plan, test, _accuracy(data, contrast, options, found.observations)))
        paths.append(tuple(parts))
    return tuple(paths)
