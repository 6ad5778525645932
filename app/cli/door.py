"""From the flags of a command to what it prints: the only place where what was typed becomes a request, and where JSON is printed.

The modules of `gapsmith.app.cli.made` are written by ``python -m tools.doors`` from the requests; each calls `carry_out` with its
flags. A command's own module has ``show``, which prints what came out for people and for the steps of studies; ``as_data``, where
the result does not say it itself; ``exit_code``, where results can mean that something is wrong; and ``run``, where more is to be
done than to open the workspace, carry the request out and print."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gapsmith.app.requests.base import StageRequest, entries

if TYPE_CHECKING:
    from gapsmith.app.services import Services
    from gapsmith.app.stages.catalogue import Stage

R = TypeVar("R", bound=StageRequest)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Who typed the command: where, and how the answer is wanted."""

    workspace: Path | None
    as_json: bool
    told: list[str] = field(default_factory=list)
    """What was said on stderr: the notes of the JSON."""

    @property
    def services(self) -> Services:
        """What is said goes to stderr, questions to whoever sits there."""
        from gapsmith.app.cli.console import ask, note, progress_shown, warning
        from gapsmith.app.services import Services

        def said(message: str) -> None:
            self.told.append(message)
            note(message)

        def warned(message: str) -> None:
            self.told.append(message)
            warning(message)

        return Services(note=said, warn=warned, ask=ask, progress=progress_shown)

    def print_json(self, request: StageRequest, results: Any, looked_at: Mapping[str, Any] | None = None) -> None:
        """One object on stdout, of every command alike: by which request, the results (a list, also of one; an iterator is gone through
        once), and what was said; where the results are findings, what the rules looked at, too, since none may mean that nothing could."""
        from gapsmith.app.cli.console import print_json

        listed = results if isinstance(results, list | tuple | Iterator) else [results]
        beside = {} if looked_at is None else {"looked_at": looked_at}
        print_json(request.mark, listed, {**beside, "notes": self.told})


def carry_out(name: str, flags: Mapping[str, Any]) -> None:
    """Carry out the stage of that name as the flags ask, and print what comes out. Raises what the stage raises."""
    from gapsmith.app.settings import load_limits
    from gapsmith.app.stages.catalogue import STAGES, own_name
    from gapsmith.bank import carrying_out
    from gapsmith.templates import within

    stage = STAGES[name]
    request, terminal = asked(stage.request_type(), flags)
    command = import_module(f"gapsmith.app.cli.{own_name(name)}")
    with within(load_limits()), carrying_out(request.stamp(os.environ)):
        if hasattr(command, "run"):
            command.run(request, terminal)
        else:
            _carried_out(stage, command, request, terminal)


def _carried_out(stage: Stage, command: Any, request: StageRequest, terminal: Terminal) -> None:
    """What most commands do."""
    import typer

    from gapsmith.app.workspace import open_workspace

    with open_workspace(terminal.workspace) if stage.opens else nullcontext(terminal.workspace) as source:
        found = stage.carry_out(source, request, terminal.services)
        if terminal.as_json:
            terminal.print_json(request, results_of(command, found))
        else:
            command.show(found)
    if (code := command.exit_code(found) if hasattr(command, "exit_code") else 0) != 0:
        raise typer.Exit(code)


def results_of(command: Any, found: Any) -> Any:
    """The result as JSON takes it."""
    return command.as_data(found) if hasattr(command, "as_data") else found.as_data()


def asked(kind: type[R], flags: Mapping[str, Any]) -> tuple[R, Terminal]:
    """The request that the flags make, and the terminal. Raises `ConfigError`, which names the flag."""
    given = {}
    for entry in entries(kind):
        value = flags.get(entry.name)
        if value is not None and not (entry.many and not value):
            if entry.option.commas:
                value = [own for text in value for own in entry.between_commas(text, entry.shown)]
            given[entry.name] = entry.read(value, entry.shown)
    return kind.of(given), Terminal(flags.get("workspace"), bool(flags.get("as_json")))
