"""Numbers on the command line: every option and argument that is one says its range, as ``typer.Option(parser=given(COUNT))``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import typer

from gapsmith.templates import ConfigError, RealNumber, WholeNumber


@dataclass(frozen=True)
class GivenNumber:
    """Reads a number of a range; typer says the option's name where it refuses one."""

    allowed: WholeNumber | RealNumber
    or_none: bool = False
    """Whether ``none`` is a word for that there shall be none."""

    @property
    def __name__(self) -> str:
        return "whole number" if isinstance(self.allowed, WholeNumber) else "number"

    def __call__(self, text: str) -> Any:
        """The number. Raises `typer.BadParameter`, which says the range."""
        if self.or_none and text == "none":
            return text
        try:
            return self.allowed.read(text, "")
        except ConfigError as error:
            raise typer.BadParameter(error.message.removeprefix(": ")) from None


@overload
def given(allowed: WholeNumber) -> Callable[[str], int]: ...
@overload
def given(allowed: RealNumber, *, or_none: bool = ...) -> Callable[[str], float]: ...
def given(allowed: WholeNumber | RealNumber, *, or_none: bool = False) -> Callable[[str], int | float]:
    """What reads such a number."""
    return GivenNumber(allowed, or_none)
