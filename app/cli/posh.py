"""`gapsmith posh`: POSH-BENCH over every model that has scored its phenomena."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import DRAWS


class Method(StrEnum):
    """How the Bayesian model is fitted."""

    AUTO = "auto"
    NUTS = "nuts"
    LAPLACE = "laplace"


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("posh")(posh)


def posh(
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Only this model (repeatable; default: all with scores).", show_default=False),
    ] = None,
    counts: Annotated[
        Path | None,
        typer.Option(
            "--counts",
            metavar="FILE",
            help="Counts of right answers by corpus, size, filtering, seed and phenomenon (CSV), fitted beside table 8's.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        Method,
        typer.Option(help="How the Bayesian model is fitted; auto: nuts where numpyro is installed."),
    ] = Method.AUTO,
    draws: Annotated[int, typer.Option("--draws", parser=given(DRAWS), help="Draws of each of the four chains (nuts).")] = 1_000,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder of the page (default: posh/ in the workspace).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare all models on POSH-BENCH: right by perplexity, by phenomenon and category, with tests and figures.

    Every model that has scored all pairs of a phenomenon is a row: seeds of a model (NAME-seed1, NAME-seed2) are taken together,
    revisions apart. BLiMP, Zorro and SCaMP files count where their data set is called by benchmark and phenomenon.
    """
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import note, print_json, print_table, print_text
    from gapsmith.app.workspace import open_workspace
    from gapsmith.scoring.analysis.posh import evaluate, read_posh_counts
    from gapsmith.scoring.report import bayes_fits, category_table, outcome_rows, write_evaluation
    from gapsmith.templates import ConfigError

    own = read_posh_counts(counts) if counts is not None else None
    with open_workspace(workspace) as ws:
        found = evaluate(ws.bank, models=model or (), say=note)
        folder = out or ws.root / "posh"
    try:
        fits = bayes_fits(
            own, name=counts.name if counts else "", method=None if method is Method.AUTO else method.value, draws=draws
        )
    except ModuleNotFoundError as error:
        raise ConfigError(str(error)) from None
    try:
        page = write_evaluation(found, fits, folder)
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error})", hint="Say where with --out DIR.") from None
    if as_json:
        print_json(outcome_rows(found))
        return
    made = category_table(found)
    shown = Table(title=Text(made.caption))
    for number, column in enumerate(made.columns):
        shown.add_column(column, justify="right" if number in made.numeric else "left")
    for cells in made.rows:
        shown.add_row(*map(Text, cells))
    print_table(shown)
    for line in found.notes:
        note(line)
    print_text(f"Everything: {page}")
