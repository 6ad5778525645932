"""Surprisal from causal language models: find a model, load it, score texts token by token.

Importing this package imports neither torch nor transformers; opening a model does.
"""

from __future__ import annotations

from gapsmith.bank.tokens import Tokens
from gapsmith.scoring.lm.batches import DEFAULT_BATCH_SIZE, BatchEngine
from gapsmith.scoring.lm.boundary import begins_word, corrected
from gapsmith.scoring.lm.engine import Engine, Request, in_bits
from gapsmith.scoring.lm.errors import ModelError, ModelNotInReachError
from gapsmith.scoring.lm.hub import remove_from_cache
from gapsmith.scoring.lm.model import BosPolicy, LanguageModel
from gapsmith.scoring.lm.opening import ENGINES, EngineKind, model_for, open_engine
from gapsmith.scoring.lm.sources import BUNDLED, bundled_directory, find_source, shadows_hub_name
from gapsmith.scoring.lm.tree import TreeEngine

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
