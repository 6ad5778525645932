"""What reading a file asks of whoever calls it: the answer to a question, and somebody to tell how far it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gapsmith.bank.formats.pairs import OrderUnknownError
from gapsmith.bank.formats.source import Member, Progress

Stage: TypeAlias = Literal["reading", "reading back", "storing"]
"""What takes a while on the way of a file."""


def _nobody(_: OrderUnknownError) -> Member | None:
    return None


def _untold(_: int) -> None:
    return None


def _silent(_: Stage, __: int | None) -> AbstractContextManager[Progress]:
    return nullcontext(_untold)


@dataclass(frozen=True, slots=True)
class ReadServices:
    """By default nobody answers, and nobody is told."""

    ask_order: Callable[[OrderUnknownError], Member | None] = _nobody
    """Which member of a pair comes first, where the file does not say it; None where nobody answers."""
    progress: Callable[[Stage, int | None], AbstractContextManager[Progress]] = _silent
    """Around each stage, with how many there are to do where that is known: what is told how many are done."""


UNATTENDED = ReadServices()
