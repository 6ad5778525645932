"""The flags of `gapsmith train grid`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainGrid`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, DOLLARS, MINUTES


def train_grid(
    file: Annotated[Path, typer.Argument(help="A TOML file, or miniature, posh-corpora, posh-biases.", show_default=False)],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder for the models; a stopped grid in it goes on.", show_default=False)
    ],
    cell: Annotated[
        list[str] | None,
        typer.Option("--cell", metavar="NAME", help="Only this cell, with all its seeds (repeatable).", show_default=False),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            parser=given(MINUTES),
            help="Make words and steps of a grid that was made for other minutes so much fewer, or more: miniature was made for 30.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            parser=given(COUNT),
            help="Processes, with one thread each (default: one for each processor core; one in all on a GPU).",
            show_default=False,
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            help="ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster.",
            show_default=False,
        ),
    ] = None,
    price: Annotated[
        float | None,
        typer.Option(
            "--price", parser=given(DOLLARS), help="Dollars for an hour of one process, to say what it costs.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say how long it takes and what it costs; train nothing.")] = False,
    score: Annotated[
        list[str] | None,
        typer.Option(
            "--score",
            metavar="NAME",
            help="Afterwards, score the workspace's items of this paradigm or data set, such as posh_*, with every model (repeatable).",
            show_default=False,
        ),
    ] = None,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluate",
            metavar="NAME",
            help="At every evaluation, also the accuracy on the workspace's items of this paradigm or data set, such as posh_* (repeatable).",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="With --score and --evaluate: all items, not only approved ones.")
    ] = False,
    device: Annotated[
        str | None, typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train the learners of a grid: its cells, each with several seeds, each in a folder of its own.

    First it says how long that takes. Run the same command again to go on after a stop: cells that are done stay as they are.
    With --score, the models score the workspace's items, as `gapsmith score` does, for `gapsmith study posh`.

    Examples: `gapsmith train grid biases.toml --out learners --dry-run --price 2.50`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train grid", flags)
