"""`gapsmith import-scores`: surprisals that were computed elsewhere."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.bringing import ImportScores
from gapsmith.app.stages.foreign_values import import_scores
from gapsmith.app.workspace import open_workspace


def run(request: ImportScores, terminal: Terminal) -> None:
    """Take the values in."""
    with open_workspace(terminal.workspace) as workspace:
        report = import_scores(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(
            {
                "scorer": report.scorer_id,
                "texts": report.n_texts,
                "known": report.n_known,
                "without": list(report.without),
                "strangers": list(report.strangers),
            }
        )
