"""The flags of `gapsmith init`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.MakeWorkspace`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def init(
    directory: Annotated[
        Path | None, typer.Argument(help="Where the workspace should be (default: here).", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Make a workspace: a directory with a settings file and a bank. What is there already stays as it is."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("init", flags)
