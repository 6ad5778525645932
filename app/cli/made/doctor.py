"""The flags of `gapsmith doctor`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.Examine`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def doctor(
    online: Annotated[bool, typer.Option("--online", help="Also ask the Hugging Face hub for an answer.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what is installed, which models and parsers are in reach, which keys are set, and check surprisals.

    Surprisals of the bundled model are compared with values from a separate computation. The exit code is 1 where something
    is wrong; what only some tasks need is a note. Values of keys are never shown. In a workspace, its bank is checked too.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("doctor", flags)
