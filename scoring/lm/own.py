"""Architectures of ours, made known to transformers' Auto classes."""

from __future__ import annotations

from functools import cache
from typing import Any

OWN_KINDS = frozenset({"gapsmith_lstm", "gapsmith_ngram"})
"""Models of these kinds are run in batches by their nature, which nobody need be told."""


@cache
def register_own_architectures() -> None:
    """Let AutoConfig and AutoModelForCausalLM open the folders of LSTMs, n-grams and biased GPT-2s."""
    from transformers import AutoConfig, AutoModelForCausalLM

    from gapsmith.scoring.lm.biased import BiasedGpt2Config, BiasedGpt2ForCausalLM
    from gapsmith.scoring.lm.lstm import LstmConfig, LstmForCausalLM
    from gapsmith.scoring.lm.ngram import NgramConfig, NgramForCausalLM

    models: Any = AutoModelForCausalLM
    own = (
        (LstmConfig, LstmForCausalLM),
        (NgramConfig, NgramForCausalLM),
        (BiasedGpt2Config, BiasedGpt2ForCausalLM),
    )
    for config, model in own:
        AutoConfig.register(config.model_type, config, exist_ok=True)
        models.register(config, model, exist_ok=True)
