"""`gapsmith judge new`: the one file that decides an acceptability study."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.acceptability import JudgingMade

__all__ = ["as_data", "show"]


def as_data(made: JudgingMade) -> object:
    """What the file decides, as JSON takes it."""
    return {**asdict(made), "file": str(made.file), "sheets": dict(made.sheets)}
