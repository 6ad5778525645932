"""The flags of `gapsmith prompt show`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.ShowPrompt`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT


def prompt_show(
    name: Annotated[
        str, typer.Argument(help="A prompt's name (slots, slots.v1), or the path of a .jinja file.", show_default=False)
    ],
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Render it for this paradigm.", show_default=False)
    ] = None,
    design: Annotated[str | None, typer.Option("--design", help="The conditions, in sentence mode.", show_default=False)] = None,
    n: Annotated[
        int | None, typer.Option("-n", parser=given(COUNT), help="How many items it asks for (default: 10).", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """A prompt's template, or with -p the text that a model would get."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("prompt show", flags)
