"""`gapsmith score`: token surprisals of the items' sentences under a language model."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.measuring import Score
from gapsmith.app.stages.scoring import scored
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring import ScoreReport


def run(request: Score, terminal: Terminal) -> None:
    """Score, and print what came of it."""
    with open_workspace(terminal.workspace) as workspace, stoppable():
        found = scored(workspace, request, terminal.services)
    if terminal.as_json:
        reports = [asdict(one) for one in found.estimates] if request.dry_run else [as_data(one) for one in found.reports]
        print_json(reports if request.dry_run or len(request.revision) > 1 else reports[0])
    if found.failure is not None:
        raise found.failure


def as_data(report: ScoreReport) -> dict[str, object]:
    """The report as JSON takes it."""
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
        "without_value": [{"text": text, "reason": why} for text, why in report.undefined.items()],
        "partly_without_value": [{"text": text, "reason": why} for text, why in report.partial.items()],
        "failed": [{"text": text, "reason": why} for text, why in report.failed.items()],
    }
