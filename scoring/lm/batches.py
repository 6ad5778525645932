"""The plain engine: texts sorted by length, padded on the right, one forward pass per batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.canary import measure_rounding
from gapsmith.scoring.lm.encoding import merged
from gapsmith.scoring.lm.engine import Request
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.model import LanguageModel
from gapsmith.scoring.lm.phases import phase
from gapsmith.scoring.lm.rows import TokenRow, prepared
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    import torch

DEFAULT_BATCH_SIZE = 32

MAX_LOGITS = 2**27
"""The most logits of one batch (512 MiB in float32), so that a large vocabulary does not fill the memory."""


class BatchEngine:
    """Scores padded batches. Padding is masked and comes after the text, so that no value depends on the batch."""

    name = "batches/1"

    def __init__(
        self,
        model: LanguageModel,
        *,
        batch_size: int = DEFAULT_BATCH_SIZE,
        notice: Callable[[str], None] | None = None,
    ) -> None:
        """`batch_size` is the largest number of texts in one forward pass; `notice` is told how exact half precision is.

        Raises `ConfigError` for a batch size below 1.
        """
        if batch_size < 1:
            raise ConfigError(f"a batch of {batch_size} texts is not possible", hint="Give --batch-size 1 or more.")
        self.language_model = model
        self.batch_size = batch_size
        self.model = model.source.name
        self.revision = model.source.revision
        self._notice = notice

    @property
    def identity(self) -> Mapping[str, Any]:
        """See `Engine.identity`."""
        return self.language_model.identity()

    @property
    def provenance(self) -> Mapping[str, Any]:
        """See `Engine.provenance`."""
        return {"engine": self.name, "batch_size": self.batch_size, **self.language_model.provenance()}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """See `Engine.pieces`."""
        return self.language_model.pieces(ids)

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """See `Engine.score`. First the texts that need no network, then batches, the longest texts first."""
        model = self.language_model
        if model.dtype != "float32" and model.rounding is None and self._notice is not None:
            with phase("check of the model"):
                self._notice(f"{self.model}: {measure_rounding(model)}.")
        done, ready = prepared(self.language_model, merged(requests))
        if done:
            yield done
        ready.sort(key=lambda row: row.n_read, reverse=True)
        start = 0
        while start < len(ready):
            # The longest text of a batch is its first, and decides how many fit beside it.
            width = ready[start].n_read
            size = max(1, min(self.batch_size, MAX_LOGITS // (width * self.language_model.vocabulary)))
            yield self._batch(ready[start : start + size])
            start += size

    def _batch(self, rows: list[TokenRow]) -> list[Tokens]:
        return [row.tokens(values, masses, self.pieces) for row, (values, masses) in zip(rows, self._nats(rows), strict=True)]

    def _nats(self, rows: list[TokenRow]) -> list[tuple[NDArray[np.float32], NDArray[np.float32] | None]]:
        """Per row, what `TokenRow.tokens` takes."""
        import torch

        network = self.language_model.network
        width = max(row.n_read for row in rows)
        ids = torch.zeros((len(rows), width), dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : row.n_read] = torch.tensor(row.ids[: row.n_read])
            mask[number, : row.n_read] = 1
        ids, mask = ids.to(network.device), mask.to(network.device)
        inputs = {"input_ids": ids, "use_cache": False} | ({"attention_mask": mask} if self.language_model.takes_padding else {})
        if self.language_model.takes_positions:
            inputs["position_ids"] = torch.arange(width, device=network.device).expand(len(rows), -1)
        try:
            with phase("network"), self.language_model.running():
                logits: torch.Tensor = network(**inputs).logits
                return [self._row_nats(row, logits[n, : row.n_read]) for n, row in enumerate(rows)]
        except torch.OutOfMemoryError as error:
            raise ModelError(
                f"a batch of {len(rows)} texts of up to {width} tokens does not fit into the memory of {network.device}",
                hint="Give a smaller --batch-size, --dtype bfloat16, or --device cpu. What is scored so far is kept.",
            ) from error

    def _row_nats(self, row: TokenRow, logits: torch.Tensor) -> tuple[NDArray[np.float32], NDArray[np.float32] | None]:
        """`logits` (tokens read, vocabulary) in any dtype."""
        import torch

        logits = logits.float()
        targets = torch.tensor(row.ids[1:], device=logits.device)
        totals = torch.logsumexp(logits, dim=-1)
        values = totals[: len(targets)] - logits[: len(targets)].gather(-1, targets[:, None])[:, 0]
        start = row.first + row.n_undefined - 1
        if not row.text.boundary:
            return values[start:].cpu().numpy(), None
        masses = totals - torch.logsumexp(logits[:, self.language_model.beginnings], dim=-1)
        return values[start:].cpu().numpy(), masses[start:].cpu().numpy()
