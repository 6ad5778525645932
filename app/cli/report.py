"""`gapsmith report`: what came out, as one HTML file and a Markdown file with its figures."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.report_files import Reported
from gapsmith.app.requests.measuring import ReportRequest
from gapsmith.app.stages.reporting import report
from gapsmith.app.workspace import open_workspace


def run(request: ReportRequest, terminal: Terminal) -> None:
    """Write the report, and say where it is."""
    with open_workspace(terminal.workspace) as workspace:
        made = report(workspace, request, terminal.services)
    if terminal.as_json:
        note(made.headline)
        files = {"html": str(made.files.html), "markdown": str(made.files.markdown)}
        print_json({"headline": made.headline, **files, "notes": list(made.notes)})
    else:
        show(made)


def show(made: Reported) -> None:
    """Say the headline, and where the report is."""
    note(made.headline)
    print_text(str(made.files.html))
