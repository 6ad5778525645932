"""The cells of an xlsx workbook as the file has them. openpyxl does the reading; what it leaves out is kept here: texts with
their escapes, formulas whose stored value is the empty text, and the cell that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

from openpyxl.cell.text import Text
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils import get_column_letter
from openpyxl.worksheet._reader import FORMULA_TAG, ROW_TAG, VALUE_TAG, WorkSheetParser
from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import iterparse

_TEXT_TAG = f"{{{SHEET_MAIN_NS}}}si"
_KINDS = {"n": "a number", "d": "a date", "b": "true or false", "s": "one of the workbook's texts"}


class UnreadableCellError(ValueError):
    """A cell that holds something else than it says; the message begins with its place."""


class StoredCell(NamedTuple):
    """A cell that is in the file."""

    row: int
    column: int
    value: Any
    """Text with its escapes, number, truth value, date or time; None for an empty cell."""
    kind: str
    """``s`` for text, ``n``, ``b``, ``d``, ``e`` for an error, ``f`` for a formula without a stored value."""


class StoredWorkbook:
    """An open workbook. Whatever openpyxl raises for a damaged one comes through; `UnreadableCellError` for a single cell."""

    def __init__(self, path: Path) -> None:
        self._reader = _Reader(path, read_only=True, data_only=True, keep_links=False)
        try:
            self._reader.read_manifest()
            self._reader.read_strings()
            self._reader.read_workbook()
            apply_stylesheet(self._reader.archive, self._reader.wb)
            self.sheets: Mapping[str, str] = {
                sheet.name: rel.target
                for sheet, rel in self._reader.parser.find_sheets()
                if rel.target in self._reader.valid_files and "chartsheet" not in rel.Type
            }
            """The sheets with cells, and where each is in the archive."""
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._reader.archive.close()

    def rows(self, sheet: str) -> Iterator[tuple[int, list[StoredCell]]]:
        """Number and cells of every row that is in the file."""
        book: Any = self._reader.wb
        with self._reader.archive.open(self.sheets[sheet]) as stream:
            parser = _Parser(
                stream,
                self._reader.shared_strings,
                data_only=True,
                epoch=book.epoch,
                date_formats=book._date_formats,
                timedelta_formats=book._timedelta_formats,
            )
            yield from parser.rows(stream)


class _Reader(ExcelReader):
    def read_strings(self) -> None:
        # openpyxl's own takes ``x005F_`` away, and with it what tells an escape from a text that looks like one.
        package: Any = self.package
        text_of: Any = Text.from_tree
        part = package.find(SHARED_STRINGS)
        if part is not None:
            with self.archive.open(part.PartName[1:]) as stream:
                for _, node in iterparse(stream):
                    if node.tag == _TEXT_TAG:
                        self.shared_strings.append(text_of(node).content)
                        node.clear()


class _Parser(WorkSheetParser):
    def rows(self, stream: IO[bytes]) -> Iterator[tuple[int, list[StoredCell]]]:
        # To the end of the sheet, where it shows whether it is whole; what stands behind the cells is passed over.
        for _, element in iterparse(stream):
            if element.tag == ROW_TAG:
                number, cells = self.parse_row(element)
                element.clear()
                yield number, [StoredCell(c["row"], c["column"], c["value"], c["data_type"]) for c in cells]

    def parse_cell(self, element: Any) -> dict[str, Any]:
        try:
            cell: dict[str, Any] = super().parse_cell(element)
        except (ValueError, IndexError, OverflowError):
            place = element.get("r") or f"{get_column_letter(self.col_counter)}{self.row_counter}"
            kind = _KINDS.get(element.get("t", "n"), "something else")
            holds = element.findtext(VALUE_TAG)
            raise UnreadableCellError(f"cell {place}: says that it is {kind}, and holds {holds!r}") from None
        if cell["value"] is None and element.find(FORMULA_TAG) is not None:
            # openpyxl writes an empty value where it knows none; only as text it is the empty text.
            has_text = element.get("t") == "str" and element.find(VALUE_TAG) is not None
            cell["data_type"] = "s" if has_text else "f"
        return cell
