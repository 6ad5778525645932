"""`gapsmith packet`: items and a form of decisions as a spreadsheet, for annotators who have no bank."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption
from gapsmith.templates import NUMBER_IN_BANK, SEED

app = typer.Typer(help="Review packets: spreadsheets for annotators who have no bank, out and back.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="packet")


@app.command("make")
def make(
    file: Annotated[Path, typer.Argument(help="The spreadsheet to write: NAME.xlsx.", show_default=False)],
    annotator: Annotated[str, typer.Option("--for", help="Who will decide.", show_default=False)],
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    run: Annotated[
        int | None,
        typer.Option("--run", parser=given(NUMBER_IN_BANK), help="Only items of this run.", show_default=False),
    ] = None,
    show: Annotated[
        str,
        typer.Option("--show", help="Which items, as in the queue of the review."),
    ] = "status:undecided",
    order: Annotated[str, typer.Option("--order", help="came, random or text.")] = "came",
    seed: Annotated[
        int, typer.Option("--seed", parser=given(SEED), help="Of the random order, which is each annotator's own.")
    ] = 0,
    workspace: WorkspaceOption = None,
) -> None:
    """Write the items on which somebody has not decided yet, with cells for decision, reason and comment.

    Nothing of what others, policies, the linter or models say is in it.
    """
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import open_workspace
    from gapsmith.templates import ConfigError
    from gapsmith.vetting import make_packet
    from gapsmith.vetting.review import Scope, Session, parse_query

    if order not in _ORDERS:
        # The others would tell which items the linter has found something in.
        raise ConfigError(f"a packet has no order {order!r}", hint=f"There are: {', '.join(_ORDERS)}.")
    with open_workspace(workspace) as ws:
        session = Session(ws.bank, annotator, scope=Scope(paradigm, dataset, run), seed=seed)
        rows = session.rows(parse_query(show), order)
        if not rows:
            raise ConfigError(f"no item fits “{show}” for {annotator}", hint="Check --show, --paradigm and --dataset.")
        sentences = make_packet(session, file, [row.id for row in rows])
    note(f"{file}: {len(rows):,} items, {sentences:,} sentences for {annotator}")
    note(f"In each item, fill in `decision` (approve, exclude or flag). When it is back: gapsmith packet take {file}")


_ORDERS = ("came", "random", "text")


@app.command("take")
def take(
    file: Annotated[Path, typer.Argument(help="The spreadsheet that came back.", show_default=False)],
    annotator: Annotated[
        str | None,
        typer.Option("--for", help="Whose it is; needed only for packets that release 0.1 made.", show_default=False),
    ] = None,
    skip_changed: Annotated[bool, typer.Option("--skip-changed", help="Leave out items whose texts were changed since.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in the decisions of a packet, all or none; what was taken in before is not taken in again.

    They are the decisions of whom the packet was made for: another name in it is refused.
    """
    from dataclasses import asdict

    from gapsmith.app.cli.console import note, print_json, warning
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import Verdict
    from gapsmith.vetting import take_packet

    with open_workspace(workspace) as ws:
        taken = take_packet(ws.bank, file, annotator=annotator, skip_changed=skip_changed)
    if as_json:
        print_json({**asdict(taken), "decided": {verdict.value: n for verdict, n in taken.decided.items()}})
        return
    note(
        f"{taken.author}: approved {taken.decided.get(Verdict.APPROVE, 0):,}, excluded"
        f" {taken.decided.get(Verdict.EXCLUDE, 0):,}, flagged {taken.decided.get(Verdict.FLAG, 0):,};"
        f" {taken.known:,} taken in before, {taken.empty:,} not decided"
    )
    if taken.changed:
        warning(f"left out, because their texts were changed: {', '.join(taken.changed)}")
