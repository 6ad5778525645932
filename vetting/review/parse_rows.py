"""A parse below the sentence that it is of: under every word what it is to which head."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from gapsmith.vetting.review.display import fit, shorten, visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.region_text import Seg


def parse_rows(words: Sequence[ParseLine], width: int) -> list[Line]:
    """Pairs of lines of at most `width` columns: words, and below each its role and head. An attachment that contradicts the
    design has ``✗`` before it."""
    lines: list[Line] = []
    above: list[Seg] = []
    below: list[Seg] = []
    used = 0
    for word in words:
        role = f"{word.role}→{word.head}" if word.head else word.role
        said = shorten(visible(f"✗{role}" if word.against else role), width - 1)
        shown = shorten(visible(word.word), width - 1)
        room = max(cell_len(shown), cell_len(said)) + 1
        if used and used + room > width:
            lines += [Line(tuple(above)), Line(tuple(below))]
            above, below, used = [], [], 0
        mark = ("warning",) if word.against else ()
        above.append(Seg(fit(shown, room), mark))
        below.append(Seg(fit(said, room), mark or ("note",)))
        used += room
    return [*lines, *([Line(tuple(above)), Line(tuple(below))] if above else [])]
