"""`gapsmith paradigm draft`: a paradigm file to start from, for sentences that someone has."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.bringing import DraftParadigm
from gapsmith.app.stages.drafting import Drafted, draft_paradigm


def run(request: DraftParadigm, terminal: Terminal) -> None:
    """Draft, to stdout where no file is named."""
    found = draft_paradigm(request, terminal.services)
    if terminal.as_json:
        out = None if found.out is None else str(found.out)
        print_json({"text": found.text, "notes": list(found.notes), "out": out})
    else:
        show(found)


def show(found: Drafted) -> None:
    """Print what was not written to a file."""
    if found.out is None:
        print_text(found.text.rstrip("\n"))
