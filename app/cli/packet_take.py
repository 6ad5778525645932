"""`gapsmith packet take`: the decisions, or answers, of a spreadsheet that came back."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.packing import PacketTaken
from gapsmith.vetting import Taken

__all__ = ["as_data", "show"]


def as_data(taken: PacketTaken) -> object:
    """What was taken in, as JSON takes it."""
    decided = {"decided": {verdict.value: n for verdict, n in taken.decided.items()}} if isinstance(taken, Taken) else {}
    return {**asdict(taken), **decided}
