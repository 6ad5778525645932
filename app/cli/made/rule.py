"""The flags of `gapsmith rule`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.ExplainRules`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def rule(
    codes: Annotated[
        list[str] | None, typer.Argument(help="Codes (L101) or prefixes (L, T03); none lists all.", show_default=False)
    ] = None,
    roles: Annotated[
        bool, typer.Option("--roles", help="Instead the roles of words that rules ask for, and where each is read.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Explain a rule: what it finds, an example, the reason, the remedy, the literature."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("rule", flags)
