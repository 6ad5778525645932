"""`gapsmith bank merge`: what was done in other banks."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.keeping import MergeBanks
from gapsmith.app.stages.merging_banks import merge_banks
from gapsmith.app.workspace import open_workspace
from gapsmith.bank import Merged


def run(request: MergeBanks, terminal: Terminal) -> None:
    """Bring it in."""
    with open_workspace(terminal.workspace) as workspace:
        done = merge_banks(workspace, request, terminal.services)
    if terminal.as_json:
        print_json([{"source": str(source), **_as_data(one)} for source, one in done])


def _as_data(done: Merged) -> dict[str, object]:
    return {
        "added": dict(done.added),
        "authors": sorted(done.authors),
        "same_items": done.same_items,
        "renamed": done.renamed,
        "other_forms": sorted(done.other_forms),
        "forked": done.forked,
    }
