"""The files of a model in its directory: which there are, what is missing, and their digests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gapsmith.scoring.lm.errors import ModelError, ModelNotInReachError
from gapsmith.templates import (
    DocumentError,
    bytes_of,
    expect_small,
    file_sha256,
    header_of,
    read_json,
    text_of,
    text_sha256,
)

WEIGHTS = "model.safetensors"
WEIGHTS_INDEX = "model.safetensors.index.json"
TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "tokenizer.model",
    "spiece.model",
)
"""The files that decide how a text becomes tokens."""

ADAPTER = "adapter_config.json"
"""What says that a directory holds an adapter, alone or beside the weights that it is for."""
PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "pytorch_model.pt", "consolidated.00.pth")

_LARGE_FILE_IN_CACHE = re.compile(r"[0-9a-f]{64}")


def has_safetensors(directory: Path) -> bool:
    """Whether all the weights are there as safetensors."""
    try:
        weight_files("", directory)
    except ModelError:
        return False
    return True


def weight_files(name: str, directory: Path) -> tuple[Path, ...]:
    """The safetensors files that `directory` is loaded from; raises `ModelNotInReachError` where one is missing."""
    if not (directory / "config.json").is_file():
        raise ModelNotInReachError(
            f"{directory} holds no config.json, so it is not the directory of a transformers model",
            hint="Give a directory that save_pretrained() has written, or use --model bundled.",
        )
    if (directory / WEIGHTS).is_file():
        return (directory / WEIGHTS,)
    if (directory / WEIGHTS_INDEX).is_file():
        files = tuple(directory / part for part in _shards(directory / WEIGHTS_INDEX))
        missing = [file.name for file in files if not file.is_file()]
        if not missing:
            return files
        raise ModelNotInReachError(
            f"{name or directory} is not complete; missing: {', '.join(missing)}",
            hint="Fetch the model again, or use --model bundled.",
        )
    if any((directory / file).is_file() for file in PICKLED):
        raise ModelNotInReachError(
            f"{name or directory} has its weights only in pickle files, which can run code when they are opened; "
            "gapsmith reads safetensors only",
            hint="Ask for a revision that has model.safetensors, or convert it once in a place you trust: load it with "
            "transformers and call save_pretrained().",
        )
    raise ModelNotInReachError(
        f"{name or directory} has no weights: neither {WEIGHTS} nor {WEIGHTS_INDEX} is there",
        hint="Fetch the model again, or use --model bundled.",
    )


def _shards(index: Path) -> list[str]:
    """The weight files that an index names, each once, in order; nothing outside the directory."""
    try:
        content: Any = read_json(text_of(index, "utf-8"))
        names = sorted(set(content["weight_map"].values()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{index} is not an index of weight files ({error!r})", hint="Fetch the model again.") from error
    outside = [n for n in names if not n.endswith(".safetensors") or "/" in n or "\\" in n]
    if outside:
        raise ModelError(f"{index} names {outside[0]!r}, which is no safetensors file beside it", hint="Fetch it again.")
    return names


def expect_sound(directory: Path, weights: Iterable[Path]) -> None:
    """Raise `ModelError` or `FormatError` for configuration and headers of weights that are no such files, and for what is beyond the
    limits of files of others; before any of it is given to a library that reads all of it. No weight is read."""
    for file in tokenizer_files(directory):
        expect_small(file)
    for file, read in ((directory / "config.json", bytes_of), *((own, header_of) for own in weights)):
        try:
            read_json(read(file))
        except DocumentError as error:
            raise ModelError(f"{file} cannot be read: {error}", hint="Fetch the model again.") from None


def tokenizer_files(directory: Path) -> tuple[Path, ...]:
    """The files of `directory` that decide how a text becomes tokens."""
    return tuple(directory / file for file in TOKENIZER_FILES if (directory / file).is_file())


def digests_of(files: Iterable[Path]) -> dict[str, str]:
    """SHA-256 in hexadecimal of every file, by name."""
    return {file.name: _known_or_worked_out(file) for file in files}


def combined(digests: Mapping[str, str]) -> str:
    """SHA-256 over names and contents, as ``sha256:…``; the order of the files does not matter."""
    lines = "".join(f"{name}\0{digest}\n" for name, digest in sorted(digests.items()))
    return f"sha256:{text_sha256(lines)}"


def _known_or_worked_out(file: Path) -> str:
    # The cache of the hub names a large file by its SHA-256 and links to it, so that gigabytes need not be read again.
    target = file.resolve()
    if file.is_symlink() and target.parent.name == "blobs" and _LARGE_FILE_IN_CACHE.fullmatch(target.name):
        return target.name
    return file_sha256(file)
