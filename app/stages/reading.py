"""What stages that read a stranger's file make of what was said of it, and how they ask and tell how far it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import cast

from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.parts import FileReading
from gapsmith.app.services import Services
from gapsmith.bank.formats import Member, OrderUnknownError, Progress, ReadOptions


def read_options(request: FileReading) -> ReadOptions:
    """The options as readers take them."""
    return ReadOptions(
        encoding=said_or_none(request.encoding),
        sheet=said_or_none(request.sheet),
        first=cast("Member | None", said_or_none(request.first)),
        attributes=request.attribute,
        regions=request.region,
        condition_columns=request.condition_column,
    )


def order_by_asking(services: Services) -> Callable[[OrderUnknownError], Member | None]:
    """Which member of a pair comes first, asked of whoever answers."""

    def ask(unknown: OrderUnknownError) -> Member | None:
        sentences = "\n".join(f"  {place}: {text.strip()}" for place, text in zip(unknown.places, unknown.pair, strict=True))
        question = (
            f"Nothing in the file says which sentence of a pair is the good one. A pair of it:\n{sentences}\n"
            f"Which is {unknown.places[0]} of every pair?"
        )
        return cast("Member | None", services.ask(question, ("good", "bad")))

    return ask


def reading_shown(services: Services, file: Path) -> Callable[[str, int | None], AbstractContextManager[Progress]]:
    """How far each stage of reading a file is."""
    return lambda stage, total: services.progress(f"reading {file.name}" if stage == "reading" else stage, total)
