"""A parse to look at while reviewing; who parses is given by the command, since the review knows no rules and no parser."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gapsmith.bank import Bank, StoredItem
from gapsmith.templates import Paradigm, Sentence


@dataclass(frozen=True, slots=True)
class ParseLine:
    """One word of a parse; `depth` in the tree counts from 0 at the root, and `head` is empty there."""

    word: str
    tag: str
    role: str
    """What the word is to its head, in the one vocabulary of all parsers (`gapsmith.parsing.relations`)."""
    head: str
    depth: int
    against: str = ""
    """Where the attachment contradicts what the design has in this region: what is not read as it should be."""


Parser = Callable[[Bank, StoredItem, Paradigm, Sentence], Sequence[ParseLine]]
"""Parses a sentence of an item. Raises `GapsmithError` with a hint where the parser cannot be opened. Slow: for threads."""
