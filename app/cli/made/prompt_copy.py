"""The flags of `gapsmith prompt copy`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.CopyPrompt`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def prompt_copy(
    name: Annotated[
        str, typer.Argument(help="A prompt's name (slots, slots.v1), or the path of a .jinja file.", show_default=False)
    ],
    target: Annotated[
        Path | None,
        typer.Argument(help="A folder, or a file NAME.vN.jinja (default: the workspace's prompts/).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Copy a prompt for editing. In the workspace's prompts/, a copy takes the place of the original."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("prompt copy", flags)
