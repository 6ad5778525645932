"""From the surprisals of a text's tokens to a number: the only place that says what a measure comes to over a region, the
sentence, its final mark, what follows a region.

Everything here is in bits (surprisal is -log2 p). A token belongs to the stretch that holds its first character that is not
white space; a token of nothing but white space goes with the character that follows it (at the end of the text, with the last
one before it). A stretch may so hold characters in which no token begins: it is then undefined, not zero. Tokens with
characters both inside and outside of the stretch *straddle* it and are counted, since their surprisal cannot be divided.
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gapsmith.templates.formula import EMPTY, Empty, Place
from gapsmith.templates.model import RegionSpan
from gapsmith.templates.plugins import Plugin, Registry

Span: TypeAlias = tuple[int, int]
"""Characters ``[start, end)`` of a text."""

ASCII_SPACES = frozenset(" \t\n\v\f\r")
WORD_BEGINNERS = ASCII_SPACES | frozenset(string.punctuation)
"""What a token that begins a word begins with, where it begins with no letter."""
_MARKS = frozenset(".?!…。？！")
_CLOSING = _MARKS | frozenset("\"'”’»)]")


@dataclass(frozen=True)
class Unigrams:
    """How surprising each entry of a tokenizer's vocabulary is by its frequency alone."""

    tokenizer: str
    """What identifies the tokenizer whose ids these are: the digest that a scorer's identity has."""
    bits: NDArray[np.float64]
    """(vocabulary,): -log2 of the unigram probability, by id."""

    @classmethod
    def from_counts(cls, tokenizer: str, counts: Sequence[int] | NDArray[np.int64]) -> Unigrams:
        """Of counts by id, add-one smoothed, so that a token the corpus lacks has a probability."""
        smoothed = np.asarray(counts, dtype=np.float64) + 1.0
        if smoothed.ndim != 1 or not len(smoothed) or smoothed.min() < 1.0:
            raise ValueError("counts by token id are one row of numbers from 0")
        return cls(tokenizer, np.log2(smoothed.sum()) - np.log2(smoothed))


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text and what a model says of its tokens."""

    text: str
    spans: NDArray[np.int32]
    """(n, 2): per token, the characters ``[start, end)`` of `text`."""
    bits: NDArray[np.float64]
    """(n,): -log2 p(token | context, the tokens before it); NaN where it is undefined or was not asked for."""
    boundary: NDArray[np.float64] | None = None
    """(n + 1,): -log2 of the probability, before the first token and after each, that the next token begins a word."""
    ids: Sequence[int] | None = None
    """(n,): per token, its number in the vocabulary."""
    tokenizer: str | None = None
    """What identifies the tokenizer, as in `Unigrams`."""
    context: str = ""
    """What stands before the text; behind something its first token begins a word like any other."""
    by_region: bool = False
    """Whether the values are of whole regions, of which it is not known how they are cut into tokens."""
    reason: str | None = None
    """Why values are undefined."""
    _placed: tuple[tuple[int, int, int], ...] | None = field(default=None, init=False, repr=False, compare=False)
    """`placed`, once it was asked for: there are as many of these objects as texts, and a dictionary for each would be larger."""

    def __post_init__(self) -> None:
        n = len(self.bits)
        if self.spans.shape != (n, 2):
            raise ValueError(f"{n} values, but spans of shape {self.spans.shape}")
        if self.boundary is not None and self.boundary.shape != (n + 1,):
            raise ValueError(f"{n} tokens have {n + 1} boundaries, not {self.boundary.shape}")
        if self.ids is not None and len(self.ids) != n:
            raise ValueError(f"{n} tokens, but {len(self.ids)} ids")

    @property
    def elsewhere(self) -> bool:
        """Whether the values were made elsewhere: they come by characters, without the numbers of tokens. What made them may
        have read on beyond what they are about."""
        return self.ids is None

    @property
    def anchors(self) -> NDArray[np.int64]:
        """(n,): the character by which each token is placed."""
        return np.array([anchor for anchor, _, _ in self.placed], dtype=np.int64)

    def read_up_to(self, span: Span) -> int:
        """The character up to which a causal model has read the text for what it says of `span`: the stretch's end, or that of
        a token that begins in it and goes on beyond."""
        start, stop = span
        found = stop
        for anchor, _, end in self.placed:
            if end > found and start <= anchor < stop:
                found = end
        return found

    def goes_on(self, span: Span) -> bool:
        """Whether the word goes on in the token after the last one that begins in `span`. The corrected value hangs on it, which
        moves the mass of a word's beginning to where the word before ends."""
        start, stop = span
        inside = [position for position, (anchor, _, _) in enumerate(self.placed) if start <= anchor < stop]
        if not inside or inside[-1] + 1 == len(self.placed):
            return False
        return not word_starts(self.text, self.spans.tolist(), has_context=bool(self.context))[inside[-1] + 1]

    @property
    def whole(self) -> bool:
        """Whether every token has a value."""
        return not bool(np.isnan(self.bits).any())

    @property
    def placed(self) -> tuple[tuple[int, int, int], ...]:
        """Per token, the character by which it is placed, where its last character that is not white space ends, and where it
        ends. Plain numbers, since arrays this short are slower."""
        if self._placed is not None:
            return self._placed
        # White space, as byte-pair tokens have it in front, is neither inside nor outside of a stretch.
        text, found = self.text, []
        for start, end in self.spans.tolist():
            piece = text[start:end]
            if word := piece.strip():
                anchor = end - len(piece.lstrip())
                found.append((anchor, anchor + len(word), end))
            else:
                anchor = len(text) - len(text[start:].lstrip())
                anchor = anchor if anchor < len(text) else len(text.rstrip()) - 1
                # Placed by a character of its neighbour, it reaches no further.
                found.append((anchor, anchor + 1, end))
        placed = tuple(found)
        object.__setattr__(self, "_placed", placed)
        return placed


