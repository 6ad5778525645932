"""Tables of numbers on their way out: CSV and Parquet with every digit, Markdown and LaTeX as a paper prints them."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import pandas

_P_VALUES = frozenset({"p", "p_adj"})


class RowsMadeAnew(Collection[Mapping[str, Any]]):
    """Rows that are made each time they are gone through, of tables that are long and written once. What makes them has to be open."""

    def __init__(self, make: Callable[[], Iterator[Mapping[str, Any]]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return self._make()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, row: object) -> bool:
        return any(own == row for own in self)


@dataclass(frozen=True)
class NumberTable:
    """Rows of plain values; None is a value that does not exist."""

    columns: tuple[str, ...]
    rows: Collection[Mapping[str, Any]]
    caption: str = ""
    optional: Mapping[str, type] = field(default_factory=dict)
    """The types of columns in which values can be missing, which they have also where none is missing and where all are."""

    def as_pandas(self) -> pandas.DataFrame:
        """A pandas DataFrame; numbers that can be missing are nullable."""
        import pandas

        table = pandas.DataFrame.from_records(
            [[row.get(name) for name in self.columns] for row in self.rows], columns=list(self.columns)
        )
        for name in self.columns:
            kind = self._kind(name)
            whole = name not in self.optional and table[name].notna().all()
            if kind is bool:
                table[name] = table[name].astype("bool" if whole else "boolean")
            elif kind is int:
                table[name] = table[name].astype("int64" if whole else "Int64")
            elif kind is float:
                table[name] = table[name].astype("float64")
            elif table[name].isna().all():
                # Of text, as pandas has it in this version.
                table[name] = table[name].astype(pandas.Series([""]).dtype)
        return table

    def as_csv(self) -> str:
        """CSV with a heading; True is 1, and None an empty cell."""
        stream = io.StringIO(newline="")
        self.write_csv(stream)
        return stream.getvalue()

    def write_csv(self, stream: TextIO) -> int:
        """Write the same to a stream that was opened without newline translation, row by row; how many rows."""
        from gapsmith.bank.formats import CsvWriter

        writer, count = CsvWriter(stream), 0
        writer.row(self.columns)
        for row in self.rows:
            count += 1
            cells = [row.get(name) for name in self.columns]
            writer.row([int(cell) if isinstance(cell, bool) else cell for cell in cells])
        return count

    def as_parquet(self) -> bytes:
        """Parquet, which pandas reads as `as_pandas` gives it; a column without a single value is one of text, unless `optional`
        says otherwise."""
        import pyarrow
        import pyarrow.parquet

        kinds = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
        columns = []
        for name in self.columns:
            kind = self._kind(name)
            cells = [row.get(name) for row in self.rows]
            columns.append(pyarrow.array([None if c is None else kind(c) for c in cells], type=kinds[kind]))
        # Without pandas' own word for the types, whole numbers of which some are missing come back as fractions.
        said = pyarrow.Table.from_pandas(self.as_pandas().iloc[:0], preserve_index=False).schema.metadata
        table = pyarrow.table(columns, names=list(self.columns)).replace_schema_metadata(said)
        sink = io.BytesIO()
        pyarrow.parquet.write_table(table, sink)
        return sink.getvalue()

    def as_markdown(self) -> str:
        """A Markdown table with numbers as a paper prints them."""
        from gapsmith.scoring.report.markdown import markdown_table

        return markdown_table(self._printed()) + "\n"

    def as_latex(self) -> str:
        """A LaTeX table with the rules of the package booktabs."""
        from gapsmith.scoring.report.latex import latex_table

        return latex_table(self._printed())

    def _printed(self) -> Any:
        from gapsmith.scoring.report.tables import Table

        # What is the same in every row says nothing in a column of its own.
        values = {name: list(dict.fromkeys(row.get(name) for row in self.rows)) for name in self.columns}
        same = {name: found[0] for name, found in values.items() if len(found) == 1 and len(self.rows) > 1}
        columns = tuple(name for name in self.columns if name not in same)
        numeric = frozenset(n for n, name in enumerate(columns) if self._kind(name) in (int, float))
        rows = tuple(tuple(_printed(name, row.get(name)) for name in columns) for row in self.rows)
        said = ", ".join(f"{name} {_printed(name, value)}" for name, value in same.items() if value not in (None, ""))
        return Table(self.caption, columns, rows, numeric, (f"In all rows: {said}.",) if said else ())

    def _kind(self, name: str) -> type:
        """What is said of a column's type, else the narrowest type that holds every value of it."""
        if name in self.optional:
            return self.optional[name]
        kinds = {type(row[name]) for row in self.rows if row.get(name) is not None}
        for kind, allowed in ((bool, {bool}), (int, {int}), (float, {int, float})):
            if kinds and kinds <= allowed:
                return kind
        return str


def _printed(name: str, value: Any) -> str:
    from gapsmith.scoring.report.numbers import NO_VALUE, p_value, plain

    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return p_value(value) if name in _P_VALUES else plain(value)
    return str(value)
