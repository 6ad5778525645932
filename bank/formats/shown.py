"""What a spreadsheet shows of cells that their text does not say: struck through, hidden, with a comment, in another colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, field

from openpyxl.utils import get_column_letter

_NAMED = 6
"""So many cells or rows are named."""
_FEW = 0.2
"""Colours of more than so many of the rows tell nothing apart."""


@dataclass(frozen=True, slots=True)
class ShownOfCells:
    """One thing that shows of cells, in words; `is_odd`, nobody means such cells to be read."""

    message: str
    line: int = 0
    is_odd: bool = False
    hint: str = ""
    said: str = ""
    """What somebody wrote about the cell."""
    of_sheets: tuple[str, ...] = ()
    """Of what is told of sheets, the one that is read and those that are not."""


@dataclass(slots=True)
class SheetLook:
    """What shows of the cells of a sheet, by row and column, each with its text."""

    struck: dict[tuple[int, int], str] = field(default_factory=dict)
    partly_struck: dict[tuple[int, int], str] = field(default_factory=dict)
    """The cells with the part that is struck."""
    coloured: dict[int, str] = field(default_factory=dict)
    """The rows whose cells have a fill, with the text of the first."""
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: set[int] = field(default_factory=set)
    comments: dict[tuple[int, int], str] = field(default_factory=dict)
    filled: set[int] = field(default_factory=set)
    """The rows that hold something."""

    def in_words(self, sheet: str, headings: Mapping[int, str]) -> list[ShownOfCells]:
        """What is to be told of the sheet. `headings` are what stands in its first row, by column."""
        found: list[ShownOfCells] = []
        if self.struck:
            (row, _), text = next(iter(self.struck.items()))
            message = f"sheet {sheet}: {_cells([*self.struck])} {_is(self.struck)} struck through, such as {text[:60]!r}"
            hint = "Delete what is struck, or take the line off it."
            found.append(ShownOfCells(message, row, is_odd=True, hint=hint))
        if self.partly_struck:
            (row, _), text = next(iter(self.partly_struck.items()))
            message = f"sheet {sheet}: a part of {_cells([*self.partly_struck])} is struck through: {text[:60]!r}"
            found.append(ShownOfCells(message, row, is_odd=True, hint="Delete what is struck, or take the line off it."))
        if self.hidden_rows:
            named = ", ".join(map(str, self.hidden_rows[:_NAMED])) + (" …" if len(self.hidden_rows) > _NAMED else "")
            rows = "rows" if len(self.hidden_rows) > 1 else "row"
            found.append(
                ShownOfCells(
                    f"sheet {sheet}: {rows} {named} {_is(self.hidden_rows)} hidden, and read like the others", self.hidden_rows[0]
                )
            )
        columns = [column for column in sorted(self.hidden_columns) if column in headings]
        if columns:
            named = ", ".join(f"{get_column_letter(column)} ({headings[column][:30]})" for column in columns[:_NAMED])
            found.append(ShownOfCells(f"sheet {sheet}: {_is(columns, noun='column')} hidden, and read like the others: {named}"))
        if self.coloured and len(self.coloured) <= max(1, _FEW * len(self.filled)):
            named = ", ".join(map(str, [*self.coloured][:_NAMED])) + (" …" if len(self.coloured) > _NAMED else "")
            text = next(iter(self.coloured.values()))
            found.append(
                ShownOfCells(f"sheet {sheet}: rows {named} have a colour, and are read like the others, such as {text[:60]!r}")
            )
        for (row, column), text in list(self.comments.items())[:_NAMED]:
            said = " ".join(text.split())
            message = f"sheet {sheet}: cell {get_column_letter(column)}{row} has a comment: {said[:100]!r}"
            found.append(ShownOfCells(message, row, said=said))
        return found


def _cells(places: Sequence[tuple[int, int]]) -> str:
    named = ", ".join(f"{get_column_letter(column)}{row}" for row, column in places[:_NAMED])
    return f"{'cells' if len(places) > 1 else 'cell'} {named}{' …' if len(places) > _NAMED else ''}"


def _is(several: Sized, *, noun: str = "") -> str:
    are = len(several) > 1
    return f"{noun}{'s' if are else ''} {'are' if are else 'is'}" if noun else ("are" if are else "is")
