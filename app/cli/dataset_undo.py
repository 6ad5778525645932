"""`gapsmith dataset undo`."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.keeping import UndoDataset
from gapsmith.app.stages.data_sets import undo_dataset
from gapsmith.app.workspace import open_workspace


def run(request: UndoDataset, terminal: Terminal) -> None:
    """Take the last renaming or removal back."""
    with open_workspace(terminal.workspace) as workspace:
        done = undo_dataset(workspace, request, terminal.services)
    if terminal.as_json:
        print_json({"taken_back": done.detail})
