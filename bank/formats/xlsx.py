"""Spreadsheets: cells as the text that they show, and text that stays text.

Word for word: ``NA`` and ``null`` are words, a number is its shortest text, a cell that begins with ``=`` is written as text.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from templates.errors import FormatError

if TYPE_CHECKING:
    from openpyxl import Workbook

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_CELL = 32_767


def read_xlsx(path: Path, sheet: str | None = None) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Row number and cells of every row that holds something, of the sheet of that name or of the only one with content.

    Raises `FormatError` naming sheet and cell for a formula without a stored value and for an error such as ``#N/A``."""
    book = _open(path, data_only=True)
    try:
        name = _sheet_name(path, book, sheet)
        formulas = _formulas(path, name) if _has_formulas(path) else frozenset[tuple[int, int]]()
        for row, cells in enumerate(_rows(book, name), 1):
            texts = []
            for column, cell in enumerate(cells, 1):
                if cell.value is None and (row, column) in formulas:
                    _refuse(
                        path,
                        name,
                        row,
                        column,
                        "is a formula without a value",
                        "Open and save the file in a spreadsheet program, or write the value.",
                    )
                if getattr(cell, "data_type", "") == "e":
                    _refuse(path, name, row, column, f"is the error {cell.value}", "Mend the cell.")
                texts.append(_text(cell.value))
            if any(text.strip() for text in texts):
                while texts and not texts[-1]:
                    texts.pop()
                yield row, tuple(texts)
    finally:
        book.close()


def write_xlsx(
    target: Path | BinaryIO, rows: Iterable[Sequence[str]], *, sheet: str = "items", name: str | None = None
) -> int:
    """Write rows of text as a workbook; how many. Every cell is a text cell, whatever it looks like.

    Raises `FormatError` naming the cell for a control character or a text that no cell can hold, with `name` as the file's; no
    file is left then."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell

    checked = list(rows)
    for number, cells in enumerate(checked, 1):
        for column, text in enumerate(cells, 1):
            _check_cell(name or str(target), sheet, number, column, text)
    book = Workbook(write_only=True)
    table = book.create_sheet(sheet)
    for cells in checked:
        made = []
        for text in cells:
            cell = WriteOnlyCell(table)
            if text:
                cell.value = text
                cell.data_type = "s"  # a text that begins with = would else be a formula
            made.append(cell)
        table.append(made)
    book.save(target)
    return len(checked)


def _check_cell(path: str, sheet: str, row: int, column: int, text: str) -> None:
    if found := _CONTROL.search(text):
        what = f"would hold the control character U+{ord(found.group()):04X}"
        _refuse(path, sheet, row, column, what, "Take it out of the sentence.")
    if len(text) > _LONGEST_CELL:
        what = f"would hold {len(text):,} characters"
        _refuse(path, sheet, row, column, what, f"A cell can hold {_LONGEST_CELL:,}.")


def _open(path: Path, *, data_only: bool) -> Workbook:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        return load_workbook(path, read_only=True, data_only=data_only)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError, EOFError, SyntaxError) as error:
        raise FormatError(
            f"{path}: cannot be read as an xlsx workbook ({error})", hint="Save it again as .xlsx, or as CSV UTF-8."
        ) from None


def _sheet_name(path: Path, book: Workbook, wanted: str | None) -> str:
    names = [sheet.title for sheet in book.worksheets]
    if wanted is not None:
        if wanted not in names:
            raise FormatError(f"{path}: there is no sheet {wanted!r}", hint=f"Sheets: {', '.join(names)}.")
        return wanted
    filled = [name for name in names if _holds_something(book, name)]
    if len(filled) != 1:
        what = "there is nothing in it" if not filled else f"several sheets hold something: {', '.join(filled)}"
        raise FormatError(f"{path}: {what}", hint="" if not filled else f"Say which one: --sheet '{filled[0]}'.")
    return filled[0]


def _rows(book: Workbook, name: str) -> Iterator[tuple[Any, ...]]:
    sheet: Any = book[name]
    sheet.reset_dimensions()  # what a file says of its size may be less than it holds
    yield from sheet.iter_rows(min_row=1)


def _holds_something(book: Workbook, name: str) -> bool:
    return any(cell.value is not None for cells in _rows(book, name) for cell in cells)


def _has_formulas(path: Path) -> bool:
    """Whether some sheet has a formula; far quicker than reading the workbook a second time."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                data = archive.read(name)
                if b"<f>" in data or b"<f " in data or b"<f/>" in data or b":f>" in data:
                    return True
    return False


def _formulas(path: Path, name: str) -> frozenset[tuple[int, int]]:
    book = _open(path, data_only=False)
    try:
        return frozenset(
            (row, column)
            for row, cells in enumerate(_rows(book, name), 1)
            for column, cell in enumerate(cells, 1)
            if getattr(cell, "data_type", "") == "f"
        )
    finally:
        book.close()


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ")
    if isinstance(value, date | time):
        return value.isoformat()
    return str(value)


def _refuse(path: Path | str, sheet: str, row: int, column: int, what: str, hint: str) -> NoReturn:
    from openpyxl.utils import get_column_letter

    raise FormatError(f"{path}, sheet {sheet}, cell {get_column_letter(column)}{row}: {what}", hint=hint)
