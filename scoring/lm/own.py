"""Architectures of ours, made known to transformers' Auto classes."""

from __future__ import annotations

from functools import cache
from typing import Any

OWN_KINDS = frozenset({"gapsmith_lstm", "gapsmith_ngram"})
"""Models of these kinds are run in batches by their nature, which nobody need be told."""


@cache
def register_own_architectures() -> None:
    """Let AutoConfig and AutoModelForCausalLM open LSTM and n-gram folders."""
    from transformers import AutoConfig, AutoModelForCausalLM

    from gapsmith.scoring.lm.lstm import LstmConfig, LstmForCausalLM
    from gapsmith.scoring.lm.ngram import NgramConfig, NgramForCausalLM

    models: Any = AutoModelForCausalLM
    for config, model in ((LstmConfig, LstmForCausalLM), (NgramConfig, NgramForCausalLM)):
        AutoConfig.register(config.model_type, config, exist_ok=True)
        models.register(config, model, exist_ok=True)
