"""Where the pages of items are that stand beside a report, so that its tables can lead to them."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring.analysis import Analysis, label
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.drawing import figure_name

FOLDER = "items"
PER_PAGE = 200
"""Records of items on a page."""


class Trail:
    """Where the pages of the analyses' items are, for the report's links."""

    def __init__(self, bank: Bank, analyses: Sequence[Analysis]) -> None:
        self.ids: dict[str, list[int]] = {}
        self._parts: dict[tuple[str, str | None], str] = {}
        self._numbers: dict[str, dict[ItemKey, int]] = {}
        for analysis in analyses:
            name, part = analysis.paradigm.name, analysis.part
            selection = ItemFilter(paradigm=name, dataset=analysis.options.dataset)
            self._parts[name, analysis.options.dataset] = part
            ids = self.ids[part] = []
            numbers = self._numbers[part] = {}
            for number, item in enumerate(bank.items.iterate(selection)):
                ids.append(item.id)
                numbers[ItemKey(item.dataset, item.label)] = number

    def item(self, paradigm: str, key: ItemKey) -> str:
        """The place of an item's record, within `FOLDER`; empty where there is none."""
        part = self._parts.get((paradigm, key.dataset)) or self._parts.get((paradigm, None))
        number = None if part is None else self._numbers[part].get(key)
        return "" if part is None or number is None else f"{record_page(part, number)}#item-{self.ids[part][number]}"

    @staticmethod
    def index(part: str) -> str:
        """The page that lists every item with its status."""
        return f"{figure_name(part)}.html"

    @staticmethod
    def list_of(part: str, kind: str, name: str) -> str:
        """The page that lists the values behind a contrast, a criterion or a condition."""
        return f"{figure_name(part, kind, name)}.html"

    def links(self, analysis: Analysis) -> dict[str, str]:
        """What the first cell of a row says, and where it leads from the report."""
        part = analysis.part
        name = analysis.paradigm.name
        found = {analysis.shown(key): f"{FOLDER}/{page}" for key in analysis.texts if (page := self.item(name, key))}
        others: dict[str, str] = {}
        for own in analysis.conditions:
            others[own.label] = self.list_of(part, "condition", own.name)
        for result in analysis.criteria:
            others[label(result.criterion)] = self.list_of(part, "criterion", result.criterion.name)
        for entry in analysis.contrasts:
            for sign in ("", " > 0", " < 0"):
                others[label(entry.contrast) + sign] = self.list_of(part, "contrast", entry.contrast.name)
        return found | {text: f"{FOLDER}/{page}" for text, page in others.items()}


def record_page(part: str, number: int) -> str:
    """The page with the record of the item in that place, from 0."""
    return f"{figure_name(part, 'records', str(number // PER_PAGE + 1))}.html"
