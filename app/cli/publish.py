"""`gapsmith publish`: one folder that can be given away."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.stages.publishing import Published


def as_data(made: Published) -> object:
    """What was written, as JSON takes it."""
    return made.as_data()


def show(made: Published) -> None:
    """Say the headline, what was written and where."""
    if made.headline:
        note(made.headline)
    note(f"{made.n_items:,} items, {len(made.files):,} files; nothing was uploaded.")
    print_text(str(made.out))
