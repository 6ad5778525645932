"""n-gram models as transformers loads them: counts in sorted tables, smoothed when they are asked for.

`add-one`: p(w | h) = (c(h w) + 1) / (c(h) + V), h the longest history the order allows (Laplace).
`kneser-ney`: interpolated Kneser-Ney with three discounts per order (Chen & Goodman 1999, sections 3.2 and 4.1.6); below the
highest order an n-gram counts for as many tokens as were seen before it, unless it begins a sequence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from transformers import PretrainedConfig, PreTrainedModel
from transformers.modeling_outputs import CausalLMOutputWithPast


class NgramConfig(PretrainedConfig):
    """`sizes`: entries per order from 2 on; `discounts`: three per order from 1 on, for counts of 1, of 2, and above."""

    model_type = "gapsmith_ngram"

    def __init__(
        self,
        vocab_size: int = 1,
        order: int = 1,
        smoothing: str = "kneser-ney",
        sizes: Sequence[int] = (),
        discounts: Sequence[Sequence[float]] = (),
        **kwargs: Any,
    ) -> None:
        self.vocab_size = vocab_size
        self.order = order
        self.smoothing = smoothing
        self.sizes = list(sizes)
        self.discounts = [list(three) for three in discounts]
        super().__init__(**({"tie_word_embeddings": False} | kwargs))


class NgramForCausalLM(PreTrainedModel):
    """An n-gram model with the interface of a causal network.

    ``counts_1`` (V,) holds the counts of single tokens. For order k > 1, ``keys_k`` holds in ascending order
    ``V * (number of the first k - 1 tokens in keys_(k-1)) + last token``, and ``counts_k`` the counts. A single token is
    its own number.
    """

    config_class = NgramConfig
    config: NgramConfig
    base_model_prefix = "table"

    def __init__(self, config: NgramConfig) -> None:
        super().__init__(config)
        self.register_buffer("counts_1", torch.zeros(config.vocab_size, dtype=torch.int64))
        for order, size in enumerate(config.sizes, 2):
            self.register_buffer(f"keys_{order}", torch.zeros(size, dtype=torch.int64))
            self.register_buffer(f"counts_{order}", torch.zeros(size, dtype=torch.int64))
        self.post_init()

    def _init_weights(self, module: Any) -> None:
        """There is nothing to begin with at random."""

    @property
    def device(self) -> torch.device:
        """Where the tables are."""
        return self.get_buffer("counts_1").device

    @property
    def dtype(self) -> torch.dtype:
        """Of what the model computes."""
        return torch.float32

    def forward(self, input_ids: torch.Tensor, **_: Any) -> CausalLMOutputWithPast:
        """`input_ids` (n, length): natural logarithms of the probabilities of the next token, (n, length, vocabulary)."""
        n, length = input_ids.shape
        contexts = self._contexts(input_ids)
        if self.config.smoothing == "add-one":
            p = self._add_one(contexts, n * length)
        else:
            p = self._kneser_ney(contexts, n * length)
        return CausalLMOutputWithPast(logits=p.log().float().view(n, length, -1))

    def _contexts(self, ids: torch.Tensor) -> list[torch.Tensor]:
        """For every order from 2 on and every place (n * length), the number of the k - 1 tokens up to it.

        -1 where they were never seen, -2 where there are fewer tokens.
        """
        vocabulary = self.config.vocab_size
        found: list[torch.Tensor] = []
        numbers = ids
        for order in range(2, self.config.order + 1):
            if order > 2:
                # The k - 1 tokens up to a place are the k - 2 tokens up to the place before, and one more.
                before = torch.cat([torch.full_like(numbers[:, :1], -2), numbers[:, :-1]], dim=1)
                keys = self.get_buffer(f"keys_{order - 1}")
                wanted = before * vocabulary + ids
                place = torch.searchsorted(keys, wanted).clamp(max=max(0, len(keys) - 1))
                seen = (before >= 0) & (keys[place] == wanted if len(keys) else torch.zeros_like(wanted, dtype=torch.bool))
                numbers = torch.where(seen, place, torch.where(before == -2, -2, -1))
            found.append(numbers.reshape(-1))
        return found

    def _children(self, order: int, contexts: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The tokens seen after each context: index into `contexts`, token, count, all of one length."""
        keys, vocabulary = self.get_buffer(f"keys_{order}"), self.config.vocab_size
        known = contexts.clamp(min=0)
        first = torch.searchsorted(keys, known * vocabulary)
        sizes = torch.where(contexts >= 0, torch.searchsorted(keys, (known + 1) * vocabulary) - first, 0)
        owner = torch.repeat_interleave(torch.arange(len(contexts), device=keys.device), sizes)
        within = torch.arange(len(owner), device=keys.device) - (sizes.cumsum(0) - sizes)[owner]
        entry = first[owner] + within
        return owner, keys[entry] % vocabulary, self.get_buffer(f"counts_{order}")[entry]

    def _add_one(self, contexts: list[torch.Tensor], size: int) -> torch.Tensor:
        counts = self.get_buffer("counts_1").double()
        table = counts.expand(size, -1).clone()
        longest = torch.zeros(size, dtype=torch.int64, device=counts.device)
        for order, context in enumerate(contexts, 2):
            longest = torch.where(context != -2, order, longest)
        for order, context in enumerate(contexts, 2):
            at = longest == order
            owner, token, count = self._children(order, torch.where(at, context, -1))
            table[at] = 0.0
            table[owner, token] = count.double()
        table += 1.0
        return table / table.sum(-1, keepdim=True)

    def _kneser_ney(self, contexts: list[torch.Tensor], size: int) -> torch.Tensor:
        counts, vocabulary = self.get_buffer("counts_1").double(), self.config.vocab_size
        discounts = torch.tensor(self.config.discounts, dtype=torch.float64, device=counts.device)
        taken = torch.where(counts > 0, discounts[0][counts.clamp(1, 3).long() - 1], 0.0)
        total = counts.sum()
        single = (counts - taken + taken.sum() / vocabulary) / total
        p = single.expand(size, -1).clone()
        for order, context in enumerate(contexts, 2):
            owner, token, count = self._children(order, context)
            taken = discounts[order - 1][count.clamp(1, 3) - 1]
            totals = torch.zeros(len(context), dtype=torch.float64, device=p.device).index_add_(0, owner, count.double())
            spared = torch.zeros_like(totals).index_add_(0, owner, taken)
            seen = totals > 0
            p *= torch.where(seen, spared / totals.clamp(min=1.0), 1.0)[:, None]
            p[owner, token] += (count - taken) / totals[owner]
        return p
