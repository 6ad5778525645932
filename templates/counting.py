"""How many of a thing, in words."""

from __future__ import annotations


def count(number: int, singular: str, plural: str | None = None) -> str:
    """``1 item``, ``8,064 items``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"
