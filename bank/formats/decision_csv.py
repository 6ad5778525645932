"""Decisions as CSV: ``item,decision`` and, where wanted, ``reason,comment,author``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bank.formats.grouping import checked_header, fitted
from bank.formats.source import SourceFile
from bank.records import Verdict

_COLUMNS = ("item", "decision", "reason", "comment", "author")
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
    """The decisions in a file, CSV or a spreadsheet. Raises `FormatError` with the line for other columns, an unknown word and
    an exclusion without a reason."""
    source = SourceFile(path, unchanged="Nothing was decided.")
    given = source.rows()
    top = next(given, None)
    if top is None:
        source.refuse(0, "the file is empty", hint=f"Its first row should be: {','.join(_COLUMNS)}.")
    header = [heading.casefold() for heading in checked_header(source, top)]
    if missing := [name for name in _COLUMNS[:2] if name not in header]:
        source.refuse(top.line, f"there is no column {missing[0]!r}", hint=f"Columns: {', '.join(_COLUMNS)}.")
    if unknown := [name for name in header if name not in _COLUMNS]:
        source.refuse(top.line, f"unknown column {unknown[0]!r}", hint=f"Columns that are read: {', '.join(_COLUMNS)}.")
    rows = []
    for row in given:
        cells = dict(zip(header, fitted(source, row, len(header)).cells, strict=True))
        word = cells["decision"].strip().casefold()
        verdict = _WORDS.get(word)
        if verdict is None:
            source.refuse(row.line, f"{word!r} is no decision", hint="Write approve, exclude or flag.")
        reason = cells.get("reason", "").strip() or None
        if verdict is Verdict.EXCLUDE and reason is None:
            source.refuse(row.line, "an exclusion needs a reason")
        rows.append(
            DecisionRow(
                line=row.line,
                label=cells["item"].strip(),
                verdict=verdict,
                reason=reason,
                comment=cells.get("comment", "").strip() or None,
                author=cells.get("author", "").strip() or None,
            )
        )
    return rows
