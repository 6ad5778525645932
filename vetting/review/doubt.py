"""What makes an item doubtful before it is read again: that people disagree on it, where the reader may know, and what the linter says.

For a reader who is still blind the linter alone counts, so that the order tells nothing of what others decided."""

from __future__ import annotations

from collections.abc import Callable

from gapsmith.bank import ItemStatus, QueueRow, Severity

_WORDS = {Severity.ERROR.rank: "error", Severity.WARNING.rank: "warning"}


def disagreement(row: QueueRow, *, sees_others: bool) -> bool:
    """Whether people disagree on the item, as far as the reader may know."""
    return sees_others and row.status is ItemStatus.DISPUTED


def doubt_rank(row: QueueRow, *, sees_others: bool) -> tuple[int, int, int]:
    """What to sort by: the most doubtful first."""
    worst = row.worst if row.worst in _WORDS else -1
    return (-disagreement(row, sees_others=sees_others), -worst, -row.findings if worst >= 0 else 0)


def is_doubtful(row: QueueRow, *, sees_others: Callable[[QueueRow], bool]) -> bool:
    """Whether anything makes the item doubtful."""
    return row.worst in _WORDS or (row.status is ItemStatus.DISPUTED and sees_others(row))


def doubt_words(row: QueueRow, *, sees_others: bool) -> str:
    """Why the item is doubtful, in words; empty where nothing makes it so."""
    reasons = ["people disagree"] if disagreement(row, sees_others=sees_others) else []
    if row.worst in _WORDS:
        reasons.append(f"linter: {_WORDS[row.worst]}")
    return ", ".join(reasons)
