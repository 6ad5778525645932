"""Cells that a spreadsheet would run as formulas: found always, changed only on request. The only place that says which these
are."""

from __future__ import annotations

import csv
import io

from gapsmith.bank.formats.writing import CsvWriter


def looks_like_formula(cell: str) -> bool:
    """Whether a spreadsheet would take the cell for a formula."""
    return cell[:1] in {"=", "+", "@", "\t", "\r"} or (cell[:1] == "-" and not _is_number(cell))


def defuse(csv_text: str, delimiter: str = ",") -> tuple[str, int]:
    """The CSV with an apostrophe before every such cell, and how many there were."""
    changed = 0
    out = io.StringIO(newline="")
    writer = CsvWriter(out, delimiter=delimiter)
    for row in csv.reader(io.StringIO(csv_text, newline=""), delimiter=delimiter):
        cells = [f"'{cell}" if looks_like_formula(cell) else cell for cell in row]
        changed += sum(a != b for a, b in zip(cells, row, strict=True))
        writer.row(cells)
    return out.getvalue(), changed


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
