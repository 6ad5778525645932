"""The root of every error that gapsmith raises on purpose.

    GapsmithError            exit code 1: the work failed
    ├── ConfigError          exit code 2: a file, flag or name is wrong
    │   ├── ParadigmError    a paradigm file or a reference into it
    │   ├── FormatError      a data file that cannot be read as what it claims to be
    │   └── PluginError      what an installed package adds is broken (defined in `gapsmith.templates.plugins`)
    └── ProviderError        exit code 3: a model provider (defined in `prompts`)

Each error says what is wrong in `message` and what to do next in `hint`; front ends decide how to show them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

FilePlace: TypeAlias = tuple[str | int, ...]
"""Keys from the top of a TOML file, and numbers, from 0, of the tables in a list of tables."""


class GapsmithError(Exception):
    """Something went wrong that the user can understand and act upon."""

    exit_code: int = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class ConfigError(GapsmithError):
    """A file, a flag or a name is wrong; nothing was done.

    Of a TOML file that somebody wrote, `place` is where in it, `instead` a name that stands there and the one that it is taken for, `add`
    the lines of TOML that are lacking: what reads the file shows with them the line and how it can read
    (`gapsmith.templates.file_errors`).
    """

    exit_code = 2

    def __init__(
        self, message: str, *, hint: str = "", place: FilePlace = (), instead: tuple[str, str] | None = None, add: str = ""
    ) -> None:
        super().__init__(message, hint=hint)
        self.place = place
        self.instead = instead
        self.add = add


@contextmanager
def in_place(*place: str | int) -> Iterator[None]:
    """Whatever is wrong inside is wrong at this place of the file, below the place around it."""
    try:
        yield
    except ConfigError as error:
        error.place = (*place, *error.place)
        raise


class ParadigmError(ConfigError):
    """A paradigm file is malformed, or something refers to a part of it that is not there."""


class FormatError(ConfigError):
    """A data file cannot be read as what it claims to be; names the file and the line."""


class GapsmithWarning(UserWarning):
    """Something that the user should look at, though nothing failed; the command line says it in its own words."""
