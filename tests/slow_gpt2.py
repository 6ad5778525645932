"""A GPT-2 written out query by query, from its weights: what biased networks are held against."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch


def slow_gpt2(network: Any, ids: Sequence[int], slopes: Sequence[float] = ()) -> tuple[torch.Tensor, list[list[torch.Tensor]]]:
    """Logits (tokens, vocabulary) of one text, and the attention (tokens, tokens) of each head of each layer; no dropout.

    `slopes`: what is taken off a score per token of distance, a number for each head or one for all.
    """
    body, heads = network.transformer, network.config.n_head
    hidden = torch.stack([body.wte.weight[token] + body.wpe.weight[place] for place, token in enumerate(ids)])
    attention: list[list[torch.Tensor]] = []
    for block in body.h:
        normed = _norm(hidden, block.ln_1)
        query, key, value = (normed @ block.attn.c_attn.weight + block.attn.c_attn.bias).chunk(3, dim=-1)
        width = query.shape[-1] // heads
        mixed, kept = [], []
        for head in range(heads):
            q, k, v = (part[:, head * width : (head + 1) * width] for part in (query, key, value))
            slope = slopes[head % len(slopes)] if slopes else 0.0
            rows, seen = [], []
            for i in range(len(ids)):
                scores = torch.stack([q[i] @ k[j] / math.sqrt(width) + slope * (j - i) for j in range(i + 1)])
                weights = scores.exp() / scores.exp().sum()
                rows.append(weights @ v[: i + 1])
                seen.append(torch.cat([weights, weights.new_zeros(len(ids) - i - 1)]))
            mixed.append(torch.stack(rows))
            kept.append(torch.stack(seen))
        attention.append(kept)
        hidden = hidden + torch.cat(mixed, -1) @ block.attn.c_proj.weight + block.attn.c_proj.bias
        inner = _norm(hidden, block.ln_2) @ block.mlp.c_fc.weight + block.mlp.c_fc.bias
        inner = 0.5 * inner * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (inner + 0.044715 * inner**3)))
        hidden = hidden + inner @ block.mlp.c_proj.weight + block.mlp.c_proj.bias
    return _norm(hidden, body.ln_f) @ body.wte.weight.T, attention


def slow_loss(logits: torch.Tensor, ids: Sequence[int]) -> torch.Tensor:
    """The sum over all tokens but the first of -ln p."""
    return -sum((logits[place - 1].log_softmax(-1)[ids[place]] for place in range(1, len(ids))), start=torch.zeros(()))


def _norm(hidden: torch.Tensor, norm: Any) -> torch.Tensor:
    centred: torch.Tensor = hidden - hidden.mean(-1, keepdim=True)
    scale = (centred.pow(2).mean(-1, keepdim=True) + norm.eps).sqrt()
    normed: torch.Tensor = centred / scale * norm.weight + norm.bias
    return normed
