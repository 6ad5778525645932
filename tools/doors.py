"""Write the commands' flags and the functions of ``import gapsmith`` from the requests: ``python -m tools.doors``.

A field that is added to a request of `gapsmith.app.requests` is then an option of the command, a keyword of the function and a key of
study files. ``tests/gapsmith/test_doors.py`` fails where what is checked in is not what this writes."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

from gapsmith.app.requests.base import RequestField, StageRequest, Unset, entries
from gapsmith.app.stages.catalogue import STAGES, Stage, own_name, typed

ROOT = Path(__file__).resolve().parents[1]
MADE = ROOT / "app" / "cli" / "made"
FUNCTIONS = ROOT / "app" / "functions.py"
_HEAD = "Written by `python -m tools.doors` from {source}; changes are made there."


def files() -> dict[Path, str]:
    """Every file, formatted, by its path."""
    made = {MADE / f"{own_name(name)}.py": command_module(name, stage) for name, stage in STAGES.items() if stage.command}
    made[MADE / "__init__.py"] = '"""The flags of commands, written by `python -m tools.doors` from the requests."""\n'
    made[FUNCTIONS] = functions_module()
    return {path: formatted(text) for path, text in made.items()}


def formatted(text: str) -> str:
    """As the project's formatter has it."""
    ruff = Path(sys.executable).with_name("ruff")
    for command in (["check", "--fix-only", "--quiet", "--select", "I,F401"], ["format", "--quiet"]):
        done = subprocess.run(
            [ruff, *command, "--stdin-filename", "app/functions.py", "-"],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=ROOT,
            check=True,
        )
        text = done.stdout
    return text


def command_module(name: str, stage: Stage) -> str:
    """The module with the flags of a command."""
    kind = stage.request_type()
    module, _, request = stage.request.partition(":")
    own = own_name(name)
    parameters = [f"    {entry.name}: {_flag(entry)},\n" for entry in _by_place(kind)]
    parameters += ["    workspace: WorkspaceOption = None,\n"] if stage.source else []
    return f'''"""The flags of `gapsmith {typed(name)}`. {_HEAD.format(source=f"`gapsmith.app.requests.{module}.{request}`")}"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import *


def {own}(
{"".join(parameters)}    as_json: JsonOption = False,
) -> None:
    """{_help(kind)}"""
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out({name!r}, flags)
'''.replace("from gapsmith.templates import *", _ranges_import(kind))


def _ranges_import(kind: type[StageRequest]) -> str:
    names = sorted({_range_name(entry) for entry in entries(kind) if entry.range is not None and not entry.option.commas})
    return f"from gapsmith.templates import {', '.join(names)}" if names else ""


def _range_name(entry: RequestField) -> str:
    from gapsmith import templates

    return next(name for name in dir(templates) if name.isupper() and getattr(templates, name) is entry.range)


def _help(kind: type[StageRequest]) -> str:
    text = inspect.cleandoc(kind.__doc__ or "")
    if kind.examples:
        text += f"\n\nExamples: {', '.join(f'`{one}`' for one in kind.examples)}."
    return inspect.cleandoc(text).replace("\n", "\n    ").replace("\n    \n", "\n\n") + ("\n    " if "\n" in text else "")


def _by_place(kind: type[StageRequest]) -> list[RequestField]:
    """Arguments first; then a stage's own options, then those that it shares."""
    ranks: dict[str, int] = {}
    for part in kind.__mro__:
        for name in vars(part).get("__annotations__", {}):
            ranks.setdefault(name, len(ranks))
    return sorted(entries(kind), key=lambda entry: (not entry.option.argument, not entry.needed, ranks[entry.name]))


def _flag(entry: RequestField) -> str:
    option = entry.option
    parts = [repr(flag) for flag in entry.flags]
    if entry.range is not None and not option.commas:
        parts.append(f"parser=given({_range_name(entry)}{', or_none=True' if entry.optional else ''})")
    if option.metavar:
        parts.append(f"metavar={option.metavar!r}")
    parts.append(f"help={option.help!r}")
    flag = entry.kind is bool and not entry.many
    if not (flag and entry.default is False):
        parts.append("show_default=False")
    if option.panel:
        parts.append(f"rich_help_panel={option.panel!r}")
    kind = "bool" if flag else "str" if option.commas else entry.kind.__name__
    several = entry.many or entry.pairs
    typed = f"list[{kind}]" if several else kind
    unsaid = flag and isinstance(entry.default, bool)
    what = "typer.Argument" if option.argument else "typer.Option"
    default = "" if entry.needed else f" = {entry.default}" if unsaid else " = None"
    return f"Annotated[{typed}{'' if entry.needed or unsaid else ' | None'}, {what}({', '.join(parts)})]{default}"


