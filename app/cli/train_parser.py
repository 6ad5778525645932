"""`gapsmith train parser`: the embedded parser, from a UD treebank."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import note
from gapsmith.app.stages.training import ParserMade


def as_data(made: ParserMade) -> object:
    """How good it is, as JSON takes it."""
    return {"folder": str(made.folder), "bytes": made.size, "test": asdict(made.test)}


def show(made: ParserMade) -> None:
    """Say how good it is."""
    found = made.test
    note(f"test: UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f} over {found.words:,} words")
    note(f"{made.folder}: {made.size / 1e6:.1f} MB; read its MODEL_CARD.md before you pass it on.")
