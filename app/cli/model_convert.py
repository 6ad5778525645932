"""`gapsmith model convert`: a checkpoint of others as a folder that scores."""

from __future__ import annotations

from gapsmith.app.cli.console import note
from gapsmith.app.stages.converting import ModelConverted


def as_data(made: ModelConverted) -> object:
    """What was made, as JSON takes it."""
    model = made.model
    return {
        "model": str(model.folder),
        "words": model.words,
        "hidden": model.hidden,
        "layers": model.layers,
        "tied": model.tied,
    }


def show(made: ModelConverted) -> None:
    """Say what it is, and what one can do with it."""
    model = made.model
    note(
        f"{model.folder}: an LSTM, {model.layers} layers of {model.hidden} units, {model.words:,} words. Nothing in the checkpoint was run.\n"
        f"Next: gapsmith score --model {model.folder}"
    )
