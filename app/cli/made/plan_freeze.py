"""The flags of `gapsmith plan freeze`. Written by `python -m tools.doors` from `gapsmith.app.requests.plans.FreezePlan`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import CONFIDENCE, COUNT


def plan_freeze(
    paradigm: Annotated[str, typer.Argument(help="Whose items are to be analysed.", show_default=False)],
    items: Annotated[
        int | None,
        typer.Option(
            "--items", parser=given(COUNT), help="How many items are to be analysed (default: any number).", show_default=False
        ),
    ] = None,
    dataset: Annotated[
        list[str] | None,
        typer.Option("--dataset", "-d", help="Only items of this data set (repeatable; default: all).", show_default=False),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Scores of this model (repeatable; default: any model).", show_default=False),
    ] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast",
            "-c",
            help="Only this contrast or criterion (repeatable; default: all of the paradigm's).",
            show_default=False,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="NAME=VALUE",
            help="Only items with this attribute, or word in a slot (repeatable).",
            show_default=False,
        ),
    ] = None,
    alternative: Annotated[
        str | None,
        typer.Option(
            "--alternative",
            help="expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says).",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", help="Every contrast by this measure (default: its own).", show_default=False)
    ] = None,
    uncorrected: Annotated[bool, typer.Option("--uncorrected", help="Verdicts are to follow p as it is.")] = False,
    confidence: Annotated[
        float | None,
        typer.Option(
            "--confidence", parser=given(CONFIDENCE), help="Of intervals and tests (0.95: p < .05).", show_default=False
        ),
    ] = None,
    ties: Annotated[
        str | None,
        typer.Option(
            "--ties",
            help="What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.",
            show_default=False,
        ),
    ] = None,
    complete: Annotated[bool, typer.Option("--complete", help="Only items that have a value for every contrast.")] = False,
    exclude_rule: Annotated[
        list[str] | None,
        typer.Option(
            "--exclude-rule",
            help="By which rule items are approved or left out, in your words (repeatable); the linter's rules are kept with it.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Move the probability mass of word boundaries to where words end.")
    ] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Freeze what is to be analysed, and how, before it is: it is kept in the bank with the time, and never changed.

    The plan takes contrasts, their sides, families and δ from the paradigm's file as it stands, and the rest from here. From then on
    δ and the tests that are corrected together are the plan's; analyses and reports say what is not as planned.

    Examples: `gapsmith plan freeze subject_pg --items 40 --model gpt2`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("plan freeze", flags)
