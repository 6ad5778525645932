"""What every engine of surprisal offers: requests in, token surprisals in nats out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import NATS_PER_BIT, Tokens


@dataclass(frozen=True, slots=True)
class Request:
    """A text to be measured behind a context.

    Context and text are joined by one space and tokenised together; an empty context means that nothing stands before the
    text (but BOS, where the model is opened with it).
    """

    text: str
    context: str = ""
    spans: tuple[tuple[int, int], ...] | None = None
    """The characters ``[start, end)`` of `text` whose tokens are wanted; None wants all. A token lies where its first
    character lies that is not white space."""
    boundary: bool = False
    """Whether the mass of word beginnings is wanted as well, for the word-boundary correction."""


class Engine(Protocol):
    """Computes the surprisal of tokens: -log p(token | BOS, context, all tokens before it).

    Texts are scored as they are: no capital or full stop is added or taken away.
    """

    @property
    def model(self) -> str:
        """The model as the user named it: a hub name, a directory, or ``bundled``. A label, no identity."""
        ...

    @property
    def revision(self) -> str:
        """The commit on the hub, or ``sha256:`` and the digest of the files."""
        ...

    @property
    def identity(self) -> Mapping[str, Any]:
        """What a scorer is, as JSON takes it; known without loading the weights.

        Digests of weights and tokenizer, dtype, BOS policy, window and what becomes of longer texts. Engines that agree
        in this give the same values, up to the rounding of the arithmetic.
        """
        ...

    @property
    def provenance(self) -> Mapping[str, Any]:
        """How values are computed, as JSON takes it: engine, device, batch, library versions.

        Complete once the first chunk has come: only with the weights at hand is it known whether an engine can run them.
        """
        ...

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """The entries of the vocabulary, such as ``Ġknow``."""
        ...

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """Yield the tokens of the requests in chunks, each chunk as soon as it is computed.

        Every distinct (context, text) comes exactly once, with all that any request wants of it, in an order that is the
        engine's to choose. No text is shortened to fit. Raises `ModelError` where the model cannot be loaded or run.
        """
        ...


def in_bits(nats: NDArray[np.floating]) -> NDArray[np.float64]:
    """Bits in float64 of values in nats."""
    return nats.astype(np.float64) / NATS_PER_BIT
