"""`gapsmith audit`: what is wrong with a set of sentences that someone published."""

from __future__ import annotations

from gapsmith.app.cli.console import note
from gapsmith.app.stages.published import Audited, in_words


def show(found: Audited) -> None:
    """Say what is wrong with the set, and where the page is."""
    for line in in_words(found):
        note(line)
