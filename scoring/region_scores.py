"""From token surprisals to region surprisals. Imports neither torch nor transformers.

Which token belongs to which region is decided in `gapsmith.templates.measures`: a region may hold characters in which no token begins,
and is then undefined, not zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gapsmith.templates import (
    CRITICAL,
    DEFAULT_MEASURE,
    MEASURES,
    PUNCTUATION,
    MeasuredText,
    Paradigm,
    RegionSpan,
    Sentence,
    measure,
)


@dataclass(frozen=True, slots=True)
class RegionScore:
    """The surprisal of one region of one sentence."""

    region: str
    surprisal_bits: float | None
    """Sum over the region's tokens, in bits; None where it is undefined, and then `reason` says why."""
    n_tokens: int
    """How many tokens begin in the region."""
    reason: str | None = None
    end: int = 0
    """A causal model has read the text up to here, and nothing beyond, for this value: where the region ends, or a token that
    begins in it and goes on beyond."""
    n_straddling: int = 0
    """How many tokens lie partly inside and partly outside of the region, white space aside."""


def region_scores(paradigm: Paradigm, sentence: Sentence, scores: MeasuredText | None) -> dict[str, RegionScore]:
    """The score of every region of `sentence`, in reading order, and of `critical`, which comes last where there is one.

    Where the regions lie is stored with the sentence; which one is critical is `paradigm`'s to say. The paradigm's regions
    and its final punctuation are there as well where the sentence does not have them, without a value. `scores` None means
    that the text has not been scored. Raises `ValueError` where the scores are of another text, and `ParadigmError` where
    the sentence's condition is not one of the paradigm's.
    """
    names = [region.name for region in paradigm.regions]
    if paradigm.final_punctuation and PUNCTUATION not in names:
        names.append(PUNCTUATION)
    if sentence.regions is None:
        found = _without(names, f"nobody can say where its regions lie: {sentence.why or 'not aligned'}")
    elif scores is None:
        names += [span.name for span in sentence.regions]
        found = _without(dict.fromkeys(names), "the sentence has not been scored")
    else:
        if scores.text != sentence.text:
            raise ValueError(f"the scores are of {scores.text!r}, the sentence is {sentence.text!r}")
        found = _without(names, "the sentence has no such region")
        found |= {span.name: _score(scores, span) for span in sentence.regions}
    critical = paradigm.condition(sentence.condition).critical
    if critical is not None:
        found[CRITICAL] = replace(found[critical], region=CRITICAL)
    return found


def _without(names: Iterable[str], reason: str) -> dict[str, RegionScore]:
    return {name: RegionScore(name, None, 0, reason) for name in names}


def _score(text: MeasuredText, region: RegionSpan) -> RegionScore:
    span = region.start, region.end
    value = measure(text, span, MEASURES[DEFAULT_MEASURE])
    end = text.read_up_to(span)
    return RegionScore(region.name, value.number, value.n_tokens, value.reason, end, value.n_straddling)
