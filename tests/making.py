"""Values that no model computed: tokens with chosen surprisals, and the scorers that are said to have made them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gapsmith.bank import Bank, Scorer, Tokens


def made_tokens(text: str, tokens: Sequence[tuple[int, int, float | None]], reason: str | None = None) -> Tokens:
    """Tokens from (start, end, bits); None where a token has no value."""
    return Tokens(
        text=text,
        context="",
        spans=np.array([token[:2] for token in tokens], dtype=np.int32).reshape(-1, 2),
        ids=tuple(range(len(tokens))),
        values=np.array([0.0 if bits is None else bits for _, _, bits in tokens], dtype=np.float64),
        asked=np.array([bits is not None for _, _, bits in tokens], dtype=np.bool_),
        reason=reason,
    )


def made_scorer(base: Scorer, *, model: str, revision: str | None = None, **identity: object) -> Scorer:
    """Another scorer: other weights under another name, and whatever else is different."""
    return replace(
        base,
        model=model,
        revision=base.revision if revision is None else revision,
        identity={**base.identity, "weights": model, **identity},
    )


def registered(bank: Bank, scorer: Scorer) -> int:
    """Its id in the bank, new or known."""
    return bank.scores.register(scorer.model, scorer.revision, scorer.identity)
