"""The flags of `gapsmith study posh`. Written by `python -m tools.doors` from `gapsmith.app.requests.instruments.ComparePosh`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import DRAWS


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
    grid: Annotated[
        list[Path] | None,
        typer.Option(
            "--grid",
            metavar="FOLDER",
            help="Learners of `gapsmith train grid` (its --out): figures 2, 4 and 5, and their counts fitted as well (repeatable; default: what is in learners/ of the workspace).",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            help="How the Bayesian model is fitted: nuts, laplace, or auto: nuts where numpyro is installed.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(
            "--seeds",
            help="Which test the tables star where a model has several seeds: pooled, the counts of all seeds together (as the printed tables); fisher, Fisher's combination of each seed's p (as the authors' script); largest, the largest p of the seeds.",
            show_default=False,
        ),
    ] = None,
    draws: Annotated[
        int | None,
        typer.Option(
            "--draws", parser=given(DRAWS), help="Draws of each of the four chains (nuts; default 1000).", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder of the page (default: posh/ in the workspace).", show_default=False),
    ] = None,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare all models on POSH-BENCH: right by perplexity, by phenomenon and category, with tests and figures.

    Every model that has scored all pairs of a phenomenon is a row: seeds of a model (NAME-seed1, NAME-seed2) are taken together,
    revisions apart. BLiMP, Zorro and SCaMP files count where their data set is called by benchmark and phenomenon. The authors' scripts
    score by minicons-mean; all conventions that were scored stand side by side where the conclusion differs.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("posh", flags)
