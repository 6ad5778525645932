"""`gapsmith analyze`: from scores to contrasts, tests and what they say."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.cli.options import (
    AllItemsOption,
    DatasetOption,
    HolmOption,
    JsonOption,
    ParadigmsOption,
    ScorerOption,
    ScoresOfOption,
    WorkspaceOption,
)

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("analyze")(analyze)


def analyze(
    paradigm: ParadigmsOption = None,
    dataset: DatasetOption = None,
    model: ScoresOfOption = None,
    scorer: ScorerOption = None,
    all_items: AllItemsOption = False,
    design: Annotated[
        str | None, typer.Option("--design", help="Only the contrasts of this design.", show_default=False)
    ] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast",
            "-c",
            help="Only this contrast, by its name or as tables show it (repeatable).",
            show_default=False,
        ),
    ] = None,
    alternative: Annotated[
        str | None,
        typer.Option(
            "--alternative",
            help="two-sided, greater or less, for every test (default: what the paradigm says). Intervals stay two-sided.",
            show_default=False,
        ),
    ] = None,
    holm: HolmOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test the contrasts of every scored paradigm over its approved items.

    Prints for each contrast the mean in bits, t, df, p, a two-sided interval, dz and n, the share of items with the
    expected sign, and what that says. Examples: `gapsmith analyze`, `gapsmith analyze -p subject_pg -c P1 -c P4`,
    `gapsmith analyze --design lan2x2 --alternative greater`.
    """
    from gapsmith.cli.analysed import analysed
    from gapsmith.cli.choices import parse_alternative
    from gapsmith.cli.console import print_json, print_text
    from gapsmith.workspace import open_workspace
    from scoring.analysis import AnalysisOptions, analysis_json
    from scoring.report.terminal import analysis_text

    options = AnalysisOptions(
        all_items=all_items,
        dataset=dataset,
        design=design,
        contrasts=tuple(contrast or ()),
        alternative=parse_alternative(alternative) if alternative is not None else None,
        holm=holm,
    )
    with open_workspace(workspace) as ws:
        found = analysed(ws, paradigm, options, model=model, scorer=scorer)
    if as_json:
        print_json([analysis_json(analysis) for analysis in found])
    else:
        print_text("\n\n".join(analysis_text(analysis) for analysis in found))
