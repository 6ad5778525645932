"""Digests of texts: what makes two texts, two states of an item, or two items the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable


def text_digest(text: str) -> bytes:
    """16 bytes that stand for a text."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def texts_digest(sentences: Iterable[tuple[str, str]]) -> bytes:
    """16 bytes that stand for the (condition, text) pairs of an item in their order: what a decision is about."""
    content = "\0".join(f"{condition}\t{text}" for condition, text in sentences)
    return text_digest(content)


def alike_digest(sentences: Iterable[tuple[str, str]]) -> bytes:
    """16 bytes that are equal for items with the same sentences up to order, case and spacing."""
    lines = sorted(f"{condition}\t{' '.join(text.casefold().split())}" for condition, text in sentences)
    return text_digest("\n".join(lines))


def folded(text: str) -> str | None:
    """The text as a search reads it, or None where SQLite's own ``lower`` gives the same."""
    found = text.casefold()
    return None if text.isascii() else found


_LETTERS, _CODE_LENGTH = "bcdfghjklmnpqrstvwxz", 5
"""Without vowels a code is no word, and no number either."""


def code_of(uid: bytes) -> str:
    """A name for an item that tells nothing of where it comes from, not even which came first; the same in all copies of the bank."""
    number, letters = int.from_bytes(uid, "big"), ""
    for _ in range(_CODE_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters += _LETTERS[place]
    return letters