def functions_module() -> str:
    """The module with the functions of ``import gapsmith``."""
    types = sorted({stage.returns for stage in STAGES.values()})
    places = [(one.partition(":")[0], one.partition(":")[2]) for one in types]
    imports = "".join(f"    from {'' if room == 'pandas' else 'gapsmith.'}{room} import {own}\n" for room, own in places)
    numbers = {
        _range_name(entry) for stage in STAGES.values() for entry in entries(stage.request_type()) if entry.range is not None
    }
    ranges = f"from gapsmith.templates import {', '.join(sorted(numbers))}" if numbers else ""
    body = "".join(_function(name, stage) for name, stage in STAGES.items() if stage.python != "-")
    return f'''"""The stages as functions of an open workspace. {_HEAD.format(source="`gapsmith.app.requests`")}

What is not said is what the settings say, as on the command line. See `gapsmith.app.requests` for what each keyword can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

from gapsmith.app.requests.base import UNSET, Unset
{ranges}

if TYPE_CHECKING:
    from gapsmith.app.services import Services
    from gapsmith.app.workspace import Workspace
    from gapsmith.bank import Bank
    from gapsmith.templates import Paradigm
{imports}

def _carried_out(stage: str, source: Any, services: Services | None, given: Mapping[str, Any]) -> Any:
    from gapsmith.app.services import QUIET
    from gapsmith.app.stages.catalogue import STAGES
    from gapsmith.templates import Paradigm

    known, told = STAGES[stage], QUIET if services is None else services
    said = {{name: value for name, value in given.items() if value is not UNSET}}
    if live := {{name: said[name] for name in known.live if isinstance(said[name], Paradigm)}}:
        said |= {{name: paradigm.name for name, paradigm in live.items()}}
        told = replace(told, hand={{**(told.hand or {{}}), **live}})
    return known.carry_out(source, known.request_type().of(said), told)

{body}'''


def _function(name: str, stage: Stage) -> str:
    kind = stage.request_type()
    known = {entry.name: entry for entry in entries(kind) if not entry.option.only_typed}
    first = [known.pop(own) for own in stage.first]
    rest = sorted(known.values(), key=lambda entry: (not entry.needed, entry.name))
    signature = [f"source: {stage.source}"] if stage.source else []
    signature += [_keyword(entry, live=entry.name in stage.live) for entry in first]
    signature += ["*", *(_keyword(entry, live=entry.name in stage.live) for entry in rest), "services: Services | None = None"]
    given = ", ".join(f"{entry.name!r}: {entry.name}" for entry in (*first, *rest))
    returns = stage.returns.partition(":")[2]
    module, _, function = stage.function.partition(":")
    text = inspect.cleandoc(kind.__doc__ or "")
    from importlib import import_module

    carried_out = inspect.getdoc(getattr(import_module(f"gapsmith.app.stages.{module}"), function)) or ""
    listed = "\n".join(f"    {entry.name}: {_said_of(entry)}" for entry in (*first, *rest))
    about = "\n".join(f"    {line}".rstrip() for line in f"{text}\n\n{carried_out}".splitlines()).strip()
    return f'''
def {stage.python or own_name(name)}({", ".join(signature)}) -> {returns}:
    """{about}

    Args:
{_indented(listed)}
    """
    found: {returns} = _carried_out({name!r}, {"source" if stage.source else "None"}, services, {{{given}}})
    return found

'''


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _said_of(entry: RequestField) -> str:
    return entry.option.help.replace("\\", "\\\\")


def _keyword(entry: RequestField, *, live: bool = False) -> str:
    kinds: dict[type, str] = {Path: "str | PathLike[str]"}
    kind = kinds.get(entry.kind, entry.kind.__name__)
    if entry.pairs:
        kind = "Mapping[str, str]"
    elif entry.many:
        kind = f"{kind} | Sequence[{kind}]"
    if live:
        kind += " | Paradigm"
    unsaid = isinstance(entry.default, Unset)
    if unsaid:
        kind += " | Unset"
    if entry.optional:
        kind += " | None"
    if entry.range is not None:
        kind = f"Annotated[{kind}, {_range_name(entry)}]"
    if entry.needed:
        return f"{entry.name}: {kind}"
    plain = str(entry.default) if isinstance(entry.default, Path) else entry.default
    default = "UNSET" if unsaid else "MappingProxyType({})" if entry.pairs else repr(plain)
    return f"{entry.name}: {kind} = {default}"


def main() -> int:
    """Write the files; those of stages that are gone are removed."""
    wanted = files()
    MADE.mkdir(exist_ok=True)
    for path, text in wanted.items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")
    for path in MADE.glob("*.py"):
        if path not in wanted:
            path.unlink()
            print(f"removed {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
