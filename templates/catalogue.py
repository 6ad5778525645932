"""Finding paradigms by name or path. A user's own file works everywhere a shipped one does."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from templates.errors import ParadigmError
from templates.loading import load_paradigm_file
from templates.model import Paradigm
from templates.spelling import those_there_are


def paradigm_files(workspace: Path | None = None) -> dict[str, Path]:
    """Paradigm name to file: the shipped ones, and those in the workspace's ``paradigms/``, which win."""
    return _shipped_files() | (_files_in(workspace / "paradigms") if workspace is not None else {})


@cache
def _shipped_files() -> dict[str, Path]:
    return _files_in(Path(str(resources.files("templates"))) / "paradigms")


def _files_in(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def find_paradigm_file(name: str, workspace: Path | None = None) -> Path:
    """The file of a paradigm given by name, or by path (ends in ``.toml``). Raises `ParadigmError`."""
    if name.endswith(".toml"):
        return Path(name)
    files = paradigm_files(workspace)
    if name in files:
        return files[name]
    raise ParadigmError(
        f"there is no paradigm {name!r}",
        hint=f"{those_there_are('There are', name, files)}. A file of your own is given by its path, ending in .toml.",
    )


def load_paradigm(name: str, workspace: Path | None = None) -> Paradigm:
    """The paradigm called `name`, or in the file `name` where that ends in ``.toml``."""
    path = find_paradigm_file(name, workspace)
    try:
        stat = path.stat()
    except OSError:
        return load_paradigm_file(path)  # says which file it is, not where a link would lead
    return _load_cached(path.resolve(), stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=32)
def _load_cached(path: Path, _modified: int, _size: int) -> Paradigm:
    return load_paradigm_file(path)
