"""`gapsmith analyze`: from scores to contrasts, tests and what they say."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.app.analyzed import Analyzed
from gapsmith.app.cli.console import print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.base import said
from gapsmith.app.requests.measuring import Analyze
from gapsmith.app.stages.analysing import analyze
from gapsmith.app.workspace import open_workspace


def run(request: Analyze, terminal: Terminal) -> None:
    """Analyse, and print the tables."""
    with open_workspace(terminal.workspace) as workspace:
        wanted = replace(request, regions=said(request.regions, terminal.as_json))
        found = analyze(workspace, wanted, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
    else:
        show(found)


def show(found: Analyzed) -> None:
    """Print the tables."""
    print_text(found.as_text())
