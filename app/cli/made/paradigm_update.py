"""The flags of `gapsmith paradigm update`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.UpdateParadigm`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def paradigm_update(
    name: Annotated[str, typer.Argument(help="A paradigm with items here.", show_default=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring the items of a paradigm to the form that its file has now; decisions and scores stay where the texts do."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm update", flags)
