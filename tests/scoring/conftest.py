"""Small random models, saved the way transformers saves them."""

from __future__ import annotations

import importlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank
from gapsmith.scoring.lm import bundled_directory
from tests.scoring.analysing import filled_bank, published_bits

CORPUS = (
    "I know who the story about is likely to amuse soon.",
    "I know that the story about Mary is likely to amuse Anna soon.",
    "They believe that John's decision to call is about to bother you eventually.",
    "It is clear what the lion devoured at sunrise, and what the gazelle did not see.",
)


def save_tiny_gpt2(directory: Path, **options: Any) -> Path:
    """A random GPT-2 of two layers with the tokenizer of the bundled model; `options` go to its configuration."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(7)
    settings: dict[str, Any] = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64, "vocab_size": 8192}
    config = GPT2Config(**(settings | {"bos_token_id": 0, "eos_token_id": 0, "initializer_range": 0.5} | options))
    GPT2LMHeadModel(config).save_pretrained(directory)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bundled_directory() / file, directory / file)
    return directory


def save_tiny(directory: Path, architecture: str, *, spread: float = 0.3, **options: Any) -> Path:
    """A random causal model of that architecture with the tokenizer of the bundled model; `options` go to its configuration.

    The matrices are drawn with standard deviation `spread`, so that what a token sees matters to what it predicts."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    torch.manual_seed(1)
    config = getattr(transformers, f"{architecture}Config")(
        **({"vocab_size": 8192, "bos_token_id": 0, "eos_token_id": 0} | options)
    )
    network = transformers.AutoModelForCausalLM.from_config(config)
    with torch.no_grad():
        for weight in network.parameters():
            if weight.ndim > 1:
                weight.normal_(0.0, spread)
    network.save_pretrained(directory)
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(bundled_directory() / file, directory / file)
    return directory


def save_tiny_llama(directory: Path) -> Path:
    """A random Llama whose tokenizer works like SentencePiece (``▁``, bytes for what it does not know) and adds BOS."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import LlamaConfig, LlamaForCausalLM

    raw: Any = Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    raw.decoder = decoders.Metaspace(prepend_scheme="always")
    special = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    raw.train_from_iterator(CORPUS, trainers.BpeTrainer(vocab_size=400, special_tokens=special, show_progress=False))
    raw.post_processor = processors.TemplateProcessing(
        single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", raw.token_to_id("<s>"))]
    )
    transformers: Any = importlib.import_module("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="</s>", unk_token="<unk>", model_max_length=96
    )
    torch.manual_seed(8)
    config = LlamaConfig(
        vocab_size=raw.get_vocab_size(),
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=96,
        initializer_range=0.5,
        bos_token_id=1,
        eos_token_id=2,
    )
    LlamaForCausalLM(config).save_pretrained(directory)
    tokenizer.save_pretrained(directory)
    return directory


@pytest.fixture(scope="session")
def tiny_gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a random GPT-2, window 64."""
    return save_tiny_gpt2(tmp_path_factory.mktemp("tiny-gpt2"))


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a random Llama whose tokenizer adds BOS, window 96."""
    return save_tiny_llama(tmp_path_factory.mktemp("tiny-llama"))


@pytest.fixture(scope="session")
def published_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a bank that no test writes to."""
    path = tmp_path_factory.mktemp("published") / "bank.sqlite"
    filled_bank(path, "subject_pg", 33, published_bits).close()
    return path


@pytest.fixture
def bank(published_file: Path, tmp_path: Path) -> Iterator[Bank]:
    """33 approved items of the eight-permutation paradigm with the published effects."""
    with Bank.open(Path(shutil.copy(published_file, tmp_path / "bank.sqlite"))) as opened:
        yield opened
