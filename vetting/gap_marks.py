"""Sentences as people read them outside of screens: with their open gaps, and what stands there taken away again."""

from __future__ import annotations

import re

from gapsmith.templates import Paradigm, Sentence

_GAP = "__"
_MARK = re.compile(rf"(?:^| ){_GAP}")


def marked(sentence: Sentence, paradigm: Paradigm, *, critical: bool = True) -> str:
    """The text with its open gaps as ``__`` and, with `critical`, its critical region in brackets; as it is where it is not aligned."""
    condition = paradigm.condition_by_name.get(sentence.condition)
    if condition is None or sentence.regions is None:
        return sentence.text
    roles = {region.name: region.role for region in paradigm.regions}
    text, end = "", 0
    for span in sentence.regions:
        text += sentence.text[end : span.start]
        words = sentence.text[span.start : span.end]
        if critical and span.name == condition.critical and words:
            words = f"[{words}]"
        if not words and roles.get(span.name) == "gap":
            words = f" {_GAP}"
        text, end = text + words, span.end
    return text + sentence.text[end:]


def is_marked(shown: str, text: str) -> bool:
    """Whether a text was shown so: as it is, or with gaps marked and nothing else changed."""
    return shown == text or (_GAP not in text and _MARK.sub("", shown).strip() == text.strip())
