"""`gapsmith context draw`: a context for every item, grown sentence by sentence."""

from __future__ import annotations

from gapsmith.app.cli.console import print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.behind import DrawContexts
from gapsmith.app.stages.context_sets import draw
from gapsmith.app.workspace import open_workspace


def run(request: DrawContexts, terminal: Terminal) -> None:
    """Draw; what was drawn is said."""
    with open_workspace(terminal.workspace) as workspace:
        drawn = draw(workspace, request, terminal.services)
    if terminal.as_json:
        realised = {str(target): list(found) for target, found in drawn.realised.items()}
        print_json({"name": drawn.made.name, "items": drawn.n_items, "contexts": drawn.n_contexts, "tokens": realised})
