"""Writing CSV that every reader understands: minimal quotes and lines ended by a line feed, unless a file's style is given."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from gapsmith.bank.formats.style import cells_line


class CsvWriter:
    """Writes rows to a stream that was opened without newline translation."""

    def __init__(self, stream: TextIO, *, delimiter: str = ",", style: Mapping[str, Any] | None = None) -> None:
        style = style or {}
        self._stream = stream
        self._delimiter = delimiter
        self._newline = style.get("newline", "\n")
        self._quoted: Sequence[bool] | None = style.get("quoted")
        self._head = bool(style.get("quoted_head"))
        self._bare = bool(style.get("bare"))
        self._heads: Sequence[str] = style.get("head", ())
        self._nameless = style.get("nameless", 0)
        self._rows = 0
        self._line = io.StringIO(newline="")
        # Only with this terminator does the csv module put quotes around a lone carriage return.
        self._writer = csv.writer(self._line, delimiter=delimiter, lineterminator="\r\n")

    def row(self, cells: Sequence[Any]) -> None:
        """Write one row; None is an empty cell."""
        self._rows += 1
        if self._rows == 1 and [cell.strip() for cell in self._heads] == list(cells):
            cells = self._heads
        cells = [*cells, *[""] * self._nameless]
        quoted = [self._head] * len(cells) if self._rows == 1 else self._quoted
        if quoted is None or len(quoted) != len(cells):
            quoted = [False] * len(cells)
        if self._bare or any(quoted):
            texts = ["" if cell is None else str(cell) for cell in cells]
            self._stream.write(cells_line(texts, quoted, self._delimiter, bare=self._bare) + self._newline)
            return
        self._line.seek(0)
        self._line.truncate()
        self._writer.writerow(cells)
        self._stream.write(self._line.getvalue().removesuffix("\r\n") + self._newline)


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = (), *, without_rows: str = "") -> str:
    """A table as CSV; None, and what a row has not, is an empty cell. The columns are those of the first row unless they are
    named; where neither says any, the one heading `without_rows` stands for the table."""
    out = io.StringIO(newline="")
    writer = CsvWriter(out)
    columns = columns or (list(rows[0]) if rows else [without_rows])
    writer.row(columns)
    for row in rows:
        writer.row([row.get(name) for name in columns])
    return out.getvalue()
