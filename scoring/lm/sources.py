"""Where a model's files are, and which version of the model they are. Imports neither torch nor transformers."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.lm.errors import ModelError, ModelNotInReachError
from templates.errors import ConfigError

__all__ = [
    "BUNDLED",
    "ModelSource",
    "bundled_directory",
    "find_source",
    "has_safetensors",
    "shadows_hub_name",
    "weight_files",
]

BUNDLED = "bundled"
"""The name of the small model that ships with gapsmith."""

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

PICKLED = ("pytorch_model.bin", "pytorch_model.bin.index.json", "model.pt", "pytorch_model.pt", "consolidated.00.pth")
HUB_NAME = re.compile(r"[\w][\w.-]*(/[\w][\w.-]*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model whose files are on this machine."""

    name: str
    """As the user named it."""
    directory: Path
    revision: str
    """The commit on the hub, or ``sha256:`` and the digest of configuration, weights and tokenizer."""
    kind: str
    """``bundled``, ``path`` or ``hub``."""


def bundled_directory() -> Path:
    """The directory of the model that ships with gapsmith."""
    return Path(str(importlib.resources.files("scoring.bundled")))


def find_source(name: str, *, revision: str | None = None, download: bool = True) -> ModelSource:
    """Find the files of `name`: ``bundled``, a directory, or a model of the Hugging Face hub.

    A hub model that is already in the cache is used from there, with no request to the network; `revision` (a commit,
    tag or branch, hub models only) asks for another version of it. `download` False looks on this machine only.
    Raises `ModelNotInReachError` or `ModelError`, both saying what to do, and `ConfigError` for a revision of anything else.
    """
    path = Path(name).expanduser()
    local = name == BUNDLED or (name != "" and path.is_dir()) or _looks_like_path(name)
    if local and revision is not None:
        raise ConfigError(
            f"{name} has no revisions: only models of the hub do", hint="Leave --revision out, or give a hub name."
        )
    if name == BUNDLED:
        directory = bundled_directory()
        weight_files(name, directory)
        return ModelSource(name, directory, digest_of(name, directory), "bundled")
    if local:
        return _local(name, path)
    from scoring.lm.hub import find_on_hub, is_hub_name

    if not HUB_NAME.fullmatch(name) or not is_hub_name(name):
        raise ModelError(f"{name!r} is neither a directory nor the name of a model on the Hugging Face hub", hint=_WAYS)
    directory, commit = find_on_hub(name, revision=revision, download=download)
    return ModelSource(name, directory, commit, "hub")


def shadows_hub_name(name: str) -> bool:
    """Whether `name` is taken as a directory although it reads like the name of a model of the hub."""
    return name != BUNDLED and not _looks_like_path(name) and Path(name).is_dir() and bool(HUB_NAME.fullmatch(name))


_WAYS = "Give a directory, a hub name such as gpt2 or EleutherAI/pythia-160m, or use --model bundled."


def _looks_like_path(name: str) -> bool:
    return name.startswith((".", "/", "~", os.sep)) or name.count("/") > 1 or Path(name).is_file() or "\\" in name


def _local(name: str, path: Path) -> ModelSource:
    if not path.is_dir():
        what = "a file, not a directory" if path.is_file() else "not there"
        raise ModelNotInReachError(
            f"the model {name} is {what}",
            hint="Give the directory that holds config.json, model.safetensors and tokenizer.json, or use "
            "--model bundled.",
        )
    weight_files(name, path)
    return ModelSource(name, path, digest_of(name, path), "path")


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
        content: Any = json.loads(index.read_text(encoding="utf-8"))
        names = sorted(set(content["weight_map"].values()))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(
            f"{index} is not an index of weight files ({error!r})", hint="Fetch the model again."
        ) from error
    outside = [n for n in names if not n.endswith(".safetensors") or "/" in n or "\\" in n]
    if outside:
        raise ModelError(
            f"{index} names {outside[0]!r}, which is no safetensors file beside it", hint="Fetch it again."
        )
    return names


def digest_of(name: str, directory: Path) -> str:
    """SHA-256 over names and contents of configuration, tokenizer files and weights, as ``sha256:…``."""
    files = [directory / "config.json", *weight_files(name, directory)]
    files += [directory / file for file in TOKENIZER_FILES if (directory / file).is_file()]
    total = hashlib.sha256()
    for file in sorted(files, key=lambda f: f.name):
        with file.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        total.update(f"{file.name}\0{digest}\n".encode())
    return f"sha256:{total.hexdigest()}"
