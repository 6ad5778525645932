"""The flags of `gapsmith packet take`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.PacketTake`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def packet_take(
    file: Annotated[Path, typer.Argument(help="The spreadsheet that came back.", show_default=False)],
    annotator: Annotated[
        str | None, typer.Option("--for", help="Whose it is; needed only for packets that release 0.1 made.", show_default=False)
    ] = None,
    judge: Annotated[
        Path | None,
        typer.Option("--judge", help="The file of the acceptability study that the packet is of.", show_default=False),
    ] = None,
    lock: Annotated[
        bool,
        typer.Option(
            "--lock",
            help="Lock the decisions on the data sets of the packet, and of earlier ones where nothing is left, for whom it was made for, as L does in the review.",
        ),
    ] = False,
    skip_changed: Annotated[
        bool, typer.Option("--skip-changed", help="Leave out items that have other texts here than the file is about.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in the decisions of a packet, all or none; what was taken in before is not taken in again.

    They are the decisions of whom the packet was made for: another name in it is refused.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("packet take", flags)
