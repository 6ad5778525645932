"""The commands of the program, read off its own `--help`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from gapsmith.app.cli import MOVED

Command = tuple[str, ...]
Help = Callable[[Command], str]
"""The text of `gapsmith COMMAND… --help`."""

_GROUP = re.compile(r"^\s*Usage: .*\bCOMMAND \[ARGS\]", re.MULTILINE)
_LISTED = (
    re.compile(r"^(?!Options:)[A-Z][a-z ]*:\n((?:  .*(?:\n|$))*)", re.MULTILINE),
    re.compile(r"^╭─ Commands ─+╮\n((?:│.*│\n)*)", re.MULTILINE),
)
"""The two ways in which help lists commands: plain, under a heading or several, and in a box."""
_NAME = re.compile(r"^(?:  |│ )([a-z][a-z0-9-]*)(?:  |$)", re.MULTILINE)


def called_now(arguments: Command) -> Command:
    """The arguments as one types them now, where a command was called otherwise before."""
    for now, before in MOVED.items():
        words = tuple(before.split())
        if arguments[: len(words)] == words:
            return (*now.split(), *arguments[len(words) :])
    return arguments


def called_in(program: Collection[Command], arguments: Command) -> Command:
    """The arguments as a program takes them that has these commands: it may be of a time before some were moved."""
    for now, before in sorted(MOVED.items(), key=lambda one: -len(one[0])):
        words, old = tuple(now.split()), tuple(before.split())
        if arguments[: len(words)] == words and old in program:
            return (*old, *arguments[len(words) :])
    return arguments


class WalkError(Exception):
    """The help of the program and the plan do not belong together; the message names every command."""


def commands_of(help_of: Help, group: Command = ()) -> list[Command]:
    """All commands that carry something out, groups taken apart into theirs, in the order of the help."""
    text = help_of(group)
    if _GROUP.search(text) is None:
        return [group]
    names = [name for listed in _LISTED for part in listed.findall(text) for name in _NAME.findall(part)]
    if not names:
        raise WalkError(f"`{' '.join(('gapsmith', *group))} --help` says that it has commands, and none can be read off it")
    return [command for name in names for command in commands_of(help_of, (*group, name))]


def check_covered(commands: Iterable[Command], steps: Iterable[Command], exceptions: Mapping[Command, str]) -> None:
    """That every command is begun by a step, or excepted, and that steps and exceptions name no other.

    Raises WalkError."""
    known, begun, faults = set(commands), set[Command](), list[str]()
    groups = {command[:-1] for command in known if len(command) > 1}
    for step in steps:
        own = [command for command in known if step[: len(command)] == command]
        if own:
            begun.update(own)
        elif not any(step[: len(group)] == group and "".join(step[len(group) :][:1]).endswith(".toml") for group in groups):
            # In a group, a file can be a command: `study my-study.toml`.
            faults.append(f"a step of the plan is no command of this program: {' '.join(step)}")
    for command in sorted(known - begun - set(exceptions)):
        faults.append(f"no step of the plan records `gapsmith {' '.join(command)}`, and it is not excepted")
    for command in sorted(set(exceptions) - known):
        faults.append(f"`gapsmith {' '.join(command)}` is excepted, and the program has no such command")
    for command in sorted(set(exceptions) & begun):
        faults.append(f"`gapsmith {' '.join(command)}` is excepted, and a step records it")
    if faults:
        raise WalkError("\n".join(faults))
