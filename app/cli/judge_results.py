"""`gapsmith judge results`: what came of an acceptability study."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.acceptability import Judged


def as_data(found: Judged) -> object:
    """The answers by sentence, as JSON takes them."""
    return found.rows()


def show(found: Judged) -> None:
    """Print what came of it."""
    print_text(str(found))
