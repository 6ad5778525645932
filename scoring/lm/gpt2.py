"""GPT-2's network, as its weights are named, for inference: what runs every model of kind ``gpt2`` that is no variant.

transformers, which runs all other models, takes three times as long to import as torch. What is a variant is decided before a weight is
read, by configuration and header: a key or a tensor that is not known here, or a value that asks for another computation, leaves the
model to transformers, and so does a file that lacks something or has something of another shape, of which transformers says what it is.

The network offers what the engines ask of one of transformers, under the same names. torch is imported with this module.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import torch
from torch import nn
from torch.nn import functional

from gapsmith.scoring.lm.files import ADAPTER, WEIGHTS
from gapsmith.scoring.lm.sources import ModelSource
from gapsmith.templates import FormatError, header_of, read_json, text_of

NAME = "gapsmith/1"
"""What ran a model, for provenance; the number changes with the computation."""

_Layer = tuple[torch.Tensor, torch.Tensor]
Past = tuple[_Layer, ...]
"""Keys and values (n, heads, tokens, width of a head) of each layer."""

_SIZES = {"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12}
"""What a configuration says in numbers of one and above, and what holds where it says nothing."""

_ONLY = {
    "model_type": "gpt2",
    "architectures": ["GPT2LMHeadModel"],
    "activation_function": "gelu_new",
    "scale_attn_weights": True,
    "scale_attn_by_inverse_layer_idx": False,
    "reorder_and_upcast_attn": False,
    "add_cross_attention": False,
    "is_encoder_decoder": False,
    "tie_word_embeddings": True,
}
"""What decides what is computed, with the only value that is known here; where nothing is said, it holds."""

_NO_MATTER = re.compile(
    r"\w+_pdrop|\w+_token_id|summary_\w+|initializer_range|(torch_)?dtype|use_cache|n_ctx|task_specific_params|_num_labels|id2label|"
    "label2id|transformers_version|_name_or_path|gradient_checkpointing|output_past"
)
"""What training, generation or other heads are about."""

_DTYPES = frozenset({"F32", "F16", "BF16"})
_PREFIX = "transformer."
_BUFFERS = (".attn.bias", ".attn.masked_bias")
"""Causal masks, which old files hold as well."""


@dataclass(frozen=True, slots=True)
class Gpt2Sizes:
    """The part of a configuration that decides what is computed."""

    vocab_size: int
    n_positions: int
    n_embd: int
    n_layer: int
    n_head: int
    n_inner: int
    epsilon: float
    """Added to variances before they are divided by."""
    model_type: ClassVar[str] = "gpt2"


def gpt2_shape(source: ModelSource) -> Gpt2Sizes | None:
    """The shape of a model that the network here computes; None of every other one."""
    weights = source.directory / WEIGHTS
    if not weights.is_file() or (source.directory / ADAPTER).exists():
        return None
    try:
        shape = _shape(read_json(text_of(source.directory / "config.json", "utf-8")))
        return shape if shape is not None and _fits(read_json(header_of(weights)), shape) else None
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, FormatError):
        # What is wrong is said by what reads it next.
        return None


def _shape(config: Any) -> Gpt2Sizes | None:
    if not isinstance(config, dict) or config.get("model_type") != "gpt2":
        return None
    known = {*_SIZES, *_ONLY, "n_inner", "layer_norm_epsilon", *filter(_NO_MATTER.fullmatch, config)}
    asked = {key: config.get(key, value) for key, value in _ONLY.items()}
    # 1 is no True here, so that what transformers makes of it is left to transformers.
    if not known.issuperset(config) or repr(asked) != repr(_ONLY):
        return None
    sizes = {key: config.get(key, usual) for key, usual in _SIZES.items()}
    inner = config.get("n_inner")
    sizes["n_inner"] = 4 * sizes["n_embd"] if inner is None and type(sizes["n_embd"]) is int else inner
    epsilon = config.get("layer_norm_epsilon", 1e-5)
    if any(type(size) is not int or size < 1 for size in sizes.values()) or type(epsilon) is not float or not 0 < epsilon < 1:
        return None
    return None if sizes["n_embd"] % sizes["n_head"] else Gpt2Sizes(**sizes, epsilon=epsilon)


def _fits(header: Any, shape: Gpt2Sizes) -> bool:
    """Whether a file of weights has all that a network of this shape needs and nothing else."""
    there = {name: own for name, own in header.items() if name != "__metadata__" and not name.endswith(_BUFFERS)}
    # Twelve tensors of each layer, and four beside them: a configuration may ask for any number of layers.
    if len(there) != 12 * shape.n_layer + 4:
        return False
    wanted = {name: list(weight.shape) for name, weight in Gpt2(shape).transformer.named_parameters()}
    plain = {name.removeprefix(_PREFIX): own for name, own in there.items()}
    found = {name: own["shape"] for name, own in plain.items() if own["dtype"] in _DTYPES}
    return found == wanted and len(found) == len(there) and len({name.startswith(_PREFIX) for name in there}) == 1


def load_gpt2(source: ModelSource, shape: Gpt2Sizes, *, dtype: torch.dtype, device: str) -> Gpt2:
    """The network with the weights of `source`, in evaluation mode. Raises what safetensors raises for a file that it cannot read."""
    from safetensors import safe_open

    network = Gpt2(shape)
    with safe_open(source.directory / WEIGHTS, "pt") as file:
        weights: Mapping[str, torch.Tensor] = {
            name.removeprefix(_PREFIX): file.get_tensor(name).to(device=device, dtype=dtype)
            for name in file.keys()  # noqa: SIM118 - it is no mapping
            if not name.endswith(_BUFFERS)
        }
    network.transformer.load_state_dict(weights, assign=True)
    network.lm_head.weight = network.transformer.wte.weight
    return network.requires_grad_(False).eval()


def _weights(*shape: int) -> nn.Parameter:
    """Of this shape, without a place in memory, which they get with their values; torch's own layers would draw random ones first."""
    return nn.Parameter(torch.empty(shape, device="meta"))


