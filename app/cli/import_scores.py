"""`gapsmith import-scores`: surprisals that were computed elsewhere."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import DatasetOption, JsonOption, OurIdsOption, ParadigmOption, WorkspaceOption

SHOWN = 3
"""How many sentences are named."""


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("import-scores")(import_scores)


def import_scores(
    file: Annotated[Path, typer.Argument(help="CSV, TSV or xlsx with a row per token or per region.")],
    model: Annotated[str, typer.Option("--model", "-m", help="What the values are to be called, such as gpt2.")],
    unit: Annotated[
        str | None,
        typer.Option("--unit", help="bits or nats, where the heading does not say it.", show_default=False),
    ] = None,
    log_probabilities: Annotated[
        bool | None,
        typer.Option(
            "--log-prob/--surprisal",
            help="What the values are, where the heading does not say it.",
            show_default=False,
        ),
    ] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    our_ids: OurIdsOption = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take in surprisals from elsewhere for items that are here, and analyse them like any model's."""
    from gapsmith.app.cli.console import note, print_json, warning
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter
    from gapsmith.scoring import SignNotSaid
    from gapsmith.scoring import import_scores as take_scores
    from gapsmith.templates import ConfigError

    if unit not in (None, "bits", "nats"):
        raise ConfigError(f"there is no unit {unit!r}", hint="Say --unit bits or --unit nats.")
    selection = ItemFilter(paradigm=paradigm, dataset=dataset)
    with open_workspace(workspace) as ws:
        take = partial(take_scores, ws.bank, file, name=model, unit=unit, selection=selection, our_ids=our_ids)
        try:
            report = take(log_probabilities=log_probabilities)
        except SignNotSaid as asked:
            if not all(stream.isatty() for stream in (sys.stdin, sys.stderr)):
                raise
            note(asked.message)
            if not typer.confirm("Are they log probabilities?", err=True):
                raise
            report = take(log_probabilities=True)
    for line in report.notes:
        note(line)
    again = f", {report.n_known:,} of them were here before" if report.n_known else ""
    note(f"Scorer {report.scorer_id}, {model}: values for {report.n_texts:,} distinct sentences{again}.")
    for texts, what in (
        (report.strangers, "of the file are of no item that was chosen and were left out"),
        (report.without, "of the chosen items have no value in the file"),
    ):
        if texts:
            warning(f"{len(texts):,} sentences {what}, such as {'; '.join(repr(text) for text in texts[:SHOWN])}")
    if as_json:
        print_json(
            {
                "scorer": report.scorer_id,
                "texts": report.n_texts,
                "known": report.n_known,
                "without": list(report.without),
                "strangers": list(report.strangers),
            }
        )
