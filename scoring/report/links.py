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
        self._items: dict[tuple[str, ItemKey], str] = {}
        for analysis in analyses:
            name, part = analysis.paradigm.name, analysis.part
            selection = ItemFilter(paradigm=name, dataset=analysis.options.dataset)
            self.ids[part] = []
            for number, item in enumerate(bank.items.iterate(selection)):
                self.ids[part].append(item.id)
                page = record_page(part, number)
                self._items[name, ItemKey(item.dataset, item.label)] = f"{page}#item-{item.id}"

    def item(self, paradigm: str, key: ItemKey) -> str:
        """The place of an item's record, within `FOLDER`; empty where there is none."""
        return self._items.get((paradigm, key), "")

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
        found = {analysis.shown(key): self.item(analysis.paradigm.name, key) for key in analysis.texts}
        for own in analysis.conditions:
            found[own.label] = self.list_of(part, "condition", own.name)
        for result in analysis.criteria:
            found[label(result.criterion)] = self.list_of(part, "criterion", result.criterion.name)
        for entry in analysis.contrasts:
            for sign in ("", " > 0", " < 0"):
                found[label(entry.contrast) + sign] = self.list_of(part, "contrast", entry.contrast.name)
        return {text: f"{FOLDER}/{page}" for text, page in found.items() if page}


def record_page(part: str, number: int) -> str:
    """The page with the record of the item in that place, from 0."""
    return f"{figure_name(part, 'records', str(number // PER_PAGE + 1))}.html"
