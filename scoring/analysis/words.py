"""Surprisal word by word: the mean of each word of each condition over the items, each distinct observation once."""

from __future__ import annotations

import numpy as np

from gapsmith.bank import StoredItem
from gapsmith.scoring.analysis.results import AnalysisOptions, WordMean
from gapsmith.scoring.observations import Observations, RegionWord, words_of
from gapsmith.stats import one_sample_t
from gapsmith.templates import DEFAULT_MEASURE, MEASURES, Paradigm


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
