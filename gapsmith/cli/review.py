"""`gapsmith review`: vet items in the terminal. `gapsmith agreement`: how far the annotators agree."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bank import Bank

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.command("review")(review)
    root.command("agreement")(agreement)


def review(
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    run: Annotated[int | None, typer.Option("--run", help="Only items of this run.", show_default=False)] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who decides (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    show: Annotated[
        str | None,
        typer.Option("--show", help="Narrow the queue, e.g. 'status:undecided severity:warning'.", show_default=False),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option("--order", help="came, random, findings, status or text (default: as last time)."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the random order, which is each annotator's own.")] = 0,
    adjudicate: Annotated[
        bool, typer.Option("--adjudicate", help="Decide where annotators disagree; the rest merges by itself.")
    ] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Vet items in the terminal: one key each to accept, exclude or flag; F1 explains everything.

    Nothing needs saving. Annotators do not see each other's decisions, nor scores, until they lock (L).
    """
    from gapsmith.cli.choices import author_name
    from gapsmith.cli.console import note
    from gapsmith.settings import user_settings_file
    from gapsmith.workspace import open_workspace
    from templates.errors import ConfigError
    from vetting.review import Desk, Scope, installed_parser, load_guide, parse_query
    from vetting.tui import ReviewApp, load_keys

    with open_workspace(workspace) as ws:
        keys = load_keys([user_settings_file().parent / "keys.toml", ws.root / "keys.toml"])
        line = show if show is not None else "status:disputed" if adjudicate else ""
        query = parse_query(line)
        scope = Scope(paradigm, dataset, run)
        if not ws.bank.items.count(scope.filter):
            raise ConfigError(
                "there is nothing to review here",
                hint="Make items with `gapsmith generate` or `gapsmith import`, or check --paradigm and --dataset.",
            )
        desk = Desk(
            ws.bank,
            author_name(by, ws.settings.annotator),
            scope=scope,
            adjudicating=adjudicate,
            guide=load_guide(ws.root),
            seed=seed,
            relint=_relinter(ws.root),
        )
        if adjudicate:
            _say_adjudication(ws.bank, desk.author, paradigm, dataset)
        if not desk.rows(query, order or "came"):
            note(f"Nothing fits “{line}”: there is nothing to do.")
            return
        # The screen is drawn on stderr, so that has to be a terminal as well.
        if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            raise ConfigError(
                "the review needs a terminal", hint="Do not redirect it. From scripts, use `gapsmith decide`."
            )
        app = ReviewApp(
            desk, query=query, order=order, keys=keys, parser=installed_parser(ws.settings.parser), folder=ws.root
        )
        app.run()
    if app.return_code:
        # The screen has fallen over and has said how: nobody should take that for the end of a review.
        raise typer.Exit(app.return_code)


def _say_adjudication(bank: Bank, author: str, paradigm: str | None, dataset: str | None) -> None:
    from gapsmith.cli.console import note, warning
    from templates.errors import ConfigError
    from vetting.annotators import adjudication

    state = adjudication(bank, paradigm=paradigm, dataset=dataset)
    if author in state.unlocked:
        raise ConfigError(
            f"{author} has decided on these items and not locked; adjudicating shows what the others say",
            hint="Lock first (`gapsmith review`, then L), or adjudicate under another name with --by.",
        )
    note(
        f"{len(state.agreed):,} items merged: all who decided agree. {len(state.disputed):,} disputed,"
        f" {len(state.adjudicated):,} adjudicated, {len(state.single):,} decided by one person only."
    )
    if state.unlocked:
        warning(f"not locked yet, may still change their minds: {', '.join(state.unlocked)}")


def _relinter(root: Path) -> Callable[[Bank, Sequence[int]], None]:
    """Lints items again after an edit; the word lists are loaded by the first call, in the thread that lints."""
    from bank import ItemFilter
    from vetting.lint_run import lint_bank
    from vetting.rules import load_knowledge

    def relint(bank: Bank, item_ids: Sequence[int]) -> None:
        lint_bank(bank, ItemFilter(ids=tuple(item_ids)), knowledge=load_knowledge(root))

    return relint


def agreement(
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    every: Annotated[
        bool, typer.Option("--all", help="Count labels that were not given blind, too.", show_default=False)
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the bootstrap intervals.")] = 0,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """How far annotators agree: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

    On decisions, on each reason for exclusion, and on the sentence judgements of each condition. Counts only what was
    decided blind, on texts as they stand now.
    """
    from gapsmith.cli.console import print_json, print_text
    from gapsmith.workspace import open_workspace
    from vetting.agreement_report import agreement_lines, agreement_report, as_data, progress_lines

    with open_workspace(workspace) as ws:
        if as_json:
            found = agreement_report(ws.bank, paradigm=paradigm, dataset=dataset, blind=not every, seed=seed)
            print_json(as_data(found))
            return
        lines = progress_lines(ws.bank, paradigm=paradigm, dataset=dataset)
        lines += ["", *agreement_lines(ws.bank, paradigm=paradigm, dataset=dataset, blind=not every, seed=seed)]
        print_text("\n".join(lines))
