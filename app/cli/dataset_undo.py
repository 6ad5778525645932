"""`gapsmith dataset undo`."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.data_sets import TakenBack

__all__ = ["as_data", "show"]


def as_data(done: TakenBack) -> object:
    """What was taken back, as JSON takes it."""
    return {"taken_back": done.detail}
