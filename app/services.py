"""What a stage is given beside its request: live objects, by which it speaks, asks, shows how far it is, and reaches the world.

A stage decides what is said; who calls it decides where that goes: to a terminal, into warnings, nowhere.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol


class Advance(Protocol):
    """How far something long is: done, of so many (None: not known), and how it goes, in words."""

    def __call__(self, done: int, /, total: int | None = None, told: str = "") -> None: ...


@contextmanager
def _unseen(_title: str, _total: int | None = None) -> Iterator[Advance]:
    def advance(_done: int, /, total: int | None = None, told: str = "") -> None:
        pass

    yield advance


def _nobody(_question: str, _answers: Sequence[str]) -> str | None:
    return None


def _unheard(_message: str) -> None:
    pass


def warn(message: str) -> None:
    """A Python warning, said of whoever called gapsmith."""
    from pathlib import Path

    import gapsmith

    rooms = str(Path(gapsmith.__file__).resolve().parents[2]), str(Path(gapsmith.__file__).parent)
    warnings.warn(message, stacklevel=_levels_out_of(rooms))


def _levels_out_of(folders: tuple[str, ...]) -> int:
    import sys

    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folders):
        frame, level = frame.f_back, level + 1
    return level


@dataclass(frozen=True, slots=True)
class Services:
    """By default nothing is printed, nobody is asked, and what should be looked at is a Python warning."""

    note: Callable[[str], None] = _unheard
    """Something that one may like to know."""
    warn: Callable[[str], None] = warn
    """Something that one should look at; nothing failed."""
    ask: Callable[[str, Sequence[str]], str | None] = _nobody
    """A question with its answers: the one that was chosen, None where nobody answers."""
    progress: Callable[[str, int | None], AbstractContextManager[Advance]] = _unseen
    """Shows how far something long is, under a title."""
    environment: Mapping[str, str] | None = None
    """Variables, among them keys; None: the process's own."""
    hand: Mapping[str, Any] | None = None
    """Objects that take the place of what the stage would make: `engine` (a function that opens one), the `observer` of a
    generation. A `paradigm` is handed over by `gapsmith.generate` where it is given one in the place of a name."""

    @property
    def variables(self) -> Mapping[str, str]:
        """Variables, among them keys."""
        return os.environ if self.environment is None else self.environment


QUIET = Services()
