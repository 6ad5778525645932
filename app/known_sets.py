"""Published benchmarks by the files that they are downloaded as: names, counts and digests, from manifests that come with gapsmith."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from gapsmith.templates import ConfigError, FormatError, bytes_of, read_toml, text_of

_SUFFIXES = ("", ".txt", ".json", ".jsonl", ".csv", ".tsv")
"""What may stand behind a name that a manifest gives without a suffix."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file of a benchmark."""

    name: str
    """As it is downloaded; without a suffix where no public source says which it has."""
    items: int
    digests: tuple[str, ...]
    """SHA-256 of the file as published; empty where that could not be established."""
    phenomenon: str
    category: str

    @property
    def stem(self) -> str:
        """The name without its suffix."""
        return Path(self.name).stem if "." in self.name else self.name

    @property
    def attributes(self) -> dict[str, str]:
        """What the items of the file get as attributes."""
        found = {"phenomenon": self.phenomenon, "category": self.category}
        return {name: value for name, value in found.items() if value}


@dataclass(frozen=True, slots=True)
class KnownSet:
    """A benchmark."""

    name: str
    title: str
    about: str
    source: str
    """Where names, counts and digests were taken from."""
    is_order_open: bool
    """Whether its files do not say which member of a pair is the good one."""
    files: tuple[KnownFile, ...]
    first: Literal["good", "bad"] | None = None
    """Which member comes first in files as published that do not say it, where a public source does."""
    format: str | None = None
    """What its files are read as; None finds it out."""


_PACKED = frozenset({".zip", ".gz", ".tgz", ".xz", ".bz2", ".7z", ".tar"})
_OF_DATA = frozenset({".jsonl", ".json", ".csv", ".tsv", ".txt", ".xlsx"})
"""Suffixes of files that may hold items."""


@dataclass(frozen=True, slots=True)
class InFolder:
    """What of a benchmark is in a folder."""

    known: KnownSet
    found: Mapping[str, Path]
    """By the name of the file in the manifest."""
    missing: tuple[str, ...]
    changed: tuple[str, ...]
    """Files that are there and have other bytes than the published ones, where these are known."""
    others: tuple[str, ...] = ()
    """Files of data that are there and are not read, by their place in the folder."""
    several: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of the changed ones, those that are there several times, each with other bytes, with the folders they are in: which is meant, nothing
    says."""
    no_files: Mapping[str, str] = field(default_factory=dict)
    """Of the changed ones, those that stand in the place of a file that was not downloaded, with what they are."""


@cache
def known_sets() -> tuple[KnownSet, ...]:
    """Every benchmark with a manifest, by name."""
    folder = Path(str(resources.files("gapsmith.app"))) / "benchmarks"
    return tuple(_read(path) for path in sorted(folder.glob("*.toml")))


def in_folder(folder: Path, name: str | None = None) -> InFolder:
    """What of the benchmark called `name`, or of the one that the folder is, is in a folder and those below it. Raises `ConfigError`
    where the folder has fewer than a third of the files of any."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}: is no folder", hint="Name the folder as it was downloaded and unpacked.")
    chosen = [one for one in known_sets() if name is None or one.name == name]
    there: dict[str, list[Path]] = {}
    packed: list[str] = []
    for path in sorted(folder.rglob("*")):
        own = path.relative_to(folder)
        # What version control and archives of a Mac keep is called like the files themselves.
        if not any(part.startswith((".", "__MACOSX")) for part in own.parts) and path.is_file():
            there.setdefault(path.name.casefold(), []).append(path)
            if path.suffix.casefold() in _PACKED:
                packed.append(str(own))
    compared = [_compared(one, folder, there) for one in chosen]
    best = max(compared, key=lambda one: len(one.found) / len(one.known.files))
    if not best.found or (name is None and 3 * len(best.found) < len(best.known.files)):
        seen = "; ".join(f"{one.known.title}: {len(one.found)} of {len(one.known.files)} files" for one in compared)
        unpack = f"Unpack {packed[0]} first. " if packed else ""
        raise ConfigError(
            f"{folder}: is no benchmark that is known by its files ({seen})",
            hint=f"{unpack}A part of one is taken with --benchmark NAME; any other file comes in with `gapsmith import FILE`.",
        )
    return best


def _compared(known: KnownSet, folder: Path, there: Mapping[str, list[Path]]) -> InFolder:
    found: dict[str, Path] = {}
    changed: list[str] = []
    several: dict[str, tuple[str, ...]] = {}
    no_files: dict[str, str] = {}
    taken: set[Path] = set()
    for file in known.files:
        names = [file.name] if "." in file.name else [f"{file.name}{suffix}" for suffix in _SUFFIXES]
        paths = [path for name in names for path in there.get(name.casefold(), [])]
        if not paths:
            continue
        own = {path: _content(path) for path in paths}
        digests = {path: hashlib.sha256(content).hexdigest() for path, content in own.items()}
        same = next((path for path in paths if digests[path] in file.digests), None)
        found[file.name] = same or paths[0]
        if same is None and file.digests:
            changed.append(file.name)
            if what := _no_file(own[paths[0]]):
                no_files[file.name] = what
        if same is None and len(set(digests.values())) > 1:
            several[file.name] = tuple(str(path.relative_to(folder).parent) for path in paths)
            taken |= set(paths)
    missing = tuple(file.name for file in known.files if file.name not in found)
    taken |= set(found.values())
    others = tuple(
        str(path.relative_to(folder))
        for paths in there.values()
        for path in paths
        if path not in taken and path.suffix.casefold() in _OF_DATA
    )
    return InFolder(known, found, missing, tuple(changed), others, several, no_files)


def _content(path: Path) -> bytes:
    """All of a file; nothing where it cannot be read, which whoever reads it says."""
    try:
        return bytes_of(path)
    except (OSError, FormatError):
        return b""


def _no_file(content: bytes) -> str:
    """What a download left in the place of a file; empty where it is another file."""
    start = content[:200].lstrip().lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "a web page"
    return "a pointer of Git LFS" if start.startswith(b"version https://git-lfs") else ""


def _read(path: Path) -> KnownSet:
    data: Mapping[str, Any] = read_toml(text_of(path, "utf-8"))
    files = []
    for one in data["files"]:
        digests = one.get("sha256", [])
        files.append(
            KnownFile(
                one["name"],
                one["items"],
                (digests,) if isinstance(digests, str) else tuple(digests),
                one["phenomenon"],
                one["category"],
            )
        )
    first = data.get("first")
    return KnownSet(
        data["name"],
        data["title"],
        data["about"],
        data["source"],
        first is not None or data.get("order") == "open",
        tuple(files),
        first,
        data.get("format"),
    )
