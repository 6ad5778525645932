"""`gapsmith bank backup`: a copy, whole and as of one moment."""

from __future__ import annotations

from gapsmith.app.cli.printable import said_already as show

__all__ = ["show"]
