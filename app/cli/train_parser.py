"""`gapsmith train parser`: the embedded parser, from a UD treebank."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import note, print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.learning import TrainParser
from gapsmith.app.stages.training import train_parser


def run(request: TrainParser, terminal: Terminal) -> None:
    """Train the parser, and print how good it is."""
    made = train_parser(request, terminal.services)
    if terminal.as_json:
        print_json({"folder": str(made.folder), "bytes": made.size, "test": asdict(made.test)})
    found = made.test
    note(f"test: UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f} over {found.words:,} words")
    note(f"{made.folder}: {made.size / 1e6:.1f} MB; read its MODEL_CARD.md before you pass it on.")
