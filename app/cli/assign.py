"""`gapsmith assign`: who reads which items, with an overlap, and items whose verdict is known."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import Assign
from gapsmith.app.stages.assigning import assign
from gapsmith.app.workspace import open_workspace


def run(request: Assign, terminal: Terminal) -> None:
    """Share the items out."""
    with open_workspace(terminal.workspace) as workspace:
        done = assign(workspace, request, terminal.services)
    if terminal.as_json:
        print_json({**asdict(done), "loads": dict(done.loads)})
