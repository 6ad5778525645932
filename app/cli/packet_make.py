"""`gapsmith packet make`: items and a form of decisions as a spreadsheet."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.packing import PacketMade

__all__ = ["as_data", "show"]


def as_data(made: PacketMade) -> object:
    """What was written, as JSON takes it."""
    return {**asdict(made), "file": str(made.file)}
