"""`gapsmith audit`: what is wrong with a set of sentences that someone published."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.checking import AuditSet
from gapsmith.app.stages.published import audit, in_words


def run(request: AuditSet, terminal: Terminal) -> None:
    """Read the set, and say where the page is."""
    found = audit(request, terminal.services)
    if terminal.as_json:
        print_json(found.as_data())
        return
    for line in in_words(found):
        note(line)
