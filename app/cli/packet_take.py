"""`gapsmith packet take`: the decisions of a spreadsheet that came back."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.printable import said_already as show
from gapsmith.vetting import Taken

__all__ = ["as_data", "show"]


def as_data(taken: Taken) -> object:
    """What was taken in, as JSON takes it."""
    return {**asdict(taken), "decided": {verdict.value: n for verdict, n in taken.decided.items()}}
