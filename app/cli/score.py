"""`gapsmith score`: token surprisals of the items' sentences under a language model."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.measuring import Score
from gapsmith.app.stages.scoring import Scored, scored
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring import ScoreReport

__all__ = ["as_data", "run", "show"]


def run(request: Score, terminal: Terminal) -> None:
    """Score, and print what came of it."""
    with open_workspace(terminal.workspace) as workspace, stoppable() as stopping:
        found = scored(workspace, request, stopping.by_progress(terminal.services))
    if terminal.as_json:
        terminal.print_json(request, as_data(found))
    else:
        show(found)
    if found.failure is not None:
        raise found.failure


def as_data(found: Scored) -> object:
    """What was scored with each revision, or how long it will take, as JSON takes it."""
    return [asdict(one) for one in found.estimates] or [_as_data(one) for one in found.reports]


def _as_data(report: ScoreReport) -> dict[str, object]:
    return {
        "scorer": report.scorer_id,
        "model": report.scorer.model,
        "revision": report.scorer.revision,
        "identity": dict(report.scorer.identity),
        "provenance": dict(report.provenance),
        "items": report.n_items,
        "sentences": report.n_sentences,
        "texts": report.n_texts,
        "contexts": report.n_contexts,
        "already_scored": report.n_present,
        "scored_now": report.n_scored,
        "seconds": report.seconds,
        "unknown_words": [{"text": text, "words": list(words)} for text, words in report.unknown.items()],
        "without_value": [{"text": text, "reason": why} for text, why in report.undefined.items()],
        "partly_without_value": [{"text": text, "reason": why} for text, why in report.partial.items()],
        "failed": [{"text": text, "reason": why} for text, why in report.failed.items()],
    }
