"""`gapsmith show`: items as they stand, one by one."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.what_there_is import ItemsShown


def show(found: ItemsShown) -> None:
    """Print the items in words, one after the other."""
    for text in found.texts():
        print_text(text)
