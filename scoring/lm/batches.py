"""The plain engine: texts sorted by length, padded on the right, one forward pass per batch."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bank.records import ScorerSettings, TokenScore, TokenScores
from scoring.lm.encoding import EncodedText
from scoring.lm.engine import Progress
from scoring.lm.errors import ModelError
from scoring.lm.model import LanguageModel, quiet
from templates.errors import ConfigError

if TYPE_CHECKING:
    import torch

__all__ = ["DEFAULT_BATCH_SIZE", "BatchEngine"]

DEFAULT_BATCH_SIZE = 32

MAX_LOGITS = 2**27
"""The most logits of one batch (512 MiB in float32), so that a large vocabulary does not fill the memory."""

NO_CONTEXT = "without BOS the first token has no context, so its surprisal is undefined"


class BatchEngine:
    """Scores padded batches. Padding is masked and comes after the text, so that no value depends on the batch."""

    name = "batches/1"

    def __init__(self, model: LanguageModel, *, batch_size: int = DEFAULT_BATCH_SIZE) -> None:
        """`batch_size` is the largest number of texts in one forward pass; raises `ConfigError` below 1."""
        if batch_size < 1:
            raise ConfigError(f"a batch of {batch_size} texts is not possible", hint="Give --batch-size 1 or more.")
        self.model = model
        self.batch_size = batch_size

    @property
    def settings(self) -> ScorerSettings:
        """All that decides the values. The batch size does so in half precision only, and is named only there."""
        extra = dict(self.model.description())
        if self.model.dtype != "float32":
            extra["batch_size"] = self.batch_size
        return ScorerSettings(
            model=self.model.source.name,
            revision=self.model.source.revision,
            dtype=self.model.dtype,
            bos=self.model.bos.value,
            engine=self.name,
            extra=extra,
        )

    def score(self, texts: Sequence[str], progress: Progress | None = None) -> Iterator[list[TokenScores]]:
        """See `Engine.score`. First the texts that need no network, then batches, the longest texts first."""
        encoded = self.model.encode(list(dict.fromkeys(texts)))
        undefined: list[TokenScores] = []
        ready: list[EncodedText] = []
        for text in encoded:
            reason = self._why_undefined(text)
            if reason is None:
                ready.append(text)
            else:
                undefined.append(_scores(text, [None] * len(text.ids), reason))
        for block in self._blocks(undefined, ready):
            if progress is not None:
                progress(len(block))
            yield block

    def _blocks(self, undefined: list[TokenScores], ready: list[EncodedText]) -> Iterator[list[TokenScores]]:
        if undefined:
            yield undefined
        ready.sort(key=lambda text: len(text.ids), reverse=True)
        start = 0
        while start < len(ready):
            # The longest text of a batch is its first, and decides how many fit beside it.
            width = len(ready[start].ids)
            size = max(1, min(self.batch_size, MAX_LOGITS // (width * self.model.vocabulary)))
            yield self._batch(ready[start : start + size])
            start += size

    def _why_undefined(self, text: EncodedText) -> str | None:
        """Why no token of the text can have a value, or None."""
        if text.problem is not None:
            return text.problem
        window = self.model.window
        # The last token is only predicted, never read, so it needs no place in the window.
        read = len(text.ids) - (0 if self.model.beginning is not None else 1)
        if window is not None and read > window:
            return f"the text has {len(text.ids)} tokens, more than the model's window of {window} can hold"
        return NO_CONTEXT if read == 0 else None

    def _batch(self, texts: list[EncodedText]) -> list[TokenScores]:
        beginning = self.model.beginning
        prefix = () if beginning is None else (beginning.token_id,)
        rows = [(*prefix, *text.ids) for text in texts]
        bits = self._bits(rows)
        scored: list[TokenScores] = []
        for text, values in zip(texts, bits, strict=True):
            # Without BOS the network says nothing of the first token.
            own: list[float | None] = list(values) if prefix else [None, *values]
            reason = None if prefix else NO_CONTEXT
            broken = [n for n, value in enumerate(own) if value is not None and not math.isfinite(value)]
            if broken:
                reason = (
                    f"the model gave no finite probability for {len(broken)} of {len(own)} tokens, the first of them "
                    f"{text.pieces[broken[0]]!r}" + (f"; and {reason}" if reason else "")
                )
                own = [None if n in broken else value for n, value in enumerate(own)]
            scored.append(_scores(text, own, reason))
        return scored

    def _bits(self, rows: list[tuple[int, ...]]) -> list[list[float]]:
        """-log2 p of every token of every row but its first, given the tokens before it in its row."""
        import torch

        network = self.model.network
        lengths = [len(row) - 1 for row in rows]
        width = max(lengths)
        ids = torch.zeros((len(rows), width + 1), dtype=torch.long)
        mask = torch.zeros((len(rows), width), dtype=torch.long)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = torch.tensor(row)
            mask[number, : len(row) - 1] = 1
        ids, mask = ids.to(network.device), mask.to(network.device)
        inputs = {"input_ids": ids[:, :-1], "attention_mask": mask, "use_cache": False}
        if self.model.takes_positions:
            inputs["position_ids"] = torch.arange(width, device=network.device).expand(len(rows), -1)
        try:
            with quiet(), torch.inference_mode():
                logits: torch.Tensor = network(**inputs).logits
                return [_row_bits(logits[n, :length], ids[n, 1 : length + 1]) for n, length in enumerate(lengths)]
        except torch.OutOfMemoryError as error:
            raise ModelError(
                f"a batch of {len(rows)} texts of up to {width} tokens does not fit into the memory of "
                f"{network.device}",
                hint="Give a smaller --batch-size, --dtype bfloat16, or --device cpu. What is scored so far is kept.",
            ) from error


def _row_bits(logits: torch.Tensor, targets: torch.Tensor) -> list[float]:
    """`logits` (tokens, vocabulary) in any dtype, `targets` (tokens,): -log2 softmax(logits)[target], in float32."""
    import torch

    logits = logits.float()
    wanted = logits.gather(-1, targets[:, None])[:, 0]
    nats = torch.logsumexp(logits, dim=-1) - wanted
    bits: list[float] = (nats.double() / math.log(2.0)).tolist()
    return bits


def _scores(text: EncodedText, values: Sequence[float | None], reason: str | None) -> TokenScores:
    tokens = tuple(
        TokenScore(start=start, end=end, surprisal_bits=value, token_id=token_id, token=piece)
        for (start, end), value, token_id, piece in zip(text.spans, values, text.ids, text.pieces, strict=True)
    )
    return TokenScores(text=text.text, tokens=tokens, reason=reason)
