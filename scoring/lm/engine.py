"""What every engine of surprisal offers: texts in, token surprisals in bits out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from bank.records import ScorerSettings, TokenScores

__all__ = ["Engine", "Progress"]

Progress = Callable[[int], None]
"""Called with the number of texts that have been finished since the last call."""


class Engine(Protocol):
    """Computes the surprisal of every token of every text.

    Surprisal is -log2 p(token | BOS, all tokens before it), in bits. Texts are scored as they are: no space, capital or
    full stop is added or taken away.
    """

    @property
    def settings(self) -> ScorerSettings:
        """All that decides the values; known without loading the weights."""
        ...

    def score(self, texts: Sequence[str], progress: Progress | None = None) -> Iterator[list[TokenScores]]:
        """Yield the scores in blocks, each block as soon as it is computed.

        Every distinct text comes exactly once, in the order of completion, which is the engine's to choose. A value
        that is undefined is None and the text's `reason` says why; no text is shortened to fit. Raises `ModelError`
        where the model cannot be loaded or run.
        """
        ...
