"""`gapsmith next`: what this workspace needs now, with the command to type."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.guiding import NextStep
from gapsmith.app.stages.guide import next_step
from gapsmith.app.workspace import open_workspace


def run(request: NextStep, terminal: Terminal) -> None:
    """Look at the workspace, and print the steps, the most urgent first."""
    with open_workspace(terminal.workspace) as workspace:
        found = next_step(workspace, request, terminal.services)
    if terminal.as_json:
        print_json([asdict(step) for step in found])
    else:
        print_text("\n".join(f"{step.why}\n  {step.command}" for step in found))
