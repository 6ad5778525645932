"""Screens as text, kept beside the tests: what is where, and which words are emphasised, whatever Textual's version."""

from __future__ import annotations

import os
from pathlib import Path

from vetting.tui import ReviewApp

_FOLDER = Path(__file__).parent / "snapshots"


def compare(app: ReviewApp, name: str) -> None:
    """Compare the screen with the snapshot; with UPDATE_SNAPSHOTS set in the environment, keep it as the new one."""
    width, height = app.size
    lines = [
        "".join(segment.text for segment in strip)[:width].rstrip() for strip in app.screen._compositor.render_strips()
    ]
    assert len(lines) == height
    shown = "\n".join(lines) + "\n"
    path = _FOLDER / f"{name}-{width}x{height}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == shown, f"{path.name} differs; UPDATE_SNAPSHOTS=1 keeps the new screen"
