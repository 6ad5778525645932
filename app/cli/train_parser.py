"""`gapsmith train parser`: the embedded parser, from a UD treebank."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import COUNT, SEED

if TYPE_CHECKING:
    from gapsmith.parsing import ParserProgress


def register(train_app: typer.Typer) -> None:
    """Add the command to the group `train`."""
    train_app.command("parser")(train_parser)


def train_parser(
    treebank: Annotated[
        Path, typer.Argument(help="The folder of one UD treebank: train, dev and test as .conllu or .conllu.xz.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="A new or empty folder for the parser.")],
    steps: Annotated[int, typer.Option("--steps", parser=given(COUNT), help="Updates of the weights.")] = 2400,
    seed: Annotated[
        int, typer.Option("--seed", parser=given(SEED), help="Decides the first weights, the order and the dropout.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Train a parser and a tagger on a UD treebank, measure them on its test sentences, and write them with a card.

    With the defaults and UD English-EWT this makes the parser that ships: about twenty minutes on one processor core.
    What is written stands under the terms of the treebank: `MODEL_CARD.md` in the folder says which sentences it learnt from.
    """
    from dataclasses import asdict

    from gapsmith.app.cli.console import note, print_json, progress_bar
    from gapsmith.parsing import TrainingPlan, make_parser

    plan = TrainingPlan(steps=steps, seed=seed, evaluate_every=min(200, steps))
    with progress_bar("training", steps) as bar:

        def tell(progress: ParserProgress) -> None:
            found = progress.attachment
            note(f"step {progress.step:,}: dev UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f}")
            bar.update(bar.task_ids[0], completed=progress.step)

        made = make_parser(treebank, out, plan, tell)
    if as_json:
        print_json({"folder": str(out), "bytes": made.size, "test": asdict(made.test)})
    found = made.test
    note(f"test: UPOS {found.upos:.1f}, UAS {found.uas:.1f}, LAS {found.las:.1f} over {found.words:,} words")
    note(f"{out}: {made.size / 1e6:.1f} MB; read its MODEL_CARD.md before you pass it on.")
