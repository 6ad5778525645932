"""What commands that read a stranger's file let people say about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from gapsmith.bank.formats import Member, OrderUnknownError, ReadOptions

FormatOption = Annotated[
    str | None,
    typer.Option("--format", help="What the file is, where that is not found out.", show_default=False),
]
EncodingOption = Annotated[
    str | None, typer.Option("--encoding", help="Its encoding, if not UTF-8: cp1252, latin-1.", show_default=False)
]
SheetOption = Annotated[str | None, typer.Option("--sheet", help="Which sheet of a spreadsheet.", show_default=False)]
FirstOption = Annotated[
    str | None,
    typer.Option(
        "--first",
        help="Which member of a pair comes first, where the file does not say it: good or bad.",
        show_default=False,
    ),
]
AttributeOption = Annotated[
    list[str] | None,
    typer.Option("--attribute", help="A column that is no region (repeatable).", show_default=False),
]
RegionOption = Annotated[
    list[str] | None,
    typer.Option("--region", help="A column that is a region all the same (repeatable).", show_default=False),
]
ConditionColumnOption = Annotated[
    list[str] | None,
    typer.Option("--condition-column", help="A column of the condition, one per factor (repeatable).", show_default=False),
]


def read_options(
    *,
    encoding: str | None,
    sheet: str | None,
    first: str | None,
    attributes: list[str] | None,
    regions: list[str] | None,
    condition_columns: list[str] | None,
) -> ReadOptions:
    """The options as readers take them. Raises `ConfigError` for a member of a pair that there is not."""
    from gapsmith.bank.formats import ReadOptions
    from gapsmith.templates import ConfigError

    if first not in (None, "good", "bad"):
        raise ConfigError(f"--first {first}: there is no such member of a pair", hint="Choose good or bad.")
    return ReadOptions(
        encoding=encoding,
        sheet=sheet,
        first="good" if first == "good" else "bad" if first == "bad" else None,
        attributes=tuple(attributes or ()),
        regions=tuple(regions or ()),
        condition_columns=tuple(condition_columns or ()),
    )


def ask_order(unknown: OrderUnknownError) -> Member | None:
    """Which member of a pair comes first, asked of somebody at a terminal; None where nobody is there, or answers."""
    from gapsmith.app.cli.console import ask

    sentences = "\n".join(f"  {place}: {text.strip()}" for place, text in zip(unknown.places, unknown.pair, strict=True))
    said = ask(
        f"Nothing in the file says which sentence of a pair is the good one. A pair of it:\n{sentences}\n"
        f"Which is {unknown.places[0]} of every pair?",
        ("good", "bad"),
    )
    return None if said is None else "good" if said == "good" else "bad"
