"""The flags of `gapsmith agreement`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.AskAgreement`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def agreement(
    everything: Annotated[bool, typer.Option("--all", help="Count labels that were not given blind, too.")] = False,
    calibration: Annotated[
        bool,
        typer.Option(
            "--calibration", help="Count calibration items in agreement, too: items whose right verdict was known before."
        ),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every two people on each reason and sentence, too; JSON always has them.")
    ] = False,
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False)
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
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
    """How far annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

    On decisions, on each reason for exclusion, and on the sentence judgements of each condition. Counts only what was decided
    blind, on the texts that people read. Shown to those who have locked, or who look on record.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("agreement", flags)
