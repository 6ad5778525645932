"""`gapsmith context add`: texts of a file as contexts."""

from __future__ import annotations

from gapsmith.app.cli.context_draw import as_data
from gapsmith.app.cli.printable import said_already as show

__all__ = ["as_data", "show"]
