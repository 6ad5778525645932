"""Sentences with a blank, and the words that go into it: ``The key ___ old.`` with ``is`` and ``are`` in columns of their own, or the beginning
of a sentence with the ways in which it goes on. Nothing is put together unless somebody says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gapsmith.bank.formats.composing import compose, plain

BLANK = re.compile(
    r"(?i:[\[<](?:mask|blank|gap|verb|word|target)[>\]])|_{2,}|(?<!\S)_(?=[\s.,;:?!]|\Z)|\.{4,}|…|-{3,}|\[ *\]|(?<!\S)\*{3}(?=[\s.,;:?!]|\Z)"
    r"|(?<!\S)(?:VERB|NOUN|WORD|BLANK|MASK|TARGET|GAP|ADJ|X{2,})(?=[\s.,;:?!]|\Z)"
)
"""What stands for words that are to be filled in."""
FRAME = re.compile(
    r"(?:.*_)?(?:prefix|prompt|pre|pre_?target|pre_?critical|before|left|left_context|stem|preamble|frame|carrier|beginning|lead_in|fragment|context|carrier_phrase|carrier_sentence|template)"
)
"""Folded headings of what sentences begin with, or of sentences with a blank."""
ENDING = re.compile(
    r"(?:.*_)?(?:suffix|post|post_?target|post_?critical|right|right_context|following|ending|end|rest|remainder|tail|spillover|spill_over|after)"
)
"""Folded headings of what ends them."""


def filled_in(frames: Mapping[int, str], column: int, words: str) -> str:
    """The sentence of these words and what stands around them, by the columns of both: in place of the blank where there is one, with a
    capital at the beginning; else in the order of the columns. No words make no sentence. Raises `ValueError` for a frame with two blanks."""
    if not words.strip():
        return ""
    parts = dict(frames)
    blanks = [(own, list(BLANK.finditer(text))) for own, text in frames.items() if BLANK.search(text)]
    if not blanks:
        return compose([text for _, text in sorted({**parts, column: words}.items())])[0]
    (own, found), *others = blanks
    if others or len(found) > 1:
        raise ValueError(f"there are two blanks, and one column of words: {frames[own].strip()[:60]}")
    text, (start, end) = frames[own], found[0].span()
    made = plain(text[:start] + words.strip() + text[end:])
    parts[own] = made[:1].upper() + made[1:] if not text[:start].strip() else made
    return compose([part for _, part in sorted(parts.items())])[0]


def as_alternatives(cell: str) -> str:
    """Words that a sign parts, such as ``is / are`` or ``key, keys``, as alternatives in one place; other words as they are."""
    words = choice_of(cell)
    return "{" + "|".join(words) + "}" if words else cell


def choice_of(text: str) -> list[str]:
    """The words of a list of a few, each of at most three words; none where a text is no such list."""
    bare = _LABEL.sub("", text.strip()).strip()
    bare = bare[1:-1].strip() if bare[:1] + bare[-1:] in ("()", "[]", "{}") else bare
    sign = next((sign for sign in ("|", "/", ";", ",") if sign in bare), "")
    words = [word.strip() for word in bare.split(sign)] if sign else []
    are_words = len(words) > 1 and all(0 < len(word.split()) < 4 and re.search(r"[^\W\d_]", word) for word in words)
    return words if are_words and len(set(words)) == len(words) and not re.search(r"[.?!]\s*\Z", bare) else []


_LABEL = re.compile(
    r"(?:[-–—*•]\s+)?(?:fillers?|options?|words?|answers?|alternatives?|choices?|targets?|candidates?|verbs?|completions?|frame|sentence|template)\s*[:=]\s*",
    re.IGNORECASE,
)
"""What stands before a frame or before the words for it."""
_BEHIND = re.compile(r"(?P<frame>.*\S)\s*(?:\t|\s[-–—:]{1,2}>?\s|(?=[(\[{]))\s*(?P<words>[(\[{].*[)\]}]|[^.?!]*)")


def inlined(lines: Sequence[str]) -> list[str] | None:
    """Lines that all are sentences with a blank, each with its words in the line below it or behind it, with the words in the place of the blank
    as alternatives; the lines of the words are blank then. None for other lines."""
    filled = [(number, line) for number, line in enumerate(lines) if line.strip()]
    if not filled or BLANK.search(filled[0][1]) is None:
        return None
    made = [""] * len(lines)
    is_below = len(filled) > 1 and bool(choice_of(filled[1][1])) and BLANK.search(filled[1][1]) is None
    if is_below and len(filled) % 2:
        return None
    pairs = (
        [(number, line, below) for (number, line), (_, below) in zip(filled[::2], filled[1::2], strict=True)]
        if is_below
        else [(number, match["frame"], match["words"]) for number, line in filled if (match := _BEHIND.fullmatch(line.rstrip()))]
    )
    if len(pairs) < (len(filled) // 2 if is_below else len(filled)) or len(pairs) < 2:
        return None
    for number, frame, said in pairs:
        words, blanks = choice_of(said), list(BLANK.finditer(frame))
        if not words or len(blanks) != 1 or BLANK.search(said) is not None:
            return None
        start, end = blanks[0].span()
        made[number] = _LABEL.sub("", frame[:start], count=1) + as_alternatives(said) + frame[end:]
    return made
