"""The flags of `gapsmith paradigm new`. Written by `python -m tools.doors` from `gapsmith.app.requests.bringing.NewParadigm`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def paradigm_new(
    name: Annotated[
        str, typer.Argument(help="What it is called: small letters, digits and _, a letter first.", show_default=False)
    ],
    title: Annotated[str | None, typer.Option("--title", help="Its title (default: its name).", show_default=False)] = None,
    factor: Annotated[
        list[str] | None,
        typer.Option("--factor", help="A factor and its levels: 'number: sg, pl' (repeatable).", show_default=False),
    ] = None,
    region: Annotated[
        list[str] | None,
        typer.Option(
            "--region",
            help="A region, in reading order: 'subject: the {head}', or 'verb[number]: is | are' (repeatable).",
            show_default=False,
        ),
    ] = None,
    slot: Annotated[
        list[str] | None,
        typer.Option(
            "--slot",
            help="A slot with its words: 'head: farmer, nurse', or 'head noun: …' where its other forms are used (repeatable).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[
        list[str] | None,
        typer.Option(
            "--status",
            metavar="CONDITION=STATUS",
            help="What a native speaker says of a condition: sg_right=ok, ? or * (repeatable).",
            show_default=False,
        ),
    ] = None,
    critical: Annotated[
        list[str] | None,
        typer.Option(
            "--critical", help="Where conditions are measured: a region, or LEVEL=REGION (repeatable).", show_default=False
        ),
    ] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option("--contrast", help="'NAME: FORMULA, negative|positive|exploratory' (repeatable).", show_default=False),
    ] = None,
    final_mark: Annotated[
        str | None, typer.Option("--final-mark", help="The mark at the end of the sentences.", show_default=False)
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The file to write (default: paradigms/NAME.toml of the workspace).", show_default=False
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a paradigm of your own: asks at a terminal for what is not said, writes the file, and checks it.

    A region is one text for all conditions, or one for each level of the factors in brackets, in their order, with | between them. A word in
    braces is a slot; {head_pl} is the plural of the slot head, where its kind is noun.

    Examples: `gapsmith paradigm new agree --factor 'form: right, wrong' --region 'subject: the {head}' --region 'verb[form]: is | are' --region 'rest: {rest}' --slot 'head noun: farmer, nurse' --slot 'rest: tired, late' --status right=ok --status wrong=* --critical verb --contrast 'agreement: wrong - right, positive'`, `gapsmith paradigm new agree`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("paradigm new", flags)
