"""The flags of `gapsmith train counts`. Written by `python -m tools.doors` from `gapsmith.app.requests.learning.TrainCounts`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import COUNT


def train_counts(
    corpora: Annotated[
        list[Path], typer.Argument(metavar="CORPUS…", help="Folders of `gapsmith train corpus`.", show_default=False)
    ],
    vocabulary: Annotated[
        list[int] | None,
        typer.Option(
            "--vocabulary",
            parser=given(COUNT),
            help="Count tokens under a vocabulary of this size (repeatable).",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count sentences, words and tokens of corpora, beside POSH-BENCH's tables 4 and 9 where a corpus is of one of its recipes.

    Tokens are those of a tokenizer trained on the corpus itself, for each size of vocabulary that is named; the paper has 8192, 32768,
    49152 and 65536.

    Examples: `gapsmith train counts corpora/* --vocabulary 8192 --vocabulary 32768`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("train counts", flags)
