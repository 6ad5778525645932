"""Surprisal region by region: means by condition, and what a contrast of two conditions is in each region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gapsmith.scoring.analysis.measured import MeasuredItem, MeasuredSentence
from gapsmith.scoring.analysis.results import (
    AnalysisOptions,
    ConditionMean,
    ItemKey,
    ObservedValue,
    RegionDifference,
    RegionMean,
    observed_in,
)
from gapsmith.scoring.item_values import ItemValues
from gapsmith.stats import observation_keys_of, one_sample_t
from gapsmith.templates import CRITICAL_PLACE, DEFAULT_MEASURE, MEASURES, SENTENCE_PLACE, Contrast, Paradigm, Place


def condition_means(paradigm: Paradigm, items: Sequence[MeasuredItem], options: AnalysisOptions) -> tuple[ConditionMean, ...]:
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
        seen = observation_keys_of(
            [(number,) for number in values.values()],
            read,
            partial(_whole, having, condition.name, place),
            elsewhere=any(own.elsewhere for own in having),
            by_whole_text=any(own.by_whole_text for own in having),
        )
        result = one_sample_t(values.values(), confidence=options.confidence, observations=seen)
        bare = replace(result, test="mean", statistic=None, df=None, p=None, effect=None, n_undefined=len(items) - len(values))
        found.append(ConditionMean(condition.name, condition.label, condition.critical or "sentence", bare, crossing, values))
    return tuple(found)


def _whole(having: Sequence[ItemValues], condition: str, place: Place, position: int) -> tuple[str, ...]:
    return having[position].whole(condition, place)


def region_means(paradigm: Paradigm, items: Sequence[MeasuredItem], confidence: float) -> tuple[RegionMean, ...]:
    """Mean surprisal by condition and region, each distinct observation once; empty regions are left out."""
    found = []
    for condition in paradigm.conditions:
        for region in paradigm.regions:
            if condition.regions.get(region.name) == "":
                continue
            seen = [own for item in items if (own := _seen(item, region.name, condition.name)) is not None]
            test = one_sample_t([own.numbers[0] for own in seen], confidence=confidence, observations=observed_in(seen))
            found.append(
                RegionMean(
                    condition.name,
                    region.name,
                    test.n,
                    len(items) - len(seen),
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
            seen = [
                own
                for item in items
                if _words(item, one.name, region.name) == _words(item, other.name, region.name)
                and (own := _seen(item, region.name, one.name, other.name)) is not None
            ]
            values = [own.numbers[0] - own.numbers[1] for own in seen]
            test = one_sample_t(values, confidence=confidence, observations=observed_in(seen))
            found.append(RegionDifference(contrast.name, region.name, test.n, test.estimate, test.ci_low, test.ci_high))
    return tuple(found)


def _seen(item: MeasuredItem, region: str, *conditions: str) -> ObservedValue | None:
    """The region's surprisal in each of the conditions and what was read for it; None where one has none."""
    numbers, read, whole, elsewhere = [], [], [], False
    for condition in conditions:
        found = item.sentences.get(condition)
        score = found.regions.get(region) if isinstance(found, MeasuredSentence) else None
        if score is None or score.surprisal_bits is None:
            return None
        assert isinstance(found, MeasuredSentence)
        assert found.tokens is not None
        numbers.append(score.surprisal_bits)
        read += [found.tokens.context, found.text[: score.end]]
        whole += [found.tokens.context, found.text]
        elsewhere |= found.tokens.elsewhere
    return ObservedValue(tuple(numbers), tuple(read), tuple(whole), elsewhere, item.by_whole_text)


def _words(item: MeasuredItem, condition: str, region: str) -> str | None:
    found = item.sentences.get(condition)
    if not isinstance(found, MeasuredSentence):
        return None
    span = found.sentence.span(region)
    return None if span is None else found.text[span.start : span.end].casefold()
