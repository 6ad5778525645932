"""`gapsmith study licensing`: what models know of filler-gap constructions."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.constructions import Licensed
from gapsmith.scoring.report import correlation_table, render_text, verdict_table


def show(found: Licensed) -> None:
    """Print the verdicts, and how they go with frequency."""
    tables = [verdict_table(result) for result in found.models]
    tables += [correlation_table(found.correlations)] if found.correlations else []
    print_text("\n\n".join(map(render_text, tables)))
