"""A GPT-2 with a bias of attention: nearer tokens weigh more, or heads that were trained on trees.

Its `model_type` is its own, so that a program that knows nothing of the bias refuses the model where it would drop the bias. The
bias acts through attention functions that are registered with transformers, ``gapsmith_eager`` and ``gapsmith_sdpa``, each with a
mask function of the same name: without one, transformers makes no mask for a registered function, and tokens see the future.
transformers is imported with this module.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import torch
from torch import nn
from transformers import AttentionInterface, AttentionMaskInterface, GPT2Config, GPT2LMHeadModel, GPT2Model
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import eager_mask, sdpa_mask
from transformers.models.gpt2.modeling_gpt2 import eager_attention_forward

Attention = Callable[..., tuple[torch.Tensor, torch.Tensor | None]]

EAGER, SDPA = "gapsmith_eager", "gapsmith_sdpa"
"""The attention functions that know the bias: products written out, and torch's fused attention."""


class BiasedGpt2Config(GPT2Config):  # type: ignore[no-untyped-call]  # transformers does not say its types
    """A GPT-2's configuration and what its bias is."""

    model_type = "gapsmith_gpt2"

    recency_slopes: list[float] | None = None
    """What is taken from a token's score for every token of distance: a number for each head, or one for all."""
    planted_layers: list[int] | None = None
    """The layers whose attention was trained on trees."""
    planted_heads: list[int] | None = None
    """The heads of these layers."""


class _KnowsBias:
    """No attention function but those of this module, whatever is asked for."""

    # transformers guesses it from the source of a module.
    _can_set_attn_implementation_cached_value: ClassVar[bool] = True

    @classmethod
    def is_custom_code(cls) -> bool:
        """No: else transformers leaves out GPT-2's own start of some weights, and a biased network would start from others."""
        return False

    def get_correct_attn_implementation(self, requested_attention: str | None, is_init_check: bool = False) -> str:  # noqa: ARG002 - as transformers declares it
        """The function of ours that stands for the one asked for. Raises `ValueError` where none does."""
        ours = {None: SDPA, "sdpa": SDPA, SDPA: SDPA, "eager": EAGER, EAGER: EAGER}
        if requested_attention not in ours:
            raise ValueError(f"attention by {requested_attention!r} would drop the bias of this model: ask for eager or sdpa")
        return ours[requested_attention]


class BiasedGpt2Model(_KnowsBias, GPT2Model):  # type: ignore[no-untyped-call]  # transformers does not say its types
    """Token ids to hidden states."""

    config_class = BiasedGpt2Config


class BiasedGpt2ForCausalLM(_KnowsBias, GPT2LMHeadModel):  # type: ignore[no-untyped-call]  # transformers does not say its types
    """The language model."""

    config_class = BiasedGpt2Config

    def __init__(self, config: BiasedGpt2Config) -> None:
        super(GPT2LMHeadModel, self).__init__(config)
        self.transformer = BiasedGpt2Model(config)
        self.lm_head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
        self.post_init()  # type: ignore[no-untyped-call]  # transformers does not say its types

    def set_slopes(self, slopes: Sequence[float] | None) -> None:
        """From now on, take so much from a score for every token of distance; one number, or one for each head."""
        if slopes is not None and len(slopes) not in (1, self.config.n_head):
            raise ValueError(f"{len(slopes)} slopes do not fit {self.config.n_head} heads")
        self.config.recency_slopes = None if slopes is None else [float(slope) for slope in slopes]

    def distance_bias(self, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor | None:
        """(1, heads or 1, q, k): what is added to scores between tokens at these places of a text; None where nothing is."""
        return distance_bias(self.config, queries, keys)


def distance_bias(config: Any, queries: torch.Tensor, keys: torch.Tensor) -> torch.Tensor | None:
    """Slope times (key's place - query's place), in float32; None where no slope of `config` differs from 0.

    Source: Mita et al. (2025), after ALiBi (Press et al. 2022). `queries` (q,) and `keys` (k,) are places counted in tokens.
    """
    slopes = getattr(config, "recency_slopes", None)
    if not slopes or not any(slopes):
        return None
    distance = (keys[None, :] - queries[:, None]).float()
    return torch.tensor(slopes, dtype=torch.float32, device=distance.device)[None, :, None, None] * distance


def with_distances(mask: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    """An additive mask (n, 1, q, k) with `bias` added, nothing below the lowest number of its dtype."""
    if bias is None:
        return mask
    lowest = torch.finfo(mask.dtype).min
    return (mask.float() + bias).clamp_(min=lowest).to(mask.dtype)


def _mask_function(stock: Callable[..., Any]) -> Callable[..., Any]:
    """The mask function that goes with an attention function of ours; without slopes it is `stock`, transformers' own."""

    def mask(*args: Any, **options: Any) -> Any:
        config, device = options["config"], options.get("device", "cpu")
        queries = torch.arange(options["q_length"], device=device) + options.get("q_offset", 0)
        keys = torch.arange(options["kv_length"], device=device) + options.get("kv_offset", 0)
        bias = distance_bias(config, queries, keys)
        if bias is None:
            return stock(*args, **options)
        return with_distances(eager_mask(*args, **options), bias)

    return mask


def _attention_function(fast: Attention) -> Attention:
    """`fast`, but for a layer that is asked to keep its probabilities: before dropout, of the heads ``kept_heads`` names."""

    def attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any) -> Any:
        heads = getattr(module, "kept_heads", None)
        if heads is None:
            return fast(module, query, key, value, attention_mask, **options)
        scaling = options.get("scaling") or query.size(-1) ** -0.5
        scores = torch.matmul(query, key.transpose(-1, -2)) * scaling + _additive(attention_mask, query, key)
        probabilities = nn.functional.softmax(scores, dim=-1).type(value.dtype)
        module.kept = probabilities[:, heads]
        dropped = nn.functional.dropout(probabilities, p=options.get("dropout", 0.0), training=module.training)
        return torch.matmul(dropped, value).transpose(1, 2), None

    return attention


def _additive(mask: torch.Tensor | None, query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """The mask as a summand; no mask is the causal one."""
    if mask is None:
        q, k = query.size(-2), key.size(-2)
        mask = torch.ones((q, k), dtype=torch.bool, device=query.device).tril(k - q)[None, None]
    if mask.dtype is not torch.bool:
        return mask
    return torch.zeros((), dtype=query.dtype, device=query.device).where(mask, torch.finfo(query.dtype).min)


def keep_attention(network: Any, layers: Sequence[int] | None, heads: Sequence[int] = ()) -> None:
    """Have these layers keep the attention of these heads in every forward pass from now on; None: no layer any more."""
    for number, block in enumerate(network.base_model.h):
        block.attn.kept_heads = list(heads) if layers is not None and number in layers else None
        block.attn.kept = None


def kept_attention(network: Any) -> list[torch.Tensor]:
    """(n, heads, q, k) of each layer that keeps its attention, of the last forward pass, before dropout."""
    return [block.attn.kept for block in network.base_model.h if getattr(block.attn, "kept_heads", None) is not None]


for _name, _fast, _stock in ((EAGER, eager_attention_forward, eager_mask), (SDPA, sdpa_attention_forward, sdpa_mask)):
    AttentionInterface.register(_name, _attention_function(_fast))
    AttentionMaskInterface.register(_name, _mask_function(_stock))
