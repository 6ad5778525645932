"""The flags of `gapsmith next`. Written by `python -m tools.doors` from `gapsmith.app.requests.guiding.NextStep`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def next_(
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what this workspace needs now, with the command to type.

    The first line is what to do; what follows can be done as well, or comes after it. Nothing is changed.

    Examples: `gapsmith next`, `gapsmith next -p subject_pg`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("next", flags)
