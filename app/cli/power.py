"""`gapsmith power`: what more items, words or models would show."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.stages.power import PowerPlanned
from gapsmith.scoring.report import power_tables, render_table


def show(found: PowerPlanned) -> None:
    """Print the tables of each set."""
    blocks = []
    for own in found.sets:
        tables = power_tables(own.contrasts, found.request.power)
        sizes = sorted({one.n for one in own.contrasts}) or [0]
        n = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
        blocks.append("\n\n".join([f"{own.title}: from {n} observations", *map(render_table, tables)]))
    print_text("\n\n\n".join(blocks))
    for path in found.files:
        note(f"wrote {path}")