class Read(NamedTuple):
    """What the body makes of tokens."""

    last_hidden_state: torch.Tensor
    """(n, tokens, width)"""
    cache: Past | None
    """Of these tokens and what was before them, where that was asked for."""


class Predicted(NamedTuple):
    """What the network makes of tokens."""

    logits: torch.Tensor
    """(n, tokens, vocabulary)"""


class Conv1D(nn.Module):
    """A linear layer whose `weight` is (inputs, outputs)."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.weight, self.bias = _weights(n_in, n_out), _weights(n_out)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """(…, inputs) to (…, outputs)."""
        made = torch.addmm(self.bias, inputs.reshape(-1, inputs.shape[-1]), self.weight)
        return made.view(*inputs.shape[:-1], -1)

    def then_gelu(self, inputs: torch.Tensor) -> torch.Tensor:
        """The same and GELU's tanh form of it."""
        return functional.gelu(self(inputs), approximate="tanh")


class OutputLayer(nn.Module):
    """A linear layer whose `weight` is (outputs, inputs), without a bias."""

    def __init__(self, n_in: int, n_out: int) -> None:
        super().__init__()
        self.weight, self.bias = _weights(n_out, n_in), None

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """(…, inputs) to (…, outputs)."""
        return functional.linear(inputs, self.weight)


class _Embedding(nn.Module):
    def __init__(self, n: int, width: int) -> None:
        super().__init__()
        self.weight = _weights(n, width)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return functional.embedding(ids, self.weight)


class _LayerNorm(nn.Module):
    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.epsilon = shape.epsilon
        self.weight, self.bias = _weights(shape.n_embd), _weights(shape.n_embd)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        return functional.layer_norm(hidden, self.weight.shape, self.weight, self.bias, self.epsilon)


