"""From the strings of regions to a sentence with spans."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ATTACHED = re.compile(
    r"""[.,;:?!)\]}…%]          # marks that stand at the end of the word before
    |['’](?:s|re|ve|ll|d|m|t)\b  # clitics
    |n['’]t\b""",
    re.VERBOSE | re.IGNORECASE,
)
_WIDE_MARK = re.compile("[\u3001-\u3003\u3008-\u3011\u3014-\u301b\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]")
"""Marks of the width of a letter, around which no space is written."""
_UNSPACED = re.compile("[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]")
"""Letters of scripts that write no spaces between words."""
_OPENS = frozenset("([{“‘«")
_CLOSES = frozenset("”»")


def plain(text: str) -> str:
    """The text with single spaces between its words and none around them."""
    return " ".join(text.split())


def unspaced_in(text: str) -> list[str]:
    """The letters of scripts that write no spaces between words."""
    return _UNSPACED.findall(text)


def compose(contents: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The sentence that consists of these regions, and where each of them lies.

    Regions are joined by one space, but a region that begins with a closing mark or a clitic (``'s``, ``n't``) is attached to
    what precedes it, and one after an opening bracket or quotation mark too; in scripts that write no spaces between words all are
    attached. An empty region is an empty span where it would be."""
    text = ""
    spans = []
    for content in contents:
        words = plain(content)
        if words and text and not _attaches(text, words):
            text += " "
        start = len(text)
        text += words
        spans.append((start, len(text)))
    return text, tuple(spans)


def _attaches(text: str, words: str) -> bool:
    if text[-1] in _OPENS or words[0] in _CLOSES or _ATTACHED.match(words):
        return True
    if _UNSPACED.match(text[-1]) and _UNSPACED.match(words):
        return True
    if _WIDE_MARK.match(words) or _WIDE_MARK.match(text[-1]):
        return True
    # A straight quotation mark opens and closes by turns.
    quotes = text.count('"')
    return (text[-1] == '"' or words[0] == '"') and quotes % 2 == 1
