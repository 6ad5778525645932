"""What a recording consists of: the folder's `recording.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FORMAT = 1
_FILE = "recording.json"


@dataclass
class Recorded:
    """One step: its arguments as the plan has them, its folder, exit code and seconds, and the files that it made or changed,
    by path: True where the file was kept, False where only its being there is recorded."""

    set: str
    arguments: list[str]
    folder: str
    code: int = 0
    seconds: float = 0.0
    files: dict[str, bool] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.set}: gapsmith {' '.join(self.arguments)}"


@dataclass(frozen=True)
class Recording:
    """A whole recording: when it was made and of what, the folders that paths may begin with, the program's commands."""

    quick: bool
    sets: list[str]
    begun: str
    ended: str
    seconds: float
    commit: str | None
    roots: Mapping[str, str]
    commands: list[str]
    steps: list[Recorded]

    def write(self, folder: Path) -> None:
        """Write it into the recording's folder, whole or not at all: a recording without it is not complete."""
        part = folder / f"{_FILE}.part"
        part.write_text(json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False) + "\n", "utf-8")
        part.replace(folder / _FILE)


def read_recording(folder: Path) -> Recording:
    """Read the recording in a folder.

    Raises FileNotFoundError where there is none or it was not finished, ValueError where another recorder made it."""
    found: dict[str, Any] = json.loads((folder / _FILE).read_text("utf-8"))
    if found.pop("format") != FORMAT:
        raise ValueError(f"{folder} was made by another version of the recorder")
    steps = [Recorded(**step) for step in found.pop("steps")]
    return Recording(**found, steps=steps)
