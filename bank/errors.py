"""What can go wrong with a bank."""

from __future__ import annotations

from pathlib import Path

from gapsmith.templates import ConfigError


class BankError(ConfigError):
    """The bank cannot be opened, or what was asked of it is not there."""


class BankMovedError(BankError):
    """The file at the bank's path is not the one that is open any more: nothing can be recorded there.

    `saved` is a copy of all that was recorded; None where nothing was, or where no place took the copy (`unsaved`)."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", saved: Path | None = None, unsaved: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.saved = saved
        self.unsaved = unsaved


class StaleItemError(BankError):
    """The item's text was changed, by another window or person, since it was shown."""


class LockedError(BankError):
    """The annotator has locked these decisions and does not change them any more."""
