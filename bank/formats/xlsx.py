"""Spreadsheets: cells as the text that they show, and text that stays text.

Word for word: ``NA`` and ``null`` are words, a number is its shortest text, a cell that begins with ``=`` is written as text.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from gapsmith.templates import FormatError

if TYPE_CHECKING:
    from gapsmith.bank.formats.shown import SheetLook, ShownOfCells
    from gapsmith.bank.formats.workbook import StoredCell, StoredWorkbook

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LONGEST_CELL = 32_767
_LONGEST_LIST = 255
_SAVE_AGAIN = "Open it in a spreadsheet program and save it again as .xlsx, or as CSV UTF-8."
_NO_CHARACTER = re.compile(r"[\x00\ud800-\udfff]")
# A carriage return gets an underscore behind it only when it is escaped.
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}[_\r])")


def read_xlsx(
    path: Path, sheet: str | None = None, shown: list[ShownOfCells] | None = None
) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Row number and cells of every row that holds something, of the sheet of that name or of the only one with content. A line
    end within a cell stays what it is. What shows of cells besides, and the sheets that are not read, are put into `shown` in the end.

    Raises `FormatError` naming sheet and cell for a formula without a stored value and for an error such as ``#N/A``, and the
    file for one that is damaged."""
    with _damage(str(path)):
        from gapsmith.bank.formats.shown import SheetLook, ShownOfCells
        from gapsmith.bank.formats.workbook import StoredWorkbook

        book = StoredWorkbook(path)
    try:
        name = _sheet_name(path, book, sheet)
        look = SheetLook() if shown is not None else None
        headings: dict[int, str] = {}
        for row, cells in _rows(path, book, name, look):
            texts: list[str] = []
            for cell in cells:
                texts += [""] * (cell.column - len(texts))
                texts[cell.column - 1] = _cell_text(path, name, cell)
            if any(text.strip() for text in texts):
                while texts and not texts[-1]:
                    texts.pop()
                headings = headings or dict(enumerate(texts, 1))
                yield row, tuple(texts)
        if shown is not None and look is not None:
            shown += look.in_words(name, headings)
            others = [other for other in book.sheets if other != name and _holds_something(path, book, other)]
            if others:
                shown.append(ShownOfCells(f"sheet {name} is read, and not {', '.join(others)}", of_sheets=(name, *others)))
    finally:
        book.close()


def write_xlsx(
    target: Path | BinaryIO,
    rows: Iterable[Sequence[str]],
    *,
    sheet: str = "items",
    name: str | None = None,
    widths: Mapping[str, int] | None = None,
    choices: Mapping[str, Sequence[str]] | None = None,
) -> int:
    """Write rows of text as a workbook; how many. Every cell is a text cell, whatever it looks like.

    With `widths`, the workbook is a form for people: columns so many characters wide by their names, sentences wrapped, and the row
    of names bold and always in sight. `choices` are offered in the cells of a column, and do not hinder who writes something else.

    Raises `FormatError` naming the cell for a control character or a text that no cell can hold, with `name` as the file's; no
    file is left then."""
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font, PatternFill
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    checked = list(rows)
    for number, cells in enumerate(checked, 1):
        for column, text in enumerate(cells, 1):
            _check_cell(name or str(target), sheet, number, column, text)
    book = Workbook(write_only=True)
    table = book.create_sheet(sheet)
    heads = list(checked[0]) if checked else []
    if widths is not None:
        table.freeze_panes = "A2"
        for column, head in enumerate(heads, 1):
            table.column_dimensions[get_column_letter(column)].width = widths.get(head, 12)
    for head, words in (choices or {}).items():
        said = ",".join(words)
        # A longer list, or a word with a comma, cannot be in a cell's list.
        if head in heads and len(said) <= _LONGEST_LIST and not any("," in word or '"' in word for word in words):
            letter = get_column_letter(heads.index(head) + 1)
            offered = DataValidation("list", formula1=f'"{said}"', allow_blank=True, showErrorMessage=False)
            offered.add(f"{letter}2:{letter}{max(2, len(checked))}")
            table.data_validations.append(offered)
    for number, cells in enumerate(checked):
        made = []
        for text in cells:
            cell = WriteOnlyCell(table)
            if text:
                cell.value = _escaped(text)
                cell.data_type = "s"  # a text that begins with = would else be a formula
            if widths is not None:
                cell.alignment = Alignment(wrap_text=True, vertical="top")
                if not number:
                    cell.font, cell.fill = Font(bold=True), PatternFill("solid", fgColor="FFDDDDDD")
            made.append(cell)
        table.append(made)
    book.save(target)
    return len(checked)


