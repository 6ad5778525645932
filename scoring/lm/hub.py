"""Models of the Hugging Face hub: looked up in the cache, else fetched in one go, else a message that says what to do.

`huggingface_hub` reads HF_HOME, HF_HUB_CACHE, HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE when it is imported, so it is
imported inside functions only.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.scoring.lm.errors import ModelError, ModelNotInReachError
from gapsmith.scoring.lm.files import TOKENIZER_FILES, WEIGHTS, WEIGHTS_INDEX, has_safetensors

TIMEOUT_SECONDS = 5.0
"""How long the hub may take to answer its first request; there is no second try, the cache or a message is quicker."""

_OFFLINE_HINT = (
    "With a network, run it again and it is fetched once. Without: fetch it elsewhere, put it in the cache (HF_HOME "
    "says where that is), or give the directory it lies in. --model bundled needs nothing."
)


@dataclass(frozen=True, slots=True)
class CachedModel:
    """A model of the hub that is on this machine and can be scored with."""

    name: str
    commit: str
    size_bytes: int


def is_hub_name(name: str) -> bool:
    """Whether the hub could have a model of this name, by its own rules."""
    from huggingface_hub.errors import HFValidationError

    try:
        _utilities().validate_repo_id(name)
    except HFValidationError:
        return False
    return True


def find_on_hub(name: str, *, revision: str | None, download: bool) -> tuple[Path, str]:
    """The directory with the files of hub model `name` and its commit; fetched where the cache lacks it.

    Raises `ModelNotInReachError` (no network, no such model, no access, no safetensors).
    """
    cached = _in_cache(name, revision)
    if cached is not None:
        return cached
    if not download:
        raise ModelNotInReachError(f"the model {name} is not in the cache of this machine", hint=_OFFLINE_HINT)
    return _fetch(name, revision)


def _in_cache(name: str, revision: str | None) -> tuple[Path, str] | None:
    """(snapshot directory, commit) where configuration, tokenizer and all safetensors weights are cached."""
    from huggingface_hub import try_to_load_from_cache

    config = try_to_load_from_cache(name, "config.json", revision=revision)
    if not isinstance(config, str):
        return None
    directory = Path(config).parent
    has_tokenizer = any((directory / file).is_file() for file in TOKENIZER_FILES)
    return (directory, directory.name) if has_tokenizer and has_safetensors(directory) else None


def _fetch(name: str, revision: str | None) -> tuple[Path, str]:
    from huggingface_hub import HfApi, errors, snapshot_download

    httpx = _utilities().httpx
    try:
        info = HfApi().model_info(name, revision=revision, timeout=TIMEOUT_SECONDS)
        files = _wanted_files(name, [str(file.rfilename) for file in info.siblings or ()])
        # By branch and not by commit, so that the cache remembers which commit the branch was.
        directory = Path(snapshot_download(name, revision=revision, allow_patterns=files))
        return directory, directory.name
    except errors.GatedRepoError as error:
        raise ModelNotInReachError(
            f"{name} is open only to those who accepted its conditions on the hub",
            hint=f"Accept them at https://huggingface.co/{name} and set HF_TOKEN to a token of yours.",
        ) from error
    except errors.RevisionNotFoundError as error:
        raise ModelNotInReachError(
            f"{name} has no revision {revision}", hint="Give a commit, a tag or a branch of the model."
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise ModelNotInReachError(
            f"the hub has no model {name}, or it is private",
            hint=f"Check the name; for a private model set HF_TOKEN. To use a directory, write ./{name}.",
        ) from error
    except errors.OfflineModeIsEnabled as error:
        raise ModelNotInReachError(
            f"the model {name} is not in the cache of this machine, and HF_HUB_OFFLINE forbids to fetch it",
            hint="Unset HF_HUB_OFFLINE, give the directory that the model lies in, or use --model bundled.",
        ) from error
    except (httpx.HTTPError, OSError) as error:
        raise ModelNotInReachError(
            f"the model {name} is not in the cache of this machine, and the hub is not in reach ({_first_line(error)})",
            hint=_OFFLINE_HINT,
        ) from error


def _wanted_files(name: str, offered: list[str]) -> list[str]:
    """Of the files of a model, those that scoring needs: configuration, tokenizer, safetensors weights."""
    files = [f for f in offered if f in ("config.json", "generation_config.json", *TOKENIZER_FILES)]
    if WEIGHTS in offered:
        return [*files, WEIGHTS]
    if WEIGHTS_INDEX in offered:
        return [*files, WEIGHTS_INDEX, *(f for f in offered if f.startswith("model-") and f.endswith(".safetensors"))]
    raise ModelError(
        f"{name} has no safetensors weights on the hub; gapsmith opens no pickle files, since they can run code",
        hint=f"Look for a revision with safetensors at https://huggingface.co/{name}/discussions (the hub offers a "
        "conversion there) and name it with --revision, or convert the model and give its directory.",
    )


def cached_models() -> list[CachedModel]:
    """The models in the cache that `find_source` would use without a network, by name."""
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        cache = scan_cache_dir()
    except CacheNotFound:
        return []
    found: list[CachedModel] = []
    for repo in cache.repos:
        if repo.repo_type == "model":
            usable = _in_cache(repo.repo_id, None)
            if usable is not None:
                found.append(CachedModel(repo.repo_id, usable[1], repo.size_on_disk))
    return sorted(found, key=lambda model: model.name)


def remove_from_cache(name: str, commit: str) -> int:
    """Remove one version of a model from the cache, and what no other version uses; the bytes that were freed."""
    from huggingface_hub import constants, scan_cache_dir

    cache = scan_cache_dir(constants.HF_HUB_CACHE)
    there = {(repo.repo_id, revision.commit_hash) for repo in cache.repos for revision in repo.revisions}
    if (name, commit) not in there:
        return 0
    removal = cache.delete_revisions(commit)
    removal.execute()
    return int(removal.expected_freed_size)


def hub_answers() -> str | None:
    """None where the hub answers a request, else why not."""
    from huggingface_hub import constants
    from huggingface_hub.errors import OfflineModeIsEnabled

    utilities = _utilities()
    try:
        utilities.get_session().head(constants.ENDPOINT, timeout=TIMEOUT_SECONDS)
    except OfflineModeIsEnabled:
        return "HF_HUB_OFFLINE is set"
    except (utilities.httpx.HTTPError, OSError) as error:
        return _first_line(error)
    return None


def _utilities() -> Any:
    """`huggingface_hub.utils`, whose `httpx` is the HTTP package that this version of the hub client is built on."""
    return importlib.import_module("huggingface_hub.utils")


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
