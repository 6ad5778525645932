"""Surprisal word by word: the mean of each word of each condition over the items, each distinct observation once."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from gapsmith.bank import StoredItem
from gapsmith.scoring.analysis.measured import MeasuredItem, MeasuredSentence
from gapsmith.scoring.analysis.results import AnalysisOptions, WordMean
from gapsmith.stats import observation_keys_of, one_sample_t
from gapsmith.templates import MeasuredText, Paradigm, corrected_bits

_WORD = re.compile(r"\S+")


def word_means(
    paradigm: Paradigm, items: Sequence[MeasuredItem], example: StoredItem, options: AnalysisOptions
) -> tuple[WordMean, ...]:
    """Mean surprisal in bits by condition and word, with its two-sided interval, in the order in which they are read.

    Words of different items are the same place where they are the same word, counted from 1, of the same region: sentences of
    different length are compared at the regions' beginnings. The places are those that `example` has words in, which
    name them; n counts distinct observations, that is texts up to the end of the word.
    """
    found = []
    for condition in paradigm.conditions:
        places = _places(example, condition.name)
        values: dict[tuple[str, int], list[float]] = {place: [] for place in places}
        read: dict[tuple[str, int], list[tuple[str | int, ...]]] = {place: [] for place in places}
        whole: dict[tuple[str, int], list[tuple[str | int, ...]]] = {place: [] for place in places}
        elsewhere = False
        done: set[int] = set()
        for item in items:
            own = item.sentences.get(condition.name)
            # Items that share a sentence share the object, too.
            if not isinstance(own, MeasuredSentence) or own.tokens is None or id(own) in done:
                continue
            done.add(id(own))
            elsewhere |= own.tokens.elsewhere
            for place, end, bits in _words(own, own.tokens, corrected=options.corrected):
                if place in values:
                    values[place].append(bits)
                    read[place].append((own.tokens.context, own.text[:end]))
                    whole[place].append((own.tokens.context, own.text, end))
        for place, word in places.items():
            seen = observation_keys_of(
                [(bits,) for bits in values[place]],
                read[place],
                whole[place].__getitem__,
                elsewhere=elsewhere,
                by_whole_text=any(item.by_whole_text for item in items),
            )
            test = one_sample_t(values[place], confidence=options.confidence, observations=seen)
            if test.estimate is not None:
                found.append(WordMean(condition.name, *place, word, test.n, test.estimate, test.ci_low, test.ci_high))
    return tuple(found)


def _places(example: StoredItem, condition: str) -> dict[tuple[str, int], str]:
    """Region and number of each word of the example's sentence."""
    sentence = example.sentence(condition)
    if sentence is None or sentence.regions is None:
        return {}
    return {
        (span.name, number): match.group()
        for span in sentence.regions
        for number, match in enumerate(_WORD.finditer(sentence.text[span.start : span.end]), 1)
    }


def _words(own: MeasuredSentence, tokens: MeasuredText, *, corrected: bool) -> list[tuple[tuple[str, int], int, float]]:
    """Place, end and bits of each word that tokens with values begin in."""
    if corrected and tokens.boundary is None:
        return []
    bits = (corrected_bits(tokens) if corrected else tokens.bits).tolist()
    placed = list(zip(tokens.anchors.tolist(), bits, strict=True))
    if tokens.by_region:
        # A region of several words has no value for any of them.
        pieces = [tokens.text[start:end].strip() for start, end in tokens.spans.tolist()]
        placed = [(at, value) for (at, value), piece in zip(placed, pieces, strict=True) if len(piece.split()) == 1]
    found = []
    for span in own.sentence.regions or ():
        for number, match in enumerate(_WORD.finditer(own.text, span.start, span.end), 1):
            values = [value for anchor, value in placed if match.start() <= anchor < match.end()]
            if values and not any(map(math.isnan, values)):
                found.append(((span.name, number), match.end(), sum(values)))
    return found
