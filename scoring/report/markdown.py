"""Text and tables as Markdown that shows them as they are: no markup, HTML or links from words in the data."""

from __future__ import annotations

import re

from gapsmith.scoring.report.tables import Table


def markdown_text(text: str) -> str:
    """One line of Markdown that reads as `text`, its white space collapsed."""
    flat = " ".join(str(text).split())
    escaped = re.sub(r"([\\`*_\[\]<|~$&!#])", r"\\\1", flat)
    return re.sub(r"^([-+>]|\d+(?=[.)]))", r"\\\1", escaped) if re.match(r"([-+>]|\d+[.)])(\s|$)", escaped) else escaped


def markdown_cell(text: str) -> str:
    """`text` for a table's cell; outer spaces are kept, since pieces of a sentence follow each other."""
    inner, raw = markdown_text(text), str(text)
    return (" " if raw[:1].isspace() else "") + inner + (" " if raw[-1:].isspace() and inner else "")


def markdown_table(table: Table) -> str:
    """The table with its caption before and its notes after it."""
    rules = ["---:" if position in table.numeric else "---" for position in range(len(table.columns))]
    lines = [
        f"**{markdown_text(table.caption)}**",
        "",
        _line([markdown_cell(column) for column in table.columns]),
        _line(rules),
        *(_line([markdown_cell(cell) for cell in row]) for row in table.rows),
    ]
    if table.notes:
        lines += ["", *(f"- {markdown_text(note)}" for note in table.notes)]
    return "\n".join(lines) + "\n"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
