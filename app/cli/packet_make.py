"""`gapsmith packet make`: items and a form of decisions as a spreadsheet."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.deciding import PacketMake
from gapsmith.app.stages.packing import make_packet
from gapsmith.app.workspace import open_workspace


def run(request: PacketMake, terminal: Terminal) -> None:
    """Write the packet."""
    with open_workspace(terminal.workspace) as workspace:
        made = make_packet(workspace, request, terminal.services)
    if terminal.as_json:
        print_json({**asdict(made), "file": str(made.file)})
