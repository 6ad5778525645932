"""Surprisal from causal language models: find a model, load it, score texts token by token.

Importing this package imports neither torch nor transformers; opening a model does.
"""

from __future__ import annotations

from scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from scoring.lm.boundary import begins_word, corrected
from scoring.lm.engine import Engine, Request, Tokens, in_bits
from scoring.lm.errors import ModelError, ModelNotInReachError
from scoring.lm.hub import remove_from_cache
from scoring.lm.model import DTYPES, Beginning, BosPolicy, LanguageModel
from scoring.lm.opening import ENGINES, EngineKind, EngineOptions, open_engine
from scoring.lm.sources import BUNDLED, ModelSource, bundled_directory, find_source, shadows_hub_name
from scoring.lm.tree import TreeEngine

__all__ = [
    "BUNDLED",
    "DEFAULT_BATCH_SIZE",
    "DTYPES",
    "ENGINES",
    "EngineKind",
    "EngineOptions",
    "BatchEngine",
    "Beginning",
    "BosPolicy",
    "Engine",
    "LanguageModel",
    "ModelError",
    "ModelNotInReachError",
    "ModelSource",
    "Request",
    "TreeEngine",
    "Tokens",
    "begins_word",
    "bundled_directory",
    "corrected",
    "find_source",
    "in_bits",
    "open_engine",
    "remove_from_cache",
    "shadows_hub_name",
]
