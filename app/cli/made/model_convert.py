"""The flags of `gapsmith model convert`. Written by `python -m tools.doors` from `gapsmith.app.requests.measuring.ConvertModel`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def model_convert(
    checkpoint: Annotated[
        Path, typer.Argument(help="The checkpoint (.pt): a whole RNNModel, or the dictionary of its state.", show_default=False)
    ],
    vocabulary: Annotated[Path, typer.Argument(help="The vocab.txt that was published beside it.", show_default=False)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The new folder.", show_default=False)],
    as_json: JsonOption = False,
) -> None:
    """Make a folder of a checkpoint of Gulordava et al. (2018), a word-level LSTM, which `gapsmith score --model` takes then.

    The checkpoint is a pickle, which could run code: only tensors are read of it, and what wants to use anything else is refused by name.

    Examples: `gapsmith model convert hidden650_batch128_dropout0.2_lr20.0.pt vocab.txt --out gulordava`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("model convert", flags)
