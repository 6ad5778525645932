"""From token surprisals to region surprisals. Imports neither torch nor transformers.

A token belongs to the region that holds its first character that is not white space. A token of nothing but white space
goes with the character that follows it, as the space in front of a word does (at the end of the text, with the last one
before it). So a region may hold characters in which no token begins: its surprisal is then undefined, not zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bank import Tokens
from bank.tokens import anchor
from templates import CRITICAL, PUNCTUATION, Paradigm, RegionSpan, Sentence

__all__ = ["RegionScore", "region_scores", "sum_regions"]


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
    """Where the region ends: a causal model has read the text up to here, and nothing beyond, for this value."""


def region_scores(paradigm: Paradigm, sentence: Sentence, scores: Tokens | None) -> dict[str, RegionScore]:
    """The score of every region of `sentence`, in reading order, and of `critical`, which comes last.

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
        found = _without(names, "the sentence has no such region") | sum_regions(scores, sentence.regions)
    critical = paradigm.condition(sentence.condition).critical
    if critical is not None:
        found[CRITICAL] = replace(found[critical], region=CRITICAL)
    return found


def _without(names: Iterable[str], reason: str) -> dict[str, RegionScore]:
    return {name: RegionScore(name, None, 0, reason) for name in names}


def sum_regions(scores: Tokens, spans: Sequence[RegionSpan]) -> dict[str, RegionScore]:
    """The score of every span, by region name, in the order of `spans`; tokens outside all of them are left out."""
    inside: dict[str, list[int]] = {span.name: [] for span in spans}
    for number, (start, _) in enumerate(scores.spans.tolist()):
        place = anchor(scores.text, start)
        for span in spans:
            if span.start <= place < span.end:
                inside[span.name].append(number)
                break
    bits = scores.bits.tolist()
    return {span.name: _sum(span, inside[span.name], bits, scores) for span in spans}


def _sum(span: RegionSpan, inside: Sequence[int], bits: Sequence[float], scores: Tokens) -> RegionScore:
    if span.start == span.end:
        return RegionScore(span.name, None, 0, "the region is empty", span.end)
    if not bits:
        return RegionScore(span.name, None, 0, scores.reason or "the text has no tokens", span.end)
    if not inside:
        return RegionScore(span.name, None, 0, "no token begins in the region", span.end)
    total = 0.0
    for number in inside:
        if bits[number] != bits[number]:
            reason = scores.reason or f"{scores.piece(number)!r} was not measured"
            return RegionScore(span.name, None, len(inside), reason, span.end)
        total += bits[number]
    return RegionScore(span.name, total, len(inside), None, span.end)
