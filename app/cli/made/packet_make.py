"""The flags of `gapsmith packet make`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.PacketMake`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import NUMBER_IN_BANK, SEED


def packet_make(
    file: Annotated[Path, typer.Argument(help="The spreadsheet to write: NAME.xlsx.", show_default=False)],
    annotator: Annotated[str, typer.Option("--for", help="Who will decide.", show_default=False)],
    show: Annotated[
        str | None,
        typer.Option(
            "--show", help="Which items, as in the queue of the review (default: status:undecided).", show_default=False
        ),
    ] = None,
    order: Annotated[str | None, typer.Option("--order", help="came (default), random or text.", show_default=False)] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=given(SEED),
            help="Of the random order, which is each annotator's own (default: 0).",
            show_default=False,
        ),
    ] = None,
    judge: Annotated[
        Path | None,
        typer.Option(
            "--judge",
            help="The file of an acceptability study: the annotator's sheet, with a cell for each answer.",
            show_default=False,
        ),
    ] = None,
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False)
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    run: Annotated[
        int | None, typer.Option("--run", parser=given(NUMBER_IN_BANK), help="Only items of this run.", show_default=False)
    ] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who does this (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write the items on which somebody has not decided yet, with cells for decision, reason and comment.

    The lead makes it for anybody, others for themselves: how much is left tells how far somebody is. Nothing of what others,
    policies, the linter or models say is in it.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("packet make", flags)
