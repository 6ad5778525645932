"""The flags of `gapsmith train corpus`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainCorpus`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import FACTOR, PART, SEED


def train_corpus(
    recipe: Annotated[
        str,
        typer.Argument(
            help="A TOML file, or posh-10m, posh-baby-f-10m, posh-baby-10m, posh-wiki-10m (30m, 50m, 100m).", show_default=False
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The new folder: train.txt, valid.txt, manifest.json.", show_default=False)
    ],
    sources: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME=PATH", help="Where a source of the recipe lies (repeatable).", show_default=False),
    ] = None,
    licences: Annotated[
        list[str] | None,
        typer.Option("--licence", metavar="NAME=TEXT", help="The licence of a source (repeatable).", show_default=False),
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option("--scale", parser=given(FACTOR), help="Times all word counts of the recipe.", show_default=False),
    ] = None,
    valid_share: Annotated[
        float | None,
        typer.Option(
            "--valid-share",
            parser=given(PART),
            help="Further words for validation, as a share of each source's (default: 0.01).",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=given(SEED),
            help="Decides which stretches of the sources are taken (default: 1).",
            show_default=False,
        ),
    ] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option(
            "--filter",
            metavar="NAME",
            help="Leave out what this filter takes: question-formation, binding, or a TOML file of yours (repeatable).",
            show_default=False,
        ),
    ] = None,
    put_back: Annotated[
        bool,
        typer.Option(
            "--put-back",
            help="With --filter: replace as many sentences by some that were taken out as each filter's put_back says.",
        ),
    ] = False,
    parser: Annotated[
        str | None, typer.Option("--parser", help="Who parses for --filter: embedded, spacy:NAME, stanza.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Mix a corpus from several sources: so many words of each, one sentence on a line, with a manifest.

    The recipes that come along are the corpora of POSH-BENCH: its mixture, BABY-F, BABY and WIKI; you say where your CHILDES, BNC and
    so on lie. With --filter, or in a recipe that names filters, sentences stay out that show a learner directly what it is to find out
    by itself. Parses are kept beside the new folder: the same command goes on where it was stopped, and the next corpus of the same
    text needs none.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train corpus", flags)
