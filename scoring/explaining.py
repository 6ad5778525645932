"""One sentence as other tools score it, and the way there from our number, one difference at a time.

Two tools that run the same model on the same sentence rarely print the same number. What differs is how a number is made of
the same probabilities: what stands before the first token, whether a space is put before the sentence, whether the mark at
the end belongs to the last word, where the probability that a word ends is counted, whether tokens are summed or averaged,
the base of the logarithm, and its sign. Each is a step here; the differences of the steps add up to the whole.

A number made our way is the value that the table of observations has (`gapsmith.scoring.observations`), as in every analysis; other
ways are sums of their own. The ways of the tools are those of the versions named in `TOOLS`, read in their source and compared with
what they print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from gapsmith.bank import NATS_PER_BIT, Tokens, anchor, unknown_words
from gapsmith.scoring.lm import Engine, Request, corrected
from gapsmith.scoring.observations import ItemKey, Observations, ObservedItem, ObservedSentence, Producer, measured_text
from gapsmith.templates import (
    CONVENTIONS,
    DEFAULT_MEASURE,
    GAPSMITH,
    MEASURES,
    SENTENCE_PLACE,
    BosPolicy,
    ConfigError,
    Convention,
    Place,
    RegionSpan,
)

_CLOSING = "\"'”’»)]"
_MARKS = ".?!…,;:" + _CLOSING


@dataclass(frozen=True, slots=True)
class SurprisalReading:
    """How a number is made of a model's probabilities."""

    bos: bool = True
    """Whether a beginning-of-sequence token stands first. Without one the first token has no value and is left out."""
    space: bool = False
    """Whether a space is put before the sentence."""
    mark: bool = False
    """Whether the marks written at the end of a word belong to it; a whole sentence has all of its marks either way."""
    boundary: bool = False
    """Whether the word-boundary correction is made."""
    average: str = "sum"
    """``sum``, ``mean`` over tokens, or ``characters``: the sum over the number of characters."""
    bits: bool = True
    """Base 2; else natural logarithms."""
    surprisal: bool = True
    """-log p; else log p."""


OURS: Final = SurprisalReading()


@dataclass(frozen=True, slots=True)
class Tool:
    """Another program and its defaults."""

    name: str
    version: str
    number: str
    """What is called there to get the number of a sentence."""
    sentence: SurprisalReading
    word: SurprisalReading | None
    """None where the tool has no number for a word."""
    ties: str
    """Which of two sentences it takes where both have the same number."""


def _tool_of(convention: Convention) -> Tool:
    """Another program as its convention has it."""
    reading = SurprisalReading(
        bos=convention.beginning is not BosPolicy.NONE,
        space=convention.beginning is BosPolicy.SPACE,
        average="mean" if convention.whole == "mean" else "sum",
        bits=False,
        surprisal=False,
    )
    ties = {
        "neither": "gives numbers and no choice: what becomes of a tie is in the script that compares them",
        "good": "takes the sentence that stands first, so a tie is right where the good one stands first",
    }
    by_word = replace(reading, average="sum") if convention.name.startswith("minicons") else None
    return Tool(convention.name, convention.version, convention.called, reading, by_word, ties[convention.ties])


