"""`gapsmith report`: what came out, as one HTML file and a Markdown file with its figures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import (
    AllItemsOption,
    ByOption,
    ContextsOption,
    DatasetsOption,
    HolmOption,
    LookOption,
    ModelsOption,
    ParadigmsOption,
    ScorerOption,
    WorkspaceOption,
)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("report")(report)


def report(
    paradigm: ParadigmsOption = None,
    dataset: DatasetsOption = None,
    model: ModelsOption = None,
    scorer: ScorerOption = None,
    by: ByOption = None,
    contexts: ContextsOption = None,
    all_items: AllItemsOption = False,
    holm: HolmOption = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Folder to write it into (default: report/ in the workspace).", show_default=False),
    ] = None,
    look: LookOption = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Write report.html (one file, no network needed), report.md, figures/ and items/, to which its numbers lead.

    Says in plain words what was asked, which model this was and what came out, then shows tables, figures, exclusions
    with their reasons, and how every number was made. Several models or data sets, --contexts and --by add a part that puts
    them side by side, with a curve over the revisions of a model or the lengths of contexts; the other parts are about the first
    of the models. A report that is already there is replaced.
    """
    from gapsmith.app.cli.analysed import Asked, analysed, compared
    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.cli.looking import look_or_say
    from gapsmith.app.reporting import write_analyses
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring.analysis import AnalysisOptions
    from gapsmith.templates import ConfigError

    if out is not None and out.suffix.lower() in (".html", ".htm", ".md", ".pdf") and not out.is_dir():
        raise ConfigError(
            f"{out} looks like a file, and a report is a folder: report.html, report.md and figures/.",
            hint=f"Name the folder: --out {out.with_suffix('')}",
        )
    options = AnalysisOptions(all_items=all_items, holm=holm, by_word=True)
    asked = Asked(options, models=model, datasets=dataset, by=by, scorer=scorer, contexts=contexts)
    with open_workspace(workspace) as ws:
        for name in paradigm or ws.bank.paradigms.names():
            look_or_say(ws.bank, ItemFilter(paradigm=name), look=look)
        comparisons = compared(ws, paradigm, asked) if asked.compares else ()
        found = analysed(ws, paradigm, asked)
        made = write_analyses(ws.bank, found, out or ws.root / "report", comparisons)
    note(made.headline)
    print_text(str(made.files.html))
