"""Whether the characters that a tokenizer says its tokens cover can be believed.

Offsets count characters of the text as it is, half-open. Tokens that share one character (its bytes, or a letter with
its combining marks) have spans that overlap in that character.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

Span = tuple[int, int]


def span_problem(text: str, spans: Sequence[Span]) -> str | None:
    """What is wrong with the token spans of `text`, or None.

    They must lie in the text, run from left to right, overlap in no more than one character with its combining marks,
    and cover every character that is not white space.
    """
    bounds = [0, *(end for _, end in spans)]
    if [start for start, _ in spans] == bounds[:-1] and bounds[-1] == len(text) and sorted(bounds) == bounds:
        return None  # one behind the other, which is the ordinary case
    reached = 0
    previous: Span = (0, 0)
    for number, (start, end) in enumerate(spans, 1):
        if not 0 <= start <= end <= len(text):
            return f"token {number} lies outside the text: characters {start} to {end} of {len(text)}"
        if start < previous[0] or end < previous[1]:
            return f"token {number} lies before token {number - 1}"
        if start < previous[1] and (start, end) != previous and not _is_one_character(text[start : previous[1]]):
            return f"tokens {number - 1} and {number} both claim {text[start : previous[1]]!r}"
        if not _is_space(text[reached:start]):
            return f"no token covers {text[reached:start].strip()!r} at character {reached}"
        reached = max(reached, end)
        previous = (start, end)
    if not _is_space(text[reached:]):
        return f"no token covers {text[reached:].strip()!r} at character {reached}"
    return None


def _is_space(stretch: str) -> bool:
    return not stretch or stretch.isspace()


def _is_one_character(stretch: str) -> bool:
    return all(unicodedata.combining(mark) for mark in stretch[1:])
