"""`gapsmith study`: published studies, each by its name, and the instruments that were made for one."""

from __future__ import annotations

from copy import copy
from functools import cache, partial
from pathlib import Path
from typing import Any

from typer.core import TyperGroup

from gapsmith.app.cli import MOVED, STUDY
from gapsmith.app.cli.building import command_of
from gapsmith.templates import text_of

_LIST = "list"
_FILES = Path(__file__).parents[1] / "studies"


class Studies(TyperGroup):
    """Its commands are the list of studies, every study that ships, and the instruments; a study's file is a command, too."""

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """The instrument of that name, or the study of that name or in that file; or None."""
        found = self.commands.get(cmd_name)
        return _study(cmd_name) if found is None and cmd_name.endswith(".toml") else found


@cache
def studies() -> Studies:
    """The group, whose instruments go by the names of `MOVED`."""
    commands = {_LIST: copy(command_of(MOVED[f"{STUDY.module} {_LIST}"]))}
    for file in sorted(_FILES.glob("*.toml")):
        commands[file.stem] = _study(file.stem, file)
    for typed, own in MOVED.items():
        group, _, name = typed.partition(" ")
        if group == STUDY.module and name:
            commands[name] = copy(command_of(own))
            commands[name].name = name
    more = "`gapsmith study list` says what each study is; a file of your own is one as well: `gapsmith study my-study.toml`."
    return Studies(
        name=STUDY.module,
        commands=commands,
        help=f"{STUDY.help}\n\n{more}",
        no_args_is_help=True,
        rich_markup_mode="rich",
    )


def _study(name: str, file: Path | None = None) -> Any:
    """What does the study of that name again: `reproduce`, of which that is said."""
    whole = command_of("reproduce")
    made = copy(whole)
    made.name = name
    made.params = [own for own in whole.params if own.name != "study"]
    made.callback = partial(whole.callback, study=name)
    if file is not None:
        made.short_help = _title(file)
    return made


def _title(file: Path) -> str:
    from gapsmith.templates import read_toml

    return str(read_toml(text_of(file, "utf-8"))["title"])
