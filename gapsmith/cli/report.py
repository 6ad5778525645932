"""`gapsmith report`: what came out, as one HTML file and a Markdown file with its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.cli.options import DatasetOption, WorkspaceOption

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("report")(report)


def report(
    paradigm: Annotated[
        list[str] | None,
        typer.Option(
            "--paradigm", "-p", help="Only this paradigm (repeatable; default: all with items).", show_default=False
        ),
    ] = None,
    dataset: DatasetOption = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Scores of this model (default: the newest there are).", show_default=False),
    ] = None,
    all_items: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    holm: Annotated[bool, typer.Option("--holm", help="Correct p for the number of tests in each table.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write it (default: report/ in the workspace).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Write report.html (one file, no network needed), report.md and figures/.

    Says in plain words what was asked, which model this was and what came out, then shows tables, figures, exclusions
    with their reasons, and how every number was made. A report that is already there is replaced.
    """
    from datetime import datetime

    from gapsmith.cli.console import note, print_text
    from gapsmith.workspace import open_workspace
    from scoring.analysis import AnalysisOptions, analyze_all
    from scoring.report import make_report, write_report
    from templates.errors import ConfigError

    options = AnalysisOptions(all_items=all_items, dataset=dataset, holm=holm)
    with open_workspace(workspace) as ws:
        found = analyze_all(ws.bank, paradigm or (), model=model, preferred=ws.settings.model, options=options)
        folder = out or ws.root / "report"
    for message in found.notes:
        note(message)
    for name, problem in found.left_out:
        note(f"{name} was left out: {problem.message}")
    made = make_report(found.analyses, made_on=datetime.now().astimezone().date())
    try:
        files = write_report(made, folder)
    except OSError as error:
        raise ConfigError(
            f"{folder}: the report cannot be written there ({error})", hint="Say where with --out DIR."
        ) from None
    note(made.headline)
    print_text(str(files.html))
