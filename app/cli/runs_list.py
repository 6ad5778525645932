"""`gapsmith runs list`: every run with its yield."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Column, Table
from rich.text import Text

from gapsmith.app.cli.console import note, print_table
from gapsmith.app.stages.runs_told import Runs
from gapsmith.prompts import RunYield

COUNTS = ("asked", "re-\nturned", "read\nback", "items", "clean", "ap-\nproved", "cost", "per ap-\nproved")
WHAT = "paradigm\nprovider, model\nprompt"


def show(found: Runs) -> None:
    """Print a table of runs."""
    if not found.rows:
        note("There are no runs yet.")
        return
    # What has words shares one column, one line for each, so that nothing is cut on a terminal of 80 columns.
    table = Table(
        Column("run", no_wrap=True), Column(WHAT, overflow="fold"), box=SIMPLE_HEAD, padding=0, show_edge=False, leading=1
    )
    for name in COUNTS:
        table.add_column(name, justify="right", no_wrap=True, vertical="top")
    for y in found:
        table.add_row(*_yield_row(y))
    print_table(table)


def _yield_row(y: RunYield) -> list[str | Text]:
    run = y.run
    by = run.provider if run.model is None else f"{run.provider} {run.model}"
    what = (run.paradigm, by, run.prompt_name, None if run.finished_at else "(open)")
    generated = run.kind == "generate"
    return [
        str(run.id),
        Text("\n".join(words for words in what if words)),
        str(y.asked) if generated else "",
        str(y.returned) if generated else "",
        str(y.read_back),
        str(y.items),
        str(y.clean) if y.linted == y.items else f"{y.clean}\nof {y.linted}" if y.linted else "?",
        str(y.approved),
        cost_of(y).replace(" $", "\n$"),
        "" if y.cost_per_approved_usd is None else f"${y.cost_per_approved_usd:.4f}",
    ]


def cost_of(y: RunYield) -> str:
    """What a run has cost, in words; empty where nothing was asked."""
    if y.calls == 0:
        return ""
    if y.cost_usd is None:
        return "unknown"
    atleast = "at least " if y.calls_of_unknown_cost or y.unanswered else ""
    return f"{atleast}${y.cost_usd:.4f}"
