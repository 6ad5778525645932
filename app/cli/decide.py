"""`gapsmith decide`: approve, exclude or flag items without opening the review screen."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.vetting import Decided

__all__ = ["as_data", "show"]


def as_data(done: Decided) -> object:
    """What was done, as JSON takes it."""
    return asdict(done)
