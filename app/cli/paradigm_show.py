"""`gapsmith paradigm show`: what one design says."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.designs import ParadigmShown


def show(found: ParadigmShown) -> None:
    """Print it in words."""
    print_text(str(found))
