"""`gapsmith bank merge`: what was done in other banks."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.stages.merging_banks import MergedBanks
from gapsmith.bank import Merged

__all__ = ["as_data", "show"]


def as_data(done: MergedBanks) -> object:
    """What came in from each of them, as JSON takes it."""
    return [{"source": str(source), **_as_data(one)} for source, one in done]


def _as_data(done: Merged) -> dict[str, object]:
    return {
        "added": dict(done.added),
        "authors": sorted(done.authors),
        "same_items": done.same_items,
        "renamed": done.renamed,
        "other_forms": sorted(done.other_forms),
        "forked": done.forked,
        "not_blind": list(done.not_blind),
    }
