"""Surprisal from causal language models: find a model, load it, score texts token by token.

Importing this package imports neither torch nor transformers; opening a model does.
"""

from __future__ import annotations

from bank.tokens import Tokens
from scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from scoring.lm.boundary import begins_word, corrected
from scoring.lm.engine import Engine, Request, in_bits
from scoring.lm.errors import ModelError, ModelNotInReachError
from scoring.lm.hub import remove_from_cache
from scoring.lm.model import BosPolicy, LanguageModel
from scoring.lm.opening import ENGINES, EngineKind, model_for, open_engine
from scoring.lm.sources import BUNDLED, bundled_directory, find_source, shadows_hub_name
from scoring.lm.tree import TreeEngine

__all__ = [
    "BUNDLED",
    "DEFAULT_BATCH_SIZE",
    "ENGINES",
    "EngineKind",
    "BatchEngine",
    "BosPolicy",
    "Engine",
    "LanguageModel",
    "ModelError",
    "ModelNotInReachError",
    "Request",
    "TreeEngine",
    "Tokens",
    "begins_word",
    "bundled_directory",
    "corrected",
    "find_source",
    "in_bits",
    "model_for",
    "open_engine",
    "remove_from_cache",
    "shadows_hub_name",
]
