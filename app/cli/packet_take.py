"""`gapsmith packet take`: the decisions of a spreadsheet that came back."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import PacketTake
from gapsmith.app.stages.packing import take_packet
from gapsmith.app.workspace import open_workspace
from gapsmith.vetting import Taken


def run(request: PacketTake, terminal: Terminal) -> None:
    """Take the decisions in."""
    with open_workspace(terminal.workspace) as workspace:
        taken = take_packet(workspace, request, terminal.services)
    if terminal.as_json:
        decided = {"decided": {verdict.value: n for verdict, n in taken.decided.items()}} if isinstance(taken, Taken) else {}
        print_json({**asdict(taken), **decided})
