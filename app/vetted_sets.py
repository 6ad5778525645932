"""The vetted data sets that come with gapsmith."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True)
class VettedSet:
    """A data set that comes with gapsmith, with the decisions of those who read it."""

    paradigm: str
    items: Path
    decisions: Mapping[str, Path]
    """By reader."""
    card: Path


def vetted_set(name: str) -> VettedSet:
    """A shipped data set by its name. Raises `ConfigError`."""
    folder = Path(str(resources.files("gapsmith.app.studies"))) / "data"
    items = folder / f"{name}.jsonl"
    known = sorted(path.stem for path in folder.glob("*.jsonl"))
    if name not in known:
        raise ConfigError(f"no data set {name!r} comes with gapsmith", hint=f"There are: {', '.join(known)}.")
    decisions = {reader: folder / f"{name}-{reader}.csv" for reader in ("reader1", "reader2")}
    return VettedSet("subject_pg", items, decisions, folder / "CARD.md")
