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
from scoring.measured import measured_text
from templates import CRITICAL, PUNCTUATION, Paradigm, RegionSpan, Sentence
from templates.measures import MEASURES, Measure, measure

__all__ = ["RegionScore", "region_scores", "sum_regions"]


@dataclass(frozen=True, slots=True)
class RegionScore:
    """The surprisal of one region of one sentence."""

    region: str
    surprisal_bits: float | None
    """Sum over the region's tokens, in bits, or what another measure makes of them; None where it is undefined, and then
    `reason` says why."""
    n_tokens: int
    """How many tokens begin in the region."""
    reason: str | None = None
    end: int = 0
    """A causal model has read the text up to here, and nothing beyond, for this value: where the region ends, or a token that
    begins in it and goes on beyond."""
    n_straddling: int = 0
    """How many tokens lie partly inside and partly outside of the region, white space aside."""


def region_scores(
    paradigm: Paradigm,
    sentence: Sentence,
    scores: Tokens | None,
    *,
    by: Measure | None = None,
    corrected: bool = False,
) -> dict[str, RegionScore]:
    """The score of every region of `sentence`, in reading order, and of `critical`, which comes last.

    Where the regions lie is stored with the sentence; which one is critical is `paradigm`'s to say. The paradigm's regions
    and its final punctuation are there as well where the sentence does not have them, without a value. `scores` None means
    that the text has not been scored. `by` is the measure, the sum by default; `corrected` moves the mass of word boundaries,
    which is an undefined value where it was not measured. Raises `ValueError` where the scores are of another text, and
    `ParadigmError` where the sentence's condition is not one of the paradigm's.
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
        found = _without(names, "the sentence has no such region") | _measured(scores, sentence.regions, by, corrected)
    critical = paradigm.condition(sentence.condition).critical
    if critical is not None:
        found[CRITICAL] = replace(found[critical], region=CRITICAL)
    return found


def _without(names: Iterable[str], reason: str) -> dict[str, RegionScore]:
    return {name: RegionScore(name, None, 0, reason) for name in names}


def _measured(
    scores: Tokens, spans: Sequence[RegionSpan], by: Measure | None, corrected: bool
) -> dict[str, RegionScore]:
    if by in (None, MEASURES["sum"]) and not corrected:
        return sum_regions(scores, spans)
    assert by is not None
    if corrected and scores.boundary is None:
        return _without(
            [span.name for span in spans],
            "scored without the mass of word boundaries (`gapsmith score --boundary` adds it)",
        )
    text = measured_text(scores)
    found = {}
    for span in spans:
        value = measure(text, (span.start, span.end), by, corrected=corrected)
        end = text.read_up_to((span.start, span.end))
        found[span.name] = RegionScore(span.name, value.number, value.n_tokens, value.reason, end, value.n_straddling)
    return found


def sum_regions(scores: Tokens, spans: Sequence[RegionSpan]) -> dict[str, RegionScore]:
    """The score of every span, by region name, in the order of `spans`; tokens outside all of them are left out."""
    inside: dict[str, list[int]] = {span.name: [] for span in spans}
    crossing = dict.fromkeys(inside, 0)
    for number, (start, end) in enumerate(scores.spans.tolist()):
        place = anchor(scores.text, start)
        last = max(place + 1, start + len(scores.text[start:end].rstrip()))
        home = next((span for span in spans if span.start <= place < span.end), None)
        if home is not None:
            inside[home.name].append(number)
        if home is None or last > home.end:
            for span in spans:
                shared = scores.text[max(place, span.start) : min(last, span.end)]
                crossing[span.name] += bool(shared.strip()) and not span.start <= place < last <= span.end
    bits = scores.bits.tolist()
    return {span.name: _sum(span, inside[span.name], bits, scores, crossing[span.name]) for span in spans}


def _sum(span: RegionSpan, inside: Sequence[int], bits: Sequence[float], scores: Tokens, crossing: int) -> RegionScore:
    def undefined(reason: str, n_tokens: int = 0) -> RegionScore:
        return RegionScore(span.name, None, n_tokens, reason, span.end, crossing)

    if span.start == span.end:
        return undefined("the region is empty")
    if not bits:
        return undefined(scores.reason or "the text has no tokens")
    if not inside:
        return undefined("no token begins in the region")
    total = 0.0
    for number in inside:
        if bits[number] != bits[number]:
            return undefined(scores.reason or f"{scores.piece(number)!r} was not measured", len(inside))
        total += bits[number]
    end = max(span.end, int(scores.spans[inside, 1].max()))
    return RegionScore(span.name, total, len(inside), None, end, crossing)
