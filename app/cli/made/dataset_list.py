"""The flags of `gapsmith dataset list`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.ListDatasets`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_list(
    paradigm: Annotated[
        list[str] | None, typer.Option("--paradigm", "-p", help="Only those of this paradigm (repeatable).", show_default=False)
    ] = None,
    removed: Annotated[bool, typer.Option("--removed", help="Also those that were taken out.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The data sets, with how many items each has, and what people had to say of their files."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset list", flags)
