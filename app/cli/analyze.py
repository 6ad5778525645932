"""`gapsmith analyze`: from scores to contrasts, tests and what they say."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.app.analyzed import Analyzed
from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.base import said
from gapsmith.app.requests.measuring import Analyze
from gapsmith.app.stages.analysing import analyze
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.report import analysis_text, comparison_text, model_text, sensitivity_text


def run(request: Analyze, terminal: Terminal) -> None:
    """Analyse, and print the tables."""
    with open_workspace(terminal.workspace) as workspace:
        wanted = replace(request, regions=said(request.regions, terminal.as_json))
        found = analyze(workspace, wanted, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
    else:
        show(found)


def show(found: Analyzed) -> None:
    """Print the tables."""
    print_text(_text(found))


def _text(found: Analyzed) -> str:
    if found.fits:
        return "\n".join(map(model_text, found.fits))
    if found.checks:
        return "\n\n".join(map(sensitivity_text, found.checks))
    if found.comparisons:
        return "\n\n".join(map(comparison_text, found.comparisons))
    return "\n\n".join(map(analysis_text, found.analyses))
