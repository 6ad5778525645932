"""`gapsmith judge results`: what came of an acceptability study."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.norming import JudgingResults
from gapsmith.app.stages.acceptability import Judged, judge_results
from gapsmith.app.workspace import open_workspace


def run(request: JudgingResults, terminal: Terminal) -> None:
    """Print what came of it."""
    with open_workspace(terminal.workspace) as workspace:
        found = judge_results(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.rows())
    else:
        show(found)


def show(found: Judged) -> None:
    """Print what came of it."""
    print_text(str(found))
