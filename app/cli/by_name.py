"""The group of all commands, which knows their names and imports one only when it is asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from gapsmith.app.cli import COMMANDS


class CommandsByName(TyperGroup):
    """Lists the names of `COMMANDS` with their help. Its own help is plain text: drawing it takes longer than all the rest."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**(attributes | {"commands": dict.fromkeys(COMMANDS), "rich_markup_mode": None}))

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """The command of that name, or None."""
        return _built(cmd_name) if cmd_name in COMMANDS else None

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write every name with its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


@cache
def _built(name: str) -> Any:
    """The command, made from its module; once in a process, since a module adds its commands to one group of its own."""
    root = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")
    import_module(f"gapsmith.app.cli.{COMMANDS[name].module}").register(root)
    return typer.main.get_group(root).commands[name]
