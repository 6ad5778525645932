"""`gapsmith dataset remove`."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.data_sets import DatasetChanged

__all__ = ["as_data", "show"]


def as_data(done: DatasetChanged) -> object:
    """What was done, as JSON takes it."""
    return asdict(done)
