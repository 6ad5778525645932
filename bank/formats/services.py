"""What reading a file asks of whoever calls it: the answer to a question, and somebody to tell how far it is."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Literal, TypeAlias

from gapsmith.bank.formats.asking import FileAnswer, UndecidedError
from gapsmith.bank.formats.source import Progress

Stage: TypeAlias = Literal["reading", "reading back", "storing"]
"""What takes a while on the way of a file."""


def _nobody(_: UndecidedError, __: Callable[[FileAnswer], str]) -> FileAnswer | None:
    return None


def _untold(_: int) -> None:
    return None


def _silent(_: Stage, __: int | None) -> AbstractContextManager[Progress]:
    return nullcontext(_untold)


@dataclass(frozen=True, slots=True)
class ReadServices:
    """By default nobody answers, and nobody is told."""

    ask: Callable[[UndecidedError, Callable[[FileAnswer], str]], FileAnswer | None] = _nobody
    """What the file does not say: one of the error's answers, None where nobody gives one. The function beside it shows three items
    as they are with an answer."""
    progress: Callable[[Stage, int | None], AbstractContextManager[Progress]] = _silent
    """Around each stage, with how many there are to do where that is known: what is told how many are done."""


UNATTENDED = ReadServices()
