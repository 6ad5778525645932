"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

WorkspaceOption = Annotated[
    Path | None,
    typer.Option("--workspace", "-w", help="The workspace's directory (default: from here upwards).", show_default=False),
]
ParadigmOption = Annotated[
    str | None,
    typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False),
]
AllItemsOption = Annotated[
    bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
]
DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False),
]
LookOption = Annotated[
    bool,
    typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
