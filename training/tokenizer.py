"""The tokenizer of a new model: a byte-level BPE trained on its corpus, or one that is there."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

END = "<|endoftext|>"
"""Beginning and end of a sequence, as in GPT-2; token 0 of a BPE of ours."""


def train_bpe(texts: Iterable[str], vocabulary: int) -> Tokenizer:
    """A byte-level BPE (Sennrich et al. 2016; Radford et al. 2019) with at most `vocabulary` entries, `END` the first."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    raw: Any = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    raw.train_from_iterator(texts, trainer)
    made: Tokenizer = raw
    return made


def given_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of `path`, a tokenizer.json or a directory that holds one. Raises `ConfigError`."""
    from tokenizers import Tokenizer

    file = path / "tokenizer.json" if path.is_dir() else path
    if not file.is_file():
        raise ConfigError(f"there is no tokenizer {path}", hint="Give a tokenizer.json, or a directory that holds one.")
    try:
        raw: Tokenizer = Tokenizer.from_file(str(file))
    except Exception as error:  # noqa: BLE001 - the Rust library raises plain Exception for a file it cannot read
        raise ConfigError(f"{file} is not a tokenizer: {error}", hint="Give a tokenizer.json of transformers.") from None
    end_token_id(raw, str(file))
    return raw


def end_token_id(tokenizer: Tokenizer, name: str) -> int:
    """The id of `END`. Raises `ConfigError` where the tokenizer has no such token."""
    token = tokenizer.token_to_id(END)
    if token is None:
        raise ConfigError(
            f"the tokenizer {name} has no token {END}, with which rows begin and texts end",
            hint="Leave [tokenizer] path out, so that one is trained.",
        )
    return int(token)


def save_tokenizer(tokenizer: Tokenizer, directory: Path, *, window: int | None) -> None:
    """Write tokenizer.json and tokenizer_config.json the way transformers reads them."""
    transformers: Any = importlib.import_module("transformers")
    options = {} if window is None else {"model_max_length": window}
    wrapped = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=END, eos_token=END, unk_token=END, **options
    )
    wrapped.save_pretrained(directory)
