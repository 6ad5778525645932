"""The reasons of one exclusion, which the bank keeps as one text."""

from __future__ import annotations

REASON_SEPARATOR = "; "
"""Between them."""


def reasons_of(reason: str | None) -> tuple[str, ...]:
    """The single reasons of an exclusion."""
    return tuple(part for part in (reason or "").split(REASON_SEPARATOR) if part)
