"""`gapsmith analyze`: from scores to contrasts, tests and what they say."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import (
    AllItemsOption,
    ByOption,
    CompleteOption,
    ContextsOption,
    CorrectedOption,
    DatasetsOption,
    HolmOption,
    JsonOption,
    LookOption,
    MeasureOption,
    ModelsOption,
    ParadigmsOption,
    ScorerOption,
    UnigramOption,
    WhereOption,
    WorkspaceOption,
)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("analyze")(analyze)


def analyze(
    paradigm: ParadigmsOption = None,
    dataset: DatasetsOption = None,
    model: ModelsOption = None,
    scorer: ScorerOption = None,
    by: ByOption = None,
    contexts: ContextsOption = None,
    where: WhereOption = None,
    all_items: AllItemsOption = False,
    design: Annotated[str | None, typer.Option("--design", help="Only the contrasts of this design.", show_default=False)] = None,
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
            help="expected (the side that is predicted), two-sided, greater or less, for every test (default: what the "
            "paradigm says). Intervals stay two-sided.",
            show_default=False,
        ),
    ] = None,
    holm: HolmOption = False,
    complete: CompleteOption = False,
    measure: MeasureOption = None,
    corrected: CorrectedOption = False,
    unigram: UnigramOption = None,
    formula: Annotated[
        str | None,
        typer.Option(
            "--formula",
            help="A mixed model over the critical regions, in R's notation, such as 'surprisal ~ filler*gap2 + (1|item)'; "
            "logistic for 'correct ~ ...'; auto: what the design calls for.",
            show_default=False,
        ),
    ] = None,
    robust: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="What the contrasts hang on instead: outliers, single items and words, measure, word boundaries, BOS, status.",
        ),
    ] = False,
    look: LookOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test the contrasts of every scored paradigm over its approved items.

    Prints for each contrast the mean in bits, t, df, p, a two-sided interval, dz and n, the share of items with the
    expected sign, and what that says. Several models or data sets, and --by, put results side by side. Examples: `gapsmith
    analyze`, `gapsmith analyze -p subject_pg -c P1 -c P4`, `gapsmith analyze -m gpt2 -m bundled`, `gapsmith analyze --by verb`,
    `gapsmith analyze --design lan2x2 --alternative expected`.
    """
    from gapsmith.app.cli.analysed import Asked, analysed, checked_again, compared, fitted, parse_where
    from gapsmith.app.cli.choices import parse_alternative
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.cli.looking import look_or_say
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring.analysis import AnalysisOptions, analysis_json, comparison_json, plain_data, sensitivity_json
    from gapsmith.scoring.report import analysis_text, comparison_text, model_text, sensitivity_text

    options = AnalysisOptions(
        all_items=all_items,
        design=design,
        contrasts=tuple(contrast or ()),
        alternative=parse_alternative(alternative) if alternative is not None else None,
        holm=holm,
        complete=complete,
        where=parse_where(where),
        measure=measure,
        corrected=corrected,
        by_region=as_json,
    )
    asked = Asked(options, models=model, datasets=dataset, by=by, scorer=scorer, corpus=unigram, contexts=contexts)
    with open_workspace(workspace) as ws:
        for name in paradigm or ws.bank.paradigms.names():
            look_or_say(ws.bank, ItemFilter(paradigm=name), look=look)
        if formula is not None:
            fits = fitted(ws, paradigm, asked, formula)
            if as_json:
                print_json(plain_data(fits))
            else:
                print_text("\n".join(map(model_text, fits)))
            return
        if robust:
            checked = checked_again(ws, paradigm, asked)
            if as_json:
                print_json([sensitivity_json(one) for one in checked])
            else:
                print_text("\n\n".join(map(sensitivity_text, checked)))
            return
        if asked.compares:
            side_by_side = compared(ws, paradigm, asked)
            if as_json:
                print_json([comparison_json(one) for one in side_by_side])
            else:
                print_text("\n\n".join(map(comparison_text, side_by_side)))
            return
        found = analysed(ws, paradigm, asked)
    if as_json:
        print_json([analysis_json(analysis) for analysis in found])
    else:
        print_text("\n\n".join(analysis_text(analysis) for analysis in found))
