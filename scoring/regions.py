"""From token surprisals to region surprisals. Imports neither torch nor transformers.

A token belongs to the region that holds its first character that is not white space. A token of nothing but white space
goes with the character that follows it, as the space in front of a word does (at the end of the text, with the last one
before it). So a region may hold characters in which no token begins: its surprisal is then undefined, not zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bank.records import TokenScore, TokenScores
from scoring.lm.alignment import anchor
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


def region_scores(paradigm: Paradigm, sentence: Sentence, scores: TokenScores | None) -> dict[str, RegionScore]:
    """The score of every region of `sentence`, in reading order, and of `critical`, which comes last.

    All regions of the paradigm and its final punctuation are there, whether they have a value or not. `scores` None means
    that the text has not been scored. Raises `ValueError` where the scores are of another text, and `ParadigmError` where
    the sentence's condition is not one of the paradigm's.
    """
    names = [region.name for region in paradigm.regions]
    if paradigm.final_punctuation and PUNCTUATION not in names:
        names.append(PUNCTUATION)
    if sentence.regions is None:
        found = {name: RegionScore(name, None, 0, "the sentence is not aligned with the paradigm") for name in names}
    elif scores is None:
        found = {name: RegionScore(name, None, 0, "the sentence has not been scored") for name in names}
    else:
        if scores.text != sentence.text:
            raise ValueError(f"the scores are of {scores.text!r}, the sentence is {sentence.text!r}")
        absent = {name: RegionScore(name, None, 0, "the sentence has no such region") for name in names}
        found = absent | sum_regions(scores, sentence.regions)
    critical = found[paradigm.condition(sentence.condition).critical]
    found[CRITICAL] = RegionScore(CRITICAL, critical.surprisal_bits, critical.n_tokens, critical.reason)
    return found


def sum_regions(scores: TokenScores, spans: Sequence[RegionSpan]) -> dict[str, RegionScore]:
    """The score of every span, by region name, in the order of `spans`; tokens outside all of them are left out."""
    tokens: dict[str, list[TokenScore]] = {span.name: [] for span in spans}
    for token in scores.tokens:
        place = anchor(scores.text, token.start)
        for span in spans:
            if span.start <= place < span.end:
                tokens[span.name].append(token)
                break
    return {span.name: _sum(span, tokens, scores) for span in spans}


def _sum(span: RegionSpan, tokens: Mapping[str, Sequence[TokenScore]], scores: TokenScores) -> RegionScore:
    own = tokens[span.name]
    if span.start == span.end:
        return RegionScore(span.name, None, 0, "the region is empty")
    if not scores.tokens:
        return RegionScore(span.name, None, 0, scores.reason or "the text has no tokens")
    if not own:
        return RegionScore(span.name, None, 0, "no token begins in the region")
    total = 0.0
    for token in own:
        if token.surprisal_bits is None:
            return RegionScore(span.name, None, len(own), scores.reason or f"{token.token!r} has no value")
        total += token.surprisal_bits
    return RegionScore(span.name, total, len(own))
