"""The flags of `gapsmith runs compare`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.CompareRuns`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import NUMBER_IN_BANK


def runs_compare(
    runs: Annotated[
        list[int] | None,
        typer.Argument(
            parser=given(NUMBER_IN_BANK), metavar="[RUN]...", help="These runs (default: all generations).", show_default=False
        ),
    ] = None,
    paradigm: Annotated[
        list[str] | None, typer.Option("--paradigm", "-p", help="Only runs of this paradigm (repeatable).", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prompts and models side by side: what their runs brought, and what an approved item cost with each."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("runs compare", flags)
