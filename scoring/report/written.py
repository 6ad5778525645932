"""The files of a page that a study writes: the page itself, its tables and its figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gapsmith.scoring.report.drawing import Drawing


@dataclass
class WrittenPage:
    """What is written into a folder; what is there under the same name is replaced. Methods raise OSError."""

    folder: Path
    files: list[Path] = field(default_factory=list)
    """What has been written, the page last."""

    @property
    def page(self) -> Path:
        """The page."""
        return self.files[-1]

    def write(self, name: str, content: str | bytes) -> None:
        """Write one file, by its path within the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_bytes(content)
        self.files.append(path)

    def draw(self, drawing: Drawing, *, below: str = "") -> None:
        """Write a figure as SVG and PNG."""
        self.write(f"{below}{drawing.name}.svg", drawing.svg)
        self.write(f"{below}{drawing.name}.png", drawing.png)
