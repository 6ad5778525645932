"""The flags of `gapsmith paradigm list`. Written by `python -m tools.doors` from `gapsmith.app.requests.designing.ListParadigms`; changes are made there."""

from __future__ import annotations

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def paradigm_list(
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """The paradigms that come with gapsmith, and those of the workspace.

    A file that cannot be read is listed with its fault, and the exit code is then 2.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm list", flags)