class _Attention(nn.Module):
    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.n_head = shape.n_head
        self.c_attn = Conv1D(shape.n_embd, 3 * shape.n_embd)
        self.c_proj = Conv1D(shape.n_embd, shape.n_embd)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None, past: _Layer | None) -> tuple[torch.Tensor, _Layer]:
        n, length, width = hidden.shape
        made = self.c_attn(hidden).view(n, length, 3, self.n_head, width // self.n_head).permute(2, 0, 3, 1, 4)
        query, keys, values = made.unbind(0)
        if past is not None:
            keys, values = torch.cat((past[0], keys), dim=2), torch.cat((past[1], values), dim=2)
        mixed = functional.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask, is_causal=mask is None, scale=1 / math.sqrt(query.shape[-1])
        )
        return self.c_proj(mixed.transpose(1, 2).reshape(n, length, width)), (keys, values)


class _Mlp(nn.Module):
    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.c_fc = Conv1D(shape.n_embd, shape.n_inner)
        self.c_proj = Conv1D(shape.n_inner, shape.n_embd)

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        made: torch.Tensor = self.c_proj(self.c_fc.then_gelu(hidden))
        return made


class _Block(nn.Module):
    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.ln_1 = _LayerNorm(shape)
        self.attn = _Attention(shape)
        self.ln_2 = _LayerNorm(shape)
        self.mlp = _Mlp(shape)

    def forward(self, hidden: torch.Tensor, mask: torch.Tensor | None, past: _Layer | None) -> tuple[torch.Tensor, _Layer]:
        mixed, kept = self.attn(self.ln_1(hidden), mask, past)
        hidden = mixed.add_(hidden)
        return self.mlp(self.ln_2(hidden)).add_(hidden), kept


class Gpt2Body(nn.Module):
    """Token ids to hidden states."""

    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.wte = _Embedding(shape.vocab_size, shape.n_embd)
        self.wpe = _Embedding(shape.n_positions, shape.n_embd)
        self.h = nn.ModuleList(_Block(shape) for _ in range(shape.n_layer))
        self.ln_f = _LayerNorm(shape)

    def forward(
        self,
        input_ids: torch.Tensor,
        *,
        attention_mask: torch.Tensor | None = None,
        position_ids: torch.Tensor | None = None,
        cache: Past | None = None,
        use_cache: bool = False,
    ) -> Read:
        """`input_ids` and `position_ids` (n, tokens), by default from 0 on; `attention_mask` (n or 1, heads or 1, tokens, tokens in the
        cache and here), a summand of scores. Without a mask each token sees those before it, and there is no cache."""
        if cache is not None if attention_mask is None else attention_mask.ndim != 4:
            raise ValueError("a mask of four dimensions is taken, or none, and with a cache one is needed")
        if position_ids is None:
            position_ids = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        hidden = self.wte(input_ids) + self.wpe(position_ids)
        made = []
        for number, block in enumerate(self.h):
            past = None if cache is None else cache[number]
            hidden, kept = block(hidden, attention_mask, past)
            made.append(kept)
        return Read(self.ln_f(hidden), tuple(made) if use_cache else None)


class Gpt2(nn.Module):
    """The language model."""

    def __init__(self, shape: Gpt2Sizes) -> None:
        super().__init__()
        self.config = shape
        self.transformer = Gpt2Body(shape)
        self.lm_head = OutputLayer(shape.n_embd, shape.vocab_size)

    @property
    def base_model(self) -> Gpt2Body:
        """What stands below the output layer."""
        return self.transformer

    def get_output_embeddings(self) -> nn.Module:
        """The output layer."""
        return self.lm_head

    @property
    def device(self) -> torch.device:
        """Where it is."""
        return self.transformer.wte.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """What it computes in."""
        return self.transformer.wte.weight.dtype

    def forward(
        self,
        input_ids: torch.Tensor,
        *,
        attention_mask: torch.Tensor | None = None,
        position_ids: torch.Tensor | None = None,
        use_cache: bool = False,
    ) -> Predicted:
        """See `Gpt2Body.forward`."""
        read = self.transformer(input_ids, attention_mask=attention_mask, position_ids=position_ids, use_cache=use_cache)
        return Predicted(self.lm_head(read.last_hidden_state))
