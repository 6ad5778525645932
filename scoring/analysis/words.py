"""Surprisal word by word: the mean of each word of each condition over the items, and of the differences of two conditions, each
distinct observation once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gapsmith.bank import StoredItem
from gapsmith.scoring.analysis.contrasts import values_of
from gapsmith.scoring.analysis.results import AnalysisOptions, WordDifference, WordMean
from gapsmith.scoring.observations import Observations, RegionWord, together, words_of
from gapsmith.stats import one_sample_t
from gapsmith.templates import DEFAULT_MEASURE, MEASURES, Contrast, Paradigm


def word_means(paradigm: Paradigm, table: Observations, example: StoredItem, options: AnalysisOptions) -> tuple[WordMean, ...]:
    """Mean surprisal in bits by condition and word, with its two-sided interval, in the order in which they are read.

    Words of different items are at the same place where they have the same number, counted from 1, in the same region, whichever
    words they are: sentences of different length are compared at the regions' beginnings. The places are those that `example`
    has words in, which name them; n counts distinct observations, that is texts up to the end of the word.
    """
    found = []
    for condition in paradigm.conditions:
        for place, word in _places(example, condition.name).items():
            column = table.column(condition.name, place, MEASURES[DEFAULT_MEASURE], corrected=options.corrected)
            there = np.flatnonzero(column.observation)
            test = one_sample_t(
                column.value[there], confidence=options.confidence, observations=column.observation[there].tolist()
            )
            if test.estimate is not None:
                own = WordMean(condition.name, place.region, place.number, word, test.n, test.estimate, test.ci_low, test.ci_high)
                found.append(own)
    return tuple(found)


def word_differences(
    table: Observations, contrasts: Sequence[Contrast], example: StoredItem, options: AnalysisOptions
) -> tuple[WordDifference, ...]:
    """For every contrast with one plus and one minus term, the mean within-item difference at each word, in bits, over the items
    that the contrast has a value for and that have the same word there in both conditions: elsewhere it would be a difference
    between words. Words are at the same place as in `word_means`."""
    found = []
    by = MEASURES[DEFAULT_MEASURE]
    for contrast in contrasts:
        plus = [term.condition for term in contrast.terms if term.weight > 0]
        minus = [term.condition for term in contrast.terms if term.weight < 0]
        if len(plus) != 1 or len(minus) != 1:
            continue
        found_for = values_of(table, contrast, options)
        own = found_for.given.subset(found_for.having)
        theirs = _places(example, minus[0])
        for place, word in _places(example, plus[0]).items():
            if place not in theirs:
                continue
            first, second = (own.column(name, place, by, corrected=options.corrected) for name in (plus[0], minus[0]))
            pairs = zip(own.words(plus[0], place, by), own.words(minus[0], place, by), strict=True)
            same = np.array([a.casefold() == b.casefold() for a, b in pairs], dtype=np.bool_)
            seen = together([(1, first.observation), (-1, second.observation)])
            there = np.flatnonzero(same & (seen != 0))
            test = one_sample_t(
                first.value[there] - second.value[there], confidence=options.confidence, observations=seen[there].tolist()
            )
            if test.estimate is not None:
                found.append(
                    WordDifference(
                        contrast.name, place.region, place.number, word, test.n, test.estimate, test.ci_low, test.ci_high
                    )
                )
    return tuple(found)


def _places(example: StoredItem, condition: str) -> dict[RegionWord, str]:
    """Region and number of each word of the example's sentence."""
    sentence = example.sentence(condition)
    if sentence is None or sentence.regions is None:
        return {}
    return {
        RegionWord(span.name, number): sentence.text[start:end]
        for span in sentence.regions
        for number, (start, end) in enumerate(words_of(sentence.text, span.start, span.end), 1)
    }
