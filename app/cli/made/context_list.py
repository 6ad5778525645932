"""The flags of `gapsmith context list`. Written by `python -m tools.doors` from `gapsmith.app.requests.behind.ListContexts`; changes are made there."""

from __future__ import annotations

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def context_list(
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The context sets, with how they were drawn."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("context list", flags)
