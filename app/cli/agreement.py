"""`gapsmith agreement`: how far the annotators agree."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import AskAgreement
from gapsmith.app.stages.agreeing import Agreed, agreement
from gapsmith.app.workspace import open_workspace


def run(request: AskAgreement, terminal: Terminal) -> None:
    """Print how far they agree."""
    with open_workspace(terminal.workspace) as workspace:
        found = agreement(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.data)
    else:
        show(found)


def show(found: Agreed) -> None:
    """Print how far they agree."""
    print_text(found.text)
