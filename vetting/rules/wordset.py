"""Small closed classes, written as they are read."""

from __future__ import annotations

__all__ = ["word_set"]


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())
