"""The flags of `gapsmith train lm`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainLm`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def train_lm(
    corpora: Annotated[
        list[Path],
        typer.Argument(
            metavar="CORPUS…", help="Text files (.txt, also .xz, .gz) or folders of `train corpus`.", show_default=False
        ),
    ],
    config: Annotated[
        str,
        typer.Option(
            "--config", "-c", help="A TOML file, or mini, xs, xxs, small, gulordava, kneser-ney, add-one.", show_default=False
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The model's folder; a stopped run in it goes on.", show_default=False)
    ],
    valid: Annotated[
        list[Path] | None,
        typer.Option("--valid", help="Text for validation (repeatable; default: a share of the corpus).", show_default=False),
    ] = None,
    init: Annotated[
        str | None, typer.Option("--init", help="Start from this model, with its shape and tokenizer.", show_default=False)
    ] = None,
    lines: Annotated[
        str | None,
        typer.Option("--lines", help="What a line of the files is: paragraphs (default) or sentences.", show_default=False),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change the configuration: run.steps=2000 (repeatable).", show_default=False
        ),
    ] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="Train no further: make the model from the best checkpoint there is.")
    ] = False,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluate",
            metavar="NAME",
            help="At every evaluation, also the accuracy on the workspace's items of this paradigm or data set (repeatable).",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="With --evaluate: all items, not only approved ones.")] = False,
    device: Annotated[
        str | None, typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a language model: a GPT-2, an LSTM or n-grams.

    Run the same command again to go on after a stop: it comes to the same losses and weights. What is made is an
    ordinary model folder that `gapsmith score --model` takes.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train lm", flags)
