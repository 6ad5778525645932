"""The flags of `gapsmith paradigm check`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.CheckParadigm`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT


def paradigm_check(
    name: Annotated[str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.", show_default=False)],
    n: Annotated[
        int | None,
        typer.Option(
            "-n",
            parser=given(COUNT, or_none=True),
            help="Items that you mean to make, for the interval that they would give (default: as many as `gapsmith generate` makes).",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a paradigm file and say exactly what was checked."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm check", flags)
