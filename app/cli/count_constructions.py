"""`gapsmith study count-constructions`: how frequent filler-gap constructions are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_json, print_table, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.instruments import CountConstructions
from gapsmith.app.stages.constructions import ConstructionsCounted, count_constructions


def run(request: CountConstructions, terminal: Terminal) -> None:
    """Count, and print the counts."""
    found = count_constructions(request, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
    elif not isinstance(request.csv, Unset):
        print_text(found.to_csv(request.csv))
    else:
        show(found)


def show(found: ConstructionsCounted) -> None:
    """Print the counts as a table."""
    table = Table("construction", "count")
    table.columns[1].justify = "right"
    for name, n in found.counts.items():
        table.add_row(Text(name), f"{n:,}")
    print_table(table)
