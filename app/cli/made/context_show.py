"""The flags of `gapsmith context show`. Written by `python -m tools.doors` from `gapsmith.app.requests.behind.ShowContexts`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT


def context_show(
    name: Annotated[str, typer.Argument(help="The name of the context set.", show_default=False)],
    item: Annotated[
        str | None, typer.Option("--item", "-i", help="Only the contexts of the item with this id.", show_default=False)
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            "-n",
            parser=given(COUNT),
            help="At most so many items (default: 3 where they are printed for people, else all).",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show how a set was drawn, and the contexts of its first items, with their real lengths."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("context show", flags)
