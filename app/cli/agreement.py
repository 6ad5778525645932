"""`gapsmith agreement`: how far the annotators agree."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.agreeing import Agreed


def as_data(found: Agreed) -> object:
    """What agrees, as JSON takes it."""
    return found.data


def show(found: Agreed) -> None:
    """Print how far they agree."""
    print_text(found.text)
