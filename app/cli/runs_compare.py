"""`gapsmith runs compare`: prompts and models side by side."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Column, Table
from rich.text import Text

from gapsmith.app.cli.console import note, print_table
from gapsmith.app.cli.runs_list import COUNTS, WHAT
from gapsmith.app.stages.runs_told import RunsCompared
from gapsmith.prompts import PooledYield


def show(found: RunsCompared) -> None:
    """Print a table of what they brought."""
    if not found.rows:
        note("There are no generations to compare.")
        return
    table = Table(Column(WHAT, overflow="fold"), box=SIMPLE_HEAD, padding=0, show_edge=False, leading=1)
    for name in COUNTS:
        table.add_column(name, justify="right", no_wrap=True, vertical="top")
    for line in found:
        table.add_row(*_compared_row(line))
    print_table(table)


def _compared_row(line: PooledYield) -> list[str | Text]:
    by = f"{line.provider} {line.model or ''}".strip()
    cost, each = line.cost_usd, line.cost_per_approved_usd
    return [
        Text("\n".join(words for words in (line.paradigm, by, line.prompt) if words)),
        *(str(count) for count in (line.asked, line.returned, line.read_back, line.items)),
        f"{line.clean}\nof {line.linted}" if line.linted else "?",
        str(line.approved),
        "unknown" if cost is None else f"${cost:.4f}",
        "" if each is None else f"${each:.4f}",
    ]
