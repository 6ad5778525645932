"""The flags of `gapsmith study count-constructions`. Written by `python -m tools.doors` from `gapsmith.app.requests.instruments.CountConstructions`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def count_constructions(
    files: Annotated[
        list[Path], typer.Argument(help="CoNLL-U files (.conllu, .conllu.xz), or files of trees in brackets.", show_default=False)
    ],
    csv: Annotated[
        str | None,
        typer.Option(
            "--csv",
            metavar="NAME",
            help="Print CSV for `gapsmith study licensing --counts`, the corpus being called so.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Count five filler-gap constructions in a treebank, by patterns over dependencies or over trees in brackets.

    Over trees in brackets, such as the Penn Treebank's, the patterns are the published ones.

    Examples: `gapsmith study count-constructions en_ewt-ud-train.conllu`, `gapsmith study count-constructions wsj_0001.mrg wsj_0002.mrg --csv WSJ > counts.csv`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("count-constructions", flags)
