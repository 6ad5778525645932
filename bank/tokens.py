"""Token surprisals of one text behind a context, and the compact form in which the bank keeps them.

A token takes four bytes for its value, two for its number in a vocabulary of up to 65,536 (three beyond), and one for
its place, where tokens follow one another with nothing or only white space between them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

NATS_PER_BIT = math.log(2.0)
LOWEST_BITS = -1e-4
"""No surprisal is below 0; what is this little below it, computing or rounding made."""

_BESIDE, _SPACED, _PAIRS = 0, 1, 2


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """The tokens of one text behind its context, with their surprisal."""

    text: str
    context: str
    spans: NDArray[np.int32]
    """(n, 2): per token, the characters ``[start, end)`` of `text`."""
    ids: tuple[int, ...] | None
    """Per token, its number in the tokenizer's vocabulary; None where the values were made elsewhere."""
    values: NDArray[np.floating]
    """(n,): -log p(token | BOS, context, the tokens before it): float32 natural logarithms (nats) from our engines,
    float64 bits from elsewhere. 0 where `asked` is False."""
    asked: NDArray[np.bool_] | None = None
    """(n,): which tokens have a value, because they are wanted and defined; None where all have one."""
    boundary: NDArray[np.float32] | None = None
    """(n + 1,): -log of the probability, before the first token and after each, that the next token begins a word.
    Defined on both sides of every token that has a value, else 0."""
    reason: str | None = None
    """Why a wanted token has no value, such as a text longer than the model's window."""
    _bits: NDArray[np.float64] | None = field(default=None, init=False, repr=False)
    """`bits`, once they were asked for: there are as many of these objects as texts, and a dictionary for each would be larger."""

    @property
    def unit(self) -> str:
        """``nats`` for float32 values, ``bits`` for float64 ones."""
        return "nats" if self.values.dtype == np.float32 else "bits"

    @property
    def bits(self) -> NDArray[np.float64]:
        """(n,) surprisal in bits, computed in double precision; NaN where a token has no value."""
        if self._bits is None:
            found = self.values.astype(np.float64, copy=False)
            if self.unit == "nats":
                found = found / NATS_PER_BIT
            if self.asked is not None:
                found = np.where(self.asked, found, np.nan)
            object.__setattr__(self, "_bits", found)
        assert self._bits is not None
        return self._bits

    @property
    def n_values(self) -> int:
        """How many tokens have a value."""
        return len(self.values) if self.asked is None else int(self.asked.sum())

    def covers(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether every token that begins in one of the stretches ``[start, end)`` of the text has a value."""
        if self.asked is None:
            return True
        lacking = (anchor(self.text, int(start)) for start in self.spans[~self.asked, 0])
        return not any(start <= place < end for place in lacking for start, end in spans)

    def piece(self, number: int) -> str:
        """The characters of the text that a token covers."""
        return self.text[int(self.spans[number, 0]) : int(self.spans[number, 1])]


class _Pieces(Protocol):
    """`Tokens`, or what measures take them for."""

    @property
    def ids(self) -> Sequence[int] | None: ...

    @property
    def text(self) -> str: ...

    @property
    def spans(self) -> NDArray[np.int32]: ...


def unknown_words(tokens: _Pieces, unknown_id: int | None) -> tuple[str, ...]:
    """The words of a text, in their order, for which the model read the token of this number, which stands for all that it does not know."""
    if unknown_id is None:
        return ()
    spans = tokens.spans.tolist()
    return tuple(tokens.text[slice(*spans[place])] for place, number in enumerate(tokens.ids or ()) if number == unknown_id)


def in_frequency(counts: Mapping[str, int]) -> str:
    """The words that are meant most often, each with its number."""
    shown = [f"{word} {number:,}" for word, number in Counter(counts).most_common(8)]
    more = len(counts) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more > 0 else "")


def anchor(text: str, start: int) -> int:
    """The character by which a token that starts at `start` is placed: its first one that is not white space.

    A token of nothing but white space is placed by what follows it; at the end of the text, by what stands before it.
    """
    for position in range(start, len(text)):
        if not text[position].isspace():
            return position
    return len(text.rstrip()) - 1


def packed_spans(spans: NDArray[np.int32], text: str) -> bytes:
    """The places of tokens as bytes: lengths alone where that says all, else pairs of 32-bit numbers."""
    pairs = [(int(start), int(end)) for start, end in spans]
    lengths = [end - start for start, end in pairs]
    if all(length < 256 for length in lengths):
        for tag in (_BESIDE, _SPACED):
            found = bytes([tag, *lengths])
            if unpacked_spans(found, text).tolist() == [list(pair) for pair in pairs]:
                return found
    return bytes([_PAIRS]) + np.asarray(spans, dtype="<i4").tobytes()


def unpacked_spans(packed: bytes, text: str) -> NDArray[np.int32]:
    """(n, 2) from the bytes that `packed_spans` made for the same text."""
    if packed[0] == _PAIRS:
        return np.frombuffer(packed, dtype="<i4", offset=1).reshape(-1, 2).astype(np.int32)
    if packed[0] == _BESIDE:
        return _beside(packed)
    lengths = np.frombuffer(packed, dtype=np.uint8, offset=1).astype(np.int32)
    found = np.empty((len(lengths), 2), dtype=np.int32)
    position = 0
    for number, length in enumerate(lengths.tolist()):
        while position < len(text) and text[position].isspace():
            position += 1
        found[number] = position, position + length
        position += length
    return found


@lru_cache(maxsize=4096)
def _beside(packed: bytes) -> NDArray[np.int32]:
    """Tokens with nothing between them: whatever the text, and so for many texts one array, which nobody may change."""
    lengths = np.frombuffer(packed, dtype=np.uint8, offset=1).astype(np.int32)
    ends = np.cumsum(lengths, dtype=np.int32)
    found = np.stack([ends - lengths, ends], axis=1).astype(np.int32)
    found.flags.writeable = False
    return found


def packed_ids(ids: tuple[int, ...] | None) -> bytes | None:
    """Numbers in a vocabulary as bytes: two, three or four each, whichever the largest needs; None for None."""
    if ids is None:
        return None
    largest = max(ids, default=0)
    width = 2 if largest < 1 << 16 else 3 if largest < 1 << 24 else 4
    return np.array(ids, dtype="<u4").view(np.uint8).reshape(-1, 4)[:, :width].tobytes()


def unpacked_ids(packed: bytes | None, n_tokens: int) -> tuple[int, ...] | None:
    """The numbers that `packed_ids` packed, for so many tokens."""
    if packed is None:
        return None
    if n_tokens == 0:
        return ()
    width = len(packed) // n_tokens
    whole = np.zeros((n_tokens, 4), dtype=np.uint8)
    whole[:, :width] = np.frombuffer(packed, dtype=np.uint8).reshape(n_tokens, width)
    return tuple(whole.view("<u4")[:, 0].tolist())


def packed_mask(mask: NDArray[np.bool_] | None) -> bytes | None:
    """One bit a token; None where every token has a value."""
    return None if mask is None or bool(mask.all()) else np.packbits(mask).tobytes()


def unpacked_mask(packed: bytes | None, n_tokens: int) -> NDArray[np.bool_] | None:
    """(n,) from the bytes that `packed_mask` made."""
    if packed is None:
        return None
    return np.unpackbits(np.frombuffer(packed, dtype=np.uint8), count=n_tokens).astype(np.bool_)
