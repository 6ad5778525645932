"""`gapsmith dataset recognise`: a published benchmark, known by the files of its folder."""

from __future__ import annotations

from gapsmith.app.cli.console import say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.requests.keeping import RecogniseDatasets
from gapsmith.app.stages.recognising import Recognised, dry_run, recognise
from gapsmith.app.workspace import open_workspace


def run(request: RecogniseDatasets, terminal: Terminal) -> None:
    """Bring it in."""
    if request.dry_run:
        done = dry_run(request, terminal.services)
        _tell(request, terminal, done)
        return
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        done = recognise(workspace, request, terminal.services)
    _tell(request, terminal, done)


def _tell(request: RecogniseDatasets, terminal: Terminal, done: Recognised) -> None:
    if terminal.as_json:
        terminal.print_json(request, as_data(done))
    else:
        show(done)


def as_data(done: Recognised) -> object:
    """What was found and brought in, as JSON takes it."""
    return done.as_data()
