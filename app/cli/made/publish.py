"""The flags of `gapsmith publish`. Written by `python -m tools.doors` from `gapsmith.app.requests.outgoing.Publish`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import NUMBER_IN_BANK


def publish(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The folder to write, new or empty (default: published/ in the workspace).", show_default=False
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Whose numbers (default: `model` of the settings where it has scored the items, else the only one that has).",
            show_default=False,
        ),
    ] = None,
    design: Annotated[str | None, typer.Option("--design", help="Only the contrasts of this design.", show_default=False)] = None,
    uncorrected: Annotated[
        bool, typer.Option("--uncorrected", help="Verdicts of tests follow p as it is, as in analyze --uncorrected.")
    ] = False,
    title: Annotated[
        str | None,
        typer.Option("--title", help="What the set is called (default: its data set's or paradigm's name).", show_default=False),
    ] = None,
    creator: Annotated[
        list[str] | None,
        typer.Option("--creator", help="Who made the set, as they are to be cited (repeatable).", show_default=False),
    ] = None,
    license: Annotated[
        str | None,
        typer.Option("--license", help="Under which licence others may use it, such as cc-by-4.0.", show_default=False),
    ] = None,
    language: Annotated[str | None, typer.Option("--language", help="The language of the sentences.", show_default=False)] = None,
    citation: Annotated[
        Path | None, typer.Option("--citation", help="A BibTeX file with the paper to cite.", show_default=False)
    ] = None,
    paradigm: Annotated[
        str | None,
        typer.Option("--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    scorer: Annotated[
        int | None,
        typer.Option(
            "--scorer",
            parser=given(NUMBER_IN_BANK),
            metavar="ID",
            help="Scores of this scorer, where one model scored with several settings.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Move the probability mass of word boundaries to where words end.")
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
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write one folder that can be given to OSF, Zenodo or the Hugging Face hub. Nothing is uploaded.

    In it: the approved items (data.jsonl, data.csv) with a card, the paradigm's file, who decided what, the frozen plan, the numbers and
    the report of one model, how to cite it, and SHA256SUMS with a digest of every file. What there is not, such as scores or a plan, is
    said in the card. The folder has to be new or empty.

    Examples: `gapsmith publish --creator 'Ada Miller' --license cc-by-4.0 -o my-set`, `gapsmith publish -o my-set -p subject_pg -m gpt2 --citation paper.bib`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("publish", flags)
