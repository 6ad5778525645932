"""`gapsmith init`: make a directory a workspace."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show

__all__ = ["show"]
