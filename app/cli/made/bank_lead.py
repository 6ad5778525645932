"""The flags of `gapsmith bank lead`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.LeadBank`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def bank_lead(
    name: Annotated[str | None, typer.Argument(help="Who leads from now on (default: say who does).", show_default=False)] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Who leads the bank, and so sees what others decide before locking; with a name, hand that on, which only the lead does.

    The lead is who began the bank, in banks of older releases its first author. Whoever neither leads nor has locked gets lists,
    reports and exports without what others decided, or looks on record (--look). All this protects from accident: who opens
    the file with a database tool, or borrows a name, sees everything.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("bank lead", flags)
