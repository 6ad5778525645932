"""The flags of `gapsmith context add`. Written by `python -m tools.doors` from `gapsmith.app.requests.behind.AddContexts`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def context_add(
    name: Annotated[str, typer.Argument(help="The name of the context set.", show_default=False)],
    file: Annotated[Path, typer.Argument(help="A file with one context a line.", show_default=False)],
    running: Annotated[bool, typer.Option("--running", help="The whole file is one context, a running text.")] = False,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).",
            show_default=False,
        ),
    ] = None,
    paradigm: Annotated[
        str | None,
        typer.Option("--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep the texts of a file as contexts: every item is scored behind each of them.

    Examples: `gapsmith context add rain lines.txt`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("context add", flags)
