"""The flags of `gapsmith runs show`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.ShowRun`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT_OR_NONE, NUMBER_IN_BANK


def runs_show(
    run: Annotated[
        int,
        typer.Argument(
            parser=given(NUMBER_IN_BANK), metavar="RUN", help="The run's number in `gapsmith runs list`.", show_default=False
        ),
    ],
    call: Annotated[
        int | None,
        typer.Option(
            "--call", parser=given(COUNT_OR_NONE), help="Show this call: its prompt and its raw answer.", show_default=False
        ),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="With --call: the HTTP body, byte for byte.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """One run: its settings, its yield and its calls; with --call, one call with its raw answer."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("runs show", flags)