TOOLS: Final[Mapping[str, Tool]] = {
    tool.name: tool
    for tool in (
        *(_tool_of(convention) for convention in CONVENTIONS.values() if convention.name != GAPSMITH),
        Tool(
            "lm-eval-norm",
            "0.4.13",
            "the same behind `acc_norm`: divided by the number of characters",
            sentence=SurprisalReading(space=True, bits=False, surprisal=False, average="characters"),
            word=None,
            ties="takes the choice that stands first, so a tie is right where the gold answer is the first one",
        ),
        Tool(
            "syntaxgym",
            "the metric for Hugging Face evaluate",
            "the sum over a region's tokens",
            sentence=SurprisalReading(),
            word=SurprisalReading(),
            ties="makes a prediction with < or > false",
        ),
        Tool(
            "pangoling",
            "1.0.3",
            "causal_words_pred on the words between spaces; of a sentence the sum over its words",
            sentence=SurprisalReading(bos=False, bits=False, surprisal=False),
            word=SurprisalReading(bos=False, mark=True, bits=False, surprisal=False),
            ties="gives numbers and no choice: what becomes of a tie is in the script that compares them",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """One difference between two ways of making a number."""

    what: str
    ours: str
    theirs: str
    before: float | None
    after: float | None
    """The number with this difference and all those above it taken over; None where a way has no number."""

    @property
    def difference(self) -> float | None:
        """What the step changes."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def same(self) -> bool:
        """Whether both do the same here."""
        return self.ours == self.theirs


@dataclass(frozen=True, slots=True)
class Explained:
    """Our number of a sentence or of one of its words, the other tool's, and the steps between them."""

    sentence: str
    word: str | None
    tool: Tool
    ours: float | None
    """Bits."""
    theirs: float | None
    steps: tuple[ExplanationStep, ...]
    reason: str | None = None
    """Why the other tool has no number."""
    ours_reason: str | None = None
    """Why we have none."""
    unknown: tuple[str, ...] = ()
    """Words of the sentence that the model does not know, so that its numbers are of the token that stands for them."""


def explain(
    sentence: str, tool: Tool, engine_with: Callable[[bool], Engine], *, word: str | None = None, boundary: bool = False
) -> Explained:
    """The way from our surprisal of the sentence, or of `word` in it, to what `tool` says.

    `engine_with` gives an engine whose texts have a BOS token in front (True) or nothing (False). `boundary` makes our
    number one with the word-boundary correction, which no tool makes unasked; minicons' own (``bow_correction``) takes other
    tokens for word beginnings: those with a space before them, and neither marks nor the end of the text. Raises
    `ConfigError` where the word is not there exactly once, or the tool has no number for a word.
    """
    theirs = tool.sentence if word is None else tool.word
    if theirs is None:
        raise ConfigError(f"{tool.name} has no number for a single word, only for a whole sentence", hint="Leave out --word.")
    span = None if word is None else _place(sentence, word)

    @lru_cache
    def tokens(bos: bool, space: bool) -> Tokens:
        text = f" {sentence}" if space else sentence
        [chunk] = engine_with(bos).score([Request(text, boundary=boundary)])
        return chunk[0]

    way, steps, reason = replace(OURS, boundary=boundary), [], None
    first = value = _number(tokens(way.bos, way.space), way, span)
    lacking = _observed(tokens(way.bos, way.space), way, span)[1] if first is None else None
    for what, field, words in _STEPS:
        before, mine, other = value, getattr(way, field), getattr(theirs, field)
        way = replace(way, **{field: other})
        if mine != other:
            found = tokens(way.bos, way.space)
            value = _number(found, way, span)
            if value is None and reason is None:
                reason = found.reason or "no token of it has a value"
        steps.append(ExplanationStep(what, words(mine), words(other), before, value))
    unknown = unknown_words(tokens(OURS.bos, OURS.space), engine_with(OURS.bos).identity.get("unknown_id"))
    return Explained(sentence, word, tool, first, value, tuple(steps), reason, lacking, unknown)


def _place(sentence: str, word: str) -> tuple[int, int]:
    places = list(_occurrences(sentence, word))
    if len(places) != 1:
        found = "is not in" if not places else f"is {len(places)} times in"
        raise ConfigError(
            f"the word {word!r} {found} {sentence!r}",
            hint="Name a word as it is written there, or several that stand together and occur once.",
        )
    return places[0]


def _occurrences(sentence: str, word: str) -> Iterator[tuple[int, int]]:
    start = sentence.find(word) if word else -1
    while start >= 0:
        end = start + len(word)
        if not sentence[start - 1 : start].isalnum() and not sentence[end : end + 1].isalnum():
            yield start, end
        start = sentence.find(word, start + 1)


def _number(tokens: Tokens, way: SurprisalReading, span: tuple[int, int] | None) -> float | None:
    """The number that a way makes of a text's tokens; None where it has none."""
    if replace(way, boundary=False) == OURS:
        return _observed(tokens, way, span)[0]
    text = tokens.text
    moved = len(text) - len(text.lstrip()) if way.space else 0
    start, end = (0, len(text)) if span is None else (span[0] + moved, span[1] + moved)
    if span is not None and way.mark:
        while end < len(text) and text[end] in _MARKS:
            end += 1
    asked = np.ones(len(tokens.values), dtype=bool) if tokens.asked is None else tokens.asked
    inside = [start <= anchor(text, int(s)) < end for s in tokens.spans[:, 0]]
    chosen = np.array(inside, dtype=bool)
    if span is not None and not asked[chosen].all():
        return None
    chosen &= asked
    if not chosen.any():
        return None
    values = (corrected(tokens) if way.boundary else tokens.values.astype(np.float64)) if tokens.unit == "nats" else None
    bits = tokens.bits if values is None else values / NATS_PER_BIT
    total = float(bits[chosen].sum())
    if way.average == "mean":
        total /= int(chosen.sum())
    elif way.average == "characters":
        total /= len(text.strip())
    return total * (1.0 if way.bits else NATS_PER_BIT) * (1.0 if way.surprisal else -1.0)


def _observed(tokens: Tokens, way: SurprisalReading, span: tuple[int, int] | None) -> tuple[float | None, str | None]:
    """Our own number, which is the table's: the sum over the sentence, or over a region that is the word; or why there is none."""
    regions = None if span is None else [RegionSpan("word", *span)]
    sentence = ObservedSentence(tokens.text, regions, measured_text(tokens))
    table = Observations([ObservedItem(ItemKey("", ""), {"": sentence})], Producer("", ""))
    place = SENTENCE_PLACE if span is None else Place("word")
    column = table.column("", place, MEASURES[DEFAULT_MEASURE], corrected=way.boundary)
    reason = table.reasons[int(column.reason[0])]
    return (None, reason) if reason else (float(column.value[0]), None)


_STEPS: Final[tuple[tuple[str, str, Callable[[object], str]], ...]] = (
    ("BOS", "bos", lambda on: "one token before the sentence" if on else "none: the first token has no value"),
    ("leading space", "space", lambda on: "a space before the sentence" if on else "none"),
    ("final mark", "mark", lambda on: "belongs to the word" if on else "as the sentence or word is given"),
    ("word boundary", "boundary", lambda on: "corrected" if on else "not corrected"),
    (
        "sum or mean",
        "average",
        lambda how: {
            "sum": "sum over tokens",
            "mean": "mean over tokens",
            "characters": "sum over tokens, by the number of characters",
        }[str(how)],
    ),
    ("base", "bits", lambda on: "2 (bits)" if on else "e (nats)"),
    ("sign", "surprisal", lambda on: "surprisal, -log p" if on else "log p"),
)
