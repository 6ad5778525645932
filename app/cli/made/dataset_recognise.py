"""The flags of `gapsmith dataset recognise`. Written by `python -m tools.doors` from `gapsmith.app.requests.keeping.RecogniseDatasets`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption


def dataset_recognise(
    folder: Annotated[Path, typer.Argument(help="The folder as it was downloaded and unpacked.", show_default=False)],
    benchmark: Annotated[
        str | None, typer.Option("--benchmark", help="Which one it is (default: found out by its files).", show_default=False)
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            "--first", help="Which member of a pair comes first, where its files do not say it: good or bad.", show_default=False
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what is there, missing and changed.")] = False,
    changed: Annotated[bool, typer.Option("--changed", help="Bring in files that are not as published, too.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring in a published benchmark as it was downloaded: BLiMP, SyntaxGym's suites, POSH-BENCH.

    The folder's files are checked against a manifest of names, counts and digests. Every file becomes a data set, its items with
    the attributes phenomenon and category. What is missing, or not as published, is said.

    Examples: `gapsmith dataset recognise blimp/data`, `gapsmith dataset recognise test_suites --dry-run`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("dataset recognise", flags)
