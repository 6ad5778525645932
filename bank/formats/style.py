"""How a file is written apart from what it says, so that it can go out as it came in: line ends, byte-order mark, quotation
marks around cells, indents and escapes of JSON. Only what differs from our own way is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

_LONGEST_TAIL = 10_000
"""Of characters: programs write thousands of blank rows."""

Style = Mapping[str, Any]
"""``newline``; ``mark`` (a byte-order mark comes first); ``end`` (False: no line end after the last line); ``quoted`` (per
column: its cells stand in quotation marks), ``quoted_head``, ``bare`` (quotation marks within cells are text as they are),
``head`` (headings with the blanks around them), ``nameless`` (so many empty cells without a heading end every row), ``tail``
(blank rows at the end); ``indent``, ``compact``, ``ascii`` of JSON."""


def style_of(text: str, *, delimiter: str | None, suffix: str) -> dict[str, Any]:
    """The style of a file's text as it was decoded; `delimiter` is that of a table, None for other files."""
    found: dict[str, Any] = {}
    if text.startswith("\ufeff"):
        found["mark"] = True
        text = text[1:]
    newline = _newline(text)
    if newline != "\n":
        found["newline"] = newline
    if not text.endswith(("\n", "\r")):
        found["end"] = False
    if delimiter is not None:
        found |= _around_cells(text, delimiter, newline)
        if '"' in text and not re.search(rf'(?:^|{re.escape(delimiter)})"', text, re.MULTILINE):
            found["bare"] = True
        if '"' in text:
            rows = _rows_of_cells(text, delimiter)
            head = next(rows, [])
            if head and all(cell.startswith('"') for cell in head):
                found["quoted_head"] = True
            quoted = _quoted_columns(rows, len(head), delimiter)
            if any(quoted):
                found["quoted"] = quoted
    elif text.lstrip()[:1] in ("{", "["):
        found |= _json_style(text, lines=suffix != ".json")
    return found


def dressed(text: str, style: Style, *, is_table: bool, suffix: str) -> str:
    """Text that was written our way, in that style. A table has got its line ends and quotation marks with its cells."""
    if not is_table:
        # Lines of text may begin like JSON.
        if suffix in (".json", ".jsonl") and any(key in style for key in ("indent", "compact", "ascii")):
            text = _as_json(text, style, lines=suffix != ".json")
        if "newline" in style:
            text = text.replace("\n", style["newline"])
    if style.get("end") is False:
        text = text.removesuffix(style.get("newline", "\n"))
    return ("\ufeff" if style.get("mark") else "") + text


def cells_line(cells: Sequence[str], quoted: Sequence[bool], delimiter: str, *, bare: bool = False) -> str:
    """A row whose cells stand in quotation marks where their column's do, or where they have to: for what separates cells or
    rows, and for a quotation mark, with `bare` only for one that comes first."""
    needs = re.compile(rf'^"|[{delimiter}\r\n]' if bare else rf'[{delimiter}"\r\n]')
    return delimiter.join(
        '"' + cell.replace('"', '""') + '"' if is_quoted or needs.search(cell) else cell
        for cell, is_quoted in zip(cells, quoted, strict=True)
    )


def _around_cells(text: str, delimiter: str, newline: str) -> dict[str, Any]:
    """What of a table stands around its cells."""
    found: dict[str, Any] = {}
    first = text[: text.find(newline)] if newline in text else text
    head = first.split(delimiter)
    if '"' not in first:
        nameless = next((n for n, cell in enumerate(reversed(head)) if cell.strip()), 0)
        are_named = all(cell.strip() for cell in head[: len(head) - nameless])
        rows = _rows_of_cells(text, delimiter)
        if nameless and are_named and all(len(row) == len(head) and not any(row[-nameless:]) for row in rows):
            found["nameless"] = nameless
            head = head[:-nameless]
        if any(cell != cell.strip() for cell in head):
            found["head"] = head
    behind = text[len(text.rstrip(f"{delimiter}\r\n")) :].partition(newline)[2]
    if behind and len(behind) < _LONGEST_TAIL:
        found["tail"] = behind
    return found


def _newline(text: str) -> str:
    found = re.search(r"\r\n|\n|\r", text)
    return found.group() if found else "\n"


def _rows_of_cells(text: str, delimiter: str) -> Iterator[list[str]]:
    """The rows, blank ones left out, of cells as they are written; a cell in quotation marks begins with one."""
    cell = re.compile(rf'("[^"]*(?:""[^"]*)*"(?=[{delimiter}\r\n]|\Z)|[^{delimiter}\r\n]*)([{delimiter}]|\r\n|\n|\r|\Z)')
    row: list[str] = []
    for match in cell.finditer(text):
        row.append(match.group(1))
        if match.group(2) != delimiter:
            if row != [""]:
                yield row
            row = []


def _quoted_columns(rows: Iterator[list[str]], width: int, delimiter: str) -> list[bool]:
    """For each column, whether its cells stand in quotation marks: as the first of them does that would need none, one with
    something in it where there is one."""
    found: dict[int, bool] = {}
    empty: dict[int, bool] = {}
    for row in rows:
        for column, cell in enumerate(row) if len(row) == width else ():
            if column in found:
                continue
            is_quoted = cell.startswith('"')
            inner = cell[1:-1] if is_quoted else cell
            if not inner:
                empty.setdefault(column, is_quoted)
            elif not is_quoted or not re.search(rf'[{delimiter}"\r\n]', inner):
                found[column] = is_quoted
        if len(found) == width:
            break
    return [found.get(column, empty.get(column, False)) for column in range(width)]


def _json_style(text: str, *, lines: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if text.isascii() and re.search(r"\\u(?!00[0-7])[0-9a-fA-F]{4}", text):
        found["ascii"] = True
    head = text.lstrip().partition("\n")[0] if lines else text[:2000]
    if re.search(r'":\S', head):
        found["compact"] = True
    if not lines:
        indent = re.match(r"\s*[\[{]\r?\n([ \t]*)", text)
        found["indent"] = None if indent is None else "\t" if indent.group(1).startswith("\t") else len(indent.group(1))
        if found["indent"] == 1:
            del found["indent"]
    return found


def _as_json(text: str, style: Style, *, lines: bool) -> str:
    separators = (",", ":") if style.get("compact") else None
    indent = None if lines else style.get("indent", 1)

    def written(part: str) -> str:
        return json.dumps(json.loads(part), ensure_ascii=bool(style.get("ascii")), separators=separators, indent=indent)

    if not lines:
        return written(text) + "\n"
    return _each_line(text, written)


def _each_line(text: str, change: Callable[[str], str]) -> str:
    return "".join(change(line) + "\n" for line in text.split("\n") if line)
