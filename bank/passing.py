"""Folders for what is there in passing, and what a kill leaves of them: the only place that says whether something is left behind.

Whoever makes such a folder holds a lock in it that the operating system takes back when the process ends, however it ends. So a folder
whose lock is free is nobody's, whatever machine or container of this disk it was made on, and the next one who makes a folder beside
it takes it away; so does `gapsmith doctor`. What has no lock is left alone: nobody can tell whose it is.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from types import TracebackType

PREFIX = "gapsmith-"
"""How folders for what is in passing begin, after a dot where they lie beside somebody's files."""
_LOCK, _FILES = "held", "files"
_LOCKED_BYTE = 1_000_000
"""Where Windows locks, which would otherwise keep others from reading what a lock file says."""


class PassingFolder:
    """An empty folder in `beside` (default: the system's folder for temporary files) that is gone in the end. A context manager that
    gives its path; or take `path`, and call `cleanup`. Raises OSError where it cannot be made."""

    def __init__(self, beside: Path | None = None, *, ignore_errors: bool = False) -> None:
        prefix = PREFIX if beside is None else f".{PREFIX}"
        with suppress(OSError):
            for _ in take_away(beside or Path(gettempdir()), prefix):
                pass
        while True:
            self._folder = TemporaryDirectory(dir=beside, prefix=prefix, ignore_cleanup_errors=ignore_errors)
            root = Path(self._folder.name)
            lock = _locked(root / _LOCK, create=True)
            if lock is not None:
                break
            # Somebody who tidied up came between the folder and its lock.
            self._folder.cleanup()
        self._lock: int | None = lock
        self.path = root / _FILES
        self.path.mkdir()

    def cleanup(self) -> None:
        """Take the folder away."""
        if self._lock is not None:
            if sys.platform == "win32":
                os.close(self._lock)
            self._folder.cleanup()
            if sys.platform != "win32":
                os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cleanup()

    def __del__(self) -> None:
        with suppress(Exception):
            self.cleanup()


@contextmanager
def written_whole(target: Path) -> Iterator[Path]:
    """Where to write a file or folder that takes the place of `target`, a file or an empty folder, once all of it is there. Raises OSError."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with PassingFolder(target.parent) as passing:
        made = passing / target.name
        yield made
        if made.is_dir() and target.is_dir():
            target.rmdir()
        made.replace(target)


def take_away(folder: Path, prefix: str) -> Iterator[Path]:
    """Take away the folders of that beginning that nobody holds any more; each that was. Raises OSError where `folder` cannot be read."""
    for root in sorted(folder.glob(f"{prefix}*")):
        if root.is_symlink() or not root.is_dir() or not _is_mine(root):
            continue
        lock = _locked(root / _LOCK, create=False)
        if lock is None:
            continue
        try:
            shutil.rmtree(root)
        except OSError:
            continue
        finally:
            os.close(lock)
        yield root


def free_leases(folder: Path) -> Iterator[Path]:
    """Take away the lease files of runs (`gapsmith.prompts.lease`) that nobody holds any more; each that was."""
    if sys.platform == "win32":
        return
    for path in sorted(folder.glob("*.run*.lease")):
        lock = _locked(path, create=False)
        if lock is None:
            continue
        try:
            path.unlink()
        except OSError:
            continue
        finally:
            os.close(lock)
        yield path


def _is_mine(path: Path) -> bool:
    return sys.platform == "win32" or path.lstat().st_uid == os.getuid()


def _locked(path: Path, *, create: bool) -> int | None:
    """The open lock file, which is ours from now on; None where it is somebody's, is not there, or was taken away meanwhile."""
    flags = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | (os.O_CREAT if create else 0)
    try:
        file = os.open(path, flags, 0o600)
    except OSError:
        if create and path.parent.is_dir():
            raise
        return None
    try:
        # Names of folders are never used twice; those of leases are.
        if lock(file) and (is_at(file, path) if path.suffix == ".lease" else path.exists()):
            return file
    except OSError:
        # A disk without locks: nobody tidies up there, and whoever makes a folder has it for themselves.
        if create:
            return file
    os.close(file)
    return None


def is_at(file: int, path: Path) -> bool:
    """Whether the open file is still the one at the path, by the few bytes in it, which no two holders write: some disks number their files
    anew at each look."""
    try:
        if sys.platform == "win32":
            return path.exists()
        # In this order: a pipe under such a name has no place to be read at, and whoever waited for its words would wait for ever.
        return os.pread(file, 1000, 0) == path.read_bytes()
    except FileNotFoundError:
        return False


if sys.platform == "win32":
    import msvcrt

    def lock(file: int) -> bool:
        """Take the lock of an open file for as long as it is open; whether it was free. Raises OSError where there are no locks."""
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(file, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def lock(file: int) -> bool:
        """Take the lock of an open file for as long as it is open; whether it was free. Raises OSError where there are no locks."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
