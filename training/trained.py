"""What a training run has made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """What `train_lm` made."""

    directory: Path
    steps: int
    """Steps that were trained; 0 for n-grams."""
    chosen_step: int | None
    """The step whose weights the model has: the one with the lowest validation loss."""
    valid_loss: float | None
    """In nats per token."""
    stopped_early: Literal["", "patience", "asked"]
    """Why not all steps were trained, empty where they were."""
