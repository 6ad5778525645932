"""The group of all commands, which knows what is typed for them and imports one only when it is asked for."""

from __future__ import annotations

from copy import copy
from functools import cache, wraps
from typing import Any, NamedTuple, cast

from typer.core import TyperCommand, TyperGroup

from gapsmith.app.cli import COMMANDS, GROUPS, MOVED, STUDY, typed
from gapsmith.app.cli.building import command_of


class Completion(NamedTuple):
    """A name that a shell may complete to; what shells are told reads these three."""

    value: str
    help: str
    type: str = "plain"


class CommandsByName(TyperGroup):
    """Lists the names of `GROUPS` with their help. Its own help is plain text: drawing it takes longer than all the rest."""

    def __init__(self, **attributes: Any) -> None:
        names = [name for group in GROUPS.values() for name in group]
        super().__init__(**(attributes | {"commands": dict.fromkeys(names), "rich_markup_mode": None}))

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """The command that is typed so, also one that was in the release before; or None."""
        return _typed(cmd_name) if cmd_name in COMMANDS or cmd_name in self.commands else None

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write every name with its help, group by group."""
        width = max(map(len, self.commands))
        for heading, names in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), _help_of(name)) for name in names])

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """The names that begin so, without importing any of the commands; and options."""
        found = [Completion(name, _help_of(name)) for name in self.commands if name.startswith(incomplete)]
        return found + TyperCommand.shell_complete(cast("Any", self), ctx, incomplete)


def _help_of(name: str) -> str:
    return (STUDY if name == STUDY.module else COMMANDS[name]).help


@cache
def _typed(name: str) -> Any:
    """The command or group of that name as one who types it gets it: what was moved elsewhere says where it is."""
    if name == STUDY.module:
        from gapsmith.app.cli.study_group import studies

        return studies()
    found = command_of(name)
    if typed(name) != name:
        return _by_old_name(found, name)
    left = [own for own in MOVED.values() if own.startswith(f"{name} ")]
    if left:
        found = copy(found)
        found.commands = dict(found.commands) | {own.partition(" ")[2]: _by_old_name(command_of(own), own) for own in left}
    return found


def _by_old_name(command: Any, name: str) -> Any:
    """The command, hidden, which says first what it is called now."""
    carried_out = command.callback

    @wraps(carried_out)
    def told(*values: Any, **more: Any) -> Any:
        from gapsmith.app.cli.console import note

        note(f"`gapsmith {name}` is called `gapsmith {typed(name)}` now; the old name goes with the next release.")
        return carried_out(*values, **more)

    old = copy(command)
    old.hidden, old.callback = True, told
    return old
