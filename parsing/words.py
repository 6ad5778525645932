"""The words of an English sentence as UD divides them: *do n't*, *Kevin 's*, *can not*. All parsers get the same ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

Word = tuple[str, int]
"""A word and the character at which it starts."""


def words_of(text: str, tokenizer: Any = None) -> list[Word]:
    """The words of a sentence, white space left out; nothing for a blank text.

    `tokenizer` is a pipeline's own, by default the one of spaCy's rules for English.
    """
    return [(token.text, token.idx) for token in (tokenizer or _english())(text) if not token.is_space]


@lru_cache(maxsize=1)
def _english() -> Any:
    import spacy

    return spacy.blank("en").tokenizer
