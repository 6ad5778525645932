"""The table of ``benchmarks/inference.json`` on the page about words that repeat.

    python -m tools.inference_table    # rewrites the table in docs/statistics/words-that-repeat.md

The file is computed by ``python -m benchmarks inference``; a test holds the page against it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
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
    """The lines of a Markdown table, by design, number of items and what words carry; a cell that is not there has no line.

    Rates are shares of the sets: the t test's of all, those of line 1 of the sets in which it was tested, those of line 2 (or of
    line 1, where it is over all words) of the sets in which it has an interval. Ends are those of Wilson's 95 % interval."""
    yield "| items | share of words | sets | t test rejects | line 1 rejects | upper end | line 2 holds | lower end | power |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for title in sorted(cells, key=_place):
        found, design, n, way = cells[title], *_parts(title)
        items = _DESIGNS[design] if n == "all" else f"{n} of {_DESIGNS[design]}"
        tested, wider = found["tested"], found["wider"]
        numbers = (
            _share(found["items"], found["sets"]),
            _share(found["wrong"], tested),
            _end(found["wrong"], tested, 1),
            _share(found["held"], wider),
            _end(found["held"], wider, 0),
            _share(found["found"], tested, places=2),
        )
        yield f"| {' | '.join((items, way, format(found['sets'], ','), *numbers))} |"


def _parts(title: str) -> tuple[str, str, str]:
    found = _TITLE.fullmatch(title)
    if found is None or found["design"] not in _DESIGNS:
        raise ValueError(f"{FILE.name} has a cell that this table does not know: {title}")
    return found["design"], found["n"], found["way"]


def _place(title: str) -> tuple[int, float, bool, bool, str]:
    design, n, way = _parts(title)
    return list(_DESIGNS).index(design), float("inf") if n == "all" else int(n), way != "none", way != "as measured", way


def _share(part: int, whole: int, places: int = 3) -> str:
    return format(part / whole, f".{places}f").removeprefix("0") if whole else "–"


def _end(part: int, whole: int, which: int) -> str:
    return format(wilson_interval(part, whole)[which], ".3f").removeprefix("0") if whole else "–"


if __name__ == "__main__":
    main()
