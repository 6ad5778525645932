"""`gapsmith dataset remove`."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.keeping import RemoveDataset
from gapsmith.app.stages.data_sets import remove_dataset
from gapsmith.app.workspace import open_workspace


def run(request: RemoveDataset, terminal: Terminal) -> None:
    """Take it out."""
    with open_workspace(terminal.workspace) as workspace:
        done = remove_dataset(workspace, request, terminal.services)
    if terminal.as_json:
        print_json(asdict(done))
