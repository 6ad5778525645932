"""`gapsmith import`: bring item sets in from files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gapsmith.app.cli.console import print_text, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import StoppedError, Stopping, stoppable
from gapsmith.app.requests.bringing import Import
from gapsmith.app.stages.importing_items import brought, preview_text
from gapsmith.app.workspace import bank_there, open_workspace, place_of
from gapsmith.bank import Bank, Brought, ImportPlace

__all__ = ["as_data", "run", "show"]


def run(request: Import, terminal: Terminal) -> None:
    """Import, into a workspace that is made where there is none."""
    name = request.file.name
    try:
        with stoppable() as stopping:
            done = brought(_place(terminal.workspace, name, stopping), request, terminal.services)
    except KeyboardInterrupt:
        raise StoppedError(
            f"stopped: nothing of {name} was imported",
            hint="A file comes in whole or not at all; run the same command again.",
        ) from None
    if terminal.as_json:
        terminal.print_json(request, as_data(done))
    else:
        show(done)


def show(done: Brought) -> None:
    """Print what a preview understood; of what was kept everything has been said."""
    if done.imported.run is None:
        print_text(preview_text(done))


def as_data(done: Brought) -> dict[str, object]:
    """What came in, as JSON takes it."""
    items = () if done.imported.already_there else done.choice.items
    return {
        "run": None if done.imported.run is None else done.imported.run.id,
        "format": done.found.shape,
        "paradigm": done.paradigm.name,
        "drafted": done.choice.drafted is not None,
        "dataset": done.dataset,
        "told": list(done.found.told),
        "assumptions": [
            {"what": taken.what, "taken": taken.taken, "why": taken.why, "sure": taken.sure} for taken in done.found.assumptions
        ],
        "items": done.imported.items,
        "changed": done.imported.changed,
        "same": done.imported.same,
        "aligned": sum(item.slots is not None for item in items),
    }


def _place(workspace: Path | None, file: str, stopping: Stopping) -> ImportPlace:
    """The workspace that there is, or that is made once everything has been read and checked."""

    @contextmanager
    def made() -> Iterator[Bank]:
        with open_workspace(workspace, create=True) as ws:
            say_where(ws)
            runs = len(ws.bank.runs.all())
            try:
                yield ws.bank
                stopping.done()
            except KeyboardInterrupt:
                if len(ws.bank.runs.all()) > runs:
                    raise StoppedError(f"stopped, after all of {file} had been imported") from None
                raise

    root = place_of(workspace)
    return ImportPlace(root, lambda: bank_there(root), made)
