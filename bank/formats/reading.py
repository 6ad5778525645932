"""What every reader of data files needs: decoding, the delimiter, and errors that name file and line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from templates.errors import FormatError

__all__ = ["Row", "read_rows", "read_text"]


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a delimited file and the line on which it starts, counted from 1."""

    line: int
    cells: dict[str, str]


def read_text(path: Path) -> str:
    """The file as UTF-8 text, with or without a byte-order mark. Raises `FormatError` naming the first bad line."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such file") from None
    except OSError as error:
        raise FormatError(f"{path}: cannot be read ({error.strerror})") from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise FormatError(
            f"{path}, line {line}: is not UTF-8 text",
            hint="Save the file as UTF-8 (in a spreadsheet: CSV UTF-8) and import it again. Nothing was imported.",
        ) from None


def read_rows(path: Path, required: Sequence[str], optional: Sequence[str] = ()) -> Iterator[Row]:
    """The records of a CSV file, also with semicolons or tabs, as spreadsheets write them.

    Column names are matched whatever their case and order. Raises `FormatError` for a missing, doubled or unknown column
    and for a record with too few or too many cells."""
    text = read_text(path)
    if "\0" in text:
        raise FormatError(f"{path}, line {text[: text.index(chr(0))].count(chr(10)) + 1}: holds a NUL character")
    lines = text.splitlines()
    if not lines:
        raise FormatError(f"{path}: the file is empty", hint=f"Its first line should be: {','.join(required)}")
    delimiter = max(",;\t", key=lines[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        header = _header(path, next(reader), required, optional)
        line = reader.line_num + 1
        for cells in reader:
            if cells and any(cell.strip() for cell in cells):
                if len(cells) != len(header):
                    raise FormatError(
                        f"{path}, line {line}: {len(cells)} cells where the header has {len(header)}",
                        hint="A sentence with a comma in it must stand in double quotes. Nothing was imported.",
                    )
                yield Row(line, dict(zip(header, cells, strict=True)))
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f"{path}, line {line}: {error}", hint="Nothing was imported.") from None


def _header(path: Path, cells: list[str], required: Sequence[str], optional: Sequence[str]) -> list[str]:
    names = [cell.strip().casefold() for cell in cells]
    known = {name.casefold(): name for name in (*required, *optional)}
    if missing := [name for name in required if name.casefold() not in names]:
        raise FormatError(
            f"{path}, line 1: there is no column {missing[0]!r}",
            hint=f"The columns should be: {', '.join(required)}. Found: {', '.join(cells)}.",
        )
    if unknown := [name for name in names if name not in known]:
        raise FormatError(
            f"{path}, line 1: unknown column {unknown[0]!r}",
            hint=f"Columns that are read: {', '.join(known.values())}. Remove the others first; nothing was imported.",
        )
    if len(set(names)) < len(names):
        raise FormatError(f"{path}, line 1: a column is there twice")
    return [known[name] for name in names]
