"""`gapsmith dataset rename`."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.keeping import RenameDataset
from gapsmith.app.stages.data_sets import rename_dataset
from gapsmith.app.workspace import open_workspace


def run(request: RenameDataset, terminal: Terminal) -> None:
    """Rename it."""
    with open_workspace(terminal.workspace) as workspace:
        done = rename_dataset(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(asdict(done))
