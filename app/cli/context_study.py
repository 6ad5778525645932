"""`gapsmith context study`: judgements behind contexts of five types and growing lengths, after Sinha et al. (2023)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given, parse_lengths
from gapsmith.app.cli.options import AllItemsOption, DatasetsOption, JsonOption, ParadigmsOption, WorkspaceOption
from gapsmith.templates import COUNT, COUNT_OR_NONE, SEED


def study(
    paradigm: ParadigmsOption = None,
    dataset: DatasetsOption = None,
    suites_by: Annotated[
        str,
        typer.Option(
            "--suites-by", help="An attribute that takes data sets apart into suites (BLiMP's UID).", show_default=False
        ),
    ] = "",
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast",
            "-c",
            help="What counts as right (repeatable; default: all that expect something).",
            show_default=False,
        ),
    ] = None,
    lengths: Annotated[
        str | None,
        typer.Option(
            "--lengths",
            help="Tokens to grow to (default: what the window allows, at most 1000, and 1/2, 1/4, 1/8 of it).",
            show_default=False,
        ),
    ] = None,
    shared: Annotated[
        int | None,
        typer.Option(
            "--shared-contexts",
            parser=given(COUNT),
            help="So many contexts for all items of a suite, not one for each item.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            "--text",
            help="The running text of unrelated contexts (default: a sample that comes along).",
            show_default=False,
        ),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="The text has one sentence a line.")] = False,
    perturbed: Annotated[
        int,
        typer.Option(
            "--perturbed",
            parser=given(COUNT_OR_NONE),
            help="So many items of each suite behind perturbed contexts too.",
        ),
    ] = 10,
    crossed: Annotated[
        int,
        typer.Option("--crossed", parser=given(COUNT_OR_NONE), help="So many items of each suite behind each other suite alone."),
    ] = 10,
    seed: Annotated[int, typer.Option("--seed", parser=given(SEED), help="The same seed draws the same contexts.")] = 1,
    name: Annotated[str, typer.Option("--name", help="What the study's context sets are called.")] = "study",
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="The model (default: `model` of the settings, else gpt2).", show_default=False),
    ] = None,
    dtype: Annotated[
        str | None, typer.Option("--dtype", help="float32 (default), bfloat16 or float16.", show_default=False)
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="auto (default), cpu, cuda, mps.", show_default=False)] = None,
    all_items: AllItemsOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how long scoring will take; score nothing, and keep nothing.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="The folder of the page (default: the study's name in the workspace).",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score items behind matched, mismatched and unrelated contexts of growing length, and write what that does to judgements.

    Suites are data sets, or the values of --suites-by. Accuracy by length and type, a mixed logistic regression, perturbed
    contexts, suites behind each other, similarity of context and item; as a page with figures and tables for R. Run it again to
    go on.
    """
    from contextlib import nullcontext
    from dataclasses import asdict

    from gapsmith.app.chosen import scoring
    from gapsmith.app.cli.console import note, print_json, print_text, progress_bar
    from gapsmith.app.context_studies import ContextStudy
    from gapsmith.app.interrupts import stoppable
    from gapsmith.app.workspace import open_workspace, trial_bank
    from gapsmith.scoring.context_study import StudyPlan, effect_value, read_effects
    from gapsmith.templates import ConfigError

    plan = StudyPlan(
        name=name,
        lengths=parse_lengths(lengths) if lengths else (),
        seed=seed,
        shared=shared,
        suites_by=suites_by,
        predictions=tuple(contrast or ()),
        everything=all_items,
        perturbed=perturbed,
        crossed=crossed,
    )
    with (
        open_workspace(workspace) as ws,
        # Contexts that are drawn stay under the study's name, and a dry run shall not use it up.
        trial_bank(ws.bank) if dry_run else nullcontext(ws.bank) as bank,
        stoppable(),
    ):
        chosen = scoring(ws.settings, model=model, dtype=dtype, device=device)
        called = chosen.model
        engine = chosen.open(notice=note)
        made = ContextStudy.of(
            bank,
            engine,
            called,
            plan,
            paradigms=paradigm or (),
            datasets=dataset or (),
            text=text,
            lines=lines,
            say=note,
        )
        for problem in made.drawn.problems:
            note(f"left out: {problem}")
        for said in made.drawn.without_context:
            note(said)
        if dry_run:
            predicted = made.predicted()
            note(predicted.in_words)
            if as_json:
                print_json(asdict(predicted))
            return
        selected = made.selected
        with progress_bar(f"scoring with {called}", selected.n_wanted) as bar:
            task = bar.task_ids[0]
            report = made.score(selected, progress=lambda done, total: bar.update(task, completed=done, total=total))
        note(f"{report.n_scored:,} scored now in {report.seconds:.0f} s, {report.n_present:,} already there")
        folder = out or ws.root / name
        try:
            page = made.write(made.results(report.scorer_id), folder)
        except OSError as error:
            raise ConfigError(
                f"{folder}: the study cannot be written there ({error})", hint="Say where with --out DIR."
            ) from None
    effects = read_effects(folder)
    if as_json:
        print_json([asdict(own) for own in effects.values()])
        return
    for own in effects.values():
        note(f"{own.what}: {effect_value(own)}")
    print_text(str(page))
