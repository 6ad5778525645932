"""`gapsmith paradigm list`: the designs there are."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import ExitCode, note, print_table
from gapsmith.app.stages.designs import Paradigms


def show(found: Paradigms) -> None:
    """Print a line for each, and the faults of files that cannot be read."""
    table = Table("name", "title", "conditions", "items", "contrasts, criteria")
    for row in found:
        if row.error is not None:
            table.add_row(*map(Text, (row.name, "cannot be read, see below", "", "", "")))
            continue
        items = "given" if row.given else "all combinations" if row.exhaustive else "sampled"
        table.add_row(*map(Text, (row.name, row.title, str(len(row.conditions)), items, " ".join(row.predictions))))
    print_table(table)
    for problem in dict.fromkeys("\n".join(filter(None, (row.error, row.hint))) for row in found.broken):
        note(problem)


def exit_code(found: Paradigms) -> int:
    """2 where a file cannot be read."""
    return ExitCode.USAGE if found.broken else ExitCode.OK
