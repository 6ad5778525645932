"""`gapsmith study list`: the studies that ship."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table
from gapsmith.app.stages.what_there_is import StudyList


def show(found: StudyList) -> None:
    """Print a line for each."""
    table = Table("study", "what", "paper")
    for row in found:
        table.add_row(*map(Text, (row.name, row.title, row.paper)))
    print_table(table)
