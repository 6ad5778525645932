"""The flags of `gapsmith bank check`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.CheckBank`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_check(
    file: Annotated[
        Path | None, typer.Argument(help="A bank's file or a workspace (default: the bank here).", show_default=False)
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            help="Also say what has changed since this report, study or export was written: its folder, or the manifest.json in it.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Whether a bank is whole: the file, every row against its checksum, references, and what follows from its events.

    Nothing is changed. The exit code is 1 where something is wrong. Checksums tell accident, decay and other programs; they
    cannot tell what was changed before they were computed, which is said with the date.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank check", flags)
