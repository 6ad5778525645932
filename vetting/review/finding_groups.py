"""One finding is one finding: what a rule says of the same word in several conditions is told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank import Finding, Severity
from gapsmith.templates import Paradigm, first_of
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.sentence_rows import SentenceRow

_NAMED = 3
"""So many conditions are named, the rest is counted."""


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """Findings of one rule about one word (or with one message), numbered as the grid points at them."""

    number: int
    code: str
    severity: Severity
    message: str
    remedy: str
    conditions: tuple[str, ...]
    """The conditions that it is about, in the order of the rows; empty for the item as a whole."""
    where: str
    """The conditions in words: ``all 8 conditions``, ``+F +G1 +G2``; empty for the item as a whole."""
    word: str
    """The words that it points at, as they stand; empty where it points at none."""
    findings: tuple[Finding, ...]


def group_findings(rows: Sequence[SentenceRow], paradigm: Paradigm, findings: Sequence[Finding]) -> tuple[FindingGroup, ...]:
    """The findings by code and word, in the order in which each group first came (worst first)."""
    grouped: dict[tuple[str, str, str, str], list[Finding]] = {}
    for finding in findings:
        word = _word(rows, finding)
        about = word if word and finding.place.condition is not None else finding.message
        kind = "word" if about is word else "message"
        grouped.setdefault((finding.code, finding.severity.value, kind, about), []).append(finding)
    groups = []
    for number, members in enumerate(grouped.values(), start=1):
        named = {finding.place.condition for finding in members}
        conditions = tuple(dict.fromkeys(row.condition for row in rows if row.condition in named))
        odd = tuple(sorted(name for name in named if name is not None and name not in conditions))
        groups.append(
            FindingGroup(
                number=number,
                code=members[0].code,
                severity=members[0].severity,
                message=members[0].message,
                remedy=members[0].remedy,
                conditions=(*conditions, *odd),
                where=_where((*conditions, *odd), rows, paradigm),
                word=_word(rows, members[0]),
                findings=tuple(members),
            )
        )
    return tuple(groups)


def _word(rows: Sequence[SentenceRow], finding: Finding) -> str:
    place = finding.place
    if place.condition is None or place.start is None:
        return ""
    row = next((row for row in rows if row.condition == place.condition and row.sentence is not None), None)
    if row is None or row.sentence is None:
        return ""
    text = row.sentence.text
    end = place.end if place.end is not None else place.start + 1
    # The whole word around the place: a control character alone would say nothing.
    first = text.rfind(" ", 0, place.start + 1) + 1
    last = text.find(" ", max(end - 1, place.start))
    return text[first : last if last >= 0 else len(text)]


def _where(conditions: Sequence[str], rows: Sequence[SentenceRow], paradigm: Paradigm) -> str:
    if not conditions:
        return ""
    total = len({row.condition for row in rows})
    if len(conditions) == total and total > 1:
        return f"all {total} conditions"
    labels = [
        visible(paradigm.condition_by_name[name].label if name in paradigm.condition_by_name else name) for name in conditions
    ]
    return first_of(labels, _NAMED)
