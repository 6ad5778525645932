"""The flags of `gapsmith train parser`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainParser`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import COUNT, SEED


def train_parser(
    treebank: Annotated[
        Path,
        typer.Argument(help="The folder of one UD treebank: train, dev and test as .conllu or .conllu.xz.", show_default=False),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="A new or empty folder for the parser.", show_default=False)],
    steps: Annotated[
        int | None,
        typer.Option("--steps", parser=given(COUNT), help="Updates of the weights (default: 2,400).", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=given(SEED),
            help="Decides the first weights, the order and the dropout (default: 1).",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Train a parser and a tagger on a UD treebank, measure them on its test sentences, and write them with a card.

    With the defaults and UD English-EWT this makes the parser that ships: about twenty minutes on one processor core.
    What is written stands under the terms of the treebank: `MODEL_CARD.md` in the folder says which sentences it learnt from.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train parser", flags)
