"""The analyses that a command asks for, with what is to be said of the choices that were made on the way."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.cli.console import note
from gapsmith.workspace import Workspace
from scoring.analysis import Analysis, AnalysisOptions, analyze_all

__all__ = ["analysed"]


def analysed(
    ws: Workspace, paradigms: Sequence[str] | None, options: AnalysisOptions, *, model: str | None, scorer: int | None
) -> tuple[Analysis, ...]:
    """The analyses of the workspace's items; notes and what was left out go to stderr. Raises `GapsmithError`."""
    found = analyze_all(
        ws.bank, paradigms or (), model=model, scorer_id=scorer, preferred=ws.settings.model, options=options
    )
    for message in found.notes:
        note(message)
    for name, problem in found.left_out:
        note(f"{name} was left out: {problem.message}")
    return found.analyses
