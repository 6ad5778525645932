"""`gapsmith decide`: approve, exclude or flag items without opening the review screen."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import Decide
from gapsmith.app.stages.deciding_items import decide
from gapsmith.app.workspace import open_workspace


def run(request: Decide, terminal: Terminal) -> None:
    """Decide."""
    with open_workspace(terminal.workspace) as workspace:
        done = decide(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(asdict(done))
