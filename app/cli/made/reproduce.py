"""The flags of `gapsmith study`. Written by `python -m tools.doors` from `gapsmith.app.requests.instruments.Reproduce`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import MINUTES


def reproduce(
    study: Annotated[str, typer.Argument(help="`list`, a study's name, or a study's file.", show_default=False)],
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith, minicons, minicons-mean, lm-eval or babylm (default: what the study names).",
            show_default=False,
        ),
    ] = None,
    one_convention: Annotated[
        bool,
        typer.Option(
            "--one-convention",
            help="Leave out the second scoring convention that the study names beside its own, which takes as long again.",
        ),
    ] = False,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Write what came out under one model, and who measured it how, as a small JSON file that can be contributed; in `records/` of a study's folder it is shown as its author's.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="May be given several times (default: the study's own).", show_default=False),
    ] = None,
    grid: Annotated[
        list[str] | None,
        typer.Option(
            "--grid",
            metavar="NAME",
            help="Where the study trains learners (posh2026): those of this grid, miniature, posh-corpora, posh-biases or a file, too (repeatable).",
            show_default=False,
        ),
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes",
            parser=given(MINUTES),
            help="With --grid miniature: text and training for so many minutes, instead of 30.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder for everything (default: the study's name).", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Do a published study again: the same design and tests, the published numbers beside ours.

    Each step is printed as the command that you could type yourself. Running it again repeats nothing that is done.

    Examples: `gapsmith study list`, `gapsmith study gaps2025 -m bundled -m gpt2`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("reproduce", flags)
