"""Tables that are drawn in a text: with rules of signs (reStructuredText, what databases print), of a wiki, or with columns below their
headings, as R prints them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gapsmith.bank.formats.headings import roles_of

_RULE = re.compile(r"\s*={2,}(?:\s+={2,})+\s*")
_CROSSED = re.compile(r"\s*(?:\+[-=]+(?:\+[-=]+)+\+|-{2,}(?:\+-{2,})+|\+[-=]{2,}\+)\s*")
_DOUBLE = re.compile(r"\s*\+={2,}(?:\+={2,})*\+\s*")
_COUNT = re.compile(r"\s*\(\d+ rows?\)\s*")
_PRINTED = re.compile(r"\s*(?:> |# A tibble|<[a-z]{3,4}>(?:\s+<[a-z]{3,4}>)*\s*$)")
"""What R prints above a table and below its headings, and what was typed."""
_WIDEST, _BEGIN = 2000, 20_000
"""So many letters of the headings, and of the text, are looked at before it is taken apart."""
_BOXES = {
    **{ord(sign): "|" for sign in "│║┃"},
    **{ord(sign): "-" for sign in "─═━"},
    **dict.fromkeys(range(9484, 9548), "+"),
}
_BOXES |= dict.fromkeys(range(9554, 9581), "+")
"""Lines and corners of boxes as plain signs."""
_WIKI_CELL = re.compile(r"(?:^|\n)[!|](?![-}+])|(?:\|\||!!)")


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """The rows of a table, its headings first."""

    rows: list[list[str]]
    places: list[int]
    """The line of each row below the headings."""
    how: str


def drawn_table(text: str) -> DrawnTable | None:
    """The table that a text draws; None where it is something else, or a cell might reach over an edge."""
    if "{|" in text[:_BEGIN] and (found := _wiki(text)) is not None:
        return found
    # A long text is taken apart only where its beginning is that of such a table.
    begin = text[:_BEGIN]
    if "\u2502" in begin or "\u2551" in begin:
        text = text.translate(_BOXES)
        begin = text[:_BEGIN]
    if "|===" in begin and (found := _asciidoc(text.split("\n"))) is not None:
        return found
    first = begin.split("\n")
    if ".. list-table::" in begin and (listed := _list_table(text.split("\n"))) is not None:
        return listed
    if any(map(_RULE.fullmatch, first)):
        return _ruled(text.split("\n"))
    if any(map(_CROSSED.fullmatch, first)):
        return _crossed(text.split("\n"))
    return _below_headings(text, first)


def _drawn(rows: Sequence[tuple[int, list[str]]], how: str) -> DrawnTable | None:
    """The rows, where all are as wide as their headings, and these say what a table of items says."""
    if len(rows) < 3 or len({len(row) for _, row in rows}) != 1 or len(rows[0][1]) < 2:
        return None
    return DrawnTable([row for _, row in rows], [number for number, _ in rows[1:]], how)


def _list_table(lines: Sequence[str]) -> DrawnTable | None:
    """A table of reStructuredText as a list of lists."""
    rows: list[tuple[int, list[str]]] = []
    begin = next(n for n, line in enumerate(lines) if line.strip().startswith(".. list-table::"))
    for number, line in enumerate(lines[begin + 1 :], begin + 2):
        own = line.strip()
        if own.startswith("* -"):
            rows.append((number, [own[3:].strip()]))
        elif own.startswith("- ") and rows:
            rows[-1][1].append(own[2:].strip())
        elif own == "-" and rows:
            rows[-1][1].append("")
        elif own and not own.startswith(":"):
            if line[:1].strip():
                break
            if not rows:
                return None
            rows[-1][1][-1] += f" {own}"
    return _drawn(rows, "a table in reStructuredText")


def _ruled(lines: Sequence[str]) -> DrawnTable | None:
    """A simple table of reStructuredText: rules of ``=`` say where the columns are."""
    rules = [n for n, line in enumerate(lines) if _RULE.fullmatch(line)]
    if len(rules) != 3 or len({lines[n].rstrip() for n in rules}) != 1:
        return None
    edges = [match.start() for match in re.finditer(r"=+", lines[rules[0]])]
    rows: list[tuple[int, list[str]]] = []
    for n in range(rules[0] + 1, rules[2]):
        line = lines[n].expandtabs()
        if n == rules[1] or not line.strip():
            continue
        if any(line[edge - 1 : edge].strip() for edge in edges[1:]):
            return None
        cells = [line[edge:end].strip() for edge, end in zip(edges, [*edges[1:], len(line) + 1], strict=True)]
        if not cells[0] and rows and n > rules[1]:
            # A row without its first cell goes on with the one above.
            rows[-1] = (rows[-1][0], [f"{above} {own}".strip() for above, own in zip(rows[-1][1], cells, strict=True)])
        else:
            rows.append((n + 1, cells))
    return _drawn(rows, "a table in reStructuredText")


def _crossed(lines: Sequence[str]) -> DrawnTable | None:
    """Columns between bars, with rules of ``-`` and ``+``: a grid, or what a database prints."""
    rules = [n for n, line in enumerate(lines) if _CROSSED.fullmatch(line)]
    is_grid = lines[rules[0]].lstrip().startswith("+")
    is_rst = any(_DOUBLE.fullmatch(lines[n]) for n in rules)
    rows: list[tuple[int, list[str]]] = []
    end = rules[-1] if is_grid else len(lines)
    for n in range(rules[0] if is_grid else max(0, rules[0] - 1), end):
        line = lines[n]
        if n in rules or not line.strip() or _COUNT.fullmatch(line):
            continue
        if "|" not in line:
            return None
        bare = line.strip()
        cells = [cell.strip() for cell in (bare[1:-1] if is_grid and bare[0] == bare[-1] == "|" else bare).split("|")]
        if is_grid and is_rst and rows and n - 1 not in rules:
            rows[-1] = (rows[-1][0], [f"{above} {own}".strip() for above, own in zip(rows[-1][1], cells, strict=False)])
        else:
            rows.append((n + 1, cells))
    return _drawn(rows, "a table with rules")


def _asciidoc(lines: Sequence[str]) -> DrawnTable | None:
    """The table of an AsciiDoc text, with a line for each row."""
    edges = [n for n, line in enumerate(lines) if line.strip() == "|==="]
    if len(edges) != 2:
        return None
    body = [(n + 1, lines[n].strip()) for n in range(edges[0] + 1, edges[1]) if lines[n].strip()]
    if any(not line.startswith("|") for _, line in body):
        return None
    return _drawn([(n, [cell.strip() for cell in line[1:].split("|")]) for n, line in body], "a table in AsciiDoc")


def _wiki(text: str) -> DrawnTable | None:
    """The table of a wiki."""
    begin, end = text.index("{|"), text.rfind("|}")
    if end < begin or text.count("{|") > 1:
        return None
    above = text.count("\n", 0, begin) + 1
    rows: list[tuple[int, list[str]]] = []
    line = above + 1
    body = text[begin:end].split("\n", 1)[1] if "\n" in text[begin:end] else ""
    for part in re.split(r"(?m)^\|-.*$", body):
        kept = re.sub(r"(?m)^\|\+.*$", "", part)
        first = line + len(part) - len(part.lstrip("\n"))
        cells = [re.sub(r"^[^|\[\]]*=\s*\"[^\"]*\"\s*\|(?!\|)", "", cell).strip() for cell in _WIKI_CELL.split(kept)[1:]]
        if cells:
            rows.append((first, [re.sub(r"'{2,3}", "", cell) for cell in cells]))
        line += part.count("\n")
    return _drawn(rows, "a table of a wiki")


def _below_headings(text: str, first: Sequence[str]) -> DrawnTable | None:
    """Columns that spaces part, each below its heading, with a blank in every line between two; the names of rows, as R and pandas print
    them, are no column."""
    head = next((line for line in first if line.strip() and not _PRINTED.match(line)), "").rstrip()
    names = list(re.finditer(r"\S+", head[:_WIDEST]))
    if not 2 <= len(names) <= 12 or len(roles_of([name[0] for name in names])) < 2 or any(sign in head for sign in ",;|"):
        return None
    filled = [(n, line.rstrip()) for n, line in enumerate(text.split("\n"), 1) if line.strip() and not _PRINTED.match(line)]
    if len(filled) < 3 or any("\t" in line for _, line in filled):
        return None
    body = [line for _, line in filled[1:]]
    edges = [0]
    for one, other in pairwise(names):
        free = (at for at in range(one.end(), other.start()) if not any(line[at : at + 1].strip() for line in body))
        if (edge := next(free, None)) is None:
            return None
        edges.append(edge)
    cells = [[line[a:b].strip() for a, b in zip(edges, [*edges[1:], len(line) + 1], strict=True)] for line in body]
    named = [re.fullmatch(r"(\d+)\s+(\S.*)", own[0]) for own in cells]
    if any(" " in own[0] for own in cells):
        numbers = [int(match[1]) for match in named if match]
        if not names[0].start() or len(numbers) < len(cells) or numbers != sorted(set(numbers)):
            return None
        cells = [[match[2], *own[1:]] for match, own in zip(named, cells, strict=True) if match]
    if any(not all(own) for own in cells):
        return None
    rows = [(filled[0][0], [name[0] for name in names]), *((n, own) for (n, _), own in zip(filled[1:], cells, strict=True))]
    return _drawn(rows, "columns that stand below their headings")
