"""The flags of `gapsmith study licensing`. Written by `python -m tools.doors` from `gapsmith.app.requests.instruments.AnalyzeLicensing`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def licensing(
    counts: Annotated[
        list[Path] | None,
        typer.Option(
            "--counts",
            help="How often corpora have the constructions, as `gapsmith study count-constructions --csv` writes it; beside the counts that ship (repeatable).",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="A folder for licensing.md, effects.csv, cells.csv and figures.", show_default=False),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    unigram: Annotated[
        Path | None,
        typer.Option(
            "--unigram",
            metavar="CORPUS",
            help="The text that the model was trained on, in which slor counts tokens (also .xz, .gz).",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Test licensor × gap designs: flips, divisions, interaction, islands and depth under three metrics.

    For the paradigms that cross a licensor with a gap (embwhq, cleft_adj, cleft_noun, comp_quant, topic, tough, wh_positions, and
    yours): local surprisal, global surprisal of the clause after the licensor by word, and SLOR, each with mixed models over
    items.

    Examples: `gapsmith study licensing`, `gapsmith study licensing -m gpt2 -m bundled --out licensing`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("licensing", flags)
