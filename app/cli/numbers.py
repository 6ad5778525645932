"""Numbers on the command line: every option and argument that is one says its range, as ``typer.Option(parser=given(COUNT))``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import overload

import typer

from gapsmith.templates import COUNT, ConfigError, RealNumber, WholeNumber


@dataclass(frozen=True)
class GivenNumber:
    """Reads a number of a range; typer says the option's name where it refuses one."""

    allowed: WholeNumber | RealNumber

    @property
    def __name__(self) -> str:
        return "whole number" if isinstance(self.allowed, WholeNumber) else "number"

    def __call__(self, text: str) -> int | float:
        """The number. Raises `typer.BadParameter`, which says the range."""
        try:
            return self.allowed.read(text, "")
        except ConfigError as error:
            raise typer.BadParameter(error.message.removeprefix(": ")) from None


@overload
def given(allowed: WholeNumber) -> Callable[[str], int]: ...
@overload
def given(allowed: RealNumber) -> Callable[[str], float]: ...
def given(allowed: WholeNumber | RealNumber) -> Callable[[str], int | float]:
    """What reads such a number."""
    return GivenNumber(allowed)


def parse_lengths(text: str) -> tuple[int, ...]:
    """``20,40,80`` as numbers. Raises `ConfigError`."""
    try:
        return tuple(COUNT.read(own.strip(), "--lengths") for own in text.split(","))
    except ConfigError as error:
        raise ConfigError(error.message, hint="For instance --lengths 20,40,80.") from None
