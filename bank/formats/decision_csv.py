"""Decisions as CSV: ``item,decision`` and, where wanted, ``reason,comment,author``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bank.formats.reading import read_rows
from bank.records import Verdict
from templates.errors import FormatError

__all__ = ["DecisionRow", "read_decision_csv"]

_WORDS = {
    "approve": Verdict.APPROVE,
    "approved": Verdict.APPROVE,
    "accept": Verdict.APPROVE,
    "exclude": Verdict.EXCLUDE,
    "excluded": Verdict.EXCLUDE,
    "reject": Verdict.EXCLUDE,
    "flag": Verdict.FLAG,
    "flagged": Verdict.FLAG,
}


@dataclass(frozen=True, slots=True)
class DecisionRow:
    """One decision in a file."""

    line: int
    label: str
    verdict: Verdict
    reason: str | None
    comment: str | None
    author: str | None


def read_decision_csv(path: Path) -> list[DecisionRow]:
    """The decisions in a file. Raises `FormatError` with the line for an unknown word or an exclusion without a reason."""
    rows = []
    for row in read_rows(path, ("item", "decision"), ("reason", "comment", "author")):
        word = row.cells["decision"].strip().casefold()
        verdict = _WORDS.get(word)
        if verdict is None:
            raise FormatError(
                f"{path}, line {row.line}: {word!r} is no decision",
                hint="Write approve, exclude or flag. Nothing was decided.",
            )
        reason = row.cells.get("reason", "").strip() or None
        if verdict is Verdict.EXCLUDE and reason is None:
            raise FormatError(f"{path}, line {row.line}: an exclusion needs a reason", hint="Nothing was decided.")
        rows.append(
            DecisionRow(
                line=row.line,
                label=row.cells["item"].strip(),
                verdict=verdict,
                reason=reason,
                comment=row.cells.get("comment", "").strip() or None,
                author=row.cells.get("author", "").strip() or None,
            )
        )
    return rows
