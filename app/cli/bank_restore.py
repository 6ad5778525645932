"""`gapsmith bank restore`: a copy in the bank's place."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show

__all__ = ["show"]
