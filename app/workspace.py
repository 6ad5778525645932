"""A workspace: a directory with a ``gapsmith.toml``, a bank, and what the user adds to both."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from gapsmith.app.settings import Settings, author_of, load_settings
from gapsmith.bank import Bank, PassingFolder, account_name, snapshot
from gapsmith.templates import ConfigError, Paradigm, load_paradigm, paradigm_files

_MARK = "gapsmith.toml"
BANK = "bank.sqlite"
_NEW_FILE = """\
# A gapsmith workspace. Everything made here is kept in bank.sqlite, beside this file.
# Settings that would otherwise be flags go here, for example:
#
# annotator = "your name"
# model = "gpt2"
#
# Paradigms of your own go into paradigms/; word lists go into lexicons/: those that they draw from, and words that the linter
# should know.
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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def find_workspace(start: Path | None = None) -> Path | None:
    """The workspace: `start`, GAPSMITH_WORKSPACE, or the nearest directory from here upwards; None if there is none."""
    named = start or (Path(os.environ["GAPSMITH_WORKSPACE"]) if os.environ.get("GAPSMITH_WORKSPACE") else None)
    if named is not None:
        return named if is_workspace(named) else None
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if is_workspace(folder)), None)


def is_workspace(folder: Path) -> bool:
    """Whether a folder has the file of a workspace, or something in its place that is refused where it is read."""
    return (folder / _MARK).exists() and not (folder / _MARK).is_dir()


def root_of(source: Workspace | str | os.PathLike[str] | None) -> Path | None:
    """The folder of an open workspace, or of the one that `find_workspace` finds; None where there is none."""
    if isinstance(source, Workspace):
        return source.root
    return find_workspace(None if source is None else Path(source))


def make_workspace(root: Path, reader: str | None = None) -> None:
    """Make `root` a workspace, begun and so led by `reader` (by default who `reader_name` says); what is there stays as it is.
    Raises `ConfigError` where that cannot be done."""
    settings = load_settings()
    try:
        root.mkdir(parents=True, exist_ok=True)
        # The mark comes last: whoever sees it, in another process too, finds the bank beside it.
        named = author_of(settings, reader) is not None
        Bank.open(root / BANK, create=True, reader=reader_name(reader, settings), named=named).close()
    except OSError as error:
        raise ConfigError(f"{root}: cannot be made a workspace ({error})") from None
    mark_workspace(root)


def first_designs(root: Path) -> tuple[str, ...]:
    """What to make items of where there are none yet: the workspace's own paradigms, else one that ships."""
    own = root.resolve() / "paradigms"
    return tuple(name for name, file in paradigm_files(root.resolve()).items() if file.parent == own) or ("subject_pg",)


def mark_workspace(root: Path) -> None:
    """Lay the file that makes a directory with a bank a workspace. Raises `ConfigError`."""
    try:
        with (root / _MARK).open("x", encoding="utf-8") as mark:
            mark.write(_NEW_FILE)
    except FileExistsError as error:
        if not (root / _MARK).is_file():
            raise ConfigError(f"{root}: cannot be made a workspace ({error})") from None
    except OSError as error:
        raise ConfigError(f"{root}: cannot be made a workspace ({error})") from None


def reader_name(by: str | None, settings: Settings) -> str:
    """Who decides, asks or reads: the name that was given, else the settings' annotator, else the name of the account."""
    return author_of(settings, by) or account_name()


def open_workspace(start: str | Path | None = None, *, create: bool = False, reader: str | None = None) -> Workspace:
    """Open the workspace that `find_workspace` finds; with `create`, make one in `start` or here if there is none.

    `reader` is who asks, by default the settings' annotator, else the account: what others decided is shown to who leads the
    bank, has locked or has looked (`gapsmith.bank.seeing`).

    Raises `ConfigError` where there is none and it should not be made."""
    start = None if start is None else Path(start)
    root = find_workspace(start)
    created = False
    if root is None:
        where = place_of(start)
        if not create:
            raise ConfigError(
                f"{where}: there is no gapsmith workspace here",
                hint="Make one with `gapsmith init`, or say where it is with --workspace DIR.",
            )
        make_workspace(where, reader)
        root, created = where, True
    settings = settings_of(root).with_flags(annotator=reader or None)
    return Workspace(root.resolve(), Bank.open(root / BANK, reader=reader_name(reader, settings)), settings, created)


def settings_of(root: Path | None) -> Settings:
    """The settings of the workspace in `root`; the user's own where there is none."""
    return load_settings(None if root is None else root / _MARK)


@contextmanager
def trial_workspace(start: Path | None = None) -> Iterator[Workspace]:
    """The workspace that `open_workspace(start, create=True)` would make, without making it.

    Its bank is an empty one elsewhere that is gone in the end: for everything that can be checked, and refused, before
    anything is created."""
    with PassingFolder() as passing:
        settings = settings_of(None)
        bank = Bank.open(passing / BANK, create=True, reader=reader_name(None, settings))
        with Workspace(place_of(start).resolve(), bank, settings) as trial:
            yield trial


@contextmanager
def trial_bank(bank: Bank) -> Iterator[Bank]:
    """A copy of a bank as it is now, in which anything can be tried: it is gone in the end, and the bank itself is not locked."""
    with PassingFolder() as passing, _copied(bank, passing) as trial:
        yield trial


def _copied(bank: Bank, folder: Path) -> Bank:
    return Bank.open(snapshot(bank.path, folder), reader=bank.reader)


@contextmanager
def bank_there(root: Path) -> Iterator[Bank | None]:
    """The bank in a folder that is or may become a workspace; None where there is none yet."""
    if (root / BANK).is_file():
        with Bank.open(root / BANK) as bank:
            yield bank
    else:
        yield None


def bank_file(place: Path) -> Path:
    """The bank's file, where a workspace or the file itself is named."""
    return place / BANK if place.is_dir() else place


def is_folder_name(name: str) -> bool:
    """Whether a folder can be called so: no path, which would lead elsewhere."""
    return bool(name.strip()) and name not in (".", "..") and all(c.isprintable() and c not in "/\\" for c in name)


def place_of(start: Path | None = None) -> Path:
    """The root of the workspace that `open_workspace(start, create=True)` opens or would make."""
    return (find_workspace(start) or _place(start)).resolve()


def _place(start: Path | None) -> Path:
    """Where a workspace would be made: `start`, GAPSMITH_WORKSPACE, or here."""
    return start or Path(os.environ.get("GAPSMITH_WORKSPACE") or Path.cwd())
