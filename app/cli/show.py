"""`gapsmith show`: items as they stand, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.what_there_is import ItemsShown


def as_data(found: ItemsShown) -> Iterator[dict[str, Any]]:
    """Everything about the items, one after the other."""
    return found.each_as_data()


def show(found: ItemsShown) -> None:
    """Print the items in words, one after the other."""
    for text in found.texts():
        print_text(text)
