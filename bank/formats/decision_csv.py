"""Decisions, judgements and remarks as CSV: the columns that we write, and reading them again.

A file of one's own has ``item,decision`` and, where wanted, ``reason,comment,author``, and says which items it means by the
columns ``item_uid`` and ``text_digest`` or by their sentences (`gapsmith.bank.matching`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from gapsmith.bank.formats.grouping import checked_header, fitted
from gapsmith.bank.formats.source import SourceFile, TableRow
from gapsmith.bank.item_names import NAMING, TEXT_DIGEST, UID, ItemReference, said_texts
from gapsmith.bank.records import Verdict

DECISION_COLUMNS = (
    "item",
    "decision",
    "reason",
    "comment",
    "author",
    "at",
    "kind",
    "current",
    "opened",
    "painted_at",
    "seconds",
    "rows_seen",
    "rows",
    "blind",
    "said_blind",
    "paradigm",
    "dataset",
    *NAMING,
)
"""What ``gapsmith annotations decisions`` writes."""
STANDING_COLUMNS = (
    "paradigm",
    "dataset",
    "item",
    "status",
    "revision",
    "decision",
    "kind",
    "current",
    "author",
    "reason",
    "comment",
    "remarks",
    "at",
    "before_time",
    "opened",
    "seconds",
    "blind",
    "said_blind",
    "text",
    *NAMING,
)
"""What ``gapsmith export decisions`` writes."""
JUDGEMENT_COLUMNS = (
    "item",
    "condition",
    "judgement",
    "points",
    "author",
    "at",
    "seconds",
    "current",
    "sentence",
    "paradigm",
    "dataset",
    *NAMING,
)
"""What ``gapsmith annotations judgements`` writes."""
REMARK_COLUMNS = (
    "item",
    "condition",
    "remark",
    "author",
    "at",
    "current",
    "paradigm",
    "dataset",
    *NAMING,
)
"""What ``gapsmith annotations remarks`` writes."""

_DECISIONS = frozenset((*DECISION_COLUMNS, *STANDING_COLUMNS, "sentence"))
_JUDGEMENTS = frozenset(JUDGEMENT_COLUMNS)
_REMARKS = frozenset((*REMARK_COLUMNS, "sentence"))
_OF_ONES_OWN = ("item", "decision", "reason", "comment", "author", *NAMING)
_KINDS = {"": "person", "person": "person", "packet": "person", "file": "person"} | {
    kind: kind for kind in ("policy", "adjudication")
}
"""What the column ``kind`` says, to who decides: what came back in a packet or a file is a person's."""
_CATEGORIES = ("ok", "?", "*")
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

    reference: ItemReference
    """Which item is meant."""
    verdict: Verdict
    reason: str | None
    comment: str | None
    author: str | None
    kind: str = "person"
    """``person``, ``policy`` or ``adjudication``."""


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One judgement of a sentence in a file."""

    reference: ItemReference
    condition: str
    value: str
    points: int | None
    seconds: float | None
    author: str | None


@dataclass(frozen=True, slots=True)
class RemarkRow:
    """One remark in a file, as ``c`` writes it in the review."""

    reference: ItemReference
    condition: str | None
    text: str
    author: str | None


@dataclass(frozen=True, slots=True)
class AnnotationFile:
    """What a file says of items."""

    decisions: tuple[DecisionRow, ...] = ()
    judgements: tuple[JudgementRow, ...] = ()
    remarks: tuple[RemarkRow, ...] = ()
    empty: int = 0
    """Lines on which nothing was decided."""
    unread_remarks: int = 0
    """Lines with remarks beside a decision (other than its comment), which are read from a file of their own only: joined, one cannot
    tell where one ends and another begins, nor on which text each was made."""


def read_annotations(path: Path, *, unchanged: str = "Nothing was decided.") -> AnnotationFile:
    """The decisions, the judgements, or the remarks, in a file, CSV or a spreadsheet. Raises `FormatError` with the line for columns
    that are not ours, an unknown word, a comment without a decision and an exclusion without a reason."""
    source = SourceFile(path, unchanged=unchanged)
    given = source.rows()
    top = next(given, None)
    if top is None:
        source.refuse(0, "the file is empty", hint=f"Its first row should be: {','.join(_OF_ONES_OWN)}.")
    header = [heading.casefold() for heading in checked_header(source, top)]
    judging = "judgement" in header and "decision" not in header
    remarking = "remark" in header and not {"decision", "judgement"} & set(header)
    known = _DECISIONS
    needed: tuple[str, ...] = ("item", "decision")
    columns: tuple[str, ...] = _OF_ONES_OWN
    if judging:
        known, needed, columns = _JUDGEMENTS, ("item", "condition", "judgement"), JUDGEMENT_COLUMNS
    elif remarking:
        known, needed, columns = _REMARKS, ("item", "remark"), REMARK_COLUMNS
    read = ", ".join(columns)
    if missing := [name for name in needed if name not in header]:
        source.refuse(top.line, f"there is no column {missing[0]!r}", hint=f"Columns: {read}.")
    if unknown := [name for name in header if name not in known]:
        source.refuse(
            top.line,
            f"unknown column {unknown[0]!r}",
            hint=f"Columns that are read: {read}; and all that `gapsmith annotations` and `gapsmith export decisions` write.",
        )
    decisions: list[DecisionRow] = []
    judgements: list[JudgementRow] = []
    remarks: list[RemarkRow] = []
    empty = unread = 0
    for row in given:
        cells = dict(zip(header, (c.strip() for c in fitted(source, row, len(header)).cells), strict=True))
        unread += cells.get("remarks", "") not in ("", cells.get("comment", ""))
        if judging:
            judgements.append(_judgement(source, row, cells))
        elif remarking:
            if cells["remark"]:
                remarks.append(_remark(row, cells))
            else:
                empty += 1
        elif cells["decision"]:
            decisions.append(_decision(source, row, cells))
        elif cells.get("reason") or cells.get("comment"):
            source.refuse(row.line, "a reason or comment and no decision", hint="Write approve, exclude or flag.")
        else:
            empty += 1
    return AnnotationFile(tuple(decisions), tuple(judgements), tuple(remarks), empty, unread)


def _decision(source: SourceFile, row: TableRow, cells: dict[str, str]) -> DecisionRow:
    word = cells["decision"].casefold()
    verdict = _WORDS.get(word)
    if verdict is None:
        source.refuse(row.line, f"{word!r} is no decision", hint="Write approve, exclude or flag.")
    reason = cells.get("reason") or None
    if verdict is Verdict.EXCLUDE and reason is None:
        source.refuse(row.line, "an exclusion needs a reason")
    kind = _KINDS.get(cells.get("kind", "").casefold())
    if kind is None:
        source.refuse(
            row.line,
            f"{cells['kind']!r} is no kind of decision",
            hint=f"There are: {', '.join(k for k in _KINDS if k)}.",
        )
    texts = said_texts([("", cells.get("sentence", "")), ("", cells.get("text", ""))])
    return DecisionRow(_said(row, cells, texts), verdict, reason, cells.get("comment") or None, cells.get("author") or None, kind)


def _judgement(source: SourceFile, row: TableRow, cells: dict[str, str]) -> JudgementRow:
    value, points = cells["judgement"], _number(source, row, cells, "points")
    if points is None and value not in _CATEGORIES:
        source.refuse(row.line, f"{value!r} is no judgement", hint="Write ok, ? or *; or a point, with `points` of the scale.")
    if points is not None and not (value.isdecimal() and 1 <= int(value) <= points):
        source.refuse(row.line, f"{value!r} is no point of a scale of {points:g}", hint="Write 1 and above.")
    seconds = _number(source, row, cells, "seconds")
    texts = said_texts([(cells["condition"], cells.get("sentence", ""))])
    return JudgementRow(
        _said(row, cells, texts),
        cells["condition"],
        value,
        None if points is None else int(points),
        seconds,
        cells.get("author") or None,
    )


def _remark(row: TableRow, cells: dict[str, str]) -> RemarkRow:
    condition = cells.get("condition", "")
    texts = said_texts([(condition, cells.get("sentence", ""))])
    return RemarkRow(_said(row, cells, texts), condition or None, cells["remark"], cells.get("author") or None)


def _number(source: SourceFile, row: TableRow, cells: dict[str, str], name: str) -> float | None:
    cell = cells.get(name, "")
    if not cell:
        return None
    try:
        number = float(cell)
    except ValueError:
        _refuse_number(source, row, name, cell)
    if not 0 <= number < float("inf") or (name == "points" and number != int(number)):
        _refuse_number(source, row, name, cell)
    return number


def _refuse_number(source: SourceFile, row: TableRow, name: str, cell: str) -> NoReturn:
    source.refuse(row.line, f"{cell!r} under {name!r} is no number that it can be")


def _said(row: TableRow, cells: dict[str, str], texts: tuple[tuple[str, str], ...]) -> ItemReference:
    return ItemReference(
        line=row.line,
        label=cells["item"],
        uid=cells.get(UID, "").casefold(),
        text_digest=cells.get(TEXT_DIGEST, "").casefold(),
        paradigm=cells.get("paradigm", ""),
        dataset=cells.get("dataset", ""),
        texts=texts,
    )
