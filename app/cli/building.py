"""Commands by their own names: made from a stage's flags, or from the module that has the command."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any, cast

import typer
from typer import BadParameter
from typer.core import TyperCommand, TyperOption

from gapsmith.app.cli import COMMANDS
from gapsmith.app.stages.catalogue import STAGES, own_name


class EachOnce(TyperCommand):
    """A command that refuses an option which is said twice and takes one value: the last one would hold in silence."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The arguments that are left over, as click has it."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        for own in order:
            takes_one = isinstance(own, TyperOption) and not own.multiple and not own.is_flag
            if takes_one and order.count(own) > 1:
                raise BadParameter("is given twice, and takes one value", ctx=ctx, param=cast("Any", own))
        return super().parse_args(ctx, args)


_BRACKET = re.compile(r"\[(?=[a-z/@])")
"""What would be taken for a style, and shown as nothing, in help: ``verb[number]``."""


def command_of(name: str) -> Any:
    """The command or group of a stage or module, by its own name: one word, or two where it is one of a group."""
    top, _, below = name.partition(" ")
    return _built(top).commands[below] if below else _built(top)


@cache
def _built(name: str) -> Any:
    """The command or group, made from its modules; once in a process, since a module adds its commands to one group of its own."""
    if name in STAGES:
        return _made(name)
    below = [stage for stage in STAGES if stage.startswith(f"{name} ")]
    root = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")
    if COMMANDS[name].module:
        import_module(f"gapsmith.app.cli.{COMMANDS[name].module}").register(root)
    else:
        root.add_typer(typer.Typer(help=COMMANDS[name].help, no_args_is_help=True), name=name)
    built: Any = typer.main.get_group(root).commands[name]
    for stage in below:
        built.add_command(_made(stage))
    return built


def _made(stage: str) -> Any:
    """The command of a stage."""
    own, name = own_name(stage), stage.rpartition(" ")[2]
    root = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode="rich")
    root.command(name, cls=EachOnce)(getattr(import_module(f"gapsmith.app.cli.made.{own}"), own))
    made: Any = typer.main.get_group(root).commands[name]
    for described in (made, *made.params):
        described.help = described.help and _BRACKET.sub(r"\\\g<0>", described.help)
    return made
