"""What a training run has made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
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
    read: Mapping[str, int] = field(default_factory=dict)
    """``sentences``, ``words`` and ``tokens`` of the training text (without ends of text), and ``vocabulary``, the entries of the
    tokenizer."""
