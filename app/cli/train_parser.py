"""`gapsmith train parser`: the embedded parser, from a UD treebank."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import note
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import StoppedError, stoppable
from gapsmith.app.requests.learning import TrainParser
from gapsmith.app.stages.training import ParserMade, train_parser


def run(request: TrainParser, terminal: Terminal) -> None:
    """Train, and print what came of it. A request to stop is met while there is a step to take."""
    try:
        with stoppable() as stopping:
            found = train_parser(request, stopping.by_progress(terminal.services))
    except KeyboardInterrupt:
        raise StoppedError(
            f"stopped before the last step; nothing was written to {request.out}",
            hint="The same command begins anew: a parser's training is not kept on the way.",
        ) from None
    if terminal.as_json:
        terminal.print_json(request, as_data(found))
    else:
        show(found)


def as_data(made: ParserMade) -> object:
    """How good it is, as JSON takes it."""
    return {"folder": str(made.folder), "bytes": made.size, "test": asdict(made.test)}


def show(made: ParserMade) -> None:
    """Say how good it is."""
    found = made.test
    note(f"test: UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f} over {found.words:,} words")
    note(f"{made.folder}: {made.size / 1e6:.1f} MB; read its MODEL_CARD.md before you pass it on.")
