"""`gapsmith dataset load`: a vetted data set that comes with gapsmith."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.import_ import as_data
from gapsmith.app.requests.keeping import LoadDataset
from gapsmith.app.stages.data_sets import load_dataset
from gapsmith.app.workspace import open_workspace


def run(request: LoadDataset, terminal: Terminal) -> None:
    """Bring it in."""
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        done = load_dataset(workspace, request, terminal.services)
    if terminal.as_json:
        decided = {reader: asdict(one) for reader, one in done.decided.items()}
        print_json({"import": as_data(done.brought), "decided": decided, "card": str(done.card)})
