"""`gapsmith dataset load`: a vetted data set that comes with gapsmith."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.import_ import as_data as import_data
from gapsmith.app.cli.printable import said_already as show
from gapsmith.app.requests.keeping import LoadDataset
from gapsmith.app.stages.data_sets import LoadedDataset, load_dataset
from gapsmith.app.workspace import open_workspace

__all__ = ["as_data", "run", "show"]


def run(request: LoadDataset, terminal: Terminal) -> None:
    """Bring it in."""
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        done = load_dataset(workspace, request, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, as_data(done))
    else:
        show(done)


def as_data(done: LoadedDataset) -> object:
    """What came in and what its readers decided, as JSON takes it."""
    decided = {reader: asdict(one) for reader, one in done.decided.items()}
    return {"import": import_data(done.brought), "decided": decided, "card": str(done.card)}
