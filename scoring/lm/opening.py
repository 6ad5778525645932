"""One call from a model's name to an engine."""

from __future__ import annotations

from scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from scoring.lm.engine import Engine
from scoring.lm.model import BosPolicy, LanguageModel
from scoring.lm.sources import find_source

__all__ = ["open_engine"]


def open_engine(
    name: str,
    *,
    revision: str | None = None,
    dtype: str = "float32",
    device: str = "auto",
    bos: BosPolicy = BosPolicy.BOS,
    batch_size: int = DEFAULT_BATCH_SIZE,
    download: bool = True,
) -> Engine:
    """The engine that scores with model `name` (``bundled``, a directory, or a hub name).

    Finds the files and reads the tokenizer; the weights are loaded when the first text is scored. Raises `ModelError`
    or `ConfigError`, each with what to do next.
    """
    source = find_source(name, revision=revision, download=download)
    model = LanguageModel(source, dtype=dtype, device=device, bos=bos)
    return BatchEngine(model, batch_size=batch_size)
