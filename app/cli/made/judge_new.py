"""The flags of `gapsmith judge new`. Written by `python -m tools.doors` from `gapsmith.app.requests.norming.NewJudging`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, SEED


def judge_new(
    file: Annotated[Path, typer.Argument(help="The file to write: NAME.toml.", show_default=False)],
    to: Annotated[list[str], typer.Option("--to", help="Who judges (repeatable).", show_default=False)],
    task: Annotated[
        str | None,
        typer.Option(
            "--task",
            help="scale (default), categories (ok, questionable, bad) or choice (the better one of two).",
            show_default=False,
        ),
    ] = None,
    question: Annotated[
        str | None,
        typer.Option("--question", help="What is asked of every sentence (default: how natural it is).", show_default=False),
    ] = None,
    points: Annotated[
        int | None, typer.Option("--points", parser=given(COUNT), help="Of a scale (default: 7).", show_default=False)
    ] = None,
    anchor: Annotated[
        list[str] | None,
        typer.Option(
            "--anchor",
            help="What a point is called, from the worst: once for every point (repeatable; default: from completely unnatural to completely natural).",
            show_default=False,
        ),
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option(
            "--condition",
            help="Conditions that are judged (repeatable; default: all). A choice is between two.",
            show_default=False,
        ),
    ] = None,
    shown: Annotated[
        str | None,
        typer.Option(
            "--shown",
            help="one (default): each item in one condition, by Latin square; all: in every condition.",
            show_default=False,
        ),
    ] = None,
    apart: Annotated[
        int | None,
        typer.Option(
            "--apart",
            parser=given(COUNT),
            help="With --shown all: places between sentences of one item (default: 10).",
            show_default=False,
        ),
    ] = None,
    fillers: Annotated[
        list[str] | None, typer.Option("--fillers", help="Data sets whose items are fillers (repeatable).", show_default=False)
    ] = None,
    practice: Annotated[
        list[str] | None,
        typer.Option("--practice", help="A sentence to practise on, in the place of ours (repeatable).", show_default=False),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            help="Only items that are approved, pending, …, as far as you may see (repeatable; default: approved as soon as some are).",
            show_default=False,
        ),
    ] = None,
    n: Annotated[
        int | None,
        typer.Option(
            "--n",
            "-n",
            parser=given(COUNT),
            help="How many items, drawn at random by --seed, as many of each paradigm and data set as of the others (default: all).",
            show_default=False,
        ),
    ] = None,
    pause_every: Annotated[
        int | None,
        typer.Option(
            "--pause-every", parser=given(COUNT), help="Answers from one break to the next (default: 50).", show_default=False
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", parser=given(SEED), help="Of the orders, and of what is drawn (default: 0).", show_default=False),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the one file that decides an acceptability study: sentences, scale, annotators, order, fillers, practice.

    Every annotator gets a sheet of their own: each item in one condition, by Latin square. The file is read by `review --judge`, in
    the terminal and with --web, by `packet make --judge` and by `judge results`.

    Examples: `gapsmith judge new study.toml -p subject_pg --to ann --to ben`, `gapsmith judge new study.toml -p subject_pg --to ann --to ben --n 12 --seed 1`, `gapsmith judge new study.toml -p subject_pg --to ann --task choice --condition pf_pg1_pg2 --condition mf_pg1_pg2`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("judge new", flags)
