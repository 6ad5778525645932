"""Surprisal region by region: means by condition, and what a contrast of two conditions is in each region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from gapsmith.scoring.analysis.contrasts import values_of
from gapsmith.scoring.analysis.results import AnalysisOptions, ConditionMean, RegionDifference, RegionMean
from gapsmith.scoring.observations import ByItem, Observations, ObservedSentence, meeting, together
from gapsmith.stats import Restriction, one_sample_t
from gapsmith.templates import CRITICAL_PLACE, DEFAULT_MEASURE, MEASURES, SENTENCE_PLACE, Contrast, Paradigm, Place


def condition_means(
    paradigm: Paradigm, table: Observations, options: AnalysisOptions, contrasts: Sequence[Contrast] = ()
) -> tuple[ConditionMean, ...]:
    """The measure at the critical region of each condition that any item has, each distinct observation once; of the whole
    sentence where the paradigm names no critical region. Where all `contrasts` are about the same kind of items, over these."""
    wheres = [dict(contrast.where) for contrast in contrasts]
    restrictions: tuple[Restriction, ...] = ()
    if wheres and all(where == wheres[0] for where in wheres):
        table, restrictions = meeting(table, wheres[0])
    by = MEASURES.find(options.measure or DEFAULT_MEASURE)
    found = []
    for condition in paradigm.conditions:
        if not table.has(condition.name):
            continue
        place = SENTENCE_PLACE if condition.critical is None else CRITICAL_PLACE
        column = table.column(condition.name, place, by, corrected=options.corrected)
        there = np.flatnonzero(column.observation)
        result = one_sample_t(column.value[there], confidence=options.confidence, observations=column.observation[there].tolist())
        bare = replace(result, test="mean", statistic=None, df=None, p=None, effect=None, n_undefined=len(table) - len(there))
        values = ByItem[float](table.names, there, column.value[there])
        crossing = int((column.straddling > 0).sum())
        # As for the mean, sentences that only go on otherwise are one; those without a value are told apart by their texts.
        sentences = [item.sentences.get(condition.name) for item in table.items]
        different = {
            (int(observation) or own.text, own.expected or "")
            for own, observation in zip(sentences, column.observation, strict=True)
            if isinstance(own, ObservedSentence)
        }
        statuses = Counter(status for _, status in different)
        found.append(
            ConditionMean(
                condition.name,
                condition.label,
                condition.critical or "sentence",
                bare,
                crossing,
                values,
                tuple(sorted(statuses.items(), key=lambda own: (-own[1], own[0]))),
                restrictions,
            )
        )
    return tuple(found)


def region_means(paradigm: Paradigm, table: Observations, confidence: float) -> tuple[RegionMean, ...]:
    """Mean surprisal by condition and region, each distinct observation once; empty regions are left out."""
    return tuple(_means(paradigm, table, [condition.name for condition in paradigm.conditions], confidence))


def contrast_region_means(
    paradigm: Paradigm, table: Observations, contrasts: Sequence[Contrast], options: AnalysisOptions
) -> tuple[RegionMean, ...]:
    """The same for the conditions of each contrast of two, over the items that it has a value for, where these are not all."""
    found: list[RegionMean] = []
    for contrast in contrasts:
        if sorted(term.weight for term in contrast.terms) == [-1, 1]:
            own = values_of(table, contrast, options)
            if len(own.having) < len(table):
                names = [term.condition for term in contrast.terms]
                found += _means(paradigm, own.given.subset(own.having), names, options.confidence, contrast.name)
    return tuple(found)


def _means(
    paradigm: Paradigm, table: Observations, names: Sequence[str], confidence: float, contrast: str = ""
) -> Iterator[RegionMean]:
    for condition in map(paradigm.condition, names):
        for region in paradigm.regions:
            if condition.regions.get(region.name) == "":
                continue
            column = table.column(condition.name, Place(region.name), MEASURES[DEFAULT_MEASURE])
            there = np.flatnonzero(column.observation)
            test = one_sample_t(column.value[there], confidence=confidence, observations=column.observation[there].tolist())
            undefined = len(table) - len(there)
            yield RegionMean(condition.name, region.name, test.n, undefined, test.estimate, test.ci_low, test.ci_high, contrast)


def region_differences(
    paradigm: Paradigm, table: Observations, contrasts: Sequence[Contrast], options: AnalysisOptions
) -> tuple[RegionDifference, ...]:
    """For every contrast with one plus and one minus term, the mean within-item difference in each region, over the items that
    the contrast has a value for.

    Only regions that have the same words in both conditions, or in both of an item's sentences where the paradigm does not say
    the words: elsewhere a difference would be one between words. Outside of the critical region this shows where else the two
    sentences come apart.
    """
    found = []
    by = MEASURES[DEFAULT_MEASURE]
    for contrast in contrasts:
        plus = [term.condition for term in contrast.terms if term.weight > 0]
        minus = [term.condition for term in contrast.terms if term.weight < 0]
        if len(plus) != 1 or len(minus) != 1:
            continue
        found_for = values_of(table, contrast, options)
        own, restrictions = found_for.given.subset(found_for.having), found_for.restrictions
        one, other = paradigm.condition(plus[0]), paradigm.condition(minus[0])
        for region in paradigm.regions:
            words = one.regions.get(region.name)
            if words == "" or words != other.regions.get(region.name):
                continue
            place = Place(region.name)
            first, second = (own.column(name, place, by) for name in (one.name, other.name))
            theirs = zip(own.words(one.name, place, by), own.words(other.name, place, by), strict=True)
            same = np.array([a.casefold() == b.casefold() for a, b in theirs], dtype=np.bool_)
            seen = together([(1, first.observation), (-1, second.observation)])
            there = np.flatnonzero(same & (seen != 0))
            values = first.value[there] - second.value[there]
            test = one_sample_t(values, confidence=options.confidence, observations=seen[there].tolist())
            found.append(
                RegionDifference(contrast.name, region.name, test.n, test.estimate, test.ci_low, test.ci_high, restrictions)
            )
    return tuple(found)
