"""`gapsmith paradigm update`: items in the form that the file has now."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show

__all__ = ["show"]
