"""`gapsmith power`: what more items or words would show."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.power import PowerPlanned
from gapsmith.scoring.report import power_tables, render_table


def show(found: PowerPlanned) -> None:
    """Print the tables of each paradigm."""
    for name, own in found.paradigms.items():
        tables = power_tables(own, found.request.power)
        print_text("\n\n".join([f"{name}: from {own[0].n if own else 0:,} observations", *map(render_table, tables)]))
