"""From the flags of a command to its request: the only place where what was typed becomes one.

The modules of `gapsmith.app.cli.made` are written by ``python -m tools.doors`` from the requests; each calls `asked` with its flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gapsmith.app.requests.base import StageRequest, entries

if TYPE_CHECKING:
    from gapsmith.app.services import Services

R = TypeVar("R", bound=StageRequest)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Who typed the command: where, and how the answer is wanted."""

    workspace: Path | None
    as_json: bool

    @property
    def services(self) -> Services:
        """What is said goes to stderr, questions to whoever sits there."""
        return spoken()


def spoken() -> Services:
    """What a terminal does for a stage: what is said goes to stderr, questions to whoever sits there."""
    from gapsmith.app.cli.console import ask, note, progress_shown, warning
    from gapsmith.app.services import Services

    return Services(note=note, warn=warning, ask=ask, progress=progress_shown)


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
