"""One process at a time works on a run: the same command in two terminals must not pay twice. The only place that decides whose
turn it is.

The lease is a lock that the operating system holds for as long as the process lives, so that a kill gives it back too. It
is a file beside the bank, in which the holder's process number stands for others to read, and what no other holder has.
"""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from gapsmith.bank import free_leases, is_at, lock
from gapsmith.templates import GapsmithError


class RunUnderWayError(GapsmithError):
    """Another process is at work on the run."""


class RunLease:
    """The lease on one run of the bank in a file. Taken when it is made; give it back with `release`, or use it as a
    context manager. Raises `RunUnderWayError`, and `GapsmithError` where the lock file cannot be written."""

    def __init__(self, bank: Path, run_id: int) -> None:
        self._path = bank.with_name(f"{bank.name}.run{run_id}.lease")
        with suppress(OSError):
            for _ in free_leases(bank.parent):
                pass
        while True:
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise GapsmithError(
                    f"{self._path}: cannot be made ({error.strerror}), and without it two commands might pay for one run"
                ) from None
            try:
                ours = lock(self._file)
            except OSError as error:
                os.close(self._file)
                raise GapsmithError(
                    f"{self._path}: cannot be locked ({error.strerror}), and without it two commands might pay for one run",
                    hint="Keep the workspace on a disk of this machine.",
                ) from None
            if not ours:
                holder = _number_in(self._file)
                os.close(self._file)
                raise RunUnderWayError(
                    f"run {run_id} is under way in {f'process {holder}' if holder else 'another process'}",
                    hint="Wait for it or stop it; for other items beside it, use another --seed, -n or --dataset.",
                )
            try:
                os.ftruncate(self._file, 0)
                os.write(self._file, f"{os.getpid()} {secrets.token_hex(8)}".encode())
                if is_at(self._file, self._path):
                    break
            except OSError as error:
                # The lease is ours, but on a disk that takes no number it takes no answers either.
                self.release()
                raise GapsmithError(
                    f"{self._path}: cannot be written ({error.strerror}), so what comes of run {run_id} could not be kept",
                    hint="Make room on the disk, and run the same command again.",
                ) from None
            # The holder before us gave it back, and took the file away, between our look and our lock.
            os.close(self._file)

    def __enter__(self) -> RunLease:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.release()

    def release(self) -> None:
        """Give the lease back."""
        if sys.platform != "win32":
            # While it is still ours: whoever waits for it sees that it is no longer the file at the path.
            # Where the folder has become read-only the file stays, and the next holder takes it over.
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
        os.close(self._file)


def _number_in(file: int) -> str:
    os.lseek(file, 0, os.SEEK_SET)
    text = os.read(file, 20).decode("ascii", "replace").partition(" ")[0]
    return text if text.isdecimal() else ""
