"""Tables and lines that stand in something else: a Markdown or HTML document, a text with comments, columns parted by spaces. They are
read as rows with tabs, or as the lines that are left, each on its own line of the file where the file has lines for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from gapsmith.bank.formats.headings import roles_of

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*")
"""The line below the headings of a Markdown table."""
_GAP = re.compile(r" *\t[\t ]*| {2,}")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_NUMBERED = re.compile(r"(?P<item>\d{1,5}) (?P<condition>[^\W\d][\w+-]{0,15}) (?P<text>\S.* \S.*)")
_COMMENT = re.compile(r"(#+|%+|;+|//+)(?:\s+\S|(?<=..)\s*\S)")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The text that is read, and what was done to the one in the file."""

    text: str
    how: tuple[str, ...] = ()
    """Each in words; empty where the text is the file's."""
    tables: int = 0
    """How many tables a document holds."""


def rewritten(text: str, suffix: str, comment: str | None) -> Rewritten:
    """The text as rows or lines of its own. `comment` is what lines begin with that are left out, and ends of lines."""
    how: list[str] = []
    if comment:
        lines = text.split("\n")
        kept = ["" if line.lstrip().startswith(comment) else line for line in lines]
        how.append(f"{sum(one != other for one, other in zip(lines, kept, strict=True))} lines that begin with {comment}")
        # A sign within a sentence has one space before it (50 % of them), and a mark of judgement none behind it (#He come).
        behind = re.compile(rf"(?<=\S) {{2,}}(?:{re.escape(comment)})+\s.*$")
        whole = [behind.sub("", line) for line in kept]
        if n := sum(one != other for one, other in zip(whole, kept, strict=True)):
            how.append(f"what stands behind {comment} at the end of {n} line{'s' if n > 1 else ''}")
        text = "\n".join(whole)
    if "<table" in text[:200_000].casefold() and (suffix in (".html", ".htm") or text.lstrip().startswith("<")):
        found = _html(text)
        return Rewritten(found.text, (*how, *found.how), found.tables)
    if "|" in text and "--" in text and (table := _markdown(text)) is not None:
        return Rewritten(table.text, (*how, *table.how), table.tables)
    if (numbered := _numbered(text)) is not None:
        return Rewritten(numbered, (*how, "an item's number and a condition before each sentence, under headings of our own"))
    if (spaced := _spaced(text)) is not None:
        return Rewritten(spaced, (*how, "columns that spaces part"))
    return Rewritten(text, tuple(how))


def comments_of(lines: list[str]) -> tuple[str, list[int]]:
    """The sign before lines that seem to be comments, as they stand between others, and their numbers from 1; nothing where no line or
    every second one is such."""
    found = [(n, match[1]) for n, line in enumerate(lines, 1) if (match := _COMMENT.match(line)) and not _is_header(line, lines)]
    filled = sum(bool(line.strip()) for line in lines)
    marks = {mark[0] for _, mark in found}
    if not found or len(marks) > 1 or len(found) * 2 > filled:
        return "", []
    mark = "//" if marks == {"/"} else marks.pop()
    return mark, [n for n, _ in found]


def _is_header(line: str, lines: list[str]) -> bool:
    """Whether a line has as many cells as all others: it is a row, of headings perhaps, whatever it begins with."""
    filled = [other for other in lines if other.strip()]
    signs = [sign for sign in "\t;,|" if sign in line]
    return any(sum(other.count(sign) == line.count(sign) for other in filled) > 0.8 * len(filled) for sign in signs)


def _row(cells: list[str]) -> str:
    return "\t".join(" ".join(cell.split()) for cell in cells)


