"""Whether a tree of prefixes gives what one text at a time gives: asked of every model when its weights are loaded.

Custom masks have been ignored, and read wrongly, by versions of transformers without an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.lm.engine import Request, Tokens, in_bits
from scoring.lm.model import LanguageModel, quiet
from scoring.lm.rows import Row, prepared

__all__ = ["REQUESTS", "difference_in_bits", "one_by_one", "tree_fault"]

REQUESTS = (
    Request("I know who the story about is likely to amuse soon."),
    Request("I know who the story about Mary is likely to amuse soon."),
    Request("I know that the story is old."),
    Request("Nobody does.", context="I know who the story about is likely to amuse soon."),
    Request("The lions slept, and the gazelles went by."),
)
"""They share beginnings of several lengths, branch, end within each other, and stand behind a context."""

LIMIT_BITS = {"float32": 1e-3, "bfloat16": 0.25, "float16": 0.05}
"""By how much the mean over the tokens may differ; in float32 rounding makes about 1e-6, a mask that is ignored, over 0.3."""


def tree_fault(model: LanguageModel, run: Callable[[list[Row]], list[list[Tokens]]]) -> str | None:
    """What is wrong with `run`, which scores rows as a tree, or None."""
    _, rows = prepared(model, REQUESTS)
    if not rows:
        return None
    try:
        found = {(tokens.context, tokens.text): tokens for chunk in run(rows) for tokens in chunk}
    except (RuntimeError, ValueError, TypeError, IndexError, AttributeError) as error:
        text = str(error).strip().splitlines()
        return f"it fails with {type(error).__name__}: {text[0] if text else ''}"
    difference = difference_in_bits(
        [found[row.text.context, row.text.text] for row in rows], [one_by_one(model, row) for row in rows]
    )
    if not difference <= LIMIT_BITS[model.dtype]:
        return f"its values differ by {difference:.2g} bits a token from those of one text at a time"
    return None


def difference_in_bits(tokens: Sequence[Tokens], nats: Sequence[NDArray[np.float32]]) -> float:
    """The mean distance of values from what `one_by_one` gave for the same rows, in bits a token."""
    distances = [
        np.abs(in_bits(own.values) - in_bits(values[len(values) - len(own.values) :]))
        if own.asked is None
        else np.abs(in_bits(own.values[own.asked]) - in_bits(values[len(values) - int(own.asked.sum()) :]))
        for own, values in zip(tokens, nats, strict=True)
    ]
    together = np.concatenate(distances)
    return float(together.mean()) if len(together) else math.nan


def one_by_one(model: LanguageModel, row: Row) -> NDArray[np.float32]:
    """(len(row.ids) - 1,): nats of a row's tokens but the first, with no mask, positions, padding or cache."""
    import torch

    network = model.network
    ids = torch.tensor([row.ids], device=network.device)
    with quiet(), torch.inference_mode():
        logits: torch.Tensor = network(input_ids=ids[:, :-1], use_cache=False).logits[0].float()
        nats: NDArray[np.float32] = (
            (torch.logsumexp(logits, dim=-1) - logits.gather(-1, ids[0, 1:, None])[:, 0]).cpu().numpy()
        )
    return nats
