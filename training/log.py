"""The log of a run, one JSON object per line, and the curves drawn from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gapsmith.bank import written_whole
from gapsmith.templates import FormatError, read_json, text_of


class TrainingLog:
    """``log.jsonl``: a line for every so many steps and for every evaluation."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[dict[str, Any]]:
        """What was logged, in order. A last line that a kill cut off is left out."""
        if not self.path.is_file():
            return []
        found: list[dict[str, Any]] = []
        lines = text_of(self.path, "utf-8").splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            try:
                found.append(read_json(line))
            except ValueError:
                if number == len(lines):
                    break
                raise FormatError(f"{self.path}, line {number}: is not JSON") from None
        return found

    def cut_after(self, step: int) -> None:
        """Forget what was logged after `step`: it will come again."""
        kept = [entry for entry in self.entries() if entry["step"] <= step]
        with written_whole(self.path) as building:
            building.write_text("".join(json.dumps(entry) + "\n" for entry in kept), encoding="utf-8")

    def add(self, entry: Mapping[str, Any]) -> None:
        """Append one line and have it on disk."""
        with self.path.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")
            stream.flush()
            os.fsync(stream.fileno())


def draw_curves(log: TrainingLog, path: Path) -> None:
    """Losses in nats per token by step, and below them what the evaluation hooks measured, if anything, as SVG."""
    from matplotlib.figure import Figure

    entries = log.entries()
    measured = sorted({name for entry in entries for name in entry.get("measured", ())})
    figure = Figure(figsize=(7, 6 if measured else 3.5), layout="constrained")
    axes = figure.subplots(2 if measured else 1, 1, sharex=True, squeeze=False)[:, 0]
    for key, label, style in (
        ("loss", "training", {"lw": 0.7, "alpha": 0.6}),
        ("valid_loss", "validation", {"lw": 1.8}),
    ):
        points = [(entry["step"], entry[key]) for entry in entries if key in entry]
        if points:
            axes[0].plot(*zip(*points, strict=True), label=label, **style)
    axes[0].set_ylabel("loss (nats per token)")
    axes[0].legend(frameon=False)
    for name in measured:
        points = [(e["step"], e["measured"][name]) for e in entries if e.get("measured", {}).get(name) is not None]
        if points:
            axes[1].plot(*zip(*points, strict=True), label=name, marker=".")
    if measured:
        axes[1].set_ylabel("share of items as expected")
        axes[1].legend(frameon=False, fontsize="small")
    axes[-1].set_xlabel("step")
    figure.savefig(path, metadata={"Date": None})
