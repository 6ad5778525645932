"""`gapsmith study posh`: POSH-BENCH over every model that has scored its phenomena."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.tables import print_report_table
from gapsmith.app.requests.instruments import ComparePosh
from gapsmith.app.stages.posh_bench import PoshCompared, posh
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.report import category_table


def run(request: ComparePosh, terminal: Terminal) -> None:
    """Compare, and print the table of categories."""
    with open_workspace(terminal.workspace) as workspace:
        found = posh(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
    else:
        show(found)


def show(found: PoshCompared) -> None:
    """Print the table of categories, and where everything is."""
    print_report_table(category_table(found.evaluation))
    for line in found.notes:
        note(line)
    print_text(f"Everything: {found.page}")
