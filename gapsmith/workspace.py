"""A workspace: a directory with a ``gapsmith.toml``, a bank, and what the user adds to both."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from bank import Bank
from gapsmith.settings import Settings, load_settings
from templates import Paradigm, load_paradigm
from templates.errors import ConfigError

__all__ = ["Workspace", "find_workspace", "make_workspace", "open_workspace"]

_MARK = "gapsmith.toml"
_BANK = "bank.sqlite"
_NEW_FILE = """\
# A gapsmith workspace. Everything made here is kept in bank.sqlite, beside this file.
# Settings that would otherwise be flags go here, for example:
#
# annotator = "your name"
# model = "gpt2"
#
# Paradigms of your own go into paradigms/, word lists for them into paradigms/lexicons/,
# and words that the linter should know into lexicons/.
"""


@dataclass(frozen=True)
class Workspace:
    """An open workspace. Close it, or use it as a context manager."""

    root: Path
    bank: Bank
    settings: Settings
    created: bool = False
    """Whether it was made just now."""

    def paradigm(self, name: str) -> Paradigm:
        """A paradigm by name or path, the workspace's own before the shipped ones."""
        return load_paradigm(name, self.root)

    def close(self) -> None:
        """Close the bank."""
        self.bank.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        empty = self.created and error is not None and not self.bank.runs.all()
        self.close()
        if empty:
            # A command that failed before it did anything leaves nothing behind.
            for path in (self.root / _MARK, *self.root.glob(f"{_BANK}*")):
                path.unlink(missing_ok=True)


def find_workspace(start: Path | None = None) -> Path | None:
    """The workspace: `start`, GAPSMITH_WORKSPACE, or the nearest directory from here upwards; None if there is none."""
    named = start or (Path(os.environ["GAPSMITH_WORKSPACE"]) if os.environ.get("GAPSMITH_WORKSPACE") else None)
    if named is not None:
        return named if (named / _MARK).is_file() else None
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / _MARK).is_file()), None)


def make_workspace(root: Path) -> None:
    """Make `root` a workspace; what is there stays as it is. Raises `ConfigError` where that cannot be done."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        mark = root / _MARK
        if not mark.exists():
            mark.write_text(_NEW_FILE, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{root}: cannot be made a workspace ({error})") from None
    Bank.open(root / _BANK, create=True).close()


def open_workspace(start: Path | None = None, *, create: bool = False) -> Workspace:
    """Open the workspace that `find_workspace` finds; with `create`, make one in `start` or here if there is none.

    Raises `ConfigError` where there is none and it should not be made."""
    root = find_workspace(start)
    created = False
    if root is None:
        where = start or Path(os.environ.get("GAPSMITH_WORKSPACE") or Path.cwd())
        if not create:
            raise ConfigError(
                f"{where}: there is no gapsmith workspace here",
                hint="Make one with `gapsmith init`, or say where it is with --workspace DIR.",
            )
        make_workspace(where)
        root, created = where, True
    settings = load_settings(root / _MARK)
    return Workspace(root.resolve(), Bank.open(root / _BANK), settings, created)
