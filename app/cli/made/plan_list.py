"""The flags of `gapsmith plan list`. Written by `python -m tools.doors` from `gapsmith.app.requests.planning.ListPlans`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def plan_list(
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Only plans of this paradigm.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the plans that were frozen, oldest first; the last one of a paradigm holds."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("plan list", flags)
