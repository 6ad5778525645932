"""The flags of `gapsmith lab`. Written by `python -m tools.doors` from `gapsmith.app.requests.leading.AskLab`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import PORT


def lab(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the page as HTML here.", show_default=False)] = None,
    web: Annotated[
        bool, typer.Option("--web", help="In a browser: prints a link; the page is made anew whenever it is loaded.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            parser=given(PORT),
            help="With --web: of this machine; 0 takes a free one (default: 8000).",
            show_default=False,
        ),
    ] = None,
    url: Annotated[
        str | None, typer.Option("--url", help="With --web: the address by which a proxy reaches it.", show_default=False)
    ] = None,
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False)
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Who has what, how fast they are, how far they overlap and agree, what drifts, what is disputed, and what to do next.

    The lead sees everybody, and so does who has locked; any other sees themselves. Nothing is changed.

    Examples: `gapsmith lab`, `gapsmith lab --web`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("lab", flags)
