"""Grid, the first step of a file's way: it is opened once, as rows of cells, lines or JSON, each with its place for messages.

What follows: its shape (`catalogue.read_foreign`), its paradigm (`gapsmith.bank.choosing`), keeping it
(`gapsmith.bank.importing`)."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from gapsmith.bank.formats import alternatives, sheets
from gapsmith.bank.formats.asking import FLAGS, FileAnswer, NoItemsError, ShapeError, UndecidedError, flags_of
from gapsmith.bank.formats.encodings import likely_encodings, unlikely_words, wide_encoding
from gapsmith.bank.formats.folder import Composed, FolderError, composed, files_in
from gapsmith.bank.formats.frames import as_alternatives, filled_in
from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.leaving_out import SaidLeftOut, left_out_of, without_lines
from gapsmith.bank.formats.likeness import groups_of
from gapsmith.bank.formats.no_text import no_text
from gapsmith.bank.formats.rewriting import Rewritten, looks_like_json, rewritten
from gapsmith.bank.formats.side_by_side import below_each_other, side_by_side
from gapsmith.bank.formats.style import style_of
from gapsmith.bank.formats.xlsx import SeveralSheetsError, read_xlsx
from gapsmith.templates import DocumentError, FormatError, bytes_of, expect_digits, expect_row, read_json

if TYPE_CHECKING:
    from gapsmith.bank.formats.shown import ShownOfCells

Progress = Callable[[int], None]
"""Called now and then with the number of sentences read so far."""
Member = Literal["good", "bad"]
"""A member of a minimal pair."""

ITEM = "item"
"""The heading of items that are found by their words."""
_BY_WORDS = 1500
"""Among more sentences items are not looked for by their words."""
BLOCK = "block"
"""The heading of what blank rows part."""
NOTHING_KEPT = "Nothing was imported."
_SHORT = 1000
"""A longer line is no row below a table."""
_NAMED = 6
"""At most so many values are named of which rows are left out."""
_CODE = re.compile(r"[A-Za-z]{0,4}[-_.]?\d{1,5}(?:\.0+)?[A-Za-z]?")
"""What numbers a row or an item."""
_DITTO = frozenset({"〃", "″", "ditto", "Ditto", "''", '"', "idem", "dto."})
"""What stands in a cell for what the cell above holds."""
_HEADED = re.compile(r"\s*(?:item|set|satz|stimulus|frame|quadruple|quartet|example)\.?\s*#?(?P<number>\d{1,4})\b", re.IGNORECASE)
"""What a row of one cell begins with that numbers the item below it."""
_TYPES = frozenset(
    {"string", "str", "text", "character", "char", "integer", "int", "float", "double", "number", "numeric", "boolean", "bool"}
)
"""What says of which type a column is."""
_TITLE = re.compile(
    r"(?:item|set|satz|stimulus|frame|quadruple|quartet|nr|no|ex)\.?\s*#?(?P<number>\d{1,4})[.:)]?", re.IGNORECASE
)
"""What heads the rows of an item."""
_AMOUNT = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?")
_HALF = re.compile(r"[\ud800-\udfff]")
"""A lone surrogate, which JSON can write and no text can hold."""
HEADING_CELL = re.compile(r"(?:[#№]|[^\W\d][\w#№.-]*(?: [\w#№.-]+){0,2})(?: \([^()|]{1,60}\))?")
"""What a heading of a column looks like: a few words, and a remark in brackets perhaps."""
_SPACED_OUT = re.compile(r'"[^"]*"(?: "[^"]*")+')
"""Headings as R writes them: in quotes, with a space between."""
_FEW = 12
"""So many lines below the first one show whether that one is of headings."""
_LABEL_IN_BRACKETS = re.compile(r"\[[^][{}\"':,]{1,40}\](?!\s*[,\]])")
"""The number of an item or the name of a condition, as a line of a text may begin."""
REMARK = "remark"
"""The heading of what stands beside the number of an item."""
ROW_LABEL = "row_label"
"""The heading of what stands before the rows of a block."""
ROW_NAMES = "row"
"""The heading of names of rows that have none."""
_BYTE_ORDER_MARKS = (
    (b"\xff\xfe\0\0", "utf-32-le"),
    (b"\0\0\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a person says about a file where it does not say it itself."""

    encoding: str | None = None
    """None takes UTF-8, or UTF-16 where its mark stands at the beginning."""
    sheets: tuple[str, ...] = ()
    """The sheets of a spreadsheet; none takes the only one that holds something, several are one table."""
    first: Member | None = None
    """Which member of a pair comes first, in files that do not say it. None: such a file is refused, or a person is asked."""
    answered: bool = False
    """Whether `first` is the answer to a question about this very file."""
    attributes: tuple[str, ...] = ()
    """Columns that are no regions, in files with a column per region."""
    regions: tuple[str, ...] = ()
    """Columns that are regions there, whatever they are called and hold."""
    condition_columns: tuple[str, ...] = ()
    """Columns whose values together name the condition, such as one per factor."""
    item_columns: tuple[str, ...] = ()
    """Columns whose values together name the item."""
    sentence_columns: tuple[str, ...] = ()
    """The column of the sentences; several are a column per condition."""
    strip_prefixes: tuple[str, ...] = ()
    """What stands before sentences and is no part of them, such as ``A:``."""
    per_item: int | None = None
    """How many lines or rows an item has, where nothing in the file names the item."""
    region_mark: str | None = None
    """What stands between the regions of a sentence, such as ``/``."""
    header_row: int | None = None
    """The line or row of the headings, or of a text's first sentence, where something stands above it."""
    as_it_is: bool = False
    """Whether rows are taken as they are, for whoever looks for what is wrong with them."""
    only: tuple[str, ...] = ()
    """``COLUMN=VALUE``: only rows with that value are read, or with one of several values of a column."""
    missing: tuple[str, ...] = ()
    """What cells hold where there is no sentence, such as ``n/a``."""
    comment: str | None = None
    """What lines begin with that are comments, such as ``#``; several with a space between."""
    transpose: bool = False
    """Whether the rows of the table are its columns."""
    headings: str | None = None
    """The headings of a table that has none, with commas between them."""
    header_rows: int | None = None
    """How many rows of headings there are; those above the last say what several columns share."""
    table: str | None = None
    """Which table of a document, from 1; ``all`` of them, where they have the same columns."""
    wrapped: bool = False
    """Whether an indented line goes on with the sentence in the line above."""
    strip_suffixes: tuple[str, ...] = ()
    """What stands behind sentences and is no part of them, such as ``[...]``."""
    gap_marks: tuple[str, ...] = ()
    """What stands in sentences for a gap, where a word would be, such as ``__``."""
    good: tuple[str, ...] = ()
    """``COLUMN=VALUE``: the value that says that a sentence is acceptable, or, of two in a row, that the first one is."""
    alternatives: str | None = None
    """``crossed`` or ``parallel``: sentences hold alternatives, and so those of several places go together."""
    blank_rows: bool = False
    """Whether blank rows part sentences or items, so that what stands between them is numbered."""
    clean: tuple[str, ...] = ()
    """What of `gapsmith.bank.formats.cleaning.KINDS` is taken out of sentences, such as ``html``."""
    take_out: tuple[str, ...] = ()
    """What is taken out of sentences wherever it stands in them, such as ``<...>``."""
    leave_out: tuple[str, ...] = ()
    """``COLUMN=VALUE``, or numbers such as ``4,7-9`` of lines or rows as messages give them: what is not read."""
    stack: bool = False
    """Whether columns that stand side by side several times, or the columns of sentences that are named, are rows below each other."""
    frames: tuple[str, ...] = ()
    """Columns of sentences with a blank, or of the parts around it, which the words of `sentence_columns` complete."""
    items_by_words: bool = False
    """Whether the sentences of an item are found by their words, since nothing in the file numbers items."""
    once: bool = False
    """Whether rows that repeat an item's sentence, as those of several participants do, are read once and without their answers."""

    def recorded(self, format: str | None) -> dict[str, Any]:
        """What was said, and the format that was named, as the run of an import keeps them."""
        return {
            "as": format,
            "encoding": self.encoding,
            "sheets": list(self.sheets),
            "first": self.first,
            "attributes": list(self.attributes),
            "regions": list(self.regions),
            "condition_columns": list(self.condition_columns),
            "item_columns": list(self.item_columns),
            "sentence_columns": list(self.sentence_columns),
            "strip_prefixes": list(self.strip_prefixes),
            "per_item": self.per_item,
            "region_mark": self.region_mark,
            "only": list(self.only),
            "header_row": self.header_row,
            "missing": list(self.missing),
            "comment": self.comment,
            "transpose": self.transpose,
            "headings": self.headings,
            "header_rows": self.header_rows,
            "table": self.table,
            "wrapped": self.wrapped,
            "strip_suffixes": list(self.strip_suffixes),
            "gap_marks": list(self.gap_marks),
            "good": list(self.good),
            "alternatives": self.alternatives,
            "blank_rows": self.blank_rows,
            "once": self.once,
            "leave_out": list(self.leave_out),
            "stack": self.stack,
            "frames": list(self.frames),
            "items_by_words": self.items_by_words,
            "clean": list(self.clean),
            "take_out": list(self.take_out),
        }

    def said(self) -> dict[str, Any]:
        """What was said, by field, as `gapsmith.bank.formats.asking.flags_of` takes it."""
        return {name: value for name in FLAGS if (value := getattr(self, name, None))}

    def with_answer(self, answer: FileAnswer) -> ReadOptions:
        """The same with what an answer says on top."""
        known = {name: value for name, value in answer.options.items() if hasattr(self, name)}
        return replace(self, **known, answered=True)


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of cells and the line on which it starts, from 1."""

    line: int
    cells: tuple[str, ...]
    is_begin: bool = False
    """Whether a blank row stands above it."""


@dataclass(frozen=True)
class SourceFile:
    """A file with what was said about it. Everything is read when it is first asked for, and once."""

    path: Path
    options: ReadOptions = field(default_factory=ReadOptions)
    unchanged: str = NOTHING_KEPT
    """What is said in the end where the file is refused."""
    command: str = "gapsmith import"
    """The command that reads it, for a message that says how to call it."""
    unfold: bool = False
    """Whether a JSON document is read as the rows or lines that it makes."""
    known: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What readers have found out of it, so that nobody finds it out twice."""

    @cached_property
    def is_spreadsheet(self) -> bool:
        """Whether it is an xlsx workbook, by its content."""
        return self._bytes[:4] == b"PK\x03\x04"

    @property
    def may_be_json(self) -> bool:
        """Whether a text begins as JSON does, be it broken; a label in square brackets is none."""
        start = "" if self.is_spreadsheet else self.start.lstrip()
        return start[:1] in ("{", "[") and _LABEL_IN_BRACKETS.match(start) is None

    @cached_property
    def text(self) -> str:
        """The text that is read, line ends as ``\\n``: a Markdown or HTML table as rows with tabs, comments as blank lines. Raises
        `FormatError` naming the first line that is no text."""
        return self._plain.replace("\r\n", "\n").replace("\r", "\n")

    @property
    def is_rewritten(self) -> bool:
        """Whether what is read is not what stands in the file, but the table or the lines in it."""
        return bool(self.how_rewritten)

    @cached_property
    def rewritten(self) -> Rewritten:
        """The text as rows or lines of its own, where it stands in something else."""
        text = self._decoded[0].removeprefix("\ufeff")
        try:
            # The line ends of old Macs.
            text = text if "\n" in text else text.replace("\r", "\n")
            try:
                made = self._rewritten(text)
            except DocumentError:
                # What cannot be read may stand in the lines that are left out.
                if not self._out.numbers:
                    raise
                return self._without_lines(text)
            if (folder := self._folder) is not None:
                made = replace(
                    made,
                    how=(folder.how, *made.how),
                    suffix=made.suffix or folder.suffix,
                    assumed=(folder.how,) if folder.is_assumed else (),
                )
            if not self._out.numbers or not made.are_lines:
                return made
            if self.unfold or (looks_like_json(self._start_of(made.text)) and not _are_records(made.text)):
                self.refuse(
                    0,
                    "is one document, whose lines are no sentences, so that --leave-out has no lines to leave out",
                    hint="With --format csv it is laid out as rows, which messages number; --leave-out COLUMN=VALUE goes by what they say.",
                )
            return self._without_lines(text)
        except DocumentError as error:
            line = f", line {error.line}" if error.line else ""
            raise FormatError(f"{self.path}{line}: {error.why}", hint=self.unchanged) from None

    def _rewritten(self, text: str) -> Rewritten:
        options = self.options
        return rewritten(
            text,
            self.path.suffix.casefold(),
            comment=options.comment,
            begin=options.header_row,
            table=options.table,
            wrapped=options.wrapped,
            unfold=self.unfold,
            alternatives=options.alternatives,
        )

    def _without_lines(self, text: str) -> Rewritten:
        """The text as rows or lines of its own, without the lines that somebody left out."""
        try:
            kept, order, gone = without_lines(text, self._out.numbers, self.path.suffix.casefold())
        except ValueError as error:
            self.refuse(0, f"there is no line {error.args[0]} for --leave-out")
        made = self._rewritten(kept)
        count = f"{len(gone)} line{'s' if len(gone) > 1 else ''} left out, as said with --leave-out"
        some = "; ".join(f"line {number}, {' '.join(line.split())[:60]!r}" for number, line in gone[:_NAMED])
        how = (f"{count}: {some}{' …' if len(gone) > _NAMED else ''}", *made.how)
        if not order:
            return replace(made, how=how)
        numbers = tuple(order[own - 1] if 0 < own <= len(order) else own for own in made.numbers) if made.numbers else order
        return replace(made, how=how, numbers=numbers)

    @staticmethod
    def _start_of(text: str) -> str:
        return next((line for line in text.split("\n") if line.strip()), "")

    @cached_property
    def _out(self) -> SaidLeftOut:
        """What is left out, taken apart."""
        try:
            return left_out_of(self.options.leave_out)
        except ValueError as error:
            self.refuse(
                0,
                f"--leave-out {error.args[0]!r} is neither a column with a value nor numbers of lines",
                hint="Say --leave-out COLUMN=VALUE, or --leave-out 4,7-9; of a row where several sheets are read, --leave-out 'SHEET!4'.",
            )

    @property
    def left_out_columns(self) -> tuple[str, ...]:
        """What ``--leave-out`` says of columns."""
        return self._out.columns

    @cached_property
    def _rows_out(self) -> frozenset[int]:
        """The rows that are left out by their number, where a text's lines are not. Refuses numbers of rows that are not there."""
        if not (self._out.numbers or self._out.of_sheets) or not (self.is_spreadsheet or not self.rewritten.are_lines):
            if self._out.of_sheets:
                name, number = min(self._out.of_sheets)
                self.refuse(0, f"has no sheets for --leave-out {f'{name}!{number}'!r}", hint="Say the number of the line alone.")
            return frozenset()
        rows = list(self._spreadsheet) if self.is_spreadsheet else list(self._rows_of_text())
        places: Sequence[str] = self.known.get("places", ())
        if places:
            by_place = {place: number for number, place in enumerate(places, 1)}
            wanted = [(f"{name}!{number}", by_place.get(f"sheet {name}, row {number}")) for name, number in self._out.of_sheets]
            wanted += [(str(number), None) for number in self._out.numbers]
        else:
            there = {row.line for row in rows}
            of_sheet = [n for name, n in self._out.of_sheets if name in self.options.sheets]
            wanted = [(str(number), number if number in there else None) for number in (*self._out.numbers, *of_sheet)]
            wanted += [(f"{name}!{number}", None) for name, number in self._out.of_sheets if name not in self.options.sheets]
        if odd := [said for said, number in wanted if number is None]:
            hint = "Where several sheets are read, say the sheet too, such as 'SHEET!4'." if places else ""
            self.refuse(0, f"there is no row {odd[0]} for --leave-out that holds something", hint=hint)
        return frozenset(number for _, number in wanted if number is not None)

    @property
    def how_rewritten(self) -> tuple[str, ...]:
        """In words, what was done to the text; empty for a spreadsheet."""
        return () if self.is_spreadsheet else self.rewritten.how

    @property
    def suffix(self) -> str:
        """The suffix of a file that holds what is read."""
        own = "" if self.is_spreadsheet else self.rewritten.suffix
        return own or self.path.suffix.casefold()

    @property
    def _plain(self) -> str:
        return self.rewritten.text

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file as it is, in hexadecimal."""
        return hashlib.sha256(self._bytes).hexdigest()

    def style(self, *, is_table: bool) -> dict[str, Any]:
        """How the text is written apart from what it says; see `gapsmith.bank.formats.style`. Empty for a spreadsheet."""
        if self.is_spreadsheet:
            return {}
        delimiter = self.delimiter if is_table and not self._quotes_are_text else None
        return style_of(self._decoded[0] if not self.is_rewritten else self._plain, delimiter=delimiter, suffix=self.suffix)

    @property
    def encoding(self) -> str:
        """In what the text is written."""
        return "xlsx" if self.is_spreadsheet else self._decoded[1]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without their ends; only a line feed ends a line, other separators may stand in a sentence."""
        lines = self.text.split("\n")
        return lines[:-1] if lines and not lines[-1] else lines

    @cached_property
    def start(self) -> str:
        """The first line that is not blank."""
        return next((line for line in self.lines if line.strip()), "")

    @cached_property
    def document(self) -> Any:
        """The whole text as JSON. Raises `FormatError` with the line where it is none, or holds half a character."""
        try:
            data = read_json(self.text)
        except DocumentError as error:
            self.refuse(
                0 if error.line is None else error.line, f"{error.why}{f', column {error.column}' if error.column else ''}"
            )
        if surrogate := _HALF.search(json.dumps(data, ensure_ascii=False)):
            self.refuse(0, f"holds half a character (\\u{ord(surrogate.group()):04x})", hint="Mend the escape.")
        return data

    @cached_property
    def first_record(self) -> Mapping[str, Any]:
        """The object in the first line that is not blank, of JSON lines; empty where there is none."""
        try:
            is_object = not self.is_spreadsheet and self.start.lstrip().startswith("{")
            record = read_json(self.start) if is_object else None
        except DocumentError:
            record = None
        return record if isinstance(record, dict) else {}

    def records(self, *, holding: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
        """The objects of JSON lines, each with its line. Raises `FormatError` with the line for what is not JSON, is no object
        (`holding` what, says the message), or is no text."""
        for line, text in enumerate(self.lines, 1):
            if text.strip():
                try:
                    record = read_json(text)
                except DocumentError as error:
                    self.refuse(line, f"{error.why}{f', column {error.column}' if error.column else ''}")
                if not isinstance(record, dict):
                    self.refuse(line, f"is no object{holding}")
                if "\\u" in text and _HALF.search(json.dumps(record, ensure_ascii=False)):
                    self.refuse(line, "holds half a character (a lone surrogate)", hint="Mend the escape.")
                yield line, record

    @cached_property
    def delimiter(self) -> str:
        """What separates the cells: a tab where the first line has one, else ``,`` or ``;``. Where that line has both, the one
        that makes known headings of it; else the one that can separate the cells of every row; else the more frequent."""
        if "\t" in self.start:
            return "\t"
        if self.is_barred:
            return "|"
        if _SPACED_OUT.fullmatch(self.start.strip()):
            return " "
        bare = re.sub(r'"[^"]*"', "", self.start)
        usual = ";" if bare.count(";") > bare.count(",") else ","
        if not ("," in bare and ";" in bare):
            return usual
        known = {sign: self._headings_known(sign) for sign in ",;"}
        if known[","] != known[";"]:
            return max(known, key=lambda sign: known[sign])
        able = [sign for sign in ",;" if self._separates(sign)]
        return able[0] if len(able) == 1 else usual

    @cached_property
    def is_barred(self) -> bool:
        """Whether bars part the cells: every line has as many, and what stands between those of the first one are headings."""
        bars = self.start.count("|")
        filled = (line for line in self.lines if line.strip())
        top = [cell.strip() for cell in self.start.split("|")]
        below = (
            [cell.strip() for cell in line.split("|")] for line in islice((line for line in self.lines if line.strip()), 1, _FEW)
        )
        # What stands below itself is a part of sentences, as what ends one is.
        is_part = any(cell and cell in row for row in below for cell in top) or any(re.search(r"[.?!]\Z", cell) for cell in top)
        are_headings = len(roles_of(top)) > 1 or (
            # Of words that are no known headings it takes several, each once.
            bars > 1 and not is_part and len(set(top)) == len(top) and all(map(HEADING_CELL.fullmatch, top))
        )
        return bars > 0 and are_headings and all(line.count("|") == bars for line in filled)

    @cached_property
    def first_row(self) -> tuple[str, ...]:
        """The cells of the first row that is not blank; none in a file without rows, or whose rows cannot be told apart."""
        try:
            return next((row.cells for row in self.rows()), ())
        except FormatError as error:
            # A JSON document has rows only where it is laid out.
            has_rows = self.is_spreadsheet or not looks_like_json(self.start)
            is_of_rows = has_rows and (
                self.options.stack or self.options.frames or self.options.items_by_words or bool(self._out.columns)
            )
            if self.is_spreadsheet or is_of_rows or isinstance(error, UndecidedError):
                raise
            return ()

    def stored_rows(self) -> Sequence[TableRow]:
        """The rows of a spreadsheet as they are stored; none of a text."""
        return self._spreadsheet if self.is_spreadsheet else ()

    def rows(self) -> Iterator[TableRow]:
        """The rows that hold something, without columns that hold nothing before others. Raises `FormatError` with the line where
        the quoting is broken."""
        return iter(self._rows_by_words) if self.options.items_by_words else self._wanted_rows()

    @cached_property
    def _rows_by_words(self) -> tuple[TableRow, ...]:
        """The rows with a column that numbers the items, whose sentences are those that are much like each other."""
        top, *body = self._wanted_rows()
        width = max((len(row.cells) for row in body), default=0)
        own = [fold(heading) for heading in top.cells]
        said = (top.cells[-1],) if self.are_sentences_stacked else self.options.sentence_columns
        named = said[0] if said else ""
        known = own.index(fold(named)) if fold(named) in own else roles_of(top.cells).get("sentence")
        letters = [sum(len(row.cells[column]) for row in body if column < len(row.cells)) for column in range(width)]
        column = known if known is not None else letters.index(max(letters)) if letters else 0
        if not 2 < len(body) <= _BY_WORDS:
            self.refuse(
                0,
                f"has {len(body):,} rows, and items are looked for by their words in 3 to {_BY_WORDS:,}",
                hint="Number the items.",
            )
        found = groups_of([_cell(row, column) for row in body])
        if isinstance(found, tuple):
            one, other = (body[n] for n in found)
            self.refuse(
                one.line,
                "which sentences are of one item, their words do not say clearly"
                if one is other
                else "its sentence is nearly as much like "
                f"that of {self.place(other.line)} as like those of its own item: {_cell(one, column)[:60]} / {_cell(other, column)[:60]}",
                hint="Number the items in a column of their own.",
            )
        heading = ITEM if ITEM not in own else f"{ITEM}_by_words"
        made = [replace(top, cells=(heading, *top.cells))]
        made += [replace(row, cells=(str(number), *row.cells)) for row, number in zip(body, found, strict=True)]
        return tuple(made)

    def _wanted_rows(self) -> Iterator[TableRow]:
        wanted: dict[int, set[str]] | None = None
        unwanted: dict[int, set[str]] = {}
        gone: set[tuple[int, str]] = set()
        skipped: list[TableRow] = []
        # What they say may hold for the rows below them, too.
        self.known["skipped"] = skipped
        found = 0
        for own in self._whole_rows():
            if wanted is None:
                wanted = self._values_of(own, "--only", self.options.only)
                unwanted = self._values_of(own, "--leave-out", self._out.columns)
            elif not _is_wanted(own, wanted):
                skipped.append(own)
                continue
            elif unwanted and (says := _unwanted(own, unwanted)):
                gone.update(says)
                skipped.append(own)
                continue
            else:
                found += 1
            yield own
        for column, values in unwanted.items():
            for value in values:
                if (column, value) not in gone and not self.options.only:
                    self.refuse(
                        0,
                        f"no row has {value!r} there for --leave-out",
                        hint="Leave it out, or say a value as it is written there.",
                    )
        if wanted and not found:
            self.refuse(
                0, f"no row has {' and '.join(self.options.only)}", hint="Values of one column are taken as either of them."
            )

    @property
    def _begin(self) -> int | None:
        """The row above which nothing is read, where that has not been cut off with the text's lines."""
        return None if not self.is_spreadsheet and self.rewritten.is_begun else self.options.header_row

    def _whole_rows(self) -> Iterator[TableRow]:
        """The rows of the table, from its headings to its last row, whether they are wanted or not."""
        empty = self._empty_columns
        begin = self._begin
        below = {row.line for row in self._below}
        top: TableRow | None = None
        typed = is_explained = False
        held: TableRow | None = None
        for row in self._in_shape(self._all_rows()):
            if (begin is not None and 0 < row.line < begin) or (row.line in below and row.line):
                continue
            if top is None:
                top = row
            elif not typed and (
                all(cell.strip().casefold() in _TYPES for cell in row.cells) or (_explains(row) and not is_explained)
            ):
                # Such as Experiment Builder writes below the headings, or what the levels and units are.
                self.known["types_at"] = row.line
                is_explained = True
                continue
            elif row.cells == top.cells and len(set(row.cells)) > 1 and not self.options.transpose:
                self.known.setdefault("headings_again", {})[row.line] = None
                continue
            typed = row is not top
            if row is not top:
                row = self._repeated(row, held)
                held = row
            yield replace(row, cells=tuple(c for n, c in enumerate(row.cells) if n not in empty)) if empty else row

    @cached_property
    def _below(self) -> tuple[TableRow, ...]:
        """The rows below a table that are none of it: their first cell has words where the column numbers or codes rows, at most a
        number stands beside it, and of the columns that all other rows fill at least two are empty."""
        said = self.options
        if said.transpose or said.per_item is not None or not self._may_end_otherwise:
            return ()
        begin = self._begin
        try:
            rows = [row for row in self._in_shape(self._all_rows()) if begin is None or not 0 < row.line < begin]
        except FormatError:
            return ()
        return rows_below(rows)

    @cached_property
    def _may_end_otherwise(self) -> bool:
        """Whether the last row is as one below a table, which is cheap to see."""
        if self.is_spreadsheet:
            last_row = self._spreadsheet[-1] if self._spreadsheet else None
            return last_row is not None and (_is_apart(last_row) or _may_explain(last_row))
        if self.delimiter not in self.start and self.options.headings is None:
            return False
        # The ends of lines are those of the text that is read, whatever the file has.
        last = self.text.rstrip(f"{self.delimiter} \t\n").rpartition("\n")[2]
        if len(last) > _SHORT:
            return False
        own = TableRow(0, tuple(next(csv.reader([last], delimiter=self.delimiter), ())))
        # A legend stands below a blank line.
        end = self.text.rstrip(f"{self.delimiter} \t\n")[-3 * _SHORT :]
        return _is_apart(own) or (_may_explain(own) and re.search(r"\n[,;\t ]*\n", end) is not None)

    def misread(self) -> tuple[str, ...]:
        """In words, that what somebody said of the encoding makes signs of words that another one reads."""
        if (
            self.options.encoding is None
            or self.is_spreadsheet
            or not (words := unlikely_words(self._bytes, self.options.encoding))
        ):
            return ()
        name, others = likely_encodings(self._bytes)[0]
        return (
            f"as {self.options.encoding} it has {', '.join(words)}; as {name}, {', '.join(others)}: --encoding {name} reads it so",
        )

    def gone_on(self) -> tuple[str, ...]:
        """In words, that cells were taken for what goes on with those before them."""
        how = "cells that begin with a blank go on with the ones before them, as said with --wrapped"
        return (how,) if self.known.get("gone_on") else ()

    def left_out(self) -> tuple[str, ...]:
        """In words, the rows that stand below the table, and those that ``--only`` leaves out with what they say."""
        said = [
            f"left out, since it stands below the table: {place}, {' '.join(' '.join(row.cells).split())[:60]!r}"
            for place, row in [
                *((self.place(row.line), row) for row in self._below),
                *self.known.get("below_sheets", ()),
            ]
        ]
        if ditto := list(self.known.get("ditto", ())):
            said.append(
                f"a sign of repetition holds what stands above it, in {len(ditto):,} rows, first in {self.place(ditto[0])}"
            )
        if types := self.known.get("types_at"):
            said.append(f"left out, since it says of what type each column is, or what its values are: {self.place(types)}")
        if counts := self.known.get("counts"):
            some = ", ".join(f"{self.place(line)}, {text!r}" for line, text in islice(counts.items(), _NAMED))
            said.append(f"left out, since it counts the rows above it: {some}{' …' if len(counts) > _NAMED else ''}")
        if blocks := self.known.get("titled"):
            said.append(f"{blocks} blocks below rows that number their item are read as one table")
        if again := list(self.known.get("headings_again", ())):
            said.append(f"left out, since the headings stand there once more: {', '.join(map(self.place, again[:_NAMED]))}")
        rows = self._whole_rows()
        if (self.options.only or self._out.columns) and (top := next(rows, None)) is not None:
            wanted = self._values_of(top, "--only", self.options.only)
            unwanted = self._values_of(top, "--leave-out", self._out.columns)
            gone: dict[str, int] = {}
            out: dict[str, int] = {}
            for row in rows:
                if not _is_wanted(row, wanted):
                    odd = next(n for n, values in wanted.items() if _cell(row, n) not in values)
                    name = f"{top.cells[odd].strip()}={_cell(row, odd)}"
                    gone[name] = gone.get(name, 0) + 1
                elif says := _unwanted(row, unwanted):
                    name = f"{top.cells[says[0][0]].strip()}={says[0][1]}"
                    out[name] = out.get(name, 0) + 1
            said += self.left_out_as("rows", gone)
            said += self.left_out_as("rows", out, option="--leave-out")
        if numbers := sorted(self._rows_out):
            lost = f"{len(numbers)} row{'s' if len(numbers) > 1 else ''} left out, as said with --leave-out: "
            said.append(lost + ", ".join(map(self.place, numbers[:_NAMED])) + (" …" if len(numbers) > _NAMED else ""))
        return tuple(said)

    @staticmethod
    def left_out_as(what: str, gone: Mapping[str, int], *, option: str = "--only") -> list[str]:
        """In words, how many of what an option leaves out, by what they say."""
        if not gone:
            return []
        some = ", ".join(f"{name} {times:,}" if len(gone) > 1 else name for name, times in islice(gone.items(), _NAMED))
        return [f"left out, as said with {option}: {sum(gone.values()):,} {what} ({some}{' …' if len(gone) > _NAMED else ''})"]

    def _in_shape(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        """The rows as they were said to be meant: turned, under headings that were said, with several rows of headings as one."""
        if self.options.transpose:
            found = list(rows)
            width = max((len(row.cells) for row in found), default=0)
            whole = [row.cells + ("",) * (width - len(row.cells)) for row in found]
            turned = [TableRow(number, tuple(cells)) for number, cells in enumerate(zip(*whole, strict=True), 1)]
            corner = turned[0].cells[:1] if turned else ("items",)
            if not corner[0].strip() or "condition" in roles_of(corner):
                # It was the heading of the column of conditions, or none, and stands above the items now.
                turned[0] = TableRow(1, ("item", *turned[0].cells[1:]))
            rows = iter(turned)
        if self.options.headings is not None:
            rows = chain((TableRow(0, tuple(name.strip() for name in self.options.headings.split(","))),), rows)
        if self.options.header_rows is not None:
            if (begin := self._begin) is not None and not self.options.transpose:
                rows = (row for row in rows if row.line >= begin)
            rows = chain(self.under_one(list(islice(rows, self.options.header_rows))), rows)
        if self.has_row_names:
            top = next(rows)
            yield replace(top, cells=(ROW_NAMES, *top.cells))
        if self.options.frames:
            rows = self._filled_in(rows)
        if self.options.stack:
            rows = self._stacked(rows)
        if self.options.blank_rows:
            rows = _in_blocks(rows)
        if self.options.alternatives is not None:
            rows = self._apart(list(rows))
        yield from rows

    @property
    def are_sentences_stacked(self) -> bool:
        """Whether the columns of sentences that somebody named are rows below each other, with one column of sentences, the last."""
        return self.options.stack and len(self.options.sentence_columns) > 1

    @property
    def sentences_said(self) -> tuple[str, ...]:
        """The headings of the columns of sentences as the rows that are read have them."""
        if self.are_sentences_stacked:
            return tuple(self.first_row[-1:])
        return self.options.sentence_columns

    def _filled_in(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        """The rows with whole sentences, in place of frames and the words that go into them."""
        top = next(rows, None)
        if top is None:
            return
        headings = [fold(cell) for cell in top.cells]
        named = {fold(name) for name in (*self.options.frames, *self.options.sentence_columns)}
        if odd := [name for name in (*self.options.frames, *self.options.sentence_columns) if fold(name) not in headings]:
            columns = ", ".join(cell.strip() for cell in top.cells if cell.strip())
            self.refuse(top.line, f"there is no column {odd[0]!r} for --frame", hint=f"Columns: {columns}.")
        frames = [headings.index(fold(name)) for name in self.options.frames]
        words = [n for n, heading in enumerate(headings) if heading in named and n not in frames]
        if not words:
            self.refuse(
                top.line,
                "--frame needs the columns of the words that go into it",
                hint="Name them: --sentence-column HEADING for each.",
            )
        kept = [n for n in range(len(top.cells)) if n not in frames]
        yield replace(top, cells=tuple(top.cells[n] for n in kept))
        for row in rows:
            cells = [*row.cells, *[""] * (len(top.cells) - len(row.cells))]
            try:
                given = {n: as_alternatives(cells[n]) if self.options.alternatives else cells[n] for n in words}
                made = {word: filled_in({n: cells[n] for n in frames}, word, given[word]) for word in words}
            except ValueError as error:
                self.refuse(row.line, str(error), hint="Write these sentences out.")
            yield replace(row, cells=tuple(made.get(n, cells[n]) for n in kept))

    def _stacked(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        """The rows with one for each time that columns stand side by side; as they are where they were stacked before."""
        top = next(rows, None)
        if top is None:
            return
        if self.are_sentences_stacked:
            if (found := below_each_other(top.cells, self.options.sentence_columns)) is None:
                names = ", ".join(cell.strip() for cell in top.cells if cell.strip())
                self.refuse(top.line, "a column that --sentence-column names is not there", hint=f"Columns: {names}.")
        elif (found := side_by_side(top.cells)) is None:
            self.refuse(
                top.line,
                f"no columns stand side by side several times: {', '.join(cell.strip() for cell in top.cells[:8])}",
                hint="Leave --stack out, or call them so, such as sentence_1, rating_1, sentence_2, rating_2.",
            )
        yield replace(top, cells=found.header([cell.strip() for cell in top.cells]))
        for row in rows:
            # A row of headings that stands there once more is none.
            if row.cells != top.cells:
                yield from (replace(row, cells=cells) for cells in found.rows(row.cells))

    def _apart(self, rows: list[TableRow]) -> Iterator[TableRow]:
        """The rows with one for each alternative of their sentences; as they are where they were taken apart before."""
        top = rows[0].cells if rows else ()
        if alternatives.COLUMN in top:
            yield from rows
            return
        body = rows[1:]
        column = alternatives.column_of(top, [row.cells for row in body])
        if column is None:
            self.refuse(
                0, "no column has alternatives in its sentences, such as was/*were or {is|are}", hint="Leave --alternatives out."
            )
        self.known["alternatives_in"] = top[column].strip()
        header, needs_item = alternatives.headings_with(top, self.options.item_columns)
        yield TableRow(rows[0].line, tuple(header))
        whole = [(*row.cells, *[""] * (len(top) - len(row.cells))) for row in body]
        try:
            found = alternatives.expanded([cells[column] for cells in whole], str(self.options.alternatives))
        except ValueError as error:
            self.refuse(body[error.args[0]].line, "has other alternatives than the first sentence that has some")
        for count, (row, cells, own) in enumerate(zip(body, whole, found, strict=True), 1):
            for name, text in own:
                made = (*cells[:column], text, *cells[column + 1 :], name, *([str(count)] if needs_item else []))
                yield TableRow(row.line, made)

    @cached_property
    def has_row_names(self) -> bool:
        """Whether every row has one cell more than there are headings, and the first ones are all different: R writes the names of rows so,
        without a heading."""
        said = self.options
        if self.is_spreadsheet or said.headings is not None or said.header_rows is not None or said.transpose:
            return False
        rows = self._all_rows()
        try:
            top, first = next(rows), next(rows, None)
            width = len(top.cells) + 1
            if first is None or len(first.cells) != width or not all(cell.strip() for cell in top.cells):
                return False
            names = []
            for row in chain((first,), rows):
                # Punctuation of a sentence makes a cell more, too, with a space behind it.
                if len(row.cells) != width or any(cell[:1] == " " for cell in row.cells):
                    return False
                names.append(row.cells[0])
        except (FormatError, StopIteration):
            return False
        return len(set(names)) == len(names) > 1 and width > 2

    @cached_property
    def has_columns(self) -> bool:
        """Whether a text is a table whatever it is called: all rows have as many cells, and names or known headings above them."""
        return len(self.widths) == 1 and (self.is_barred or self.has_row_names or len(roles_of(self.first_row)) >= 2)

    @cached_property
    def widths(self) -> frozenset[int]:
        """How many cells rows have; none where cells cannot be told apart, as in running text, which has quotation marks anywhere."""
        said = self.options
        is_bare = said.headings is None and said.alternatives is None and not said.blank_rows and not said.transpose
        if is_bare and not self.is_spreadsheet and self.delimiter not in self.text and '"' not in self.text:
            return frozenset({1})
        try:
            return frozenset(len(row.cells) for row in self.rows())
        except FormatError:
            return frozenset()

    @staticmethod
    def under_one(rows: Sequence[TableRow]) -> Iterator[TableRow]:
        """Several rows of headings as one: what stands above holds for the columns to its right, too."""
        if not rows:
            return
        width = max(len(row.cells) for row in rows)
        found: list[list[str]] = [[] for _ in range(width)]
        for row in rows[:-1]:
            held = ""
            for column, cell in enumerate(row.cells + ("",) * (width - len(row.cells))):
                held = cell.strip() or held
                if held:
                    found[column].append(held)
        for column, cell in enumerate(rows[-1].cells):
            # What spans both rows is said once.
            if cell.strip() and found[column][-1:] != [cell.strip()]:
                found[column].append(cell.strip())
        yield TableRow(rows[-1].line, tuple("_".join(parts) for parts in found))

    def _values_of(self, top: TableRow, option: str, said: Sequence[str]) -> dict[int, set[str]]:
        """The columns, by number, with the values that an option names. Raises `FormatError` for one that is not there."""
        found: dict[int, set[str]] = {}
        headings = [cell.strip() for cell in top.cells]
        for part in said:
            name, equals, value = part.partition("=")
            if not equals or name.strip() not in headings:
                self.refuse(
                    top.line,
                    f"there is no column for {option} {part}",
                    hint=f"Columns: {', '.join(headings)}; {option} NAME=VALUE.",
                )
            found.setdefault(headings.index(name.strip()), set()).add(value.strip())
        return found

    def column_number(self, column: int) -> int:
        """The number in the file, from 1, of a column of `rows`, for a message: columns that hold nothing count there too."""
        for empty in sorted(self._empty_columns):
            if empty <= column:
                column += 1
        return column + 1

    @cached_property
    def _empty_columns(self) -> frozenset[int]:
        """The columns without a heading and without any cell that stand before others."""
        rows = self._in_shape(self._all_rows())
        top = next(rows, None)
        filled = [n for n, cell in enumerate(top.cells) if cell.strip()] if top is not None else [0]
        empty = set(range(filled[-1])) - set(filled)
        while empty and (row := next(rows, None)) is not None:
            empty -= {n for n in empty if n < len(row.cells) and row.cells[n].strip()}
        return frozenset(empty)

    def _all_rows(self) -> Iterator[TableRow]:
        rows = self._rows_of_sheet() if self.is_spreadsheet else self._rows_of_text()
        if self.options.header_row is None and self.options.headings is None and not self.options.transpose:
            rows = self._with_titles(rows)
        if not self.options.leave_out or not (out := self._rows_out):
            return rows
        return (row for row in rows if row.line not in out)

    def _repeated(self, row: TableRow, held: TableRow | None) -> TableRow:
        """A row with what stands above in the place of signs such as 〃; there is no row `held` below the headings, which nothing repeats. A
        column whose first cell is such a word has it for one of its own. Refuses a sign below a row that is left out by its number: what
        it repeats is gone."""
        signs = {n for n, cell in enumerate(row.cells) if cell.strip() in _DITTO}
        if held is None:
            self.known["no_ditto"] = signs
            return row
        signs = {n for n in signs - self.known["no_ditto"] if n < len(held.cells)}
        if not signs:
            return row
        here, above = (self._number_in_file(one) for one in (row, held))
        if gone := [number for number in self._numbers_out if above < number < here]:
            self.refuse(
                row.line,
                f"{row.cells[min(signs)].strip()!r} repeats what stands above it, and {gone[-1]} is left out there",
                hint=f"Leave {here} out, too, or write in its place what it stands for.",
            )
        self.known.setdefault("ditto", {})[row.line] = None
        return replace(row, cells=tuple(held.cells[n] if n in signs else cell for n, cell in enumerate(row.cells)))

    @property
    def _numbers_out(self) -> Collection[int]:
        """The rows, or the lines of a text, that are left out by their number."""
        return self._rows_out or (() if self.is_spreadsheet else self._out.numbers)

    def _number_in_file(self, row: TableRow) -> int:
        """The line of a row in the file, or its number where that is how it is left out."""
        numbers = () if self._rows_out or self.is_spreadsheet else self.rewritten.numbers
        return numbers[row.line - 1] if 0 < row.line <= len(numbers) else row.line

    def _with_titles(self, rows: Iterator[TableRow]) -> Iterator[TableRow]:
        """The rows of blocks that have headings of their own, the first of which numbers the item, with that number in each; other rows as they
        are."""
        top = next(rows, None)
        if (
            top is not None
            and len(top.cells) > 1
            and "item" not in roles_of(top.cells)
            and not _TITLE.fullmatch(top.cells[0].strip())
        ):
            second = next(rows, None)
            own = [] if second is None else [cell for cell in second.cells if cell.strip()]
            if second is not None and len(own) == 1 and _HEADED.match(own[0]):
                yield from self._below_titles(top, [second, *rows])
            else:
                yield from (row for row in (top, second) if row is not None)
                yield from rows
            return
        if top is None or len(top.cells) < 3 or (first := _TITLE.fullmatch(top.cells[0].strip())) is None:
            yield from (row for row in (top,) if row is not None)
            yield from rows
            return
        below = list(rows)
        heads = [row for row in below if row.cells[1:] == top.cells[1:] and _TITLE.fullmatch(row.cells[0].strip())]
        are_words = all(cell.strip() and re.search(r"[^\W\d]", cell) for cell in top.cells[1:])
        if not heads or not are_words:
            yield from (top, *below)
            return
        self.known["titled"] = len(heads) + 1
        head_lines = {row.line for row in heads}
        number = first["number"]
        yield replace(top, cells=(ITEM, ROW_LABEL, *top.cells[1:]))
        for row in below:
            if row.line in head_lines and (match := _TITLE.fullmatch(row.cells[0].strip())) is not None:
                number = match["number"]
            elif _counts(row):
                self.known.setdefault("counts", {})[row.line] = " ".join(filter(None, map(str.strip, row.cells)))
            else:
                yield replace(row, cells=(number, *row.cells), is_begin=False)

    def _below_titles(self, top: TableRow, below: list[TableRow]) -> Iterator[TableRow]:
        """The rows of a table in which a row of one cell numbers the item of those below it, with that number in each; other rows as they
        are."""
        titles = [
            _HEADED.match(cells[0]) if len(cells) == 1 else None
            for row in below
            for cells in [[c for c in row.cells if c.strip()]]
        ]
        numbers = [match["number"] for match in titles if match is not None]
        if len(roles_of(top.cells)) < 1 or len(numbers) < 2 or titles[0] is None or len(set(numbers)) < len(numbers):
            yield from (top, *below)
            return
        self.known["titled"] = len(numbers)
        remarks = [match.string[match.end() :].strip(" \t:;,.–—-") if match is not None else "" for match in titles]
        # What stands beside the number is said of the item.
        has_remarks = any(remarks)
        known = {fold(cell) for cell in top.cells}
        heading = next(name for name in (REMARK, *(f"{REMARK}_{n}" for n in range(2, len(known) + 3))) if name not in known)
        yield replace(top, cells=(ITEM, heading, *top.cells) if has_remarks else (ITEM, *top.cells))
        number = said = ""
        for row, match, remark in zip(below, titles, remarks, strict=True):
            if match is not None:
                number, said = match["number"], remark
            else:
                yield replace(row, cells=(number, *((said,) if has_remarks else ()), *row.cells), is_begin=False)

    def _rows_of_sheet(self) -> Iterator[TableRow]:
        before = 0
        for stored in self._spreadsheet:
            expect_row(f"{self.path}, row {stored.line:,}", stored.line, stored.cells)
            yield replace(stored, is_begin=stored.line > before + 1)
            before = stored.line

    def _rows_of_text(self) -> Iterator[TableRow]:
        quoting: Literal[0, 3] = csv.QUOTE_NONE if self._quotes_are_text else csv.QUOTE_MINIMAL
        # As it was decoded: a line end within a cell stays what it is.
        text = self._plain
        escaping: dict[str, Any] = {"doublequote": False, "escapechar": "\\"} if self._quotes_are_escaped else {}
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter, strict=True, quoting=quoting, **escaping)
        line, is_begin = 1, False
        try:
            for row in reader:
                if self.options.wrapped and self.delimiter in (",", ";"):
                    own, row = len(row), _going_on(row, self.delimiter)
                    self.known["gone_on"] = self.known.get("gone_on", False) or len(row) < own
                if is_filled := any(cell.strip() for cell in row):
                    expect_row(f"{self.path}, line {line:,}", line, row)
                    yield TableRow(line, tuple(row), is_begin)
                line, is_begin = reader.line_num + 1, not is_filled
        except csv.Error as error:
            if "field limit" in str(error):
                self.refuse(
                    line,
                    f"a cell holds more than {csv.field_size_limit():,} characters",
                    hint="A quotation mark that is not closed makes one cell of many rows.",
                )
            self.refuse(
                line,
                f"the cells cannot be told apart ({error})",
                hint="A quotation mark that opens there is never closed: close it, or take it out; inside quotes it is doubled."
                if "unexpected end" in str(error)
                else "A quotation mark inside quotes is doubled.",
                is_open=True,
            )

    def at(self, line: int) -> str:
        """Where a line is, for a message."""
        return f"{self.path}, {self.place(line)}"

    def place(self, line: int) -> str:
        """Where a line is, in a message that names the file."""
        if self.is_spreadsheet:
            places: Sequence[str] = self.known.get("places", ())
            return places[line - 1] if 0 < line <= len(places) else f"row {line}"
        if (folder := self._folder) is not None and self.rewritten.are_lines and not self.rewritten.numbers:
            return folder.places[line - 1] if 0 < line <= len(folder.places) else "the folder"
        return self.rewritten.place(line)

    @property
    def has_own_rows(self) -> bool:
        """Whether the rows that are read are those of the file, as a spreadsheet shows them."""
        return self.is_spreadsheet or self.rewritten.are_lines

    def lines_of(self, line: int) -> range:
        """The lines of the file that a line of the text was put together from."""
        numbers = self.rewritten.numbers
        if not numbers:
            return range(line, line + 1)
        end = numbers[line] if line < len(numbers) else len(self._decoded[0].splitlines()) + 1
        return range(numbers[line - 1], max(end, numbers[line - 1] + 1))

    def refuse(
        self, line: int, message: str, *, hint: str = "", ways: Sequence[FileAnswer] = (), is_open: bool = False
    ) -> NoReturn:
        """Say that the file cannot be read, and where. Line 0 is the file as a whole. `ways` may take it, and where it `is_open` what the
        file is, so may others: those that do are printed."""
        place = self.at(line) if line else str(self.path)
        if ways or is_open:
            raise ShapeError(f"{place}: {message}", hint=f"{hint} {self.unchanged}".strip(), ways=ways, is_open=is_open)
        raise FormatError(f"{place}: {message}", hint=f"{hint} {self.unchanged}".strip())

    def ask(self, line: int, message: str, question: str, answers: Sequence[FileAnswer], *, hint: str = "") -> NoReturn:
        """Say what cannot be told from the file: somebody answers, or it is refused with the commands that say it."""
        place = self.at(line) if line else str(self.path)
        before = "\n".join(filter(None, [hint, self.head]))
        raise UndecidedError(
            f"{place}: {message}",
            question=question,
            answers=answers,
            ways=self.ways(answers),
            before=before,
            after=self.unchanged,
        )

    def ways(self, answers: Sequence[FileAnswer]) -> list[str]:
        """The commands that say these answers, each with what it means."""
        return [f"{self.typed(answer)}{f'   ({answer.means})' if answer.means else ''}" for answer in answers]

    def typed(self, answer: FileAnswer) -> str:
        """The command that reads the file with that answer, and with what was said before."""
        named = self.known.get("format")
        options = {**({"format": named} if named else {}), **self.options.said(), **answer.options}
        return f"{self.command} {shlex.quote(str(self.path))} {flags_of(options)}".strip()

    @cached_property
    def head(self) -> str:
        """The first lines or rows as they were read, for a message."""
        return "\n".join(["As it was read:", *self._head_lines()])

    def _head_lines(self) -> Iterator[str]:
        def cut(text: str) -> str:
            shown = "".join(c if c.isprintable() else " " for c in text)
            return shown if len(shown) <= 100 else f"{shown[:99]}…"

        rows = [] if self.may_be_json else list(islice(self._rows_that_read(), 4))
        if self.is_spreadsheet or (rows and len(rows[0].cells) > 1 and len({len(row.cells) for row in rows}) == 1):
            for row in rows:
                yield f"  {self.place(row.line)}: {cut(' | '.join(cell.strip() for cell in row.cells))}"
        else:
            filled = ((n, line) for n, line in enumerate(self.lines, 1) if line.strip())
            for number, line in islice(filled, 4):
                yield f"  line {number}: {cut(line)}"

    def _rows_that_read(self) -> Iterator[TableRow]:
        try:
            yield from self.rows()
        except FormatError:
            return

    @cached_property
    def _bytes(self) -> bytes:
        try:
            raw = bytes_of(self.path)
        except FileNotFoundError:
            raise NoItemsError(f"{self.path}: there is no such file") from None
        except IsADirectoryError:
            return self._of_folder()
        except OSError as error:
            raise NoItemsError(f"{self.path}: cannot be read ({error.strerror})") from None
        if (kind := no_text(self.path, raw)) is not None:
            raise FormatError(
                f"{self.path}: is {kind.what}, and not read", hint=f"{kind.hint(self.path, self.command)}\n{self.unchanged}"
            )
        return raw

    def _of_folder(self) -> bytes:
        """The files of a folder as one. Refuses folders whose files do not say how they belong together, with a command for each."""
        files = files_in(self.path)
        try:
            made = composed(files)
        except FolderError as why:
            lines = [f"  {self.command} {shlex.quote(str(file))}" for file in files[:_NAMED]]
            more = [f"  and so on, {len(files)} files"] if len(files) > _NAMED else []
            hint = ["Import its files one by one:", *lines, *more] if files else []
            if why.alike:
                apart = self.path.with_name(f"{self.path.name}_items")
                step = (
                    "Where line N is item N, leave a blank line in place of every sentence that is not there. If the others are no conditions, "
                    f"copy {', '.join(file.name for file in why.alike)} into a folder of their own, such as {apart.name}, and import that:"
                )
                hint = [step, f"  {self.command} {shlex.quote(str(apart))}"]
            hint += [
                f"A published benchmark as it was downloaded comes in with `gapsmith dataset recognise FOLDER`. {self.unchanged}"
            ]
            what = f"and {why}" if files else "without a file that may hold items"
            raise FormatError(f"{self.path}: is a folder {what}", hint="\n".join(hint)) from None
        except OSError as error:
            raise NoItemsError(f"{self.path}: cannot be read ({error.strerror})") from None
        self.known["folder"] = made
        return made.raw

    @property
    def _folder(self) -> Composed | None:
        """What a folder was made into; None for a file."""
        self._bytes  # noqa: B018 - what is found out of a folder is known once it has been read
        found: Composed | None = self.known.get("folder")
        return found

    @cached_property
    def shown_of_cells(self) -> list[ShownOfCells]:
        """What a spreadsheet shows of the cells that were read and their text does not say; empty for other files."""
        return []

    @cached_property
    def _spreadsheet(self) -> tuple[TableRow, ...]:
        # Kept, since opening a workbook again costs as much as reading it.
        names = self.options.sheets
        if len(names) > 1:
            return self._joined(names)
        try:
            rows = read_xlsx(self.path, names[0] if names else None, self.shown_of_cells)
            return tuple(TableRow(number, cells) for number, cells in rows)
        except SeveralSheetsError as error:
            readable: dict[str, list[tuple[int, tuple[str, ...]]]] = {}
            broken, steps = [], []
            for name in error.sheets:
                # What is wrong with a sheet matters to whoever wants that one.
                try:
                    readable[name] = list(read_xlsx(self.path, name))
                except FormatError as why:
                    broken.append(why.message.removeprefix(f"{self.path}, "))
                    steps.append(why.hint)
            answers = sheets.answers(readable)
            if not answers:
                raise FormatError(f"{self.path}, {broken[0]}", hint=self.unchanged) from None
            raise UndecidedError(
                "; ".join([error.message, *broken]),
                question=f"{error.message}. Which are to be read?",
                answers=answers,
                ways=self.ways(answers),
                before="\n".join(dict.fromkeys(filter(None, steps))),
                after=self.unchanged,
            ) from None

    def _joined(self, names: Sequence[str]) -> tuple[TableRow, ...]:
        """Several sheets as one table, whose rows are numbered through; `place` says where each stands."""
        try:
            parts = {name: [TableRow(*row) for row in read_xlsx(self.path, name, self.shown_of_cells)] for name in names}
            below = {name: rows_below(rows) for name, rows in parts.items()}
            self.known["below_sheets"] = [(f"sheet {name}, row {row.line}", row) for name in names for row in below[name]]
            kept = {name: [(r.line, r.cells) for r in rows if r not in below[name]] for name, rows in parts.items()}
            rows = list(sheets.joined(kept))
        except ValueError as error:
            self.refuse(0, str(error), hint="Sheets with the same columns are read together; read the others by themselves.")
        self.known["places"] = [f"sheet {name}, row {number}" for name, number, _ in rows]
        return tuple(TableRow(number, cells) for number, (_, _, cells) in enumerate(rows, 1))

    @cached_property
    def _decoded(self) -> tuple[str, str]:
        try:
            text, encoding = _decode(self.path, self._bytes, self.options.encoding, self.unchanged)
            expect_digits(str(self.path), text)
            return text, encoding
        except _NoTextError as error:
            if self.options.encoding is not None:
                raise FormatError(error.message, hint=error.hint) from None
            answers = []
            for guess, words in likely_encodings(self._bytes):
                lines = self._bytes.decode(guess, "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
                shown = lines[min(error.line, len(lines)) - 1].strip()[:120]
                means = f"as {guess} it has {', '.join(words)}; line {error.line} reads: {shown}"
                answers.append(FileAnswer(guess, means, {"encoding": guess}))
            if not answers:
                raise FormatError(error.message, hint=error.hint) from None
            shown = "\n".join(f"  {answer.means}" for answer in answers)
            raise UndecidedError(
                error.message,
                question=f"The file is not UTF-8.\n{shown}\nWhich is right?",
                answers=answers,
                ways=self.ways(answers),
                before="Save the file as UTF-8 (in a spreadsheet: CSV UTF-8), or say what it is, by the words that read right: where none do,\n"
                "with --encoding NAME.",
                after=self.unchanged,
            ) from None

    def _split(self, delimiter: str) -> Iterator[list[str]]:
        """The rows with something in them if that sign separates the cells. Raises `csv.Error` where the quoting is broken."""
        text = self._plain
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        return (row for row in rows if any(cell.strip() for cell in row))

    def _headings_known(self, delimiter: str) -> int:
        """How many known headings the first row has if that sign separates its cells."""
        try:
            return len(roles_of(next(self._split(delimiter), [])))
        except csv.Error:
            return 0

    def _separates(self, delimiter: str) -> bool:
        """Whether that sign makes equally many cells of all rows and is nowhere punctuation."""
        widths = set()
        try:
            for row in self._split(delimiter):
                widths.add(len(row))
                if any(joint(*cells, sign=delimiter) != "column" for cells in pairwise(row)):
                    return False
        except csv.Error:
            return False
        return len(widths) == 1

    @cached_property
    def _quotes_are_escaped(self) -> bool:
        """Whether a backslash stands before quotation marks within cells, as R writes them: the cells can be told apart so, and else not."""
        text = self._plain
        if '\\"' not in text:
            return False
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter=self.delimiter, strict=True):
                pass
        except csv.Error:
            pass
        else:
            return False
        try:
            rows = csv.reader(
                io.StringIO(text, newline=""), delimiter=self.delimiter, strict=True, doublequote=False, escapechar="\\"
            )
            return len({len(row) for row in rows if row}) < 3
        except csv.Error:
            return False

    @cached_property
    def _quotes_are_text(self) -> bool:
        """Whether quotation marks at the beginning of a cell belong to it: in files of tabs where they do not close."""
        if self.delimiter != "\t" or self._quotes_are_escaped:
            return False
        text = self._plain
        try:
            for _ in csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True):
                pass
        except csv.Error:
            return True
        return False


def joint(before: str, after: str, *, sign: str, quoted: bool = False) -> Literal["column", "text", "unclear"]:
    """What a comma or semicolon between two cells is, in a row that has no headings above it: what separates columns, punctuation
    of a sentence, or either. `quoted` says that quotation marks stand in the row.

    A space follows punctuation, and no program writes one between columns; only after the end of a sentence do people."""
    if sign == "," and not quoted and before[-1:].isdecimal() and after[:1].isdecimal():
        return "text" if re.match(r"\d{3}(?!\d)", after) else "unclear"
    if not after[:1].isspace() or not after.strip():
        return "column"
    if after.lstrip().startswith('"'):
        return "unclear"
    ends = not quoted and before.rstrip().endswith((".", "?", "!", "…"))
    return "column" if ends and not after.lstrip()[0].islower() else "text"


def _going_on(row: Sequence[str], sign: str) -> list[str]:
    """The cells of a row, of which one that begins with a blank goes on with the one before it: the sign between them is of the sentence."""
    cells: list[str] = []
    for cell in row:
        if cells and cell[:1] == " " and cell.strip():
            cells[-1] += sign + cell
        else:
            cells.append(cell)
    return cells


def _cell(row: TableRow, column: int) -> str:
    return row.cells[column].strip() if column < len(row.cells) else ""


def _is_wanted(row: TableRow, wanted: Mapping[int, set[str]]) -> bool:
    """Whether a row says one of the values that were said; a cell that is not there says nothing."""
    return all(_cell(row, column) in values for column, values in wanted.items())


def _unwanted(row: TableRow, unwanted: Mapping[int, set[str]]) -> list[tuple[int, str]]:
    """The columns whose cell has a value that is left out, each with it; none where the row stays."""
    return [(column, cell) for column, values in unwanted.items() if (cell := _cell(row, column)) in values]


def _are_records(text: str) -> bool:
    """Whether the first line that holds something is a JSON document of its own."""
    start = next((line for line in text.split("\n") if line.strip()), "")
    try:
        read_json(start)
    except DocumentError:
        return False
    return "\n" in text.strip()


_TOTAL = re.compile(
    r"(?:total|totale|totaal|sum|summe|gesamt|mean|average|avg|mittelwert|durchschnitt|media|moyenne)[:.]?(?: [\w.]+){0,2}",
    re.IGNORECASE,
)
"""What a row is called that sums up those above it."""


_COUNT = re.compile(
    r"(?:n\s*[=:]|[Σ∑]\s*[=:]?|(?:total|sum|count|summe|anzahl|gesamt|totaal|nombre|somme)(?: n)?\s*[=:]?)\s*\d+(?:[.,]\d+)?",
    re.IGNORECASE,
)
"""A row that counts those above it."""


def rows_below(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    """The rows at the end of a table, whose first row has its headings, that are none of it."""
    rows = [row for n, row in enumerate(rows) if n != 1 or not _explains(row)]
    if legend := _legend(rows):
        return legend
    left = list(rows)
    found: list[TableRow] = []
    while len(left) > 3 and len(left[0].cells) > 1 and _is_apart(left[-1]):
        found.append(left.pop())
    body = [row for row in left[1:] if row.cells != left[0].cells]
    above = _Above(body)
    own = [row for row in reversed(found) if body and _is_no_row(row, above, len(body))]
    if len(own) == len(found):
        return tuple(own)
    # Rows like those of the table may look as if they stood below it: then the last ones count that are none of it.
    left = list(rows)
    last: list[TableRow] = []
    above = _Above(rows[1:])
    while len(left) > 3 and _is_apart(left[-1]) and _is_no_row(left[-1], above, len(left) - 2):
        last.insert(0, left.pop())
    return tuple(last)


def _may_explain(row: TableRow) -> bool:
    """Whether a row may be of a legend, which is cheap to see."""
    return len(row.cells) > 2 and not re.search(r"\d", _cell(row, 0))


def _legend(rows: Sequence[TableRow]) -> tuple[TableRow, ...]:
    """The rows below a blank one at the end of a table that explain its labels: no first cell of them is a number or code as all those above
    are, and none has a cell of as many words as the shortest sentence above."""
    begin = next((n for n in range(len(rows) - 1, 0, -1) if rows[n].is_begin), 0)
    body, tail = rows[1:begin], tuple(rows[begin:])
    if len(body) < 4 or not 0 < len(tail) <= len(body) or len(rows[0].cells) < 3:
        return ()
    long = min((max(len(cell.split()) for cell in row.cells) for row in body), default=0)
    are_coded = all(re.fullmatch(r"\S*\d\S*", _cell(row, 0)) for row in body)
    others = [_cell(row, 0) for row in tail]
    is_apart = all(cell and not re.search(r"\d", cell) for cell in others)
    # A row with a label of the table above is one of it.
    above = [{_cell(row, n) for row in body} for n in range(len(rows[0].cells))]
    if any(cell.strip() in above[n] for row in tail for n, cell in enumerate(row.cells) if 0 < n < len(above) and cell.strip()):
        return ()
    return tail if are_coded and is_apart and long > 2 and all(len(c.split()) < long for r in tail for c in r.cells[1:]) else ()


def _explains(row: TableRow) -> bool:
    """Whether a row right below the headings explains them: all that it holds stands in brackets, in several cells."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    are_sentences = any(len(cell.split()) > 1 and re.search(r"[.?!…。？！]\W*\Z", cell) for cell in filled)
    return len(filled) > 1 and not are_sentences and all(re.fullmatch(r"\([^()]*\)|\[[^][]*\]", cell) for cell in filled)


def _counts(row: TableRow) -> bool:
    return _COUNT.fullmatch(" ".join(filter(None, map(str.strip, row.cells)))) is not None


def _is_apart(row: TableRow) -> bool:
    """Whether a row has words in the first of its cells that holds something, at most numbers behind it, and nothing else; or the same words
    in all cells, as a cell that spans the table does."""
    filled = [cell.strip() for cell in row.cells if cell.strip()]
    if _counts(row):
        return True
    if not filled or _CODE.fullmatch(filled[0]) or re.search(r"[^\W\d_]{2}", filled[0]) is None:
        return False
    spans = len(filled) == len(row.cells) > 2 and len(set(filled)) == 1
    return spans or _is_total(row) or (len(filled) < max(len(row.cells), 3) and all(map(_AMOUNT.fullmatch, filled[1:])))


def _is_total(row: TableRow) -> bool:
    """Whether a row says in its first cell that it sums up the others, and has numbers, several, in all that follow."""
    first, *others = (cell.strip() for cell in row.cells)
    return len(others) > 1 and _TOTAL.fullmatch(first) is not None and all(map(_AMOUNT.fullmatch, others))


class _Above:
    """The rows above those at the end of a table: how many of them, from the first one on, all are so, counted once for each question."""

    def __init__(self, rows: Sequence[TableRow]) -> None:
        self.width = max((len(row.cells) for row in rows), default=0)
        self._rows = rows
        self._known: dict[tuple[str, int], int] = {}

    def all(self, name: str, count: int, is_so: Callable[[TableRow], object], column: int = 0) -> bool:
        """Whether the first `count` rows are all so; `name` and `column` say what is asked."""
        if (key := (name, column)) not in self._known:
            self._known[key] = next((n for n, row in enumerate(self._rows) if not is_so(row)), len(self._rows))
        return self._known[key] >= count

    def are_filled(self, column: int, count: int) -> bool:
        return self.all("filled", count, lambda row: _cell(row, column), column)

    def are_codes(self, column: int, count: int) -> bool:
        return self.all("codes", count, lambda row: _CODE.fullmatch(_cell(row, column)), column)

    def begins(self, count: int) -> bool:
        """Whether the first column numbers or codes the rows, or some of them; a sign of a note may stand behind a number."""
        is_code = self.all("begins", count, lambda row: not _cell(row, 0) or _CODE.fullmatch(_cell(row, 0).rstrip("†‡*")))
        return is_code and _cell(self._rows[0], 0) != ""


def _is_no_row(row: TableRow, above: _Above, count: int) -> bool:
    """Whether a row lacks what the first `count` rows above it all have, where a column numbers or codes these; or says one thing in all its
    cells."""
    if re.match(r"\W*\d+\s*[\t;|,]\s*\S", _cell(row, 0)):
        return False  # a row like those above, which another sign parts
    if _is_total(row) or (_counts(row) and above.all("uncounted", count, lambda one: not _counts(one))):
        return True
    if len(set(row.cells)) == 1 and len(row.cells) > 2:
        return above.all("several", count, lambda one: len(set(one.cells)) > 1)
    lacks = [n for n in range(above.width) if not _cell(row, n) and above.are_filled(n, count)]
    # Words below a column of codes, with nothing beside them, say what the codes mean.
    first = _cell(row, 0)
    is_key = (
        len(first.split()) > 2
        and re.match(r"\W*\d|.*[\t;|]\S", first) is None
        and above.all("keys", count, lambda one: re.fullmatch(r"\S*\d\S*", _cell(one, 0)))
    )
    return (len(lacks) > 0 and is_key) or (
        len(lacks) > 1 and (above.begins(count) or any(above.are_codes(n, count) for n in lacks))
    )


def _in_blocks(rows: Iterator[TableRow]) -> Iterator[TableRow]:
    """The rows with a column that numbers what stands between blank ones."""
    top = next(rows, None)
    if top is None:
        return
    yield replace(top, cells=(*top.cells, BLOCK))
    number = 0
    for row in rows:
        number += row.is_begin or not number
        yield replace(row, cells=(*row.cells, *[""] * (len(top.cells) - len(row.cells)), str(number)))


class _NoTextError(FormatError):
    """Bytes that are no text in the encoding, and the first line that holds some."""

    def __init__(self, message: str, line: int, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.line = line


def _decode(path: Path, raw: bytes, encoding: str | None, unchanged: str) -> tuple[str, str]:
    """The text of a file, its byte-order mark included, and its encoding: what is said, else what that mark says, else UTF-8.

    Nothing is guessed: `FormatError` names the first line that is not in the encoding, or holds a NUL character."""
    marked = next((name for mark, name in _BYTE_ORDER_MARKS if raw.startswith(mark)), "utf-8")
    if encoding is None and marked == "utf-8" and (wide := wide_encoding(raw)):
        raise _NoTextError(f"{path}: seems to be {_shown(wide)} without the mark that says so", 1, hint=unchanged)
    chosen = encoding or marked
    try:
        text = raw.decode(chosen)
    except LookupError:
        raise FormatError(
            f"{path}: there is no encoding {chosen!r}", hint="Usual ones: utf-8, utf-16, cp1252, latin-1."
        ) from None
    except UnicodeDecodeError as error:
        if encoding is None and b"\0" in raw:
            raise FormatError(
                f"{path}: is no text",
                hint=f"Save its sentences as text or as a table (.txt, .csv, .xlsx), and import that. {unchanged}",
            ) from None
        line = raw[: error.start].count(b"\n") + 1
        raise _NoTextError(
            f"{path}, line {line}: is not {_shown(chosen)} text",
            line,
            hint=f"Save the file as UTF-8 (in a spreadsheet: CSV UTF-8), or say what it is: --encoding NAME. {unchanged}",
        ) from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise FormatError(f"{path}, line {line}: holds a NUL character", hint=unchanged)
    return text, chosen


def _shown(encoding: str) -> str:
    return encoding.upper().removesuffix("-LE").removesuffix("-BE")
