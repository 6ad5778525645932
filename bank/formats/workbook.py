"""The cells of an xlsx workbook as the file has them. openpyxl does the reading; what it leaves out is kept here: texts with
their escapes, formulas whose stored value is the empty text, and the cell that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from openpyxl.cell.text import Text
from openpyxl.comments.comment_sheet import CommentSheet
from openpyxl.packaging.relationship import get_dependents, get_rels_path
from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.cell import coordinate_from_string
from openpyxl.worksheet._reader import FORMULA_TAG, INLINE_STRING, ROW_TAG, VALUE_TAG, WorkSheetParser
from openpyxl.xml.constants import COMMENTS_NS, SHARED_STRINGS, SHEET_MAIN_NS
from openpyxl.xml.functions import fromstring, iterparse

from gapsmith.templates import SHEET_ROWS, FormatError, expect_file, expect_room

if TYPE_CHECKING:
    from gapsmith.bank.formats.shown import SheetLook

_TEXT_TAG = f"{{{SHEET_MAIN_NS}}}si"
_COLUMN_TAG = f"{{{SHEET_MAIN_NS}}}col"
_TRUE = frozenset({"1", "true"})
_WIDEST = 500
"""Of so many neighbouring columns that are hidden each is known."""
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
    style: int = 0
    """The number of its style in the workbook."""


class StoredWorkbook:
    """An open workbook. Whatever openpyxl raises for a damaged one comes through; `UnreadableCellError` for a single cell."""

    def __init__(self, path: Path) -> None:
        self._path = path
        expect_file(path)
        self._reader = _Reader(path, read_only=True, data_only=True, keep_links=False)
        try:
            expect_room(path, self._reader.archive)
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

    def rows(self, sheet: str, look: SheetLook | None = None) -> Iterator[tuple[int, list[StoredCell]]]:
        """Number and cells of every row that is in the file; what shows of them besides is put into `look`."""
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
            parser.struck = self._reader.struck
            for number, cells in parser.rows(stream):
                if number > SHEET_ROWS:
                    raise FormatError(
                        f"{self._path}: a row {number:,}, and a sheet has {SHEET_ROWS:,} at most: no workbook is so"
                    )
                if look is not None:
                    self._look_at(number, cells, look)
                yield number, cells
            if look is not None:
                look.hidden_columns |= parser.hidden_columns
                look.hidden_rows += [n for n in parser.hidden_rows if n in look.filled]
                look.comments |= self._comments(sheet)

    def _look_at(self, number: int, cells: list[StoredCell], look: SheetLook) -> None:
        filled = [cell for cell in cells if cell.value is not None]
        if not filled:
            return
        look.filled.add(number)
        struck, coloured = self._styles
        for cell in filled:
            if cell.style in struck:
                look.struck[number, cell.column] = str(cell.value)
            elif self._reader.struck and cell.value in self._reader.struck:
                look.partly_struck[number, cell.column] = self._reader.struck[cell.value]
        if coloured and all(cell.style in coloured for cell in filled) and len(look.filled) > 1:
            look.coloured[number] = str(filled[-1].value)

    @cached_property
    def _styles(self) -> tuple[frozenset[int], frozenset[int]]:
        """The numbers of the styles that strike a cell, and of those that colour it."""
        book: Any = self._reader.wb
        styles = list(enumerate(book._cell_styles))
        struck = frozenset(n for n, style in styles if book._fonts[style.fontId].strike)
        coloured = frozenset(n for n, style in styles if getattr(book._fills[style.fillId], "patternType", None) == "solid")
        return struck, coloured

    def _comments(self, sheet: str) -> dict[tuple[int, int], str]:
        rels_path: Any = get_rels_path
        path: str = rels_path(self.sheets[sheet])
        if path not in self._reader.valid_files:
            return {}
        found: dict[tuple[int, int], str] = {}
        rels: Any = get_dependents(self._reader.archive, path)
        for rel in rels.find(COMMENTS_NS):
            tree: Any = fromstring(self._reader.archive.read(rel.target))
            held: Any = CommentSheet.from_tree(tree)
            for place, comment in held.comments:
                letters, row = coordinate_from_string(place)
                found[row, column_index_from_string(letters)] = comment.text or ""
        return found


class _Reader(ExcelReader):
    struck: dict[str, str]
    """The workbook's texts of which a part is struck, with that part."""

    def read_strings(self) -> None:
        # openpyxl's own takes ``x005F_`` away, and with it what tells an escape from a text that looks like one.
        self.struck = {}
        package: Any = self.package
        text_of: Any = Text.from_tree
        part = package.find(SHARED_STRINGS)
        if part is not None:
            with self.archive.open(part.PartName[1:]) as stream:
                for _, node in iterparse(stream):
                    if node.tag == _TEXT_TAG:
                        held = text_of(node)
                        self.shared_strings.append(held.content)
                        _put_struck(held, self.struck)
                        node.clear()


class _Parser(WorkSheetParser):
    hidden_rows: list[int]
    hidden_columns: set[int]
    struck: dict[str, str]
    """Where texts of which a part is struck are kept."""

    def rows(self, stream: IO[bytes]) -> Iterator[tuple[int, list[StoredCell]]]:
        # To the end of the sheet, where it shows whether it is whole; what stands behind the cells is passed over.
        self.hidden_rows, self.hidden_columns = [], set()
        for _, element in iterparse(stream):
            if element.tag == ROW_TAG:
                number, cells = self.parse_row(element)
                if element.get("hidden") in _TRUE:
                    self.hidden_rows.append(number)
                element.clear()
                yield number, [StoredCell(c["row"], c["column"], c["value"], c["data_type"], c["style_id"]) for c in cells]
            elif element.tag == _COLUMN_TAG and element.get("hidden") in _TRUE:
                first, last = int(element.get("min", "1")), int(element.get("max", "0"))
                self.hidden_columns |= set(range(first, min(last, first + _WIDEST) + 1))

    def parse_cell(self, element: Any) -> dict[str, Any]:
        try:
            cell: dict[str, Any] = super().parse_cell(element)
        except (ValueError, IndexError, OverflowError):
            place = element.get("r") or f"{get_column_letter(self.col_counter)}{self.row_counter}"
            kind = _KINDS.get(element.get("t", "n"), "something else")
            holds = element.findtext(VALUE_TAG)
            raise UnreadableCellError(f"cell {place}: says that it is {kind}, and holds {holds!r}") from None
        if element.get("t") == "inlineStr" and (child := element.find(INLINE_STRING)) is not None:
            _put_struck(Text.from_tree(child), self.struck)
        if cell["value"] is None and element.find(FORMULA_TAG) is not None:
            # openpyxl writes an empty value where it knows none; only as text it is the empty text.
            has_text = element.get("t") == "str" and element.find(VALUE_TAG) is not None
            cell["data_type"] = "s" if has_text else "f"
        return cell


def _put_struck(text: Any, struck: dict[str, str]) -> None:
    """Put a text of which a part is struck into `struck`, with that part."""
    gone = [run.t or "" for run in text.r or () if run.rPr is not None and run.rPr.strike]
    if gone:
        struck[text.content] = "".join(gone)
