"""`gapsmith paradigm draft`: a paradigm file to start from, for sentences that someone has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.file_options import (
    AttributeOption,
    ConditionColumnOption,
    EncodingOption,
    FirstOption,
    FormatOption,
    RegionOption,
    SheetOption,
)


def draft(
    file: Annotated[Path, typer.Argument(help="A suite, pairs, regions, or a table of sentences.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write (default: stdout).", show_default=False)
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="The paradigm's name (default: after the file).", show_default=False)
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
    format: FormatOption = None,
    encoding: EncodingOption = None,
    sheet: SheetOption = None,
    first: FirstOption = None,
    attribute: AttributeOption = None,
    region: RegionOption = None,
    condition_column: ConditionColumnOption = None,
) -> None:
    """Draft a paradigm from a file: its conditions, regions, and what its predictions say, to be read and gone on with.

    Examples: `gapsmith paradigm draft suite.json`, `gapsmith paradigm draft items.xlsx --name object_gap -o object_gap.toml`.
    """
    import re
    import shlex

    from gapsmith.app.cli.console import note, print_text, warning
    from gapsmith.app.cli.file_options import ask_order, read_options
    from gapsmith.app.exporting import write_whole
    from gapsmith.bank.formats import ReadServices, SourceFile, draft_paradigm, read_foreign
    from gapsmith.templates import ConfigError

    options = read_options(
        encoding=encoding,
        sheet=sheet,
        first=first,
        attributes=attribute,
        regions=region,
        condition_columns=condition_column,
    )
    if name is not None and not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ConfigError(f"--name {name}: is no name", hint="Small letters, digits and _, a letter first.")
    if out is not None and not force and out.exists():
        raise ConfigError(f"{out}: is there already", hint="Name another file, or write over it with --force.")
    source = SourceFile(file, options, "Nothing was written.")
    found = read_foreign(source, format=format, services=ReadServices(ask_order))
    made = draft_paradigm(found, name=name, file=file.name)
    note(f"{file}: {found.what}")
    for said in found.notes:
        note(said)
    for said in made.notes:
        warning(said)
    if out is None:
        print_text(made.text.rstrip("\n"))
    else:
        write_whole(out, made.text.encode())
        note(f"Wrote {out}; `gapsmith paradigm check {shlex.quote(str(out))}` reads it")
