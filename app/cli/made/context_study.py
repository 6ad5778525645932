"""The flags of `gapsmith study context`. Written by `python -m tools.doors` from `gapsmith.app.requests.behind.StudyContexts`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, COUNT_OR_NONE, SEED


def context_study(
    name: Annotated[
        str | None, typer.Option("--name", help="What the study's context sets are called (default: study).", show_default=False)
    ] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast", "-c", help="What counts as right (repeatable; default: all that expect something).", show_default=False
        ),
    ] = None,
    lengths: Annotated[
        list[str] | None,
        typer.Option(
            "--lengths",
            help="Tokens to grow to, with commas between them (default: what the window allows, at most 1000, and 1/2, 1/4, 1/8 of it).",
            show_default=False,
        ),
    ] = None,
    perturbed: Annotated[
        int | None,
        typer.Option(
            "--perturbed",
            parser=given(COUNT_OR_NONE),
            help="So many items of each suite behind perturbed contexts too (default 10).",
            show_default=False,
        ),
    ] = None,
    crossed: Annotated[
        int | None,
        typer.Option(
            "--crossed",
            parser=given(COUNT_OR_NONE),
            help="So many items of each suite behind each other suite alone (default 10).",
            show_default=False,
        ),
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample",
            parser=given(COUNT),
            help="Only so many items of each suite, drawn by the seed, behind contexts of all of them (default: all).",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="The model (default: `model` of the settings, else gpt2).", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how long scoring will take; score nothing, and keep nothing.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The folder of the page (default: the study's name in the workspace).", show_default=False
        ),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    suites_by: Annotated[
        str | None,
        typer.Option(
            "--suites-by",
            help="An attribute that takes data sets apart into suites (BLiMP's UID); else a data set is one.",
            show_default=False,
        ),
    ] = None,
    shared_contexts: Annotated[
        int | None,
        typer.Option(
            "--shared-contexts",
            "--shared",
            parser=given(COUNT),
            help="So many contexts for all items of a suite, not one each.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            "--text", help="For unrelated: a file of running text (default: a sample that comes along).", show_default=False
        ),
    ] = None,
    lines: Annotated[bool, typer.Option("--lines", help="The file has one sentence a line.")] = False,
    seed: Annotated[
        int | None,
        typer.Option("--seed", parser=given(SEED), help="The same seed draws the same contexts (default 1).", show_default=False),
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
    dtype: Annotated[
        str | None, typer.Option("--dtype", help="float32 (default), bfloat16 or float16.", show_default=False)
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            "--kernel",
            help="What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).",
            show_default=False,
        ),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(
            "--batch-size", parser=given(COUNT), help="Sentences per forward pass of batches (default 32).", show_default=False
        ),
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score items behind matched, mismatched and unrelated contexts of growing length, and write what that does to judgements.

    Suites are data sets, or the values of --suites-by. Accuracy by length and type, a mixed logistic regression, perturbed
    contexts, suites behind each other, similarity of context and item; as a page with figures and tables for R. Run it again to
    go on.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("context study", flags)
