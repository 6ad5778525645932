"""`gapsmith analyze`: from scores to contrasts, tests and what they say."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.cli.options import DatasetOption, JsonOption, WorkspaceOption

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("analyze")(analyze)


def analyze(
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
    design: Annotated[
        str | None, typer.Option("--design", help="Only the contrasts of this design.", show_default=False)
    ] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option("--contrast", "-c", help="Only this contrast (repeatable).", show_default=False),
    ] = None,
    alternative: Annotated[
        str | None,
        typer.Option(
            "--alternative",
            help="two-sided, greater or less, for every test (default: what the paradigm says). Intervals stay two-sided.",
            show_default=False,
        ),
    ] = None,
    holm: Annotated[bool, typer.Option("--holm", help="Correct p for the number of tests in each table.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test the contrasts of every scored paradigm over its approved items.

    Prints for each contrast the mean in bits, t, df, p, a two-sided interval, dz and n, the share of items with the
    expected sign, and what that says. Examples: `gapsmith analyze`, `gapsmith analyze -p subject_pg -c P1 -c P4`,
    `gapsmith analyze --design lan2x2 --alternative greater`.
    """
    from gapsmith.cli.console import note, print_json, print_text
    from gapsmith.workspace import open_workspace
    from scoring.analysis import AnalysisOptions, analysis_json, analyze_all
    from scoring.report.terminal import analysis_text
    from scoring.stats import check_alternative
    from templates.errors import ConfigError

    try:
        sided = check_alternative(alternative) if alternative is not None else None
    except ValueError as error:
        raise ConfigError(str(error), hint="Say --alternative two-sided, greater or less.") from None
    options = AnalysisOptions(
        all_items=all_items,
        dataset=dataset,
        design=design,
        contrasts=tuple(contrast or ()),
        alternative=sided,
        holm=holm,
    )
    with open_workspace(workspace) as ws:
        found = analyze_all(ws.bank, paradigm or (), model=model, preferred=ws.settings.model, options=options)
    for message in found.notes:
        note(message)
    for name, problem in found.left_out:
        note(f"{name} was left out: {problem.message}")
    if as_json:
        print_json([analysis_json(analysis) for analysis in found.analyses])
    else:
        print_text("\n\n".join(analysis_text(analysis) for analysis in found.analyses))
