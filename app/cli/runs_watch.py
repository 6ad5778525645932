"""`gapsmith runs watch`: the batch of a run, waited for."""

from __future__ import annotations

from gapsmith.app.cli.console import say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.generate import show
from gapsmith.app.requests.making import WatchRun
from gapsmith.app.stages.watching import watched
from gapsmith.app.workspace import open_workspace

__all__ = ["run", "show"]


def run(request: WatchRun, terminal: Terminal) -> None:
    """Look after the batch, and print what it brought."""
    with open_workspace(terminal.workspace) as workspace:
        say_where(workspace)
        found = watched(workspace, request, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
    else:
        show(found)
    if found.failure is not None:
        raise found.failure
