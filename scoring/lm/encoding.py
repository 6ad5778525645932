"""Texts as a model sees them: token ids with the characters that each token covers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.lm.alignment import Span, span_problem

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

__all__ = ["EncodedText", "encode_texts"]


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text and its tokens, with no special token before, among or after them."""

    text: str
    ids: tuple[int, ...]
    spans: tuple[Span, ...]
    """Per token, the characters ``[start, end)`` of the text."""
    pieces: tuple[str, ...]
    """Per token, its entry in the vocabulary, such as ``Ġknow``."""
    problem: str | None = None
    """Why the text cannot be scored; then there are no tokens."""


def encode_texts(tokenizer: Tokenizer, texts: Sequence[str], *, vocabulary: int) -> list[EncodedText]:
    """Tokenise every text as plain text: what looks like a special token in it is text like the rest.

    `vocabulary` is the number of rows of the model's embedding. A text whose tokens cannot be aligned with its
    characters, or that has a token unknown to the model, comes back with its `problem`.
    """
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    return [_checked(text, encoding, vocabulary) for text, encoding in zip(texts, encodings, strict=True)]


def _checked(text: str, encoding: Encoding, vocabulary: int) -> EncodedText:
    ids, spans, pieces = tuple(encoding.ids), tuple(encoding.offsets), tuple(encoding.tokens)
    problem = None
    if not text.strip():
        problem = "the text is empty"
    elif max(ids, default=0) >= vocabulary:
        problem = f"the tokenizer gave token {max(ids)}, the model knows {vocabulary}: they do not belong together"
    else:
        fault = span_problem(text, spans)
        if fault is not None:
            problem = f"tokens and characters cannot be aligned: {fault}"
    return EncodedText(text, (), (), (), problem) if problem else EncodedText(text, ids, spans, pieces)
