"""What a frame of numbers should hold: which scorers, conditions and measures, beside the items that are selected."""

from __future__ import annotations

from dataclasses import dataclass

from gapsmith.bank import Bank, ExportSource
from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameWish:
    """What a frame should hold beside the selected items."""

    model: str | None = None
    """Scores of this model only; None: of every one that measured any of the sentences."""
    models: tuple[str, ...] = ()
    """For differences: the models, the first of which the others are held against; none for every one that scored."""
    scorer: int | None = None
    """Scores of this scorer only."""
    design: str | None = None
    measures: tuple[str, ...] = ()
    """None: sums in frames; in tests and items, what each contrast and criterion measures."""
    holm: bool = True
    """In tests: whether verdicts follow Holm's p."""
    critical_only: bool = False
    whole: bool = False
    corrected: bool = False
    contexts: tuple[str, ...] = ()
    """Context sets whose values follow those of no context in the long frame."""


def scorers_of(bank: Bank, source: ExportSource, conditions: tuple[str, ...], wish: FrameWish) -> list[int]:
    """The scorers that are wished for and have measured any of the sentences, oldest first. Raises `ConfigError`."""
    model = wish.model
    texts = source.texts(conditions)
    known = [(scorer.id, scorer.model) for scorer in bank.scores.scorers()]
    measured = [(scorer_id, name) for scorer_id, name in known if len(bank.scores.missing(scorer_id, texts)) < len(texts)]
    found = [scorer_id for scorer_id, name in measured if model in (None, name) and wish.scorer in (None, scorer_id)]
    if found or model is None:
        return found
    names = ", ".join(dict.fromkeys(name for _, name in measured)) or "none"
    raise ConfigError(
        f"{model} has scored none of these sentences",
        hint=f"Models that have: {names}. Run `gapsmith score --model {model}`, or name no model.",
    )
