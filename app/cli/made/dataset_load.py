"""The flags of `gapsmith dataset load`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.LoadDataset`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_load(
    name: Annotated[str, typer.Argument(help="gaps40 or refined10.", show_default=False)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put a vetted data set that comes with gapsmith into the workspace, with the decisions of its two readers."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset load", flags)
