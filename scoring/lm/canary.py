"""What is asked of every model when its weights are loaded, on five short texts.

Whether a tree of prefixes gives what one text at a time gives: custom masks have been ignored, and read wrongly, by versions
of transformers without an error. And how far half precision is from float32.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.engine import Request, in_bits
from gapsmith.scoring.lm.model import BF16_PRODUCTS, LanguageModel
from gapsmith.scoring.lm.rows import TokenRow, prepared

REQUESTS = (
    Request("I know who the story about is likely to amuse soon."),
    Request("I know who the story about Mary is likely to amuse soon."),
    Request("I know that the story is old."),
    Request("Nobody does.", context="I know who the story about is likely to amuse soon."),
    Request("The lions slept, and the gazelles went by."),
)
"""They share beginnings of several lengths, branch, end within each other, and stand behind a context."""

LIMIT_BITS = {"float32": 1e-3, BF16_PRODUCTS: 0.25, "bfloat16": 0.25, "float16": 0.05}
"""By how much the mean over the tokens may differ; in float32 rounding makes about 1e-6, a mask that is ignored, over 0.3."""


def tree_fault(model: LanguageModel, run: Callable[[list[TokenRow]], list[list[Tokens]]]) -> str | None:
    """What is wrong with `run`, which scores rows as a tree, or None."""
    _, rows = prepared(model, REQUESTS)
    if not rows:
        return None
    try:
        found = {(tokens.context, tokens.text): tokens for chunk in run(rows) for tokens in chunk}
    except (RuntimeError, ValueError, TypeError, IndexError, AttributeError) as error:
        text = str(error).strip().splitlines()
        return f"it fails with {type(error).__name__}: {text[0] if text else ''}"
    differences = [np.zeros(1)]
    for row in rows:
        in_tree = found[row.text.context, row.text.text].values[row.n_undefined :]
        alone = one_by_one(model, row)[row.first + row.n_undefined - 1 :]
        # A model that gives no numbers does so in a tree as well; that is not the tree's fault.
        differences.append(np.abs(in_bits(in_tree) - in_bits(alone))[np.isfinite(alone)])
    difference = float(np.concatenate(differences).mean())
    if not difference <= LIMIT_BITS[model.dtype]:
        return f"its values differ by {difference:.2g} bits a token from those of one text at a time"
    return None


def measure_rounding(model: LanguageModel) -> str:
    """Note in `model.rounding` how far its values are from those in float32; a sentence that says so.

    The model is loaded a second time for that, in float32, where memory allows.
    """
    exact = model.in_float32()
    if exact is None:
        model.rounding = {"measured": False}
        return f"in {model.dtype} values are rounded; by how much is not known, since float32 does not fit into the memory"
    _, rows = prepared(model, REQUESTS)
    pairs = [(one_by_one(model, row), one_by_one(exact, row)) for row in rows]
    distances = np.concatenate([np.abs(in_bits(rough) - in_bits(fine)) for rough, fine in pairs] or [np.zeros(1)])
    mean, largest = float(distances.mean()), float(distances.max())
    model.rounding = {"measured": True, "mean_bits": mean, "largest_bits": largest, "tokens": len(distances)}
    return (
        f"in {model.dtype} values are rounded: on {len(distances)} tokens they differ from float32 by {mean:.3f} bits on "
        f"average and by {largest:.3f} at most"
    )


def one_by_one(model: LanguageModel, row: TokenRow) -> NDArray[np.float32]:
    """(len(row.ids) - 1,): nats of a row's tokens but the first, with no mask, positions, padding or cache."""
    import torch

    network = model.network
    ids = torch.tensor([row.ids], device=network.device)
    with model.running():
        logits: torch.Tensor = network(input_ids=ids[:, :-1], use_cache=False).logits[0].float()
        nats: NDArray[np.float32] = (torch.logsumexp(logits, dim=-1) - logits.gather(-1, ids[0, 1:, None])[:, 0]).cpu().numpy()
    return nats