def _markdown(text: str) -> Rewritten | None:
    lines = [line.rstrip("\r") for line in text.split("\n")]
    begins = [n for n in range(1, len(lines)) if _RULE.fullmatch(lines[n]) and "|" in lines[n] and "|" in lines[n - 1]]
    if not begins:
        return None
    kept = [""] * len(lines)
    for begin in begins[:1]:
        for number in (begin - 1, *range(begin + 1, len(lines))):
            if "|" not in lines[number]:
                break
            kept[number] = _row(_cells(lines[number]))
    more = f"; the first of {len(begins)}" if len(begins) > 1 else ""
    return Rewritten("\n".join(kept), (f"a Markdown table, without what stands around it{more}",), len(begins))


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    cells = re.split(r"(?<!\\)\|", bare)
    return [re.sub(r"\\([\\|*_`#])", r"\1", _BOLD.sub(r"\2", cell)).strip() for cell in cells]


def _spaced(text: str) -> str | None:
    """Rows whose columns runs of spaces or tabs part, under known headings; None where any line has other columns."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    start = next((line for line in lines if line.strip()), "")
    headings = _GAP.split(start.strip())
    if len(headings) < 3 or len(roles_of(headings)) < 3 or "," in start or ";" in start:
        return None
    rows = [_GAP.split(line.strip(), maxsplit=len(headings) - 1) if line.strip() else [] for line in lines]
    if all("\t" in line and line.count("\t") == len(headings) - 1 for line in lines if line.strip()):
        return None  # tabs alone part them
    if any(row and len(row) != len(headings) for row in rows):
        return None
    return "\n".join(_row(row) for row in rows)


def _numbered(text: str) -> str | None:
    """Lines of an item's number, a condition and a sentence, one space between them; None where a line has no such form, or an item
    has other conditions than the others."""
    lines = [line.strip() for line in text.split("\n")]
    found = [_NUMBERED.fullmatch(line) for line in lines if line]
    if len(found) < 4 or not all(found):
        return None
    own: dict[str, list[str]] = {}
    for match in found:
        if match is not None:
            own.setdefault(match["item"], []).append(match["condition"])
    sets = [frozenset(labels) for labels in own.values()]
    if len(own) < 2 or len(set(sets)) > 1 or len(sets[0]) < 2 or len(sets[0]) * 2 > len(found):
        return None
    rows = [line.replace(" ", "\t", 2) for line in lines]
    return "item\tcondition\tsentence\n" + "\n".join(rows)


class _Tables(HTMLParser):
    """The rows of each table, cells that span rows or columns repeated."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._cell: list[str] | None = None
        self._spans: tuple[int, int] = (1, 1)
        self._held: dict[int, tuple[int, str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._close()
            self.tables.append([])
            self._held = {}
        elif tag == "tr" and self.tables:
            self._close()
            self.tables[-1].append([])
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._close()
            said = dict(attrs)
            self._spans = (_count(said.get("rowspan")), _count(said.get("colspan")))
            self._cell = []
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close()
        if tag == "tr" and self.tables and self.tables[-1]:
            self._fill(self.tables[-1][-1])

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)

    def _close(self) -> None:
        if self._cell is None:
            return
        row, text = self.tables[-1][-1], " ".join("".join(self._cell).split())
        self._cell = None
        self._fill(row)
        rows, columns = self._spans
        for _ in range(columns):
            if rows > 1:
                self._held[len(row)] = (rows - 1, text)
            row.append(text)

    def _fill(self, row: list[str]) -> None:
        """Cells that a row above holds for this one, too."""
        while (held := self._held.get(len(row))) is not None and held[0] > 0:
            self._held[len(row)] = (held[0] - 1, held[1])
            row.append(held[1])


def _count(said: str | None) -> int:
    return int(said) if said is not None and said.isdecimal() and 0 < int(said) < 1000 else 1


def _html(text: str) -> Rewritten:
    parser = _Tables()
    parser.feed(text)
    parser.close()
    tables = [rows for table in parser.tables if (rows := [row for row in table if any(row)])]
    if not tables:
        return Rewritten(text)
    more = f"; the first of {len(tables)}" if len(tables) > 1 else ""
    how = f"an HTML table, without what stands around it{more}"
    return Rewritten("\n".join(_row(row) for row in tables[0]) + "\n", (how,), len(tables))
