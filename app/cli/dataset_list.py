"""`gapsmith dataset list`: the data sets there are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import note, print_table
from gapsmith.app.requests.keeping import ListDatasets
from gapsmith.app.stages.data_sets import Datasets


def show(found: Datasets) -> None:
    """Print a line for each."""
    if not found.rows:
        note("There are no data sets yet; `gapsmith generate` and `gapsmith import` make them.")
        return
    assert isinstance(found.request, ListDatasets)
    removed, said = found.request.removed, any(row.told for row in found)
    table = Table("data set", "paradigm", "items", *(["removed"] if removed else []), *(["told of its files"] if said else []))
    for row in found:
        cells = [row.name, row.paradigm, f"{row.items:,}", *(["yes" if row.removed else ""] if removed else [])]
        cells += ["; ".join(row.told)] if said else []
        table.add_row(*map(Text, cells))
    print_table(table)
