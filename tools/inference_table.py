"""The table of ``benchmarks/inference.json`` on the page about words that repeat.

    python -m tools.inference_table    # rewrites the table in docs/statistics/words-that-repeat.md

The file is computed by ``python -m benchmarks inference``; a test holds the page against it.
The page shows the worst case for each set of items.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

from gapsmith.stats import wilson_interval

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "benchmarks" / "inference.json"
PAGE = ROOT / "docs" / "statistics" / "words-that-repeat.md"
BEGIN, END = "<!-- simulated -->", "<!-- end of simulated -->"
_TITLE = re.compile(r"(?P<design>.+?) (?P<n>\d+|all) (?P<way>(?:none|as measured|\.\d\d .+))")
_DESIGNS = {
    "subject_pg": "`subject_pg`",
    "five adverbs": "`subject_pg`, five adverbs alone",
    "lan_pg": "`lan_pg`, all 8,064, `np` whole",
    "lan_pg in parts": "`lan_pg`, all 8,064, `np` in parts",
}
"""What designs are called on the page, in its order."""


def main() -> None:
    """Write the table into the page."""
    text, n = re.subn(rf"{BEGIN}.*?{END}", lambda _: section(), PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    if n != 1:
        raise SystemExit(f"{PAGE} has no place for the table, between {BEGIN} and {END}")
    PAGE.write_text(text, encoding="utf-8")


def section() -> str:
    """The table with the marks that it stands between."""
    cells: Mapping[str, Mapping[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    return "\n".join([BEGIN, *rows(cells), END])


def rows(cells: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The lines of a Markdown table, one for each design and number of items: the worst of what its words may carry.

    Rates are shares of the sets: the t test's of all, those of line 1 of the sets in which it was tested, those of line 2 (or of
    line 1, where it is over all words) of the sets in which it has an interval. Ends are those of Wilson's 95 % interval."""
    yield "| items | t test rejects | line 1 rejects (upper end) | line 2 holds (lower end) | power |"
    yield "|---|--:|--:|--:|--:|"
    for (design, n), titles in groupby(sorted(cells, key=_place), key=lambda title: _parts(title)[:2]):
        found = [cells[title] for title in titles]
        numbers = (
            _most((own["items"], own["sets"]) for own in found),
            _most(((own["wrong"], own["tested"]) for own in found), end=1),
            _most(((own["held"], own["wider"]) for own in found), end=0, least=True),
            _most(((own["found"], own["tested"]) for own in found), least=True, places=2),
        )
        items = _DESIGNS[design] if n == "all" else f"{n} of {_DESIGNS[design]}"
        yield f"| {' | '.join((items, *numbers))} |"


def _parts(title: str) -> tuple[str, str, str]:
    found = _TITLE.fullmatch(title)
    if found is None or found["design"] not in _DESIGNS:
        raise ValueError(f"{FILE.name} has a cell that this table does not know: {title}")
    return found["design"], found["n"], found["way"]


def _place(title: str) -> tuple[int, float, bool, bool, str]:
    design, n, way = _parts(title)
    return list(_DESIGNS).index(design), float("inf") if n == "all" else int(n), way != "none", way != "as measured", way


def _most(counts: Iterable[tuple[int, int]], end: int | None = None, least: bool = False, places: int = 3) -> str:
    """The largest share, or the least one, of parts of wholes, and one end of its interval."""
    there = [(part, whole) for part, whole in counts if whole]
    if not there:
        return "–"
    part, whole = (min if least else max)(there, key=lambda count: count[0] / count[1])
    shown = format(part / whole, f".{places}f").removeprefix("0")
    return shown if end is None else f"{shown} ({format(wilson_interval(part, whole)[end], '.3f').removeprefix('0')})"


if __name__ == "__main__":
    main()
