"""One call from a model's name to an engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from scoring.lm.engine import Engine
from scoring.lm.model import BosPolicy, LanguageModel
from scoring.lm.own import OWN_KINDS
from scoring.lm.sources import find_source
from scoring.lm.tree import TreeEngine, why_no_tree
from templates.errors import ConfigError

__all__ = ["ENGINES", "open_engine"]

ENGINES = ("auto", "tree", "batches")
"""``auto`` runs a tree of prefixes where the model can be run so, and batches where it cannot."""


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=3)


def open_engine(
    name: str,
    *,
    revision: str | None = None,
    dtype: str = "float32",
    device: str = "auto",
    bos: BosPolicy = BosPolicy.BOS,
    engine: str = "auto",
    batch_size: int = DEFAULT_BATCH_SIZE,
    download: bool = True,
    notice: Callable[[str], None] = _warn,
) -> Engine:
    """The engine that scores with model `name` (``bundled``, a directory, or a hub name).

    Finds the files and reads the tokenizer; the weights are loaded when the first text is scored. `batch_size` is for
    batches only. `notice` is told where batches stand in for a tree, and how exact half precision is. Raises `ModelError`
    or `ConfigError`, each with what to do next.
    """
    if engine not in ENGINES:
        raise ConfigError(f"there is no engine {engine!r}", hint=f"Choose one of {', '.join(ENGINES)}.")
    source = find_source(name, revision=revision, download=download)
    model = LanguageModel(source, dtype=dtype, device=device, bos=bos)
    batches = BatchEngine(model, batch_size=batch_size, notice=notice)
    if engine == "batches":
        return batches
    reason = why_no_tree(model.text_config)
    if reason is None:
        return TreeEngine(model, notice=notice, fallback=batches)
    if engine == "tree":
        raise ConfigError(f"{name} cannot be run as a tree of prefixes: {reason}", hint="Leave --engine out.")
    if model.text_config.model_type not in OWN_KINDS:
        notice(f"{name} is run in batches: {reason}. That is as exact and takes longer.")
    return batches
