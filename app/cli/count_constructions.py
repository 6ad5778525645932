"""`gapsmith study count-constructions`: how frequent filler-gap constructions are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import print_table, print_text
from gapsmith.app.requests.base import Unset
from gapsmith.app.stages.constructions import ConstructionsCounted


def show(found: ConstructionsCounted) -> None:
    """Print the counts as a table, or as CSV under the corpus' name."""
    if not isinstance(found.request.csv, Unset):
        print_text(found.to_csv(found.request.csv), as_it_is=True)
        return
    table = Table("construction", "count")
    table.columns[1].justify = "right"
    for name, n in found.counts.items():
        table.add_row(Text(name), f"{n:,}")
    print_table(table)
