"""What an engine says of texts, in the form that tests read."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm import Engine, Request, in_bits


def measured(engine: Engine, texts: Sequence[str | Request]) -> dict[str, Tokens]:
    """The tokens of every text, by text."""
    requests = [Request(text) if isinstance(text, str) else text for text in texts]
    return {tokens.text: tokens for chunk in engine.score(requests) for tokens in chunk}


def measured_one(engine: Engine, request: str | Request) -> Tokens:
    """The tokens of one text."""
    (tokens,) = measured(engine, [request]).values()
    return tokens


def bits(tokens: Tokens) -> list[float | None]:
    """Surprisal in bits per token, None where none was asked or defined."""
    values: list[float] = in_bits(tokens.values).tolist()
    asked = [True] * len(values) if tokens.asked is None else tokens.asked.tolist()
    return [value if there else None for value, there in zip(values, asked, strict=True)]


def defined_bits(tokens: Tokens) -> list[float]:
    """Those of `bits` that are defined."""
    return [value for value in bits(tokens) if value is not None]
