"""Writing CSV that every reader understands: minimal quotes, lines ended by a line feed."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any, TextIO

__all__ = ["CsvWriter"]


class CsvWriter:
    """Writes rows to a stream that was opened without newline translation."""

    def __init__(self, stream: TextIO, *, delimiter: str = ",") -> None:
        self._stream = stream
        self._line = io.StringIO(newline="")
        # Only with this terminator does the csv module put quotes around a lone carriage return.
        self._writer = csv.writer(self._line, delimiter=delimiter, lineterminator="\r\n")

    def row(self, cells: Sequence[Any]) -> None:
        """Write one row; None is an empty cell."""
        self._line.seek(0)
        self._line.truncate()
        self._writer.writerow(cells)
        self._stream.write(self._line.getvalue().removesuffix("\r\n") + "\n")
