"""`gapsmith train corpus`: a corpus mixed from several sources."""

from __future__ import annotations

from gapsmith.app.cli.console import note
from gapsmith.app.stages.training import CorpusMade


def as_data(made: CorpusMade) -> object:
    """What each source gave, as JSON takes it."""
    return [source.as_data() for source in made.sources]


def show(made: CorpusMade) -> None:
    """Say what one can do with the corpus."""
    note(f"{made.words:,} words in {made.folder}: gapsmith train lm {made.folder} --config mini --out MODEL")
