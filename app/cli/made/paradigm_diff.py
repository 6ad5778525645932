"""The flags of `gapsmith paradigm diff`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.DiffParadigm`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def paradigm_diff(
    name: Annotated[str, typer.Argument(help="A paradigm with items here.", show_default=False)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """How a paradigm's file differs from what its items were made with."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm diff", flags)
