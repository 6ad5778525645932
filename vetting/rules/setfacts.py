"""Facts about a whole set of items, gathered in one pass."""

from __future__ import annotations

from templates import Paradigm
from vetting.rules.knowledge import Knowledge
from vetting.rules.view import ItemView

__all__ = ["SetFacts"]


class SetFacts:
    """What set rules look at."""

    def __init__(self, paradigm: Paradigm, knowledge: Knowledge) -> None:
        self.paradigm = paradigm
        self.knowledge = knowledge
        self.labels: list[str] = []

    def add(self, view: ItemView) -> None:
        """Take in one item."""
        self.labels.append(view.item.label)
