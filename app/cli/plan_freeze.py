"""`gapsmith plan freeze`: what is to be analysed, before it is."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.planning import PlanFrozen

__all__ = ["as_data", "show"]


def as_data(frozen: PlanFrozen) -> object:
    """The plan, as JSON takes it."""
    return frozen.as_data()
