"""`gapsmith context show`: how a set was drawn, and contexts of its items."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.app.cli.console import print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.base import said
from gapsmith.app.requests.behind import ShowContexts
from gapsmith.app.stages.context_sets import ContextsShown
from gapsmith.app.stages.context_sets import show as contexts_of
from gapsmith.app.workspace import open_workspace

_FEW = 3
"""Items whose contexts are printed, where nobody says how many."""


def run(request: ShowContexts, terminal: Terminal) -> None:
    """Print the set: for people a few of its items, for programs all."""
    wanted = request if terminal.as_json else replace(request, limit=said(request.limit, _FEW))
    with open_workspace(terminal.workspace) as workspace:
        found = contexts_of(workspace, wanted, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
    else:
        show(found)


def show(found: ContextsShown) -> None:
    """Print how it was drawn, and the contexts."""
    blocks = [f"{found.name}: " + ", ".join(f"{key} {_plain(value)}" for key, value in found.sampler.items())]
    for entry in found.items:
        lines = [f"{entry['dataset']}/{entry['item']}" if entry["dataset"] is not None else str(entry["item"])]
        for context in entry["contexts"]:
            aimed = "" if context["target"] is None else f" of {context['target']}"
            which = f"no. {context['draw']}, " if context["draw"] else ""
            lines.append(f"  {which}{context['tokens']}{aimed} tokens: {' '.join(context['sentences']) or '(nothing)'}")
        blocks.append("\n".join(lines))
    print_text("\n\n".join(blocks))


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {entry}" for key, entry in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
