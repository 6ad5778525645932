"""How well a parser does against a treebank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.parsing.model import Parse


@dataclass(frozen=True, slots=True)
class Attachment:
    """Shares of words, in percent, over `words` words whose division into words was given.

    `uas` and `las` count every word, punctuation too, and full labels with their subtypes; `uas_words` and `las_words` leave
    punctuation out (what spaCy's own evaluation reports).
    """

    upos: float
    uas: float
    las: float
    uas_words: float
    las_words: float
    words: int


def attachment(gold: Sequence[Parse], found: Sequence[Parse]) -> Attachment:
    """Unlabelled and labelled attachment of `found` against `gold`, sentence by sentence over the same words."""
    words = tags = heads = labels = plain = plain_heads = plain_labels = 0
    for right, mine in zip(gold, found, strict=True):
        for want, got in zip(right.tokens, mine.tokens, strict=True):
            head = want.head == got.head
            label = head and want.relation == got.relation
            words += 1
            tags += want.upos == got.upos
            heads += head
            labels += label
            if want.relation != "punct":
                plain += 1
                plain_heads += head
                plain_labels += label

    def share(part: int, whole: int) -> float:
        return 100 * part / whole if whole else 0.0

    return Attachment(
        upos=share(tags, words),
        uas=share(heads, words),
        las=share(labels, words),
        uas_words=share(plain_heads, plain),
        las_words=share(plain_labels, plain),
        words=words,
    )
