"""The flags of `gapsmith annotations`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.AskAnnotations`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def annotations_(
    what: Annotated[str, typer.Argument(help="decisions, judgements or remarks.", show_default=False)],
    mine: Annotated[bool, typer.Option("--mine", help="Only your own; needs no lock.")] = False,
    defuse: Annotated[
        bool, typer.Option("--defuse", help="Put ' before cells that a spreadsheet would run as formulas.")
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
    """Decisions, judgements or remarks as CSV, with times: `gapsmith annotations decisions > decisions.csv`.

    Of decisions: whether the item was opened, how long it was on screen, how many of its rows were. Of judgements: the scale, and
    the seconds where the sentence was shown alone. Of remarks (c in the review): the words, and on which text.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("annotations", flags)
