"""`gapsmith dataset recognise`: a published benchmark, known by the files of its folder."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.keeping import RecogniseDatasets
from gapsmith.app.stages.recognising import dry_run, recognise
from gapsmith.app.workspace import open_workspace


def run(request: RecogniseDatasets, terminal: Terminal) -> None:
    """Bring it in."""
    if request.dry_run:
        done = dry_run(request, terminal.services)
        if terminal.as_json:
            print_json(done.as_data())
        return
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        done = recognise(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(done.as_data())
