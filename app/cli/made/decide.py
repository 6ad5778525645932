"""The flags of `gapsmith decide`. Written by `python -m tools.doors` from `gapsmith.app.requests.deciding.Decide`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def decide(
    verdict: Annotated[str | None, typer.Argument(help="approve, exclude or flag.", show_default=False)] = None,
    items: Annotated[list[str] | None, typer.Argument(help="Item ids.", show_default=False)] = None,
    code: Annotated[
        list[str] | None,
        typer.Option("--code", help="Items with a finding of this code or family (repeatable).", show_default=False),
    ] = None,
    severity: Annotated[
        str | None,
        typer.Option(
            "--severity",
            help="Items with a finding at or above error, warning or info. With --policy clean: what keeps an item from being approved (warning unless said otherwise).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[
        list[str] | None, typer.Option("--status", help="Items that are pending, approved, … (repeatable).", show_default=False)
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="Items that contain this.", show_default=False)] = None,
    reason: Annotated[str | None, typer.Option("--reason", "-r", help="Why; an exclusion needs one.", show_default=False)] = None,
    comment: Annotated[str | None, typer.Option("--comment", help="Anything to add.", show_default=False)] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", help="clean: approve pending items that have no warning or error.", show_default=False),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            help="A file that `annotations` or `export decisions` wrote, or one with the columns item, decision, reason, comment, author, and item_uid and text_digest or the sentence.",
            show_default=False,
        ),
    ] = None,
    early: Annotated[
        bool,
        typer.Option(
            "--early",
            help="Settle items of others' shares, as the lead or an adjudicator does, also while somebody who has a share has not locked.",
        ),
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many items it would be.")] = False,
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
    skip_changed: Annotated[
        bool, typer.Option("--skip-changed", help="Leave out items that have other texts here than the file is about.")
    ] = False,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide on items by id, by filter, from a CSV file, or by policy.

    Examples: `gapsmith decide approve 1 2 3`, `gapsmith decide exclude --code L310 --reason ambiguous`, `gapsmith decide --policy clean`, `gapsmith decide --csv decisions.csv`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("decide", flags)
