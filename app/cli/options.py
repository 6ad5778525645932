"""Options that several commands share, so that they mean the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.templates import NUMBER_IN_BANK

WorkspaceOption = Annotated[
    Path | None,
    typer.Option("--workspace", "-w", help="The workspace's directory (default: from here upwards).", show_default=False),
]
OurIdsOption = Annotated[
    bool,
    typer.Option(
        "--our-ids",
        help="The file names items by their ids alone, and these are ids of this bank as it is now.",
    ),
]
ParadigmOption = Annotated[
    str | None,
    typer.Option("--paradigm", "-p", help="Only items of this paradigm.", show_default=False),
]
ParadigmsOption = Annotated[
    list[str] | None,
    typer.Option("--paradigm", "-p", help="Only this paradigm (repeatable; default: all with items).", show_default=False),
]
ScorerOption = Annotated[
    int | None,
    typer.Option(
        "--scorer",
        parser=given(NUMBER_IN_BANK),
        metavar="ID",
        help="Scores of this scorer, where one model scored with several settings.",
        show_default=False,
    ),
]
DatasetsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--dataset",
        "-d",
        help="Only items of this data set; of several, side by side (repeatable).",
        show_default=False,
    ),
]
ModelsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help="Scores of this model (default: `model` of the settings, else what measured most of the items); "
        "several are compared (repeatable).",
        show_default=False,
    ),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        help="Side by side: model, revision, dataset, context, or an attribute or slot of the items (repeatable).",
        show_default=False,
    ),
]
ContextsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--contexts",
        help="In the contexts of this set, side by side with no context (repeatable; --by context: of every set).",
        show_default=False,
    ),
]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="NAME=VALUE",
        help="Only items with this attribute, or word in a slot (repeatable).",
        show_default=False,
    ),
]
CompleteOption = Annotated[
    bool, typer.Option("--complete", help="Only items that have a value for every contrast, so that n is the same.")
]
MeasureOption = Annotated[
    str | None,
    typer.Option("--measure", help="What a region's tokens come to: sum (default), mean, max, …", show_default=False),
]
CorrectedOption = Annotated[
    bool, typer.Option("--corrected", help="Move the probability mass of word boundaries to where words end.")
]
UnigramOption = Annotated[
    Path | None,
    typer.Option(
        "--unigram",
        metavar="CORPUS",
        help="The text that the model was trained on, in which slor counts tokens (also .xz, .gz).",
        show_default=False,
    ),
]
AllItemsOption = Annotated[
    bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
]
HolmOption = Annotated[bool, typer.Option("--holm", help="Correct p for the number of tests in each table.")]
DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False),
]
LookOption = Annotated[
    bool,
    typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
