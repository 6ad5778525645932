"""The flags of `gapsmith study list`. Written by `python -m tools.doors` from `gapsmith.app.requests.telling.ListStudies`; changes are made there."""

from __future__ import annotations

from gapsmith.app.cli.options import JsonOption


def studies(
    as_json: JsonOption = False,
) -> None:
    """List the studies that ship, with what each is about and its paper."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("studies", flags)
