"""The flags of `gapsmith bank merge`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.MergeBanks`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_merge(
    sources: Annotated[
        list[Path],
        typer.Argument(help="Other workspaces, their bank.sqlite, or files of `gapsmith bank log`.", show_default=False),
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would come in; change nothing.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring in what was done in copies of this bank, or in other banks: items, edits, decisions, judgements, comments.

    The other bank is not touched. What is known stays; a second merge of the same finds nothing. An item that two people edited
    apart is disputed: `gapsmith review --adjudicate` shows both versions. Nobody sees more of the others' decisions than before.
    From a bank.rescued-TIME.sqlite, scores and parses come in, too.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank merge", flags)
