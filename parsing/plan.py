"""What decides how a parser is trained, and how far its training is."""

from __future__ import annotations

from dataclasses import dataclass

from gapsmith.parsing.evaluation import Attachment


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """What decides the weights, with the treebank. The defaults are those of the parser that ships."""

    steps: int = 2400
    evaluate_every: int = 200
    seed: int = 1
    width: int = 96
    depth: int = 4
    rows: tuple[int, int, int, int] = (5000, 1000, 2500, 2500)
    """Rows of the hash embeddings of the norm, the prefix, the suffix and the shape of a word."""
    hidden: int = 128
    rare: int = 10
    """Labels that are rarer than this in a direction become `dep`."""
    dropout: float = 0.1
    learning_rate: float = 0.002
    warmup: int = 250


@dataclass(frozen=True, slots=True)
class ParserProgress:
    """How far training is: after `step` steps the averaged weights have `attachment` on the development sentences."""

    step: int
    epoch: int
    attachment: Attachment
    best: bool
