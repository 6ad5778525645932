"""Tables of the report on a terminal."""

from __future__ import annotations

from rich.table import Table as Shown
from rich.text import Text

from gapsmith.app.cli.console import print_table
from gapsmith.scoring.report import Table


def print_report_table(table: Table) -> None:
    """Print a table as the report has it."""
    shown = Shown(title=Text(table.caption))
    for number, column in enumerate(table.columns):
        shown.add_column(column, justify="right" if number in table.numeric else "left")
    for cells in table.rows:
        shown.add_row(*map(Text, cells))
    print_table(shown)
