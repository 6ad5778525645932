"""Networks to train: new ones of a given shape, or one to go on from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.templates import ConfigError
from gapsmith.training.biases import Biases
from gapsmith.training.config import Gpt2Shape, LstmShape

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def new_network(
    shape: Gpt2Shape | LstmShape, *, vocabulary: int, length: int, end: int, seed: int, biases: Biases | None = None
) -> Any:
    """A network with random weights that depend on the seed alone, with or without a bias."""
    import torch

    torch.manual_seed(seed)
    common: dict[str, Any] = {"vocab_size": vocabulary, "bos_token_id": end, "eos_token_id": end}
    if isinstance(shape, LstmShape):
        from gapsmith.scoring.lm import LstmConfig, LstmForCausalLM

        if shape.tied and shape.embedding not in (None, shape.hidden):
            raise ConfigError(
                f"network.embedding = {shape.embedding}: tied embeddings are as wide as `hidden`, {shape.hidden}",
                hint="Leave embedding out, or say tied = false.",
            )
        lstm = LstmConfig(
            hidden_size=shape.hidden,
            embedding_size=shape.embedding,
            num_hidden_layers=shape.layers,
            dropout=shape.dropout,
            tie_word_embeddings=shape.tied,
            **common,
        )
        return LstmForCausalLM(lstm)
    from transformers import GPT2Config, GPT2LMHeadModel

    from gapsmith.scoring.lm import BiasedGpt2Config, BiasedGpt2ForCausalLM

    if shape.hidden % shape.heads:
        raise ConfigError(f"network.hidden = {shape.hidden} cannot be shared evenly by {shape.heads} heads")
    biased = {} if biases is None else biases.in_network(shape)
    sizes: dict[str, Any] = dict(
        n_embd=shape.hidden,
        n_layer=shape.layers,
        n_head=shape.heads,
        n_inner=shape.feed_forward,
        n_positions=length,
        resid_pdrop=shape.dropout,
        embd_pdrop=shape.dropout,
        attn_pdrop=shape.dropout,
        **common,
    )
    return BiasedGpt2ForCausalLM(BiasedGpt2Config(**sizes, **biased)) if biased else GPT2LMHeadModel(GPT2Config(**sizes))


def load_network(name: str) -> tuple[Any, Tokenizer, str]:
    """A model to go on from, its tokenizer and its revision. `name` is a directory, ``bundled`` or a name of the hub."""
    from gapsmith.scoring.lm import find_source, trainable_network
    from gapsmith.training.tokenizer import given_tokenizer

    source = find_source(name)
    return trainable_network(source), given_tokenizer(Path(source.directory)), source.revision


def window_of(network: Any) -> int | None:
    """The most tokens the network can read at once."""
    value = getattr(network.config, "n_positions", None) or getattr(network.config, "max_position_embeddings", None)
    return int(value) if value else None


def prepare_for_training(network: Any, device: str) -> None:
    """Choose the quickest of equal computations for the device; what is computed stays the same."""
    from torch import nn

    if device != "cpu" or network.config.model_type not in ("gpt2", "gapsmith_gpt2"):
        return
    # At the lengths that are trained on a processor, plain matrix products beat its fused attention, and one tanh-GELU
    # kernel the same formula written out.
    network.set_attn_implementation("eager")
    for module in network.modules():
        for name, child in module.named_children():
            if type(child).__name__ == "NewGELUActivation":
                setattr(module, name, nn.GELU(approximate="tanh"))
