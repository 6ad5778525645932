"""A model's tokenizer with what its files say of special tokens: as transformers reads it, and read here for models of kind ``gpt2``.

What is read here is certain to be read as transformers does: a key, a value or a file that is not known leaves the tokenizer to it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.lm.files import tokenizer_files
from gapsmith.templates import FormatError, read_json, text_of

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_FILES = frozenset({"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.json", "merges.txt"})
"""Beside a tokenizer.json, transformers reads nothing of the last two."""
_VERBATIM = frozenset({"TokenizersBackend", "PreTrainedTokenizerFast"})
_REBUILT = frozenset({"GPT2Tokenizer", "GPT2TokenizerFast"})
"""The classes that take tokenizer.json as it is, and those that take vocabulary and merges from it and put GPT-2's parts around them."""
_END = "<|endoftext|>"
_NAMED = ("bos_token", "eos_token", "unk_token", "pad_token")
_NO_MATTER = re.compile(
    "added_tokens_decoder|tokenizer_class|backend|is_local|local_files_only|model_max_length|errors|clean_up_tokenization_spaces|"
    "name_or_path|padding_side|truncation_side|special_tokens_map_file"
)
_NOT = re.compile("add_(prefix_space|bos_token|eos_token)|split_special_tokens|(additional|extra)_special_tokens")
"""What may be said only to say that it is not so."""
_LARGEST = 100_000
"""From this vocabulary on transformers looks whether a tokenizer is of a kind that it mends."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """A tokenizer and the tokens that its files give a part to."""

    backend: Tokenizer
    bos: str | None
    eos: str | None
    special: Collection[int]
    """The ids that no text is tokenised to."""
    by_transformers: bool
    """Whether transformers read it."""

    @classmethod
    def from_transformers(cls, tokenizer: Any) -> Vocabulary:
        """Of a tokenizer of transformers with a backend of tokenizers."""
        special = {*tokenizer.all_special_ids, *tokenizer.added_tokens_decoder}
        return cls(tokenizer.backend_tokenizer, _word(tokenizer.bos_token), _word(tokenizer.eos_token), special, True)

    def id_of(self, token: str | None) -> int | None:
        """The number of a token; None where there is none."""
        return None if token is None else self.backend.token_to_id(token)

    def pieces(self, ids: Collection[int]) -> tuple[str, ...]:
        """The entries of the vocabulary, such as ``Ġknow``."""
        found: list[Any] = [self.backend.id_to_token(number) for number in ids]
        return tuple(found)

    @property
    def adds_bos(self) -> bool:
        """Whether the tokenizer, asked as it comes, puts its beginning-of-sequence token before every text."""
        self.backend.no_padding()
        self.backend.no_truncation()
        return self.bos is not None and self.backend.encode("a").ids[:1] == [self.id_of(self.bos)]


def _word(token: Any) -> str | None:
    return None if token is None else str(token)


def gpt2_vocabulary(directory: Path) -> Vocabulary | None:
    """The tokenizer of a model of kind ``gpt2``; None where transformers has to read it."""
    files = {file.name: file for file in tokenizer_files(directory)}
    if "tokenizer.json" not in files or not _FILES.issuperset(files):
        return None
    try:
        raw, settings, named = (
            read_json(text_of(files[name], "utf-8")) if name in files else {}
            for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
        )
        return _read(files["tokenizer.json"], raw, settings, named)
    except (OSError, ValueError, FormatError, KeyError, TypeError, AttributeError):
        return None


def _read(file: Path, raw: Any, settings: Any, named: Any) -> Vocabulary | None:
    from tokenizers import Tokenizer

    kind = settings.get("tokenizer_class", "GPT2Tokenizer")
    if any(
        value if _NOT.fullmatch(key) else key not in _NAMED and not _NO_MATTER.fullmatch(key) for key, value in settings.items()
    ):
        return None
    if (
        raw["padding"] is not None
        or raw["truncation"] is not None
        or any(own["special"] is not True for own in raw["added_tokens"])
    ):
        return None
    if kind not in _VERBATIM and not (kind in _REBUILT and _is_gpt2(raw)):
        return None
    added = {int(own["id"]): own["content"] for own in raw["added_tokens"]}
    told = dict.fromkeys(_NAMED[:3], _END if kind in _REBUILT else None)
    told |= {key: _content(settings[key], "AddedToken") for key in _NAMED if key in settings}
    again = settings.get("added_tokens_decoder")
    if again is None:
        told |= {key: _content(own, None) for key, own in named.items()}
    # Where the tokens that were added are told in the settings, transformers leaves the other file alone.
    elif {(int(number), own["content"], own["special"]) for number, own in again.items()} != {
        (*own, True) for own in added.items()
    }:
        return None
    if not set(_NAMED).issuperset(told) or not {*added.values(), None}.issuperset(told.values()):
        return None
    try:
        backend: Tokenizer = Tokenizer.from_file(str(file))
    except Exception:  # noqa: BLE001 - the Rust library raises plain Exception for a file it cannot read
        return None
    there = {number: str(own) for number, own in backend.get_added_tokens_decoder().items()}
    if backend.get_vocab_size() > _LARGEST or there != added:
        return None
    return Vocabulary(backend, told["bos_token"], told["eos_token"], frozenset(added), by_transformers=False)


def _content(token: Any, kind: str | None) -> Any:
    """A token as it is told: by its text, or by an object of this kind. Raises `ValueError` for another one."""
    if isinstance(token, dict) and token.get("__type") != kind:
        raise ValueError
    return token["content"] if isinstance(token, dict) else token


def _is_gpt2(raw: Any) -> bool:
    """Whether what GPT-2's class builds from this tokenizer.json is what stands in it."""
    from tokenizers.pre_tokenizers import ByteLevel

    # What stands behind the model, and decides the offsets, is taken as it is.
    model, before = raw["model"], raw["pre_tokenizer"]
    usual: dict[str, tuple[Any, ...]] = {
        "dropout": (None,),
        "continuing_subword_prefix": (None, ""),
        "end_of_word_suffix": (None, ""),
        "type": (None, "BPE"),
    }
    usual |= dict.fromkeys(("fuse_unk", "byte_fallback", "ignore_merges"), (None, False))
    return (
        {*usual, "unk_token", "vocab", "merges"}.issuperset(model)
        and all(model.get(key) in values for key, values in usual.items())
        # With a token for each byte, none is unknown.
        and set(ByteLevel.alphabet()).issubset(model["vocab"])
        and all(model["vocab"].get(own["content"]) == own["id"] for own in raw["added_tokens"])
        and raw["normalizer"] is None
        and before["type"] == "ByteLevel"
        and (before["add_prefix_space"], before.get("use_regex", True)) == (False, True)
    )
