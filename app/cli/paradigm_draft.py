"""`gapsmith paradigm draft`: a paradigm file to start from, for sentences that someone has."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.drafting import Drafted


def as_data(found: Drafted) -> object:
    """The draft, as JSON takes it."""
    return {"text": found.text, "to_do": list(found.notes), "out": None if found.out is None else str(found.out)}


def show(found: Drafted) -> None:
    """Print what was not written to a file."""
    if found.out is None:
        print_text(found.text.rstrip("\n"), as_it_is=True)
