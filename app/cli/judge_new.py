"""`gapsmith judge new`: the one file that decides an acceptability study."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.norming import NewJudging
from gapsmith.app.stages.acceptability import judge_new
from gapsmith.app.workspace import open_workspace


def run(request: NewJudging, terminal: Terminal) -> None:
    """Write the file."""
    with open_workspace(terminal.workspace) as workspace:
        made = judge_new(workspace, request, terminal.services)
    if terminal.as_json:
        print_json({**asdict(made), "file": str(made.file), "sheets": dict(made.sheets)})
