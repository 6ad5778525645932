"""The flags of `gapsmith judge results`. Written by `python -m tools.doors` from `gapsmith.app.requests.norming.JudgingResults`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def judge_results(
    file: Annotated[Path, typer.Argument(help="The study's file.", show_default=False)],
    mine: Annotated[
        bool,
        typer.Option(
            "--mine",
            help="Only your own, which needs no lock; items, conditions and fillers are named once your sheet is finished.",
        ),
    ] = False,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a row for each answer here.", show_default=False)] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """What came of an acceptability study: every answer with its by-person z-score, and marks for answers that came too fast or in
    long runs of the same.

    Nothing is left out: marks are for you to decide on. Others' answers are shown to those who may see them, as in `agreement`.

    Examples: `gapsmith judge results study.toml --csv answers.csv`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("judge results", flags)
