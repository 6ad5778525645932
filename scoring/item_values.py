"""From tokens to measures and formulas: one item's sentences at a time. Imports neither torch nor transformers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from gapsmith.bank import NATS_PER_BIT, Bank, ItemFilter, Scorer, Tokens
from gapsmith.templates import (
    EMPTY,
    SENTENCE_PLACE,
    Empty,
    Formula,
    Measure,
    MeasuredText,
    Operand,
    Place,
    RegionSpan,
    Span,
    Unigrams,
    Value,
    both_sentence_readings,
    locate,
    measure,
)


class UnigramSource(Protocol):
    """What SLOR takes away under each scorer that is asked for, and what is to be said of it (`gapsmith.scoring.UnigramTables`)."""

    def __call__(self, scorer: Scorer, /) -> Unigrams | str:
        """The table of its tokens, or why there is none."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the tables so far."""
        ...


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
        """Whether the two readings of ``*`` give different answers."""
        return self.holds is not None and self.syntaxgym is not None and self.holds != self.syntaxgym

    @property
    def one_sided(self) -> bool:
        """Whether one reading of ``*`` gives an answer and the other none, as where a region is empty and has no mean."""
        return (self.holds is None) != (self.syntaxgym is None)


_ROUNDING = 1e-5
"""Difference, in bits or relative, up to which two numbers of a table are one: a causal model that another tool ran in batches
gives no more (float32), and the reading times and ratings of people differ by more."""


def reads_whole_texts(bank: Bank, scorer: Scorer, paradigm: str) -> bool:
    """Whether the scorer is a table from elsewhere that has different values for one beginning of a text in one condition of the
    paradigm, so that people, or a tool that reads on, made them: then each whole text is an observation, also where values tie.

    It is decided once, from what came in for all of the paradigm's items, so that all that is counted of them, under any
    measure and in any data set, is counted alike.
    """
    if not scorer.is_table:
        return False
    wanted: dict[tuple[str, str], None] = {}
    for item in bank.items.iterate(ItemFilter(paradigm=paradigm)):
        wanted.update(dict.fromkeys((sentence.condition, sentence.text) for sentence in item.sentences))
    scores = bank.scores.get(scorer.id, [text for _, text in wanted])
    first: dict[tuple[str, int, str], float] = {}
    for condition, text in wanted:
        if text not in scores:
            continue
        measured = measured_text(scores[text], scorer=scorer)
        for (start, end), bits in zip(measured.spans.tolist(), measured.bits.tolist(), strict=True):
            if math.isnan(bits):
                continue
            known = first.setdefault((condition, start, text[:end]), bits)
            if not math.isclose(known, bits, rel_tol=_ROUNDING, abs_tol=_ROUNDING):
                return True
    return False


