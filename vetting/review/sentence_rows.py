"""An item's sentences as a reviewer sees them: rows in the order of the design, and those that it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gapsmith.bank import StoredItem
from gapsmith.templates import Paradigm, Sentence, Status


@dataclass(frozen=True, slots=True)
class SentenceRow:
    """One condition of the design with its sentence, or a sentence that belongs to no condition."""

    number: int
    """1-based, as the keys 1 to 9 select it."""
    condition: str
    label: str
    """As people read it: ``+F +G1 +G2``."""
    levels: tuple[str, ...]
    """The label of each factor's level: ``("+F", "+G1", "+G2")``; empty for a condition that the design lacks."""
    expected: Status | None
    sentence: Sentence | None
    """None where the item lacks this condition."""
    note: str = ""
    """``missing``, ``again`` (a second text for the same condition) or ``not in the design``."""
    judgement: str | None = None
    """What the annotator said of it: ``ok``, ``?`` or ``*``."""

    @property
    def agrees(self) -> bool | None:
        """Whether the annotator's judgement is the expected one; None where either is missing, and for a point of a scale."""
        if self.judgement is None or self.expected is None or self.judgement.isdigit():
            return None
        return self.judgement == self.expected.value


def rows_of(item: StoredItem, paradigm: Paradigm, judgements: Mapping[str, str]) -> tuple[SentenceRow, ...]:
    """The item's rows: every condition of its design in order, present or not, then what belongs to none.

    `judgements` maps a condition to the annotator's judgement."""
    conditions = item.expects if item.expects is not None else tuple(condition.name for condition in paradigm.conditions)
    rows: list[SentenceRow] = []
    for name in conditions:
        sentences = [sentence for sentence in item.sentences if sentence.condition == name]
        if not sentences:
            rows.append(_row(len(rows) + 1, name, None, paradigm, note="missing"))
        for i, sentence in enumerate(sentences):
            judgement = judgements.get(name) if i == 0 else None
            rows.append(_row(len(rows) + 1, name, sentence, paradigm, note="again" if i else "", judgement=judgement))
    for sentence in _others(item.sentences, conditions):
        judgement = judgements.get(sentence.condition)
        note = "not in the design"
        rows.append(_row(len(rows) + 1, sentence.condition, sentence, paradigm, note=note, judgement=judgement))
    return tuple(rows)


def _others(sentences: Iterable[Sentence], conditions: tuple[str, ...]) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.condition not in conditions]


def _row(
    number: int, name: str, sentence: Sentence | None, paradigm: Paradigm, *, note: str, judgement: str | None = None
) -> SentenceRow:
    condition = paradigm.condition_by_name.get(name)
    if condition is None:
        return SentenceRow(number, name, name, (), None, sentence, note, judgement)
    levels = tuple(factor.labels.get(level, level) for factor, level in zip(paradigm.factors, condition.levels, strict=True))
    return SentenceRow(number, name, condition.label, levels, condition.status, sentence, note, judgement)
