"""`gapsmith study posh`: POSH-BENCH over every model that has scored its phenomena."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.cli.tables import print_report_table
from gapsmith.app.stages.posh_bench import PoshCompared
from gapsmith.scoring.report import category_table, convention_table


def show(found: PoshCompared) -> None:
    """Print the table of categories, and where everything is."""
    print_report_table(category_table(found.evaluation))
    if (compared := convention_table(found.evaluation)) is not None:
        print_report_table(compared)
    for line in found.notes:
        note(line)
    print_text(f"Everything: {found.page}")
