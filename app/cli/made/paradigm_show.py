"""The flags of `gapsmith paradigm show`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.ShowParadigm`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def paradigm_show(
    name: Annotated[str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.", show_default=False)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """One paradigm: its conditions with an example, slots, constraints and contrasts."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm show", flags)
