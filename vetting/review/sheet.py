"""One item as a reviewer sees it: its rows in the order of the design, and everything known about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bank import Decision, Finding, Judgement, Revision, StoredItem
from bank.review import Comment, Edit, QueueRow
from templates import Paradigm, Sentence, Status

__all__ = ["Row", "Sheet", "rows_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """One cell of the design with its sentence, or a sentence that belongs to no cell."""

    number: int
    """1-based, as the keys 1 to 9 select it."""
    condition: str
    label: str
    """As people read it: ``+F +G1 +G2``."""
    levels: tuple[str, ...]
    """The label of each factor's level: ``("+F", "+G1", "+G2")``; empty for a condition that the design lacks."""
    expected: Status | None
    sentence: Sentence | None
    """None where the item lacks this cell."""
    note: str = ""
    """``missing``, ``again`` (a second text for the same cell) or ``not in the design``."""
    rating: str | None = None
    """What the annotator said of it: ``ok``, ``?`` or ``*``."""

    @property
    def agrees(self) -> bool | None:
        """Whether the annotator's judgement is the expected one; None where either is missing."""
        if self.rating is None or self.expected is None:
            return None
        return self.rating == self.expected.value


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything about an item that its reviewer may see now."""

    item: StoredItem
    paradigm: Paradigm
    place: QueueRow
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...]
    lint: str
    """``current``, ``outdated`` (the findings are about an earlier text) or ``never``."""
    decisions: tuple[Decision, ...]
    """Those that count now and that the annotator may see."""
    judgements: tuple[Judgement, ...]
    comments: tuple[Comment, ...]
    revisions: tuple[Revision, ...]
    """All states of the item, oldest first; empty where it was never edited."""
    edits: tuple[Edit, ...]
    hidden: int
    """How many decisions, judgements and comments of others are there and not shown."""

    @property
    def unaligned(self) -> int:
        """How many sentences could not be aligned with the paradigm."""
        return sum(row.sentence is not None and row.sentence.regions is None for row in self.rows)


def rows_of(item: StoredItem, paradigm: Paradigm, ratings: Mapping[str, str]) -> tuple[Row, ...]:
    """The item's rows: every cell of its design in order, present or not, then what belongs to no cell.

    `ratings` maps a condition to the annotator's judgement."""
    cells = item.expects if item.expects is not None else tuple(condition.name for condition in paradigm.conditions)
    rows: list[Row] = []
    for name in cells:
        sentences = [sentence for sentence in item.sentences if sentence.condition == name]
        if not sentences:
            rows.append(_row(len(rows) + 1, name, None, paradigm, note="missing"))
        for i, sentence in enumerate(sentences):
            rating = ratings.get(name) if i == 0 else None
            rows.append(_row(len(rows) + 1, name, sentence, paradigm, note="again" if i else "", rating=rating))
    for sentence in _others(item.sentences, cells):
        rating = ratings.get(sentence.condition)
        note = "not in the design"
        rows.append(_row(len(rows) + 1, sentence.condition, sentence, paradigm, note=note, rating=rating))
    return tuple(rows)


def _others(sentences: Iterable[Sentence], cells: tuple[str, ...]) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.condition not in cells]


def _row(
    number: int, name: str, sentence: Sentence | None, paradigm: Paradigm, *, note: str, rating: str | None = None
) -> Row:
    condition = paradigm.condition_by_name.get(name)
    if condition is None:
        return Row(number, name, name, (), None, sentence, note, rating)
    levels = tuple(
        factor.labels.get(level, level) for factor, level in zip(paradigm.factors, condition.levels, strict=True)
    )
    return Row(number, name, condition.label, levels, condition.status, sentence, note, rating)
