"""`gapsmith study context`: judgements behind contexts of five types and growing lengths, after Sinha et al. (2023)."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.behind import StudyContexts
from gapsmith.app.stages.context_effects import ContextsStudied, study
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.report import effect_title, effect_value


def run(request: StudyContexts, terminal: Terminal) -> None:
    """Draw, score and compare, and say what came out."""
    with open_workspace(terminal.workspace) as workspace, stoppable():
        found = study(workspace, request, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
    else:
        show(found)


def show(found: ContextsStudied) -> None:
    """Say every effect, and where the page is."""
    for own in found.effects.values():
        restricted = f" ({'; '.join(map(str, own.restrictions))})" if own.restrictions else ""
        note(f"{effect_title(own)}: {effect_value(own)}{restricted}")
    if found.page is not None:
        print_text(str(found.page))
