"""Surprisal region by region: means by condition, and what a contrast of two conditions is in each region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from scoring.analysis.measured import MeasuredItem, MeasuredSentence
from scoring.analysis.results import AnalysisOptions, ConditionMean, ItemKey, RegionDifference, RegionMean
from scoring.measured import ItemValues
from stats import one_sample_t, told_apart
from templates.formula import CRITICAL_PLACE, SENTENCE_PLACE, Place
from templates.measures import MEASURES
from templates.model import DEFAULT_MEASURE, Contrast, Paradigm


def condition_means(
    paradigm: Paradigm, items: Sequence[MeasuredItem], options: AnalysisOptions
) -> tuple[ConditionMean, ...]:
    """The measure at the critical region of each condition that any item has, each distinct observation once; of the whole
    sentence where the paradigm names no critical region."""
    by = MEASURES.find(options.measure or DEFAULT_MEASURE)
    found = []
    for condition in paradigm.conditions:
        place = SENTENCE_PLACE if condition.critical is None else CRITICAL_PLACE
        values: dict[ItemKey, float] = {}
        read: list[tuple[str, ...]] = []
        having: list[ItemValues] = []
        crossing = 0
        present = [item for item in items if isinstance(item.sentences.get(condition.name), MeasuredSentence)]
        if not present:
            continue
        for item in present:
            own = item.values(by, corrected=options.corrected)
            value = own.value(condition.name, place)
            crossing += value.n_straddling > 0
            if value.number is not None:
                values[item.key] = value.number
                read.append((own.read_up_to(condition.name, place),))
                having.append(own)
        seen = told_apart(
            [(number,) for number in values.values()],
            read,
            partial(_whole, having, condition.name, place),
            elsewhere=any(own.elsewhere for own in having),
            apart=any(own.apart for own in having),
        )
        result = one_sample_t(values.values(), confidence=options.confidence, observations=seen)
        bare = replace(
            result, test="mean", statistic=None, df=None, p=None, effect=None, n_undefined=len(items) - len(values)
        )
        found.append(
            ConditionMean(condition.name, condition.label, condition.critical or "sentence", bare, crossing, values)
        )
    return tuple(found)


def _whole(having: Sequence[ItemValues], condition: str, place: Place, position: int) -> tuple[str, ...]:
    return having[position].whole(condition, place)


def region_means(paradigm: Paradigm, items: Sequence[MeasuredItem], confidence: float) -> tuple[RegionMean, ...]:
    """Mean surprisal by condition and region, over the items that have a value; empty regions are left out."""
    found = []
    for condition in paradigm.conditions:
        measured = [item.sentences.get(condition.name) for item in items]
        for region in paradigm.regions:
            if condition.regions.get(region.name) == "":
                continue
            scores = [
                one.regions[region.name]
                for one in measured
                if isinstance(one, MeasuredSentence) and region.name in one.regions
            ]
            values = [score.surprisal_bits for score in scores if score.surprisal_bits is not None]
            test = one_sample_t(values, confidence=confidence)
            found.append(
                RegionMean(
                    condition.name,
                    region.name,
                    len(values),
                    len(items) - len(values),
                    test.estimate,
                    test.ci_low,
                    test.ci_high,
                )
            )
    return tuple(found)


def region_differences(
    paradigm: Paradigm, items: Sequence[MeasuredItem], contrasts: Sequence[Contrast], confidence: float
) -> tuple[RegionDifference, ...]:
    """For every contrast with one plus and one minus term, the mean within-item difference in each region.

    Only regions that have the same words in both conditions, or in both of an item's sentences where the paradigm does not say
    the words: elsewhere a difference would be one between words. Outside of the critical region this shows where else the two
    sentences come apart.
    """
    found = []
    for contrast in contrasts:
        plus = [term.condition for term in contrast.terms if term.weight > 0]
        minus = [term.condition for term in contrast.terms if term.weight < 0]
        if len(plus) != 1 or len(minus) != 1:
            continue
        one, other = paradigm.condition(plus[0]), paradigm.condition(minus[0])
        for region in paradigm.regions:
            words = one.regions.get(region.name)
            if words == "" or words != other.regions.get(region.name):
                continue
            values = [
                value for item in items if (value := _difference(item, one.name, other.name, region.name)) is not None
            ]
            test = one_sample_t(values, confidence=confidence)
            found.append(RegionDifference(contrast.name, region.name, test.n, test.estimate, test.ci_low, test.ci_high))
    return tuple(found)


def _difference(item: MeasuredItem, one: str, other: str, region: str) -> float | None:
    first, second = _bits(item, one, region), _bits(item, other, region)
    if _words(item, one, region) != _words(item, other, region):
        return None
    return None if first is None or second is None else first - second


def _words(item: MeasuredItem, condition: str, region: str) -> str | None:
    found = item.sentences.get(condition)
    if not isinstance(found, MeasuredSentence):
        return None
    span = found.sentence.span(region)
    return None if span is None else found.text[span.start : span.end].casefold()


def _bits(item: MeasuredItem, condition: str, region: str) -> float | None:
    found = item.sentences.get(condition)
    if not isinstance(found, MeasuredSentence) or region not in found.regions:
        return None
    return found.regions[region].surprisal_bits
