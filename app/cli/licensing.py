"""`gapsmith study licensing`: what models know of filler-gap constructions."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.instruments import AnalyzeLicensing
from gapsmith.app.stages.constructions import Licensed, licensing
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.report import correlation_table, render_text, verdict_table


def run(request: AnalyzeLicensing, terminal: Terminal) -> None:
    """Analyse, and print the verdicts."""
    with open_workspace(terminal.workspace) as workspace:
        found = licensing(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
    else:
        show(found)


def show(found: Licensed) -> None:
    """Print the verdicts, and how they go with frequency."""
    tables = [verdict_table(result) for result in found.models]
    tables += [correlation_table(found.correlations)] if found.correlations else []
    print_text("\n\n".join(map(render_text, tables)))
