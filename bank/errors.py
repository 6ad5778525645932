"""What can go wrong with a bank."""

from __future__ import annotations

from templates.errors import ConfigError


class BankError(ConfigError):
    """The bank cannot be opened, or what was asked of it is not there."""
