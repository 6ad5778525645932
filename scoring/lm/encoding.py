"""Requests as a model sees them: token ids with the characters that each token covers."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import NO_WORDS, anchor
from gapsmith.scoring.lm.alignment import Span, span_problem
from gapsmith.scoring.lm.engine import Request

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A text and its tokens, with no special token before, among or after them."""

    text: str
    context: str
    before: tuple[int, ...]
    """The tokens of the context."""
    ids: tuple[int, ...]
    """The tokens of the text."""
    spans: tuple[Span, ...]
    """Per token of the text, its characters ``[start, end)`` in the text."""
    wanted: NDArray[np.bool_]
    """(tokens of the text,)"""
    boundary: bool
    problem: str | None = None
    """Why the text cannot be scored; then there are no tokens."""


def merged(requests: Sequence[Request]) -> list[Request]:
    """One request per (context, text), wanting all that any of them wants, in the order of first appearance."""
    found: dict[tuple[str, str], Request] = {}
    for request in requests:
        key = (request.context, request.text)
        other = found.get(key)
        if other is not None and other != request:
            both = other.spans is not None and request.spans is not None
            spans = (*(other.spans or ()), *(request.spans or ())) if both else None
            request = Request(request.text, request.context, spans, other.boundary or request.boundary)
        found[key] = request
    return list(found.values())


def encode_requests(tokenizer: Tokenizer, requests: Sequence[Request], *, vocabulary: int, space: bool = False) -> list[Encoded]:
    """Tokenise every request as plain text: what looks like a special token in it is text like the rest.

    `vocabulary` is the number of rows of the model's embedding. A text whose tokens cannot be aligned with its
    characters, or that has a token unknown to the model, comes back with its `problem`. `space`: one stands before the
    text, where no context does, which has one behind it anyway.
    """
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokenizer.encode_special_tokens = True
    joined = [f"{request.context} {request.text}" if request.context or space else request.text for request in requests]
    encodings = tokenizer.encode_batch(joined, add_special_tokens=False)
    return [
        _encoded(request, text, encoding, vocabulary) for request, text, encoding in zip(requests, joined, encodings, strict=True)
    ]


def _encoded(request: Request, joined: str, encoding: Encoding, vocabulary: int) -> Encoded:
    ids, offsets = tuple(encoding.ids), encoding.offsets
    begin = len(joined) - len(request.text)
    first = _first_token_of_text(joined, offsets, begin)
    spans = tuple(offsets)
    if begin:
        spans = tuple((max(0, start - begin), max(0, end - begin)) for start, end in offsets[first:])
    problem = None
    if not request.text.strip():
        problem = NO_WORDS
    elif max(ids, default=0) >= vocabulary:
        problem = f"the tokenizer gave token {max(ids)}, the model knows {vocabulary}: they do not belong together"
    else:
        fault = span_problem(request.text, spans)
        if fault is not None:
            problem = f"tokens and characters cannot be aligned: {fault}"
    if problem is not None:
        nothing = np.zeros(0, dtype=np.bool_)
        return Encoded(request.text, request.context, (), (), (), nothing, request.boundary, problem)
    wanted = _wanted(request, spans)
    return Encoded(request.text, request.context, ids[:first], ids[first:], spans, wanted, request.boundary)


def _first_token_of_text(joined: str, offsets: Sequence[Span], begin: int) -> int:
    """The number of the first token that reaches the space before the text and is placed in the text."""
    if begin == 0:
        return 0

    def of_text(span: Span) -> bool:
        start, end = span
        return max(end, start + 1) >= begin and anchor(joined, start) >= begin

    return bisect.bisect_left(offsets, True, key=of_text)


def _wanted(request: Request, spans: Sequence[Span]) -> NDArray[np.bool_]:
    wanted = np.full(len(spans), request.spans is None)
    for start, end in request.spans or ():
        # Tokens run from left to right, and so do the characters that place them.
        low, high = (bisect.bisect_left(spans, edge, key=lambda s: anchor(request.text, s[0])) for edge in (start, end))
        wanted[low:high] = True
    return wanted
