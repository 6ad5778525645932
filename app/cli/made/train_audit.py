"""The flags of `gapsmith train audit`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainAudit`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import COUNT, SEED


def train_audit(
    corpus: Annotated[Path, typer.Argument(help="A folder of `gapsmith train corpus`.", show_default=False)],
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The sheet to write (CSV).", show_default=False)] = None,
    answers: Annotated[Path | None, typer.Option("--answers", help="The sheet, filled in.", show_default=False)] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="NAME",
            help="Only this filter, or one that the corpus was made without: a name, or a TOML file of yours (repeatable).",
            show_default=False,
        ),
    ] = None,
    sentences: Annotated[
        int | None,
        typer.Option(
            "--sentences", parser=given(COUNT), help="With --out: so many of each filter (default: 1000).", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", parser=given(SEED), help="With --out: decides which sentences are drawn (default: 1).", show_default=False
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draw sentences of a filtered corpus for somebody to read, and count from the filled sheet what a filter has left in.

    With --out, a sheet of the sentences that each filter's [audit] is about, at most --sentences of each: POSH-BENCH drew 1,000. A reader
    writes yes, no or ? into its column `leak`. With --answers, the share of leaks with its exact 95 % interval.

    Examples: `gapsmith train audit corpora/baby-f-10m --out sheet.csv`, `gapsmith train audit corpora/baby-f-10m --answers sheet.csv`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train audit", flags)
