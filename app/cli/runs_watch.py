"""`gapsmith runs watch`: the batch of a run, waited for."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.making import WatchRun
from gapsmith.app.stages.watching import watched
from gapsmith.app.workspace import open_workspace


def run(request: WatchRun, terminal: Terminal) -> None:
    """Look after the batch, and print what it brought."""
    with open_workspace(terminal.workspace) as workspace:
        say_where(workspace)
        found = watched(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
    if found.failure is not None:
        raise found.failure
