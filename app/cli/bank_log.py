"""`gapsmith bank log`: all that was recorded, for a merge elsewhere."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show

__all__ = ["show"]
