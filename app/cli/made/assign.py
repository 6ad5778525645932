"""The flags of `gapsmith assign`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.Assign`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, SEED, SHARE_OR_ITEMS


def assign(
    to: Annotated[list[str], typer.Option("--to", help="Who reads (repeatable).", show_default=False)],
    overlap: Annotated[
        float | None,
        typer.Option(
            "--overlap",
            parser=given(SHARE_OR_ITEMS),
            help="Items that several people read: a share from 0 to 1, or a number of items from 2 on (default: as these items are assigned now, else 0.2).",
            show_default=False,
        ),
    ] = None,
    readers: Annotated[
        int | None,
        typer.Option(
            "--readers",
            parser=given(COUNT),
            help="How many people read an item of the overlap (default: as these items are assigned now, else 2).",
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            "--known",
            help="Calibration items, which everybody reads: a file with the columns item and decision, as for `decide --csv` (7,approve).",
            show_default=False,
        ),
    ] = None,
    adjudicator: Annotated[
        list[str] | None,
        typer.Option(
            "--adjudicator",
            help="Who alone decides where these readers disagree, beside the lead (repeatable; default: as these items are assigned now, else whoever asks).",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what changes for whom; assign nothing.")] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take items away from people who have them now, without asking.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", parser=given(SEED), help="Of who gets what (default: 0).", show_default=False)
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
    our_ids: Annotated[
        bool,
        typer.Option("--our-ids", help="The file names items by their ids alone, and these are ids of this bank as it is now."),
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Share items out: every item has a reader, some have several, and `gapsmith review` shows everybody their own.

    Once anything is assigned, whoever has no share sees an empty queue. A later assignment of the same items takes the place of an
    earlier one, after showing what that changes for whom; decisions stay. It keeps the data sets, the overlap and the readers of
    that one unless they are said.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("assign", flags)
