"""`gapsmith train grid`: learners that differ in what is under study."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import note
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.learning import TrainGrid
from gapsmith.app.stages.learner_grid import GridMade, train_grid


def run(request: TrainGrid, terminal: Terminal) -> None:
    """Train, and print what came of it. A request to stop is met while there is a cell to train or a sentence to score."""
    with stoppable() as stopping:
        found = train_grid(terminal.workspace, request, stopping.by_progress(terminal.services))
    if terminal.as_json:
        terminal.print_json(request, as_data(found))
    else:
        show(found)


def as_data(made: GridMade) -> object:
    """What became of each cell, and how long they were thought to take, as JSON takes it."""
    return {
        "cells": [asdict(own) | {"folder": str(own.folder)} for own in made.outcomes],
        "estimates": [asdict(own) | {"seconds": own.seconds} for own in made.estimates],
        "counts": None if made.counts is None else str(made.counts),
    }


def show(made: GridMade) -> None:
    """Say where the models are, and what one can do with them."""
    if made.request.dry_run:
        return
    note(f"{len(made.outcomes)} models in {made.request.out}; cells.csv has a row for each")
    if made.counts is not None:
        note(f"gapsmith study posh --counts {made.counts}")
    elif not made.request.score:
        note("gapsmith score --model FOLDER, or the same command with --score NAME")
