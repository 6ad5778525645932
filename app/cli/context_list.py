"""`gapsmith context list`: the context sets there are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import note, print_table
from gapsmith.app.stages.context_sets import ContextSets


def show(found: ContextSets) -> None:
    """Print a line for each."""
    if not found.rows:
        note("There are no context sets yet; `gapsmith context draw` makes one.")
        return
    table = Table("set", "type", "items", "tokens", "seed", "counted by")
    for row in found:
        said = row.sampler
        kind = " ".join(filter(None, (said["type"], said.get("member"))))
        shared = f", {said['shared']} shared" if said.get("shared") else ""
        lengths = ", ".join(map(str, said.get("lengths", ()))) or "as they stand"
        cells = [row.name, f"{kind}{shared}", f"{row.items:,}", lengths, str(said.get("seed", "")), said["tokenizer"]]
        table.add_row(*map(Text, cells))
    print_table(table)
