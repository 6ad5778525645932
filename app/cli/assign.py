"""`gapsmith assign`: who reads which items, with an overlap, and items whose verdict is known."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.assigning import Assigned

__all__ = ["as_data", "show"]


def as_data(done: Assigned) -> object:
    """Who reads how much, as JSON takes it."""
    return {**asdict(done), "loads": dict(done.loads)}