@dataclass(frozen=True, slots=True)
class Value:
    """What a measure comes to."""

    number: float | None
    """None where it is undefined, and then `reason` says why."""
    n_tokens: int = 0
    """How many tokens begin in the stretch."""
    n_straddling: int = 0
    """How many tokens lie partly inside and partly outside of it, whether they begin in it or not."""
    reason: str | None = None
    adds_nothing: bool = False
    """A declared region without a character, under a measure that adds up tokens: 0 inside a criterion."""

    @property
    def operand(self) -> float | Empty | None:
        """The value as `gapsmith.templates.formula.evaluate` takes it."""
        return EMPTY if self.adds_nothing else self.number


@dataclass(frozen=True, slots=True)
class Measure:
    """A way from the surprisals of a stretch's tokens to a number.

    `compute` gets the bits of the tokens that begin in the stretch, (k,) with k > 0 and no NaN, their unigram bits or None,
    and the stretch's words; it gives None where the number is too large to be one."""

    name: str
    title: str
    unit: str
    compute: Callable[[NDArray[np.float64], NDArray[np.float64] | None, str], float | None]
    additive: bool = False
    """Whether the tokens add up, so that an empty region adds 0."""
    higher_is_better: bool = False
    """Whether an acceptable sentence is expected to have the greater value, as with log-probability and SLOR."""
    needs_unigrams: bool = False
    of_total: bool = False
    """Whether it asks for nothing of the tokens but their sum, so that it is the same however a stretch is cut into tokens; what
    is `additive` is so, too."""


def measure(
    text: MeasuredText,
    span: Span | str,
    by: Measure,
    *,
    unigrams: Unigrams | str | None = None,
    corrected: bool = False,
) -> Value:
    """The value of a stretch of a text. `span` may be a reason for there being none, as `locate` gives it; `unigrams` may be a
    reason for there being no table.

    `corrected` moves the probability that a word begins from the beginning of each word to the end of the one before (see
    `boundary_corrected`). Raises `ValueError` where a measure lacks its unigrams or they are of another tokenizer, and where
    the correction lacks its channel."""
    if isinstance(span, str):
        return Value(None, reason=span)
    start, end = span
    if not 0 <= start <= end <= len(text.text):
        raise ValueError(f"{span} is no stretch of {text.text!r}")
    # Of a sentence without a word nothing is known; only an empty region of one that has words adds nothing to it.
    if not text.text.strip():
        return Value(None, reason="the text is empty")
    if start == end:
        return Value(None, reason="the region is empty", adds_nothing=by.additive)
    if not len(text.bits):
        return Value(None, reason=text.reason or "the text has no tokens")
    tokens, straddling = [], 0
    for position, (anchor, last, _) in enumerate(text.placed):
        if start <= anchor < end:
            tokens.append(position)
            if last <= end:
                continue
        elif anchor >= end or last <= start:
            continue
        # A token across the edge counts where characters that are not white space lie on both sides.
        straddling += bool(text.text[max(anchor, start) : min(last, end)].strip())
    if not tokens:
        return Value(None, n_straddling=straddling, reason="no token begins in the region")
    n = len(tokens)
    every = corrected_bits(text) if corrected else text.bits
    in_a_row = tokens[-1] - tokens[0] + 1 == n
    bits = every[tokens[0] : tokens[-1] + 1] if in_a_row else every[tokens]
    if (corrected or not text.whole) and np.isnan(bits).any():
        first = tokens[int(np.isnan(bits).argmax())]
        token = text.text[text.spans[first, 0] : text.spans[first, 1]]
        return Value(None, n, straddling, text.reason or f"{token!r} has no value")
    if text.by_region and not (by.additive or by.of_total):
        return Value(None, n, straddling, f"{by.title} needs the tokens, and these scores are of whole regions")
    by_chance = _unigram_bits(text, tokens, by, unigrams)
    if isinstance(by_chance, str):
        return Value(None, n, straddling, by_chance)
    number = by.compute(bits, by_chance, text.text[start:end].strip())
    if number is not None and math.isnan(number):
        return Value(None, n, straddling, f"the {by.title} is not defined here: it comes out as NaN, which is no number")
    if number is None or not math.isfinite(number):
        return Value(None, n, straddling, f"the {by.title} is too large to be written as a number")
    return Value(number, n, straddling)


