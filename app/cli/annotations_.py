"""`gapsmith annotations`: what annotators said, as CSV."""

from __future__ import annotations

import sys

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import AskAnnotations
from gapsmith.app.stages.agreeing import AnnotationTable, annotation_table
from gapsmith.app.workspace import open_workspace


def run(request: AskAnnotations, terminal: Terminal) -> None:
    """Print the table."""
    with open_workspace(terminal.workspace) as workspace:
        found = annotation_table(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.to_frame().to_dict("records"))
    else:
        show(found)


def show(found: AnnotationTable) -> None:
    """Print the table."""
    sys.stdout.write(found.csv)
