"""`gapsmith study`: the studies of papers, one command each."""

from __future__ import annotations

import sys
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from importlib import import_module
from typing import Any

import typer

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.cli.door import Terminal, carry_out
from gapsmith.app.cli.tables import print_report_table
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.instruments import Reproduce
from gapsmith.app.stages.catalogue import own_name
from gapsmith.app.stages.reproducing import STEP_DONE, Reproduced, reproduce
from gapsmith.app.studies import beside_tables
from gapsmith.app.studies.writing import comparison_tables, effect_tables

_LIST = "list"


def run(request: Reproduce, terminal: Terminal) -> None:
    """Do a study, and print the published numbers beside ours; or list the studies."""
    if request.study == _LIST:
        carry_out("studies", {"as_json": terminal.as_json})
        return
    services = replace(terminal.services, hand={STEP_DONE: _show_step})
    # With --json, stdout is for the numbers alone.
    with redirect_stdout(sys.stderr) if terminal.as_json else nullcontext(), stoppable():
        found = reproduce(request, services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
        if found.wrong:
            note(f"{len(found.wrong)} of the numbers that should be equal are not; see {found.page}")
    else:
        show(found)
    if found.wrong:
        raise typer.Exit(1)


def show(found: Reproduced) -> None:
    """Print the published numbers beside ours; how many of them were measured, how many follow and how many could not be checked comes last."""
    checked, *others = found.said
    for line in others:
        print_text(line)
    for table in (*comparison_tables(found.numbers), *effect_tables(found.effects), *beside_tables(found.beside)):
        print_report_table(table)
    print_text(f"The whole comparison: {found.page}\n{checked}")


def _show_step(stage: str, found: Any) -> None:
    """Print what came out of a step as its own command prints it."""
    import_module(f"gapsmith.app.cli.{own_name(stage)}").show(found)
    sys.stdout.flush()
