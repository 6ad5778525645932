"""Finding paradigms by name or path. A user's own file works everywhere a shipped one does."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import resources
from pathlib import Path

from gapsmith.templates.boundary import text_of
from gapsmith.templates.documents import read_toml
from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.loading import load_paradigm_file
from gapsmith.templates.model import Paradigm
from gapsmith.templates.spelling import those_there_are


def paradigm_files(workspace: Path | None = None) -> dict[str, Path]:
    """Paradigm name to file: the shipped ones, and those in the workspace's ``paradigms/``, which win.

    The name is the one inside the file. Files that share one, which `find_paradigm_file` refuses, and those that cannot be
    read stand under the name of the file."""
    if workspace is None:
        return dict(_shipped_files())
    named = _by_name(workspace)
    own = {name: paths[0] for name, paths in named.items() if len(paths) == 1}
    own |= {path.stem: path for paths in named.values() if len(paths) > 1 for path in paths if path.stem not in own}
    return _shipped_files() | own


@cache
def _shipped_files() -> dict[str, Path]:
    # What ships is called inside as its file is called.
    return {path.stem: path for path in _files_in(Path(str(resources.files("gapsmith.templates"))))}


def _files_in(folder: Path) -> list[Path]:
    return sorted((folder / "paradigms").glob("*.toml"))


def _by_name(workspace: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in _files_in(workspace):
        found.setdefault(_name_inside(path), []).append(path)
    return found


def _name_inside(path: Path) -> str:
    try:
        stat = path.stat()
        return _read_name(path, stat.st_mtime_ns, stat.st_size) or path.stem
    except (OSError, ValueError):
        return path.stem  # what is wrong with it is said when it is loaded


@lru_cache(maxsize=256)
def _read_name(path: Path, _modified: int, _size: int) -> str:
    name = read_toml(text_of(path, "utf-8-sig")).get("name")
    return name if isinstance(name, str) else ""


def own_paradigm_file(name: str, workspace: Path) -> Path | None:
    """The workspace's file that has this name inside, or None. Raises `ParadigmError` where two have."""
    paths = _by_name(workspace).get(name, [])
    if len(paths) > 1:
        raise ParadigmError(
            f"{' and '.join(map(str, paths))} have the same name inside, {name!r}",
            hint="Items and results are kept by that name. Give each file its own, or take one out of paradigms/.",
        )
    return paths[0] if paths else None


def find_paradigm_file(name: str, workspace: Path | None = None) -> Path:
    """The file of a paradigm given by name, by what its file is called, or by path (ends in ``.toml``). Raises
    `ParadigmError`, also where two files of the workspace have one name."""
    if name.endswith(".toml"):
        return Path(name)
    called = name
    if workspace is not None:
        named = _by_name(workspace)
        if name not in named and name not in _shipped_files():
            stems = {path.stem: inside for inside, paths in named.items() for path in paths}
            called = stems.get(name, name)
        if (own := own_paradigm_file(called, workspace)) is not None:
            return own
    if called in (files := _shipped_files()):
        return files[called]
    files = paradigm_files(workspace)
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


@lru_cache(maxsize=256)
def _load_cached(path: Path, _modified: int, _size: int) -> Paradigm:
    return load_paradigm_file(path)
