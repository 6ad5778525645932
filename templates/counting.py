"""Numbers and lists of things, in words."""

from __future__ import annotations

from collections.abc import Sequence


def count(number: int, singular: str, plural: str | None = None) -> str:
    """``1 item``, ``8,064 items``."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def listed(parts: Sequence[str], *, last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; before a `last` word ``but`` there is a comma."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}{',' if last == 'but' else ''} {last} {parts[-1]}"


def first_of(parts: Sequence[str], most: int) -> str:
    """``a, b, c``; of more than `most` the first ones and how many are left: ``a, b and 1,200 more``."""
    more = f" and {len(parts) - most:,} more" if len(parts) > most else ""
    return ", ".join(parts[:most]) + more
