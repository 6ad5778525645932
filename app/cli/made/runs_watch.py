"""The flags of `gapsmith runs watch`. Written by `python -m tools.doors` from `gapsmith.app.requests.making.WatchRun`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import NUMBER_IN_BANK, SECONDS_BETWEEN, TIMEOUT


def runs_watch(
    run: Annotated[
        int,
        typer.Argument(
            parser=given(NUMBER_IN_BANK), metavar="RUN", help="The run's number in `gapsmith runs list`.", show_default=False
        ),
    ],
    every: Annotated[
        float | None, typer.Option("--every", parser=given(SECONDS_BETWEEN), help="Seconds between looks.", show_default=False)
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Look once; do not wait for the end.")] = False,
    give_up: Annotated[
        bool, typer.Option("--give-up", help="End the batch: take in what is finished, so that calls can ask for the rest.")
    ] = False,
    send_key_to: Annotated[
        str | None,
        typer.Option(
            "--send-key-to",
            metavar="HOST",
            help="Send your key to this host although only the workspace's file names it.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices", help="A price file of your own, before the others.", show_default=False, rich_help_panel="Pace and cost"
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            parser=given(TIMEOUT),
            help="Seconds to wait for an answer (default: 120).",
            show_default=False,
            rich_help_panel="Pace and cost",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Wait for the batch of a run, and take in what it brings, each answer into its call.

    Ctrl-C ends the waiting and not the batch.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("runs watch", flags)
