"""`gapsmith train corpus`: a corpus mixed from several sources."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.learning import TrainCorpus
from gapsmith.app.stages.training import train_corpus


def run(request: TrainCorpus, terminal: Terminal) -> None:
    """Mix the corpus, and say what one can do with it."""
    made = train_corpus(request, terminal.services)
    if terminal.as_json:
        print_json([source.as_data() for source in made.sources])
    note(f"{made.words:,} words in {made.folder}: gapsmith train lm {made.folder} --config mini --out MODEL")
