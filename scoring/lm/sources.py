"""Where a model's files are, and which version of the model they are. Imports neither torch nor transformers."""

from __future__ import annotations

import importlib.resources
import os
import re
from dataclasses import dataclass
from pathlib import Path

from gapsmith.scoring.lm.errors import ModelError, ModelNotInReachError
from gapsmith.scoring.lm.files import combined, digests_of, expect_sound, tokenizer_files, weight_files
from gapsmith.scoring.lm.hub import find_on_hub, is_hub_name
from gapsmith.templates import ConfigError

BUNDLED = "bundled"
"""The name of the small model that ships with gapsmith."""

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
    weights: str
    """``sha256:`` and the digest of configuration and weights."""
    tokenizer: str
    """``sha256:`` and the digest of the tokenizer's files."""


def bundled_directory() -> Path:
    """The directory of the model that ships with gapsmith."""
    return Path(str(importlib.resources.files("gapsmith.scoring.bundled")))


def find_source(name: str, *, revision: str | None = None, download: bool = True) -> ModelSource:
    """Find the files of `name`: ``bundled``, a directory, or a model of the Hugging Face hub.

    A hub model that is already in the cache is used from there, with no request to the network; `revision` (a commit,
    tag or branch, hub models only) asks for another version of it. `download` False looks on this machine only.
    Raises `ModelNotInReachError` or `ModelError`, both saying what to do, and `ConfigError` for a revision of anything else.
    """
    path = Path(name).expanduser()
    local = name == BUNDLED or (name != "" and path.is_dir()) or _looks_like_path(name)
    if local and revision is not None:
        raise ConfigError(f"{name} has no revisions: only models of the hub do", hint="Leave --revision out, or give a hub name.")
    if name == BUNDLED:
        return _source(name, bundled_directory(), "bundled")
    if local:
        return _local(name, path)
    if not HUB_NAME.fullmatch(name) or not is_hub_name(name):
        raise ModelError(f"{name!r} is neither a directory nor the name of a model on the Hugging Face hub", hint=_WAYS)
    directory, commit = find_on_hub(name, revision=revision, download=download)
    return _source(name, directory, "hub", commit)


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
            hint="Give the directory that holds config.json, model.safetensors and tokenizer.json, or use --model bundled.",
        )
    return _source(name, path, "path")


def _source(name: str, directory: Path, kind: str, commit: str | None = None) -> ModelSource:
    files = weight_files(name, directory)
    expect_sound(directory, files)
    weights = digests_of([directory / "config.json", *files])
    tokenizer = digests_of(tokenizer_files(directory))
    revision = combined(weights | tokenizer) if commit is None else commit
    return ModelSource(name, directory, revision, kind, combined(weights), combined(tokenizer))
