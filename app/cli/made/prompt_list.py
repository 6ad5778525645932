"""The flags of `gapsmith prompt list`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.ListPrompts`; changes are made there."""

from __future__ import annotations

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def prompt_list(
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The prompts that come with gapsmith, and those of the workspace."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("prompt list", flags)
