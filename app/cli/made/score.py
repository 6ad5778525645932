"""The flags of `gapsmith score`. Written by `python -m tools.doors` from `gapsmith.app.requests.measuring.Score`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT


def score(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the Hugging Face hub, a directory, or `bundled` (default: `model` of the settings, else gpt2); with an engine of an installed package, what that one takes (default: its own).",
            show_default=False,
        ),
    ] = None,
    bos: Annotated[
        bool, typer.Option("--bos/--no-bos", help="Put one beginning-of-sequence token before each sentence.", show_default=False)
    ] = True,
    convention: Annotated[
        list[str] | None,
        typer.Option(
            "--convention",
            help="What this scoring convention (minicons, minicons-mean, lm-eval, babylm, gapsmith) needs, in place of what --bos says; conventions that need the same are one scorer (repeatable).",
            show_default=False,
        ),
    ] = None,
    engine: Annotated[
        str | None,
        typer.Option(
            "--engine",
            help="tree (what sentences share is computed once), batches, or auto: tree where the model can be run so; or an engine of an installed package, by its name in `gapsmith doctor`.",
            show_default=False,
        ),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            help="ray: all processors or GPUs of this machine, one model each; ray=ADDRESS: those of a running cluster.",
            show_default=False,
        ),
    ] = None,
    revision: Annotated[
        list[str] | None,
        typer.Option(
            "--revision",
            help="Commit, tag or branch of a model of the hub; may be given several times, and each is a scorer of its own.",
            show_default=False,
        ),
    ] = None,
    remove_downloads: Annotated[
        bool,
        typer.Option("--remove-downloads", help="Remove each revision that had to be fetched, once it has scored everything."),
    ] = False,
    boundary: Annotated[
        bool,
        typer.Option(
            "--boundary",
            help="Measure the probability of word boundaries too, for `analyze --corrected`; adds to what was scored without.",
        ),
    ] = False,
    critical_only: Annotated[
        bool,
        typer.Option(
            "--critical-only",
            help="Only the words that contrasts and criteria are about: faster; a later run without it adds the rest.",
        ),
    ] = False,
    contexts: Annotated[
        list[str] | None,
        typer.Option("--contexts", help="In the contexts of this set too (`gapsmith context`); repeatable.", show_default=False),
    ] = None,
    profile: Annotated[
        bool, typer.Option("--profile", help="Say what took how long, by phase, in wall and processor time.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say how many tokens that is and how long it will take; keep nothing.")
    ] = False,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
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
    """Score the approved items with a language model: the surprisal of every token, in bits.

    Each distinct sentence is scored once and kept at once. Run it again to go on after a stop: what the same model has scored
    with the same settings is not scored again.

    Examples: `gapsmith score`, `gapsmith score --model bundled --all`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("score", flags)
