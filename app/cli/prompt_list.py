"""`gapsmith prompt list`: the prompts there are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table
from gapsmith.app.stages.prompt_files import Prompts


def show(found: Prompts) -> None:
    """Print a line for each."""
    table = Table("prompt", "mode", "title", "from")
    for row in found:
        table.add_row(*map(Text, (row.label, row.mode.value, row.title, "gapsmith" if row.shipped else str(row.path))))
    print_table(table)
