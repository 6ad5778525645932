"""TextGrids of Praat whose tiers have the same intervals, such as one of sentences and one of conditions: as rows."""

from __future__ import annotations

import re
from dataclasses import dataclass

_VALUE = re.compile(r'"(?P<text>(?:[^"]|"")*)"|(?<![\w\[.])(?P<number>-?\d+(?:\.\d+)?(?:[eE]-?\d+)?)(?![\w\]])')


@dataclass(frozen=True, slots=True)
class TextGrid:
    """The names of the tiers, and the labels of each interval."""

    rows: list[list[str]]
    places: list[int]
    """The line of the longest label of each interval."""


def text_grid(text: str) -> TextGrid | None:
    """The tiers as columns; None where it is no TextGrid, or its tiers have other intervals each."""
    if "ooTextFile" not in text[:200] or '"TextGrid"' not in text[:400]:
        return None
    found = list(_VALUE.finditer(text, text.index('"TextGrid"') + 10))
    values = iter(found)
    tiers: dict[str, dict[tuple[str, str], re.Match[str]]] = {}
    try:
        for _ in range(3):
            next(values)  # begin, end and number of tiers
        for kind in values:
            name = next(values)["text"]
            next(values), next(values)
            count = int(next(values)["number"])
            is_of_points = kind["text"] == "TextTier"
            own: dict[tuple[str, str], re.Match[str]] = {}
            for _ in range(count):
                begin = next(values)["number"]
                end = begin if is_of_points else next(values)["number"]
                label = next(values)
                if label["text"].strip():
                    own[begin, end] = label
            if name in tiers:
                return None
            if own:
                tiers[name] = own
    except (StopIteration, RuntimeError, ValueError, TypeError, AttributeError):
        return None
    times = {tuple(own) for own in tiers.values()}
    if len(tiers) < 2 or len(times) != 1 or len(next(iter(times))) < 2:
        return None
    rows, places = [list(tiers)], []
    for time in next(iter(times)):
        labels = [own[time] for own in tiers.values()]
        rows.append([" ".join(label["text"].replace('""', '"').split()) for label in labels])
        places.append(text.count("\n", 0, max(labels, key=lambda label: len(label["text"])).start()) + 1)
    return TextGrid(rows, places)