def measured_text(tokens: Tokens, *, scorer: Scorer | None = None) -> MeasuredText:
    """Tokens as measures take them: bits, NaN where a token has no value. `scorer`, which made them, says whose tokens they
    are, which SLOR needs to know, and whether they are tokens at all."""
    return MeasuredText(
        text=tokens.text,
        spans=tokens.spans,
        bits=tokens.bits,
        boundary=None if tokens.boundary is None else tokens.boundary.astype(np.float64) / NATS_PER_BIT,
        ids=tokens.ids,
        tokenizer=None if scorer is None else str(scorer.identity.get("tokenizer", "")),
        context=tokens.context,
        by_region=scorer is not None and scorer.by_region,
        reason=tokens.reason,
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """What one place of a sentence comes to, and what that was read from."""

    value: Value
    read: str = ""
    """What a causal model has read for it: the context, a line break where there is one, and the beginning of the sentence."""
    words: str = ""
    """The words at the place."""


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
    unigrams: Unigrams | str | None = None
    """What SLOR takes away; text says why there is none."""
    corrected: bool = False
    whys: Mapping[str, str] = field(default_factory=dict)
    """Condition to why it has no text, or why its text has no regions."""
    by_whole_text: bool = False
    """Whether each whole text is an observation, as `reads_whole_texts` has it of the scorer."""
    known: dict[str, dict[Place, Reading]] = field(default_factory=dict)
    """Condition to what has been computed of its sentence, which items that have the same sentence share."""

    def value(self, condition: str, place: Place) -> Value:
        """The measure at a place, or why there is none."""
        return self._reading(condition, place).value

    def outcome(self, formula: Formula) -> CriterionOutcome:
        """What a formula comes to."""
        holds, other = both_sentence_readings(formula, self._lookup, self._places)
        reasons: tuple[str, ...] = ()
        if holds is None:
            reasons = tuple(f"{operand}: {value.reason}" for operand, value in self.undefined(formula))
        return CriterionOutcome(holds, other, reasons)

    def undefined(self, formula: Formula) -> list[tuple[Operand, Value]]:
        """What a formula names and has no value, each with the reason. An empty region is no such thing inside a criterion."""
        values = [(operand, self.value(operand.condition, operand.place)) for operand in formula.operands]
        none = (None, EMPTY) if not formula.is_criterion else (None,)
        return [(operand, value) for operand, value in values if value.operand in none]

    def unread_regions(self, formula: Formula) -> list[str]:
        """The regions, each with the reason, for want of which a sentence that the formula names has no sum over its regions."""
        whole = [operand.condition for operand in formula.operands if operand.place == SENTENCE_PLACE]
        places = [(condition, place) for condition in whole for place in self._places(condition)]
        values = [(Operand(*own), self.value(*own)) for own in places]
        return [f"{operand}: {value.reason}" for operand, value in values if value.operand is None]

    def read_up_to(self, condition: str, place: Place) -> str:
        """What a causal model has read for the value at a place, which must have one: the context, a line break where there is
        one, and the beginning of the sentence."""
        return self._reading(condition, place).read

    def context_before(self, condition: str) -> str:
        """The context of a sentence and a line break; empty where nothing stands before it."""
        context = self.texts[condition].context
        return f"{context}\n" if context else ""

    def whole(self, condition: str, place: Place) -> tuple[str, str]:
        """All that the value at a place can be of: the context, a line break where there is one, and the whole sentence; and the
        words at the place."""
        return self.context_before(condition) + self.texts[condition].text, self.words(condition, place)

    @property
    def elsewhere(self) -> bool:
        """Whether any of its values was made elsewhere, and may so depend on what comes after."""
        return any(text.elsewhere for text in self.texts.values())

    def words(self, condition: str, place: Place) -> str:
        """The words at a place that has a value."""
        return self._reading(condition, place).words

    def _reading(self, condition: str, place: Place) -> Reading:
        known = self.known.get(condition)
        if known is None:
            known = self.known[condition] = {}
        found = known.get(place)
        if found is None:
            found = known[place] = self._measured(condition, place)
        return found

    def _measured(self, condition: str, place: Place) -> Reading:
        text = self.texts.get(condition)
        if text is None:
            return Reading(Value(None, reason=self.whys.get(condition, "the item has no sentence in this condition")))
        if self.by.needs_unigrams and self.unigrams is None:
            return Reading(Value(None, reason=f"{self.by.title} needs a table of unigram counts for the model's tokenizer"))
        where = self._where(text, condition, place)
        value = measure(text, where, self.by, unigrams=self.unigrams, corrected=self.corrected)
        if isinstance(where, str):
            return Reading(value)
        read = self.context_before(condition) + text.text[: text.read_up_to(where)]
        return Reading(value, read, text.text[slice(*where)].strip())

    def _where(self, text: MeasuredText, condition: str, place: Place) -> Span | str:
        regions = self.regions.get(condition)
        found = locate(place, text.text, regions, critical=self.critical.get(condition), numbers=self.numbers)
        return self.whys.get(condition, found) if isinstance(found, str) and regions is None else found

    def _lookup(self, condition: str, place: Place) -> float | Empty | None:
        return self.value(condition, place).operand

    def _places(self, condition: str) -> list[Place]:
        # Without regions the sentence is the only one there is.
        regions = self.regions.get(condition)
        return [SENTENCE_PLACE] if regions is None else [Place(region.name) for region in regions]
