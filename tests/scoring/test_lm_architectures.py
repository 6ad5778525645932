"""Batches against one text at a time over architectures that differ in how they place and read tokens."""

from __future__ import annotations

import importlib
import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from scoring.lm import bundled_directory, open_engine
from tests.scoring.measuring import bits, measured

TEXTS = (
    "I know who the story about is likely to amuse soon.",
    "Soon.",
    "They believe that John's decision to call is about to bother you eventually.",
)

SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
ROTARY = SIZES | {"intermediate_size": 64, "num_key_value_heads": 2, "max_position_embeddings": 64}


@pytest.mark.parametrize(
    ("architecture", "options", "window"),
    [
        # Learned positions that start at two.
        ("OPT", SIZES | {"ffn_dim": 64, "word_embed_proj_dim": 32, "max_position_embeddings": 64}, 64),
        # No positions: attention falls off with distance.
        ("Bloom", {"hidden_size": 32, "n_layer": 2, "n_head": 4}, None),
        # Rotary positions and attention to the last eight tokens only.
        ("Mistral", ROTARY | {"sliding_window": 8}, 64),
        # Logits that are squashed after the output layer.
        ("Gemma2", ROTARY | {"head_dim": 8, "final_logit_softcapping": 5.0}, 64),
        # No attention at all.
        ("Mamba", {"hidden_size": 32, "num_hidden_layers": 2, "state_size": 4}, None),
    ],
)
def test_batches_equal_one_text_at_a_time(
    architecture: str, options: dict[str, Any], window: int | None, tmp_path: Path
) -> None:
    import torch

    transformers: Any = importlib.import_module("transformers")
    torch.manual_seed(1)
    config = getattr(transformers, f"{architecture}Config")(vocab_size=8192, bos_token_id=0, eos_token_id=0, **options)
    network = transformers.AutoModelForCausalLM.from_config(config).eval()
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim > 1:
                weight.normal_(0.0, 0.3)
    network.save_pretrained(tmp_path)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bundled_directory() / file, tmp_path / file)
    engine = open_engine(str(tmp_path), batch_size=3, device="cpu")
    assert engine.identity["window"] == window
    for tokens in measured(engine, TEXTS).values():
        ids = [0, *(tokens.ids or ())]
        for place, value in enumerate(bits(tokens), 1):
            with torch.inference_mode():
                logits = network(torch.tensor([ids[:place]])).logits[0, -1].double()
            expected = -float(torch.log_softmax(logits, 0)[ids[place]]) / math.log(2.0)
            assert value == pytest.approx(expected, abs=1e-4)
