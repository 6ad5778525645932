"""An LSTM language model as transformers loads it: the shape of Gulordava et al. (2018), "Colorless green recurrent networks".

Embedding, dropout, stacked LSTM layers with dropout between them, dropout, and a linear head that may share its matrix
with the embedding. The state is zero at the start of every row. transformers is imported with this module.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from transformers import GenerationMixin, PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import BaseModelOutputWithPast, CausalLMOutputWithPast


class LstmConfig(PretrainedConfig):
    """Sizes of the network; `tie_word_embeddings` needs `embedding_size` equal to `hidden_size`."""

    model_type = "gapsmith_lstm"

    def __init__(
        self,
        vocab_size: int = 32_768,
        hidden_size: int = 650,
        embedding_size: int | None = None,
        num_hidden_layers: int = 2,
        dropout: float = 0.2,
        tie_word_embeddings: bool = True,
        **kwargs: Any,
    ) -> None:
        self.vocab_size = vocab_size
        self.hidden_size = hidden_size
        self.embedding_size = hidden_size if embedding_size is None else embedding_size
        self.num_hidden_layers = num_hidden_layers
        self.dropout = dropout
        super().__init__(**({"tie_word_embeddings": tie_word_embeddings} | kwargs))
        if tie_word_embeddings and self.embedding_size != self.hidden_size:
            raise ValueError(f"tied embeddings of width {self.embedding_size} do not fit a hidden size of {self.hidden_size}")


class _LstmPreTrained(PreTrainedModel):
    config_class = LstmConfig
    config: LstmConfig
    base_model_prefix = "body"

    def _init_weights(self, module: nn.Module) -> None:
        """Uniform within 0.1 for the embedding; torch's own start for the LSTM; zero for the head's bias."""
        if isinstance(module, nn.Embedding):
            nn.init.uniform_(module.weight, -0.1, 0.1)
        elif isinstance(module, nn.LSTM):
            bound = module.hidden_size**-0.5
            for parameter in module.parameters():
                nn.init.uniform_(parameter, -bound, bound)
        elif isinstance(module, nn.Linear):
            nn.init.uniform_(module.weight, -0.1, 0.1)
            nn.init.zeros_(module.bias)


class LstmBody(_LstmPreTrained):
    """Token ids to hidden states."""

    def __init__(self, config: LstmConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocab_size, config.embedding_size)
        self.drop = nn.Dropout(config.dropout)
        between = config.dropout if config.num_hidden_layers > 1 else 0.0
        self.layers = nn.LSTM(
            config.embedding_size, config.hidden_size, config.num_hidden_layers, dropout=between, batch_first=True
        )
        self.post_init()

    def get_input_embeddings(self) -> nn.Module:
        """The embedding of the tokens."""
        return self.embedding

    def set_input_embeddings(self, value: nn.Module) -> None:
        """Replace the embedding of the tokens."""
        self.embedding = value  # type: ignore[assignment]  # declared otherwise by the library

    def forward(
        self,
        input_ids: torch.Tensor,
        cache: tuple[torch.Tensor, torch.Tensor] | None = None,
        **_: Any,
    ) -> BaseModelOutputWithPast:
        """`input_ids` (n, length): hidden states (n, length, hidden). `cache` is the state to go on from.

        Padding must come after the text: an LSTM has no mask.
        """
        hidden, state = self.layers(self.drop(self.embedding(input_ids)), cache)
        return BaseModelOutputWithPast(last_hidden_state=self.drop(hidden), cache=state)


class LstmForCausalLM(_LstmPreTrained, GenerationMixin):
    """The language model."""

    _tied_weights_keys = {"head.weight": "body.embedding.weight"}  # noqa: RUF012 - as transformers declares it

    def __init__(self, config: LstmConfig) -> None:
        super().__init__(config)
        self.body = LstmBody(config)
        self.head = nn.Linear(config.hidden_size, config.vocab_size)
        self.post_init()

    def get_output_embeddings(self) -> nn.Module:
        """The head."""
        return self.head

    def set_output_embeddings(self, value: nn.Module) -> None:
        """Replace the head."""
        self.head = value  # type: ignore[assignment]  # declared otherwise by the library

    def forward(
        self, input_ids: torch.Tensor, cache: tuple[torch.Tensor, torch.Tensor] | None = None, **_: Any
    ) -> CausalLMOutputWithPast:
        """`input_ids` (n, length): logits (n, length, vocabulary)."""
        out = self.body(input_ids, cache)
        return CausalLMOutputWithPast(logits=self.head(out.last_hidden_state), cache=out.cache)
