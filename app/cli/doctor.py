"""`gapsmith doctor`: what works on this machine, and whether surprisals come out right."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from gapsmith.app.cli.console import ExitCode, note, print_table
from gapsmith.app.doctor import CheckState
from gapsmith.app.stages.what_there_is import Examined
from gapsmith.templates import count


def show(found: Examined) -> None:
    """Print a line for each check, and what to do about it."""
    table = Table("area", "what", "state", "", box=None, pad_edge=False)
    for check in found:
        table.add_row(check.area, Text(check.name), check.state.value, Text(check.detail))
    print_table(table)
    for check in found:
        if check.hint and check.state is not CheckState.OK and check.area != "keys":
            note(f"{check.area}, {check.name}: {check.hint}")


def exit_code(found: Examined) -> int:
    """1 where something is wrong."""
    if found.problems:
        note(f"{count(len(found.problems), 'problem')} found.")
    return ExitCode.FAILED if found.problems else ExitCode.OK
