"""`gapsmith import-scores`: surprisals that were computed elsewhere."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show
from gapsmith.scoring import ScoresReport

__all__ = ["as_data", "show"]


def as_data(report: ScoresReport) -> object:
    """What was taken in, as JSON takes it."""
    return {
        "scorer": report.scorer_id,
        "texts": report.n_texts,
        "known": report.n_known,
        "without": list(report.without),
        "strangers": list(report.strangers),
    }
