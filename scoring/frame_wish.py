"""What a frame of numbers should hold: which scorers, conditions and measures, beside the items that are selected."""

from __future__ import annotations

from dataclasses import dataclass

from gapsmith.bank import Bank, ExportSource
from gapsmith.scoring.observations import begins_as
from gapsmith.templates import GAPSMITH, ConfigError, check_convention, find_convention


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
    convention: str = GAPSMITH
    """How numbers are made: a name in `gapsmith.templates.CONVENTIONS`."""
    contexts: tuple[str, ...] = ()
    """Context sets whose values follow those of no context in the long frame."""

    def __post_init__(self) -> None:
        check_convention(self.convention, corrected=self.corrected)


def scorers_of(bank: Bank, source: ExportSource, conditions: tuple[str, ...], wish: FrameWish) -> list[int]:
    """The scorers that are wished for and have measured any of the sentences, oldest first. Raises `ConfigError`."""
    model = wish.model
    texts = source.texts(conditions)
    known = [(scorer.id, scorer.model) for scorer in bank.scores.scorers()]
    measured = [(scorer_id, name) for scorer_id, name in known if len(bank.scores.missing(scorer_id, texts)) < len(texts)]
    found = [scorer_id for scorer_id, name in measured if model in (None, name) and wish.scorer in (None, scorer_id)]
    if wish.convention != GAPSMITH and found:
        by = find_convention(wish.convention)
        fitting = [own for own in found if begins_as(bank, bank.scores.scorer(own), by)]
        if not fitting:
            raise ConfigError(
                f"none of these scores was made as {by.name} makes them ({by.title})",
                hint=f"Run `gapsmith score --model {bank.scores.scorer(found[-1]).model} --convention {by.name}` first.",
            )
        return fitting
    if found:
        return found
    if wish.scorer is not None:
        there = ", ".join(f"{own} ({name})" for own, name in measured if model in (None, name)) or "none"
        of = "" if model is None else f" of {model}"
        raise ConfigError(
            f"scorer {wish.scorer} is none{of} that has scored any of these sentences",
            hint=f"Scorers that have: {there}.",
        )
    if model is None:
        return found
    names = ", ".join(dict.fromkeys(name for _, name in measured)) or "none"
    raise ConfigError(
        f"{model} has scored none of these sentences",
        hint=f"Models that have: {names}. Run `gapsmith score --model {model}`, or name no model.",
    )
