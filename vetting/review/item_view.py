"""One item as a reviewer sees it: its rows in the order of the design, and everything known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapsmith.bank import (
    Comment,
    Decision,
    Edit,
    Finding,
    Judgement,
    Look,
    QueueRow,
    Revision,
    StoredItem,
    is_on_texts_of,
)
from gapsmith.templates import Paradigm, Sentence
from gapsmith.vetting.review.finding_groups import FindingGroup
from gapsmith.vetting.review.sentence_rows import SentenceRow

if TYPE_CHECKING:
    pass


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
    look: Look | None
    """What the rules on words looked at in it; None where no lint has kept that."""
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

    def is_on_this_text(self, said: Decision | Judgement | Comment) -> bool:
        """Whether it was said of the texts that are shown, whatever they were in between."""
        return is_on_texts_of(said, self.item)

    @property
    def unaligned(self) -> int:
        """How many sentences could not be aligned with the paradigm."""
        return sum(row.sentence is not None and row.sentence.regions is None for row in self.rows)