def locate(
    place: Place,
    text: str,
    regions: Sequence[RegionSpan] | None,
    *,
    critical: str | None = None,
    numbers: Mapping[str, str] | None = None,
) -> Span | str:
    """Where a formula's place lies in a text; or, as text, why it lies nowhere.

    `regions` are the sentence's spans in reading order, None where it has none; `critical` names the region that
    ``critical`` stands for, `numbers` maps a suite's region numbers to names. ``next(region)`` is the first region after it
    that holds a character, ``from(region)`` everything from its beginning to the final mark. The sentence is the whole text;
    the punctuation is the region of that name, else the closing marks at the end of the text."""
    if place.name == "sentence":
        return 0, len(text)
    name = place.name
    if name == "critical":
        if critical is None:
            return "the condition has no critical region"
        name = critical
    if regions is not None:
        names = [region.name for region in regions]
        if name not in names and numbers is not None:
            name = numbers.get(name, name)
        if name in names:
            found = _stepped(regions, names.index(name), place.steps)
            if place.onwards and not isinstance(found, str):
                return found[0], max(region.end for region in regions if region.name != "punctuation")
            return found
    if name == "punctuation" and not place.steps:
        return _final_mark(text) or "the sentence does not end with a mark"
    return "the sentence is not aligned with the paradigm" if regions is None else "the sentence has no such region"


