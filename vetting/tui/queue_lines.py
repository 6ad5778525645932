"""A row of the queue as a line: what was decided, which item, what the linter says, why it is doubtful, and its first sentence."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.bank import QueueRow
from gapsmith.vetting.review.display import fit, visible
from gapsmith.vetting.review.doubt import doubt_words
from gapsmith.vetting.review.notes import VERDICT_SHAPES
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.review_screen import SAID

_SEVERITY = {-1: (" ", ""), 0: ("i", "info"), 1: ("!", "warning"), 2: ("✗", "error")}
_STANDING = {
    "pending": ("·", "note"),
    "approved": ("✓", "approved"),
    "excluded": ("✗", "excluded"),
    "flagged": ("⚑", "flagged"),
    "disputed": ("≠", "warning"),
}
_LABEL, _SOURCE, _SHORT_SOURCE = 7, 24, 12
_WIDE = 120


def fixed_part(session: Session, queue: Queue, row: QueueRow, width: int, *, label: int = _LABEL) -> tuple[Seg, ...]:
    """What stands before the sentence, equally wide in all rows of a queue."""
    by = " "
    if row.outdated:
        shape, mark = "↻", "note" if row.handed_on else "warning"
    elif row.mine is not None and not session.adjudicating:
        shape, mark = VERDICT_SHAPES[row.mine], SAID[row.mine]
    elif session.by_policy(row):
        by, shape, mark = "p", _STANDING[session.standing(row).value][0], "note"
    else:
        shape, mark = _STANDING[session.standing(row).value]
    worst, worst_mark = _SEVERITY[row.worst]
    found = f"{worst}{row.findings}" if row.findings else ""
    source = session.source(row) if queue.sources > 1 else ""
    return (
        Seg(f"{by}{shape} ", (mark,)),
        Seg(f"{fit(visible(row.label), label)} ", ("label",)),
        Seg(f"{fit(visible(source), _SOURCE if width >= _WIDE else _SHORT_SOURCE)} " if source else "", ("note",)),
        Seg(f"{found:<4}", (worst_mark,)),
        Seg("“ " if row.commented else "  ", ("note",)),
    )


def fixed_width(queue: Queue, width: int) -> int:
    """How many columns stand before the sentence."""
    source = (_SOURCE if width >= _WIDE else _SHORT_SOURCE) + 1 if queue.sources > 1 else 0
    return 3 + _LABEL + 1 + source + 4 + 2


def remark(session: Session, queue: Queue, row: QueueRow, *, reasons: bool = True) -> str:
    """What stands before the sentence in words: why it was excluded (beside an item, whose notes say it, without these `reasons`), and
    why it is doubtful where the queue is in that order."""
    reason = row.my_reason if not session.adjudicating else row.reason
    said = f"({visible(reason)}) " if reason and reasons else ""
    if queue.order == "doubt" and (why := doubt_words(row, sees_others=session.sees_dispute(row))):
        said += f"[{why}] "
    return said


def pieces(said: str, lines: Sequence[str]) -> list[Sequence[Seg]]:
    """The lines of a remark and the sentence after it, told apart."""
    left = len(said)
    found: list[Sequence[Seg]] = []
    for line in lines:
        part = min(left, len(line))
        found.append((Seg(line[:part], ("note",)), Seg(line[part:])) if part else (Seg(line),))
        # A space at which a line was broken is gone, too.
        left = max(left - len(line) - 1, 0)
    return found
