"""The flags of `gapsmith import-scores`. Written by `python -m tools.doors` from `gapsmith.app.requests.bringing.ImportScores`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def import_scores(
    file: Annotated[Path, typer.Argument(help="CSV, TSV or xlsx with a row per token or per region.", show_default=False)],
    model: Annotated[
        str, typer.Option("--model", "-m", help="What the values are to be called, such as gpt2.", show_default=False)
    ],
    unit: Annotated[
        str | None, typer.Option("--unit", help="bits or nats, where the heading does not say it.", show_default=False)
    ] = None,
    log_probabilities: Annotated[
        bool | None,
        typer.Option(
            "--log-prob/--surprisal", help="What the values are, where the heading does not say it.", show_default=False
        ),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="WHAT=HEADING",
            help="What a column is, where its heading does not say it: value, token, region, start, end, item, condition or sentence (repeatable).",
            show_default=False,
        ),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    our_ids: Annotated[
        bool,
        typer.Option("--our-ids", help="The file names items by their ids alone, and these are ids of this bank as it is now."),
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in surprisals from elsewhere for items that are here, and analyse them like any model's."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("import-scores", flags)
