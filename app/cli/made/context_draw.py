"""The flags of `gapsmith context draw`. Written by `python -m tools.doors` from `gapsmith.app.requests.behind.DrawContexts`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, SEED


def context_draw(
    name: Annotated[str, typer.Argument(help="The name of the context set.", show_default=False)],
    type: Annotated[
        str,
        typer.Option(
            "--type",
            help="matched (other items of the same suite), mismatched (of other suites), unrelated (sentences of running text).",
            show_default=False,
        ),
    ],
    lengths: Annotated[
        list[str], typer.Option("--lengths", help="Tokens to grow to, with commas between them.", show_default=False)
    ],
    member: Annotated[
        str | None,
        typer.Option("--member", help="Which sentences of items: acceptable (default) or unacceptable.", show_default=False),
    ] = None,
    from_suite: Annotated[
        list[str] | None, typer.Option("--from", help="For mismatched: only of this suite (repeatable).", show_default=False)
    ] = None,
    perturb: Annotated[
        str | None,
        typer.Option(
            "--perturb",
            help="What is added to each sentence: none (default), adverb-before, adverb-after, phrase-before, clause-before, clause-after, quote, all.",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).",
            show_default=False,
        ),
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
    paradigm: Annotated[
        str | None,
        typer.Option("--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a context for every item, grown sentence by sentence to each of the lengths, and keep them under a name.

    Examples: `gapsmith context draw near --type matched --lengths 20,40,80`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("context draw", flags)
