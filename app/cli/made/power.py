"""The flags of `gapsmith power`. Written by `python -m tools.doors` from `gapsmith.app.requests.measuring.PlanPower`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import CONFIDENCE, SIZE


def power(
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast", "-c", help="Only this contrast, by its name or as tables show it (repeatable).", show_default=False
        ),
    ] = None,
    effect: Annotated[
        float | None,
        typer.Option(
            "--effect",
            parser=given(SIZE),
            help="The effect to find, in the unit of the contrasts (bits), above 0 (default: what their file says matters).",
            show_default=False,
        ),
    ] = None,
    power: Annotated[
        float | None,
        typer.Option(
            "--power", parser=given(CONFIDENCE), help="The chance with which an effect is to be found.", show_default=False
        ),
    ] = None,
    confidence: Annotated[
        float | None,
        typer.Option(
            "--confidence", parser=given(CONFIDENCE), help="Of intervals and tests (0.95: p < .05).", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for power.csv and the curves, a figure for each table.", show_default=False),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).",
            show_default=False,
        ),
    ] = None,
    kinds: Annotated[
        Path | None,
        typer.Option(
            "--kinds",
            metavar="FILE",
            help="What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).",
            show_default=False,
        ),
    ] = None,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what more items, words or models would show: the smallest effect that is found, from the variances of items that are scored.

    With --effect, or where a contrast's file says the smallest effect that matters (delta), also with what chance and by how many items
    it is found; and, where the words are too few for any number of items, how many words would do. Several data sets and models stand
    by themselves, models that are seeds of one kind together as well. --out draws the curves.

    Examples: `gapsmith power`, `gapsmith power -p subject_pg -c did --effect 0.5`, `gapsmith power --effect 0.5 --out power`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("power", flags)
