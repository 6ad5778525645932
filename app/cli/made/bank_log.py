"""The flags of `gapsmith bank log`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.LogBank`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_log(
    file: Annotated[Path, typer.Argument(help="Where to write it, a .jsonl file that is not there yet.", show_default=False)],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all that was recorded to a file, one JSON object a line, for `gapsmith bank merge` elsewhere.

    Everybody's decisions are in it; where you may not see these yet, it is sealed, and only who leads the bank can merge it or a copy of
    the bank. Scores are not in it: the other side computes those that it lacks.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank log", flags)
