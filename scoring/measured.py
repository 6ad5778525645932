"""From an engine's tokens to measures and formulas: one item's sentences at a time. Imports neither torch nor transformers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bank import Tokens
from bank.tokens import NATS_PER_BIT
from templates.formula import Empty, Formula, Place, both_sentence_readings
from templates.measures import Measure, MeasuredText, Unigrams, Value, locate, measure
from templates.model import RegionSpan

__all__ = ["CriterionOutcome", "ItemValues", "measured_text"]


@dataclass(frozen=True, slots=True)
class CriterionOutcome:
    """What a formula comes to for one item."""

    holds: float | bool | None
    """Its truth, or its number where it compares nothing; None where something it needs is undefined."""
    syntaxgym: float | bool | None
    """The same as SyntaxGym computes it, which adds up the regions for ``*`` whatever the metric."""
    reasons: tuple[str, ...] = ()
    """What is undefined, and why."""

    @property
    def differs(self) -> bool:
        """Whether the two readings of ``*`` come apart."""
        return self.holds != self.syntaxgym


def measured_text(tokens: Tokens, *, tokenizer: str | None = None) -> MeasuredText:
    """Tokens as measures take them: bits, NaN where a token has no value; `tokenizer` is what identifies theirs."""
    return MeasuredText(
        text=tokens.text,
        spans=tokens.spans,
        bits=tokens.bits,
        boundary=None if tokens.boundary is None else tokens.boundary.astype(np.float64) / NATS_PER_BIT,
        ids=tokens.ids,
        tokenizer=tokenizer,
        has_context=bool(tokens.context),
        reason=tokens.reason,
    )


@dataclass(frozen=True)
class ItemValues:
    """The values of one item's sentences under one measure, computed as they are asked for."""

    texts: Mapping[str, MeasuredText]
    """Condition to its sentence; a condition may be missing."""
    regions: Mapping[str, Sequence[RegionSpan] | None]
    """Condition to its spans in reading order."""
    by: Measure
    critical: Mapping[str, str] = field(default_factory=dict)
    """Condition to the name of its critical region."""
    numbers: Mapping[str, str] = field(default_factory=dict)
    """A suite's region numbers to names."""
    unigrams: Unigrams | None = None
    corrected: bool = False

    def value(self, condition: str, place: Place) -> Value:
        """The measure at a place, or why there is none."""
        key = condition, place
        if key not in self._known:
            self._known[key] = self._measured(condition, place)
        return self._known[key]

    def outcome(self, formula: Formula) -> CriterionOutcome:
        """What a formula comes to."""
        holds, other = both_sentence_readings(formula, self._lookup, self._places)
        reasons: tuple[str, ...] = ()
        if holds is None:
            values = [(operand, self.value(operand.condition, operand.place)) for operand in formula.operands]
            reasons = tuple(f"{operand}: {value.reason}" for operand, value in values if value.number is None)
        return CriterionOutcome(holds, other, reasons)

    @cached_property
    def _known(self) -> dict[tuple[str, Place], Value]:
        return {}

    def _measured(self, condition: str, place: Place) -> Value:
        text = self.texts.get(condition)
        if text is None:
            return Value(None, reason="the item has no sentence in this condition")
        where = locate(
            place,
            text.text,
            self.regions.get(condition),
            critical=self.critical.get(condition),
            numbers=self.numbers,
        )
        return measure(text, where, self.by, unigrams=self.unigrams, corrected=self.corrected)

    def _lookup(self, condition: str, place: Place) -> float | Empty | None:
        return self.value(condition, place).operand

    def _places(self, condition: str) -> list[Place]:
        # Without regions the sentence is the only one there is.
        regions = self.regions.get(condition)
        return [Place("sentence")] if regions is None else [Place(region.name) for region in regions]
