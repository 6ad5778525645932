"""Architectures that no tree is for: batches stand in, say so, and give what one text at a time gives."""

from __future__ import annotations

import importlib
import math
from pathlib import Path
from typing import Any

import pytest

from gapsmith.scoring.lm import open_engine
from tests.scoring.conftest import save_tiny
from tests.scoring.measuring import bits, measured

TEXTS = (
    "I know who the story about is likely to amuse soon.",
    "Soon.",
    "They believe that John's decision to call is about to bother you eventually.",
)

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
ROTARY = SIZES | {"intermediate_size": 64, "num_key_value_heads": 2, "max_position_embeddings": 64}


@pytest.mark.parametrize(
    ("architecture", "options", "window", "reason"),
    [
        # No positions: attention falls off with distance.
        (
            "Bloom",
            {"hidden_size": 32, "n_layer": 2, "n_head": 4},
            None,
            "models of kind bloom are not known",
        ),
        # Rotary positions and attention to the last eight tokens only.
        ("Mistral", ROTARY | {"sliding_window": 8}, 64, "models of kind mistral are not known"),
        # Logits that are squashed after the output layer.
        (
            "Gemma2",
            ROTARY | {"head_dim": 8, "final_logit_softcapping": 5.0},
            64,
            "models of kind gemma2 are not known",
        ),
        # A kind that a tree is for, but with layers that do not look back far enough.
        (
            "Qwen2",
            ROTARY | {"use_sliding_window": True, "sliding_window": 8, "max_window_layers": 1},
            64,
            "its attention does not reach back",
        ),
        # Positions that are stretched where a text is long.
        (
            "Llama",
            ROTARY | {"rope_parameters": {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0}},
            64,
            "its positions (dynamic) change",
        ),
        # No attention at all.
        (
            "Mamba",
            {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4},
            None,
            "models of kind mamba are not known",
        ),
    ],
)
def test_batches_equal_one_text_at_a_time(
    architecture: str, options: dict[str, Any], window: int | None, reason: str, tmp_path: Path
) -> None:
    import torch

    save_tiny(tmp_path, architecture, **options)
    loader: Any = importlib.import_module("transformers").AutoModelForCausalLM
    network = loader.from_pretrained(tmp_path).eval()
    told: list[str] = []
    engine = open_engine(str(tmp_path), batch_size=3, device="cpu", notice=told.append)
    assert engine.identity["window"] == window
    assert engine.provenance["engine"] == "batches/1"
    assert len(told) == 1
    assert f"{tmp_path} is run in batches: {reason}" in told[0]
    for tokens in measured(engine, TEXTS).values():
        ids = [0, *(tokens.ids or ())]
        for place, value in enumerate(bits(tokens), 1):
            with torch.inference_mode():
                logits = network(torch.tensor([ids[:place]])).logits[0, -1].double()
            expected = -float(torch.log_softmax(logits, 0)[ids[place]]) / math.log(2.0)
            assert value == pytest.approx(expected, abs=1e-4)
