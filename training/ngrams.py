"""Counting n-grams of tokens within sentences, and the discounts of Kneser-Ney smoothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.training.config import NgramShape
from gapsmith.training.encoding import EncodedCorpus

if TYPE_CHECKING:
    import torch

Numbers = NDArray[np.int64]

_BATCH = 16
"""Sentences that are evaluated at once."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What an n-gram model consists of; see `gapsmith.scoring.lm.ngram.NgramForCausalLM` for the layout."""

    single: Numbers
    """(V,): counts of single tokens."""
    keys: tuple[Numbers, ...]
    """From order 2 on."""
    counts: tuple[Numbers, ...]


def count_model(
    shape: NgramShape,
    train: EncodedCorpus,
    valid: EncodedCorpus | None,
    out: Path,
    *,
    vocabulary: int,
    end: int,
    n_valid: int,
) -> float | None:
    """Count, write the model into `out`, and give its loss in nats per token on the first `n_valid` held-out sentences.

    The tokens of a sentence are counted between `end` at its start, which is never predicted, and `end` after it.
    """
    import torch

    from gapsmith.scoring.lm import NgramConfig, NgramForCausalLM, quiet

    tables = count_ngrams(train, order=shape.order, vocabulary=vocabulary, end=end, continuations=shape.smoothing == "kneser-ney")
    config = NgramConfig(
        vocab_size=vocabulary,
        order=shape.order,
        smoothing=shape.smoothing,
        sizes=[len(keys) for keys in tables.keys],
        discounts=[_discounts(counts) for counts in (tables.single, *tables.counts)],
        bos_token_id=end,
        eos_token_id=end,
    )
    model: Any = NgramForCausalLM(config)
    model.counts_1 = torch.from_numpy(tables.single)
    for order, (keys, counts) in enumerate(zip(tables.keys, tables.counts, strict=True), 2):
        setattr(model, f"keys_{order}", torch.from_numpy(keys))
        setattr(model, f"counts_{order}", torch.from_numpy(counts))
    with quiet():
        model.save_pretrained(out)
    return None if valid is None else _loss(model, valid, end, n_valid)


def count_ngrams(corpus: EncodedCorpus, *, order: int, vocabulary: int, end: int, continuations: bool) -> Tables:
    """The counts up to `order`; with `continuations`, those that Kneser-Ney smoothing takes below the highest order."""
    tokens, within, left = _sequence(corpus, end)
    raw: list[Numbers] = [np.bincount(tokens[within > 0], minlength=vocabulary)]
    keys: list[Numbers] = []
    firsts: list[Numbers] = []
    numbers = [tokens]
    for length in range(2, order + 1):
        starts = np.flatnonzero(left >= length - 1)
        found, first, inverse, counts = np.unique(
            numbers[-1][starts] * vocabulary + tokens[starts + length - 1],
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        number_at = np.full(len(tokens), -1, dtype=np.int64)
        number_at[starts] = inverse
        numbers.append(number_at)
        keys.append(found)
        firsts.append(starts[first])
        raw.append(counts.astype(np.int64))
    if not continuations:
        return Tables(raw[0], tuple(keys), tuple(raw[1:]))
    counted: list[Numbers] = []
    for length in range(1, order):
        # Each longer n-gram is one more token before its last `length` tokens.
        shorter = numbers[length - 1][firsts[length - 1] + 1]
        before = np.bincount(shorter, minlength=len(raw[length - 1])).astype(np.int64)
        begins = np.zeros(len(before), dtype=bool)
        if length > 1:
            begins = within[firsts[length - 2]] == 0
        counted.append(np.where(begins, raw[length - 1], before))
    counted.append(raw[-1])
    return Tables(counted[0], tuple(keys), tuple(counted[1:]))


def _sequence(corpus: EncodedCorpus, end: int) -> tuple[Numbers, Numbers, Numbers]:
    """All sentences between end tokens, and per token how many of its sentence stand before and after it."""
    lengths = np.diff(corpus.bare.starts) + 2
    stops = np.cumsum(lengths)
    starts = stops - lengths
    within = np.arange(stops[-1]) - np.repeat(starts, lengths)
    left = np.repeat(lengths, lengths) - within - 1
    tokens = np.full(stops[-1], end, dtype=np.int64)
    tokens[(within > 0) & (left > 0)] = corpus.bare.ids
    return tokens, within, left


def _discounts(counts: Numbers) -> list[float]:
    """The discounts for counts of 1, of 2 and above (Chen & Goodman 1999, equation 17).

    Where a corpus is too small to estimate them, half a count is taken away from all.
    """
    n = [int((counts == times).sum()) for times in (1, 2, 3, 4)]
    if min(n) > 0:
        share = n[0] / (n[0] + 2 * n[1])
        three = [times - (times + 1) * share * n[times] / n[times - 1] for times in (1, 2, 3)]
        if all(0.0 < discount < times for times, discount in enumerate(three, 1)):
            return three
    return [0.5, 0.5, 0.5]


def _loss(model: Any, valid: EncodedCorpus, end: int, n_valid: int) -> float:
    import torch

    sentences = [torch.from_numpy(valid.bare[number]).long() for number in range(min(n_valid, len(valid.bare)))]
    total, n_tokens = 0.0, 0
    for start in range(0, len(sentences), _BATCH):
        batch = sentences[start : start + _BATCH]
        rows = torch.full((len(batch), max(len(ids) for ids in batch) + 2), end)
        for row, ids in zip(rows, batch, strict=True):
            row[1 : len(ids) + 1] = ids
        logits: torch.Tensor = model(rows[:, :-1]).logits
        for row, ids, values in zip(rows, batch, logits, strict=True):
            size = len(ids) + 1
            total -= float(values[:size].gather(-1, row[1 : size + 1, None]).double().sum())
            n_tokens += size
    return total / n_tokens
