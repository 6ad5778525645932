"""The flags of `gapsmith runs list`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.ListRuns`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def runs_list(
    paradigm: Annotated[
        list[str] | None, typer.Option("--paradigm", "-p", help="Only runs of this paradigm (repeatable).", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Every run with its yield: asked, returned, read back, clean, approved, and what an approved item cost."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("runs list", flags)
