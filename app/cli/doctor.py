"""`gapsmith doctor`: what works on this machine, and whether surprisals come out right."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import count


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("doctor")(doctor)


def doctor(
    online: Annotated[bool, typer.Option("--online", help="Also ask the Hugging Face hub for an answer.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is installed, which models and parsers are in reach, which keys are set, and check surprisals.

    Surprisals of the bundled model are compared with values from a separate computation. The exit code is 1
    where something is wrong; what only some tasks need is a note. Values of keys are never shown. In a workspace, its bank
    is checked too.
    """
    from dataclasses import asdict

    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import ExitCode, note, print_json, print_table
    from gapsmith.app.doctor import CheckState, examine
    from gapsmith.app.workspace import find_workspace

    checks = list(examine(online=online, workspace=find_workspace(workspace)))
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        table = Table("area", "what", "state", "", box=None, pad_edge=False)
        for check in checks:
            table.add_row(check.area, Text(check.name), check.state.value, Text(check.detail))
        print_table(table)
        for check in checks:
            if check.hint and check.state is not CheckState.OK and check.area != "keys":
                note(f"{check.area}, {check.name}: {check.hint}")
    problems = sum(check.state is CheckState.PROBLEM for check in checks)
    if problems:
        note(f"{count(problems, 'problem')} found.")
        raise typer.Exit(ExitCode.FAILED)
