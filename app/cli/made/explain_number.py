"""The flags of `gapsmith explain-number`. Written by `python -m tools.doors` from `gapsmith.app.requests.instruments.ExplainNumber`; changes are made there."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def explain_number(
    sentence: Annotated[str, typer.Argument(help="The sentence, in quotes.", show_default=False)],
    like: Annotated[
        str,
        typer.Option(
            "--like", help="minicons, minicons-mean, lm-eval, babylm, lm-eval-norm, syntaxgym or pangoling.", show_default=False
        ),
    ],
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="A model of the hub, a directory, or `bundled` (the default).", show_default=False),
    ] = None,
    word: Annotated[
        str | None, typer.Option("--word", help="A word of the sentence, instead of all of it.", show_default=False)
    ] = None,
    boundary: Annotated[bool, typer.Option("--boundary", help="Our number with the word-boundary correction.")] = False,
    against: Annotated[
        str | None,
        typer.Option("--against", help="A second sentence: which of the two does each tool prefer?", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show a sentence's number as another tool makes it, and what each difference to ours comes to."""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("explain-number", flags)