def boundary_corrected(
    values: NDArray[np.float64], boundary: NDArray[np.float64], starts: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(n,): surprisals with the mass of a word's beginning moved to the end of the word before it.

    `boundary`, (n + 1,), is the surprisal, before the first token and after each, of the next token's beginning a word, in
    the unit of the values; `starts` says which tokens do, see `word_starts`. With a tokenizer that marks where words begin,
    p(word) is the product of its tokens times the probability that a word begins after it, over the probability that one
    began before it (Pimentel & Meister 2024, "How to compute the probability of a word"; Oh & Schuler 2024, "Leading
    whitespaces of language models' subword vocabulary pose a confound for calculating word probabilities")."""
    ends = np.append(starts[1:], True) if len(starts) else starts
    moved: NDArray[np.float64] = values - np.where(starts, boundary[:-1], 0.0) + np.where(ends, boundary[1:], 0.0)
    return moved


def word_starts(text: str, spans: Sequence[Span], *, has_context: bool) -> NDArray[np.bool_]:
    """(n,): which tokens begin a word: those that begin with white space or an ASCII punctuation mark, or stand behind
    white space. The first one of a text does where a context precedes it."""
    found = np.zeros(len(spans), dtype=np.bool_)
    reached = 0
    for number, (start, end) in enumerate(spans):
        found[number] = text[start : start + 1] in WORD_BEGINNERS or (start > reached and text[reached] in ASCII_SPACES)
        reached = max(reached, end)
    if len(found):
        found[0] = has_context
    return found


def corrected_bits(text: MeasuredText) -> NDArray[np.float64]:
    """(n,): the bits of a text's tokens, `boundary_corrected`. Raises `ValueError` where there is no boundary mass."""
    if text.boundary is None:
        raise ValueError(f"{text.text!r} was scored without the boundary mass")
    starts = word_starts(text.text, text.spans.tolist(), has_context=bool(text.context))
    return boundary_corrected(text.bits, text.boundary, starts)


def _unigram_bits(
    text: MeasuredText, tokens: Sequence[int], by: Measure, unigrams: Unigrams | str | None
) -> NDArray[np.float64] | str | None:
    """Why there are none, as text."""
    if not by.needs_unigrams:
        return None
    if unigrams is None:
        raise ValueError(f"{by.name} needs a unigram table")
    if isinstance(unigrams, str):
        return unigrams
    if text.ids is None:
        return f"{by.title} is over the tokens of a model's tokenizer, and these scores do not say which they are"
    if text.tokenizer != unigrams.tokenizer:
        raise ValueError(f"the unigram table is of tokenizer {unigrams.tokenizer}, the scores of {text.tokenizer}")
    return unigrams.bits[np.asarray(text.ids, dtype=np.int64)[tokens]]


def _stepped(regions: Sequence[RegionSpan], index: int, steps: int) -> Span | str:
    for _ in range(steps):
        index = next((i for i in range(index + 1, len(regions)) if regions[i].start < regions[i].end), -1)
        if index < 0:
            return "no region with words follows"
    return regions[index].start, regions[index].end


def _final_mark(text: str) -> Span | None:
    end = len(text.rstrip())
    start = end
    while start and text[start - 1] in _CLOSING:
        start -= 1
    return (start, end) if _MARKS.intersection(text[start:end]) else None


def _total(bits: NDArray[np.float64]) -> float:
    # From left to right, so that a sum is the same to the last digit however it is computed.
    return float(sum(bits.tolist()))


def _perplexity(bits: NDArray[np.float64], _: object, __: str) -> float | None:
    mean = _total(bits) / len(bits)
    return float(2.0**mean) if mean < 1000 else None


def _slor(bits: NDArray[np.float64], unigram_bits: NDArray[np.float64] | None, _: str) -> float:
    assert unigram_bits is not None
    return (_total(unigram_bits) - _total(bits)) / len(bits)


_OWN = (
    Measure("sum", "surprisal", "bits", lambda bits, _, __: _total(bits), additive=True),
    Measure("mean", "mean surprisal by token", "bits", lambda bits, _, __: _total(bits) / len(bits)),
    Measure("mean_word", "surprisal by word", "bits", lambda b, _, words: _total(b) / len(words.split()), of_total=True),
    Measure("mean_char", "surprisal by character", "bits", lambda b, _, words: _total(b) / len(words), of_total=True),
    Measure("median", "median surprisal of tokens", "bits", lambda bits, _, __: float(np.median(bits))),
    Measure("range", "range of surprisal over tokens", "bits", lambda bits, _, __: float(np.ptp(bits))),
    Measure("max", "greatest surprisal of a token", "bits", lambda bits, _, __: float(np.max(bits))),
    Measure("min", "least surprisal of a token", "bits", lambda bits, _, __: float(np.min(bits))),
    Measure(
        "logprob",
        "log-probability",
        "bits",
        lambda bits, _, __: -_total(bits),
        additive=True,
        higher_is_better=True,
    ),
    Measure("perplexity", "perplexity", "1", _perplexity),
    Measure("slor", "SLOR", "bits", _slor, higher_is_better=True, needs_unigrams=True),
)


def _held(found: Measure, plugin: Plugin) -> Measure:
    """A measure of an installed package, under the name by which it is asked for."""

    def compute(bits: NDArray[np.float64], unigram_bits: NDArray[np.float64] | None, words: str) -> float | None:
        number = found.compute(bits, unigram_bits, words)
        return float(number) if isinstance(number, Real) else number

    def is_number(given: object) -> bool:
        return given is None or isinstance(given, float)

    return replace(found, name=plugin.name, compute=plugin.held(compute, "compute", "a number", is_number))


MEASURES: Final[Registry[Measure]] = Registry(
    "gapsmith.measures", "measure", Measure, {entry.name: entry for entry in _OWN}, held=_held
)
"""The measures by name.

``sum``: surprisal of a region is the sum over its tokens (Wilcox, Levy, Morita & Futrell 2018, "What do RNN language models
learn about filler-gap dependencies?"). ``mean``, ``median``, ``range``, ``max``, ``min``: the metrics of SyntaxGym (Gauthier et
al. 2020). ``mean_word`` and ``mean_char`` divide the sum by the words (between white space) and by the characters of the
stretch. ``logprob``: log2 of the probability, as BLiMP compares sentences (Warstadt et al. 2020). ``perplexity``: 2 to the mean
surprisal by token. ``slor``: (log p_LM - log p_unigram) / number of tokens (Pauls & Klein 2012; Lau, Clark & Lappin 2017,
"Grammaticality, acceptability, and probability")."""
