"""The training loss: mean surprisal of the next token in nats, without ever holding all logits at once, and what a bias adds."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from gapsmith.scoring.lm import kept_attention
from gapsmith.training.planting import PlantedTrees, planting_divergence

_CHUNK = 512
"""Tokens whose logits exist at the same time."""


class NextTokenLoss(nn.Module):
    """A causal network together with its loss, so that data-parallel wrappers see one module."""

    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network

    def forward(
        self, rows: torch.Tensor, n_targets: int, *, padded: bool = False, trees: PlantedTrees | None = None, n_words: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """`rows` (n, length), negative behind the end of a row where they are `padded`: the sum of -ln p(token | tokens before it in
        its row) over all tokens but the first, over `n_targets`; and the divergence of attention from `trees`, over `n_words`.

        What stands behind a row's end comes after all of its tokens, so that causal attention needs no mask for it.
        """
        inputs, targets = rows[:, :-1], rows[:, 1:].reshape(-1)
        hidden = self.network.base_model(input_ids=inputs.clamp(min=0) if padded else inputs, use_cache=False).last_hidden_state
        hidden = hidden.reshape(len(targets), -1)
        if padded:
            there = targets >= 0
            hidden, targets = hidden[there], targets[there]
        head = self.network.get_output_embeddings()
        apply: Any = _ChunkedCrossEntropy.apply  # torch gives it no types
        mean: torch.Tensor = apply(hidden, head.weight, head.bias, targets, n_targets)
        if trees is None:
            return mean, torch.zeros_like(mean)
        return mean, planting_divergence(kept_attention(self.network), trees) / n_words


class _ChunkedCrossEntropy(torch.autograd.Function):
    """Cross entropy of ``hidden @ weight.T + bias``, its gradients computed chunk by chunk together with the loss."""

    @staticmethod
    def forward(
        ctx: Any, hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, targets: torch.Tensor, n_targets: int
    ) -> torch.Tensor:
        """`hidden` (n, width), `weight` (vocabulary, width), `bias` (vocabulary,), `targets` (n,): the sum over `n_targets`."""
        kind = hidden.device.type
        dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else hidden.dtype
        ctx.has_bias = bias is not None
        with torch.autocast(kind, enabled=False):
            matrix = weight.to(dtype)
            total = torch.zeros((), dtype=torch.float32, device=hidden.device)
            wanted = any(ctx.needs_input_grad)
            grad_hidden = torch.empty_like(hidden) if wanted else None
            grad_weight = torch.zeros_like(weight) if wanted else None
            grad_bias = torch.zeros_like(bias) if wanted and bias is not None else None
            for start in range(0, len(targets), _CHUNK):
                part = hidden[start : start + _CHUNK].to(dtype)
                goal = targets[start : start + _CHUNK, None]
                logits = (part @ matrix.T).float()
                if bias is not None:
                    logits += bias
                log_p = logits.log_softmax(-1)
                total -= log_p.gather(-1, goal).sum()
                if grad_hidden is not None and grad_weight is not None:
                    error = log_p.exp_()
                    error[torch.arange(len(goal), device=goal.device), goal[:, 0]] -= 1.0
                    error /= n_targets
                    if grad_bias is not None:
                        grad_bias += error.sum(0)
                    small = error.to(dtype)
                    grad_hidden[start : start + _CHUNK] = small @ matrix
                    grad_weight += small.T @ part
        if grad_hidden is not None and grad_weight is not None:
            ctx.save_for_backward(grad_hidden, grad_weight, *([grad_bias] if grad_bias is not None else []))
        return total / n_targets

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """The gradients for hidden, weight and bias, times that of the loss."""
        (grad,) = grads
        saved = ctx.saved_tensors
        return saved[0] * grad, saved[1] * grad, saved[2] * grad if ctx.has_bias else None, None, None
