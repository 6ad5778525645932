"""The word-boundary correction for tokenizers that mark where a word begins (GPT-2's ``Ġ``, SentencePiece's ``▁``).

With such a tokenizer ``soon`` is also the beginning of ``sooner``: that the word ends after it is said only by the next
token. So p(word) is the product of its tokens, times the probability that a word begins after it, over the probability
that one began before it (Pimentel & Meister 2024, "How to compute the probability of a word"; Oh & Schuler 2024, "Leading
whitespaces of language models' subword vocabulary pose a confound for calculating word probabilities").

A token begins a word where its text begins with white space or with an ASCII punctuation mark, so that the full stop after
a word ends it; the end of the text begins one too. At the very beginning of a text every token does.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import Tokens
from gapsmith.templates import ASCII_SPACES, WORD_BEGINNERS, ConfigError, boundary_corrected, word_starts

_BYTE_LEVEL = {chr(0x100 + ord(space)): space for space in ASCII_SPACES}
"""How byte-level vocabularies write white space: ``Ġ`` for a space, ``Ċ`` for a line feed."""
_BYTE = re.compile("<0x([0-9A-F]{2})>")


def word_beginnings(model: str, pieces: Sequence[str | None], *, special: Collection[int], ends: Collection[int]) -> list[int]:
    """The ids of the tokens that begin a word and of those that end a text, in order.

    `pieces` are the entries of the vocabulary by id, `special` the ids that no text is tokenised to, `ends` those that end
    a text. Raises `ConfigError` where no entry begins with a space.
    """
    byte_level = "Ġ" in pieces
    if not byte_level and not any(piece is not None and piece.startswith(("▁", " ")) for piece in pieces):
        raise ConfigError(
            f"the tokenizer of {model} does not mark the beginning of a word by a space, so there is no word-boundary "
            "correction for it",
            hint="Score without the boundary mass.",
        )
    found = {
        number
        for number, piece in enumerate(pieces)
        if piece and number not in special and _first_character(piece, byte_level) in WORD_BEGINNERS
    }
    return sorted(found | set(ends))


def _first_character(piece: str, byte_level: bool) -> str:
    if byte_level:
        return _BYTE_LEVEL.get(piece[0], piece[0])
    byte = _BYTE.fullmatch(piece)
    if byte:
        return chr(int(byte[1], 16))
    return " " if piece[0] == "▁" else piece[0]


def begins_word(tokens: Tokens) -> NDArray[np.bool_]:
    """(n,): which tokens begin a word by what their text begins with; behind nothing, the first one does not count."""
    return word_starts(tokens.text, tokens.spans.tolist(), has_context=bool(tokens.context))


def corrected(tokens: Tokens) -> NDArray[np.float64]:
    """(n,): the values in nats with the boundary mass moved from the beginning of each word to its end.

    A token that begins a word loses the surprisal of a beginning; the last token of a word gains that of the next one.
    The values of a word's tokens sum to its corrected surprisal. Meaningful where `tokens.asked` is. Raises `ValueError`
    where the boundary mass was not computed.
    """
    if tokens.boundary is None:
        raise ValueError(f"{tokens.text!r} was scored without the boundary mass")
    moved = boundary_corrected(tokens.values.astype(np.float64), tokens.boundary.astype(np.float64), begins_word(tokens))
    return moved if tokens.asked is None else np.where(tokens.asked, moved, 0.0)
