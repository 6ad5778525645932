"""All commands and all functions of the Python interface, for tests that hold for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gapsmith
from gapsmith.app.cli import COMMANDS
from gapsmith.app.cli.building import command_of


def commands() -> dict[str, Any]:
    """Every command by its own name: ``generate``, ``runs watch``; `gapsmith.app.cli.typed` says what one types where that is not it."""
    return {name: command for top in COMMANDS for name, command in _leaves(top, command_of(top))}


def _leaves(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    below = getattr(command, "commands", None)
    if below is None:
        yield name, command
        return
    for own, part in below.items():
        yield from _leaves(f"{name} {own}", part)


def functions() -> dict[str, Any]:
    """Every function and class of ``import gapsmith``, by its name: ``gapsmith.generate``."""
    return {f"gapsmith.{name}": getattr(gapsmith, name) for name in dir(gapsmith)}
