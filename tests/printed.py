"""What commands print with ``--json``: one object, of every command alike."""

from __future__ import annotations

import json
from typing import Any


def results(printed: str) -> list[Any]:
    """The results of a command."""
    said = json.loads(printed)
    assert [name for name in said if name != "looked_at"] == ["request", "results", "notes"]
    assert list(said["request"]) == ["stage", "version", "digest"]
    found: list[Any] = said["results"]
    return found


def result(printed: str) -> Any:
    """The result of a command that has one."""
    (found,) = results(printed)
    return found
