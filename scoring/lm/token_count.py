"""How many tokens a model's tokenizer makes of a text; needs the tokenizer's files and not the model's weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from gapsmith.scoring.lm.sources import BUNDLED, bundled_directory, find_source
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from tokenizers import Tokenizer


def token_counter(name: str) -> Callable[[str], int]:
    """The counter for ``bundled``, a directory with a tokenizer, or a hub model whose files are in reach.

    Special tokens are not counted. Raises `ConfigError` where the directory holds no tokenizer, and what
    `find_source` raises for a model that is not in reach."""
    tokenizer = tokenizer_of(name)

    @lru_cache(maxsize=65536)
    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count


def tokenizer_of(name: str) -> Tokenizer:
    """The tokenizer of ``bundled``, a directory or a hub model; raises as `token_counter` does."""
    path = Path(name).expanduser()
    if name == BUNDLED:
        path = bundled_directory()
    elif not path.is_dir():
        path = find_source(name).directory
    return load_tokenizer(path)


def load_tokenizer(directory: Path) -> Tokenizer:
    """The tokenizer whose files lie in a directory. Raises `ConfigError` where there are none."""
    from tokenizers import Tokenizer
    from tokenizers.decoders import ByteLevel as ByteLevelDecoder
    from tokenizers.models import BPE
    from tokenizers.pre_tokenizers import ByteLevel

    if (directory / "tokenizer.json").is_file():
        return Tokenizer.from_file(str(directory / "tokenizer.json"))
    vocabulary, merges = directory / "vocab.json", directory / "merges.txt"
    if vocabulary.is_file() and merges.is_file():
        # The older two files are GPT-2's byte-level BPE and its relatives'.
        tokenizer = Tokenizer(BPE.from_file(str(vocabulary), str(merges)))
        tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
        tokenizer.decoder = ByteLevelDecoder()
        return tokenizer
    raise ConfigError(
        f"{directory} holds no tokenizer", hint="It should have a tokenizer.json, or a vocab.json and a merges.txt."
    )
