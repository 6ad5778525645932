"""`gapsmith report`: what came out, as one HTML file and a Markdown file with its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.cli.options import (
    AllItemsOption,
    DatasetOption,
    HolmOption,
    ParadigmsOption,
    ScorerOption,
    ScoresOfOption,
    WorkspaceOption,
)

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("report")(report)


def report(
    paradigm: ParadigmsOption = None,
    dataset: DatasetOption = None,
    model: ScoresOfOption = None,
    scorer: ScorerOption = None,
    all_items: AllItemsOption = False,
    holm: HolmOption = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="Folder to write it into (default: report/ in the workspace).", show_default=False
        ),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Write report.html (one file, no network needed), report.md and figures/.

    Says in plain words what was asked, which model this was and what came out, then shows tables, figures, exclusions
    with their reasons, and how every number was made. A report that is already there is replaced.
    """
    from datetime import datetime

    from gapsmith.cli.analysed import analysed
    from gapsmith.cli.console import note, print_text
    from gapsmith.workspace import open_workspace
    from scoring.analysis import AnalysisOptions
    from scoring.report import make_report, write_report
    from templates.errors import ConfigError

    if out is not None and out.suffix.lower() in (".html", ".htm", ".md", ".pdf") and not out.is_dir():
        raise ConfigError(
            f"{out} looks like a file, and a report is a folder: report.html, report.md and figures/.",
            hint=f"Name the folder: --out {out.with_suffix('')}",
        )
    options = AnalysisOptions(all_items=all_items, dataset=dataset, holm=holm)
    with open_workspace(workspace) as ws:
        found = analysed(ws, paradigm, options, model=model, scorer=scorer)
        folder = out or ws.root / "report"
    made = make_report(found, made_on=datetime.now().astimezone().date())
    try:
        files = write_report(made, folder)
    except OSError as error:
        raise ConfigError(
            f"{folder}: the report cannot be written there ({error})", hint="Say where with --out DIR."
        ) from None
    note(made.headline)
    print_text(str(files.html))