def _check_cell(path: str, sheet: str, row: int, column: int, text: str) -> None:
    if found := _CONTROL.search(text):
        what = f"would hold the control character U+{ord(found.group()):04X}"
        _refuse(path, sheet, row, column, what, "Take it out of the sentence.")
    if len(_escaped(text)) > _LONGEST_CELL:
        what = f"would hold {len(text):,} characters"
        _refuse(path, sheet, row, column, what, f"A cell can hold {_LONGEST_CELL:,}.")


@contextmanager
def _damage(place: str) -> Iterator[None]:
    """Say which file or sheet it is. For one that is damaged openpyxl raises nearly anything."""
    try:
        yield
    except (FormatError, MemoryError):
        raise
    except Exception as error:
        raise FormatError(
            f"{place}: cannot be read as an xlsx workbook ({str(error) or type(error).__name__})",
            hint=_SAVE_AGAIN,
        ) from error


class SeveralSheetsError(FormatError):
    """Several sheets of a workbook hold something, and nobody said which one is meant."""

    def __init__(self, path: Path, sheets: list[str]) -> None:
        super().__init__(
            f"{path}: several sheets hold something: {', '.join(sheets)}",
            hint=f"Say which: {' or '.join(f'--sheet {shlex.quote(name)}' for name in sheets)}.",
        )
        self.sheets = tuple(sheets)


def _sheet_name(path: Path, book: StoredWorkbook, wanted: str | None) -> str:
    names = list(book.sheets)
    if wanted is not None:
        if wanted not in names:
            raise FormatError(f"{path}: there is no sheet {wanted!r}", hint=f"Sheets: {', '.join(names)}.")
        return wanted
    filled = [name for name in names if _holds_something(path, book, name)]
    if not filled:
        raise FormatError(f"{path}: there is nothing in it")
    if len(filled) > 1:
        raise SeveralSheetsError(path, filled)
    return filled[0]


def _rows(path: Path, book: StoredWorkbook, name: str, look: SheetLook | None = None) -> Iterator[tuple[int, list[StoredCell]]]:
    from gapsmith.bank.formats.workbook import UnreadableCellError

    with _damage(f"{path}, sheet {name}"):
        try:
            yield from book.rows(name, look)
        except UnreadableCellError as error:
            raise FormatError(f"{path}, sheet {name}, {error}", hint=f"Mend the cell. {_SAVE_AGAIN}") from None


def _holds_something(path: Path, book: StoredWorkbook, name: str) -> bool:
    return any(cell.value is not None for _, cells in _rows(path, book, name) for cell in cells)


def _cell_text(path: Path, sheet: str, cell: StoredCell) -> str:
    if cell.kind == "f":
        _refuse(path, sheet, cell.row, cell.column, "is a formula without a value", saved_again(path, sheet))
    if cell.kind == "e":
        _refuse(path, sheet, cell.row, cell.column, f"is the error {cell.value}", "Mend the cell.")
    if not isinstance(cell.value, str):
        return _text(cell.value)
    if "_x" not in cell.value:
        return cell.value
    from openpyxl.utils.escape import unescape

    text = unescape(cell.value)
    if found := _NO_CHARACTER.search(text):
        what = "a NUL character" if found.group() == "\0" else "half a character"
        _refuse(path, sheet, cell.row, cell.column, f"holds {what} (_x{ord(found.group()):04X}_)", "Take it out.")
    return text


def saved_again(path: Path, sheet: str) -> str:
    """How to get a workbook whose formulas have values, and the command that reads it."""
    made = path.with_name(f"{path.stem}_saved") / path.with_suffix(".xlsx").name
    folder = shlex.quote(str(made.parent))
    return (
        "The program that wrote the file stored none. Open it in a spreadsheet program and save it there, or let LibreOffice do so, and import "
        f"what it makes:\n  soffice --headless --convert-to xlsx --outdir {folder} {shlex.quote(str(path))}\n"
        f"  gapsmith import {shlex.quote(str(made))} --sheet {shlex.quote(sheet)}"
    )


def _escaped(text: str) -> str:
    """The text as a cell stores it: a carriage return, which XML would make a line feed, as an escape; and what looks like an
    escape so that it is none."""
    return _LIKE_AN_ESCAPE.sub("_x005F_", text).replace("\r", "_x000D_")


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
