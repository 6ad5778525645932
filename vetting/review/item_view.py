"""One item as a reviewer sees it: its rows in the order of the design, and everything known about it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapsmith.bank import Comment, Decision, Edit, Finding, Judgement, QueueRow, Revision, StoredItem
from gapsmith.templates import Paradigm, Sentence, Status

if TYPE_CHECKING:
    from gapsmith.vetting.review.finding_groups import FindingGroup


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


@dataclass(frozen=True, slots=True)
class ReviewedItem:
    """Everything about an item that its reviewer may see now."""

    item: StoredItem
    paradigm: Paradigm
    queue_row: QueueRow
    rows: tuple[SentenceRow, ...]
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
    expected: Mapping[str, Sentence]
    """What the item's slots give for each condition; empty where they are not known."""
    groups: tuple[FindingGroup, ...]
    """The findings by code and word."""
    blind: bool
    """Whether decisions, judgements and comments of others are left out, be there some or none."""
    versions: tuple[int, ...] = ()
    """The revisions between which an adjudicator picks, where copies of the bank edited the item apart."""

    @property
    def unaligned(self) -> int:
        """How many sentences could not be aligned with the paradigm."""
        return sum(row.sentence is not None and row.sentence.regions is None for row in self.rows)


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
