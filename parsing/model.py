"""What a parser says of one sentence: words at character offsets, each with its tag, its head and its relation to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

ROOT = -1
"""The head of the word that has none."""


class Scheme(StrEnum):
    """Whose labels the relations of a parse are."""

    UD = "ud"
    """Universal Dependencies: Stanza, the embedded parser, treebanks."""
    CLEARNLP = "clearnlp"
    """spaCy's own English pipelines."""


@dataclass(frozen=True, slots=True)
class Token:
    """One syntactic word: *Kevin's* and *don't* are two.

    `start` and `end` are characters of the sentence's text, half-open. The words of a contraction whose parts do not
    spell it (*wanna*: want, to) all cover the whole of it.
    """

    text: str
    start: int
    end: int
    upos: str
    head: int
    """Index of the head among the sentence's words, from 0; ROOT where there is none."""
    relation: str
    xpos: str = ""
    feats: str = ""
    """Features as CoNLL-U writes them (`Number=Sing|Person=3`), or nothing."""
    lemma: str = ""


@dataclass(frozen=True, slots=True)
class Parse:
    """One sentence as a dependency tree (one root, no cycle: `gapsmith.parsing.trees.checked` makes sure of it)."""

    text: str
    tokens: tuple[Token, ...]
    scheme: Scheme = Scheme.UD

    def children(self, head: int) -> list[int]:
        """The words whose head is `head`, in the order of the sentence."""
        return [index for index, token in enumerate(self.tokens) if token.head == head]

    def at(self, start: int, end: int) -> list[int]:
        """The words that lie in the characters `start` to `end`, wholly or in part."""
        return [index for index, token in enumerate(self.tokens) if token.start < end and token.end > start]
