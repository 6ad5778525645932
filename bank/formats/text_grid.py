"""TextGrids of Praat whose tiers have the same intervals, such as one of sentences and one of conditions, or one of trials over one of their
words: as rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_VALUE = re.compile(r'"(?P<text>(?:[^"]|"")*)"|(?<![\w\[.])(?P<number>-?\d+(?:\.\d+)?(?:[eE]-?\d+)?)(?![\w\]])')


@dataclass(frozen=True, slots=True)
class TextGrid:
    """The names of the tiers, and the labels of each interval."""

    rows: list[list[str]]
    how: str
    """In words."""
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
    if len(tiers) == 2 and len(times) == 2 and (within := _within(text, tiers)) is not None:
        return within
    if len(tiers) < 2 or len(times) != 1 or len(next(iter(times))) < 2:
        return None
    rows, places = [list(tiers)], []
    for time in next(iter(times)):
        labels = [own[time] for own in tiers.values()]
        rows.append(list(map(_bare, labels)))
        places.append(text.count("\n", 0, max(labels, key=lambda label: len(label["text"])).start()) + 1)
    return TextGrid(rows, "the tiers of a TextGrid as columns, since they have the same intervals", places)


def _within(text: str, tiers: Mapping[str, Mapping[tuple[str, str], re.Match[str]]]) -> TextGrid | None:
    """A row for each interval of one tier, with the labels of the other one that lie in it, bars between them; None where one lies in none,
    or one is empty."""
    (outer, long), (inner, short) = sorted(tiers.items(), key=lambda tier: len(tier[1]))
    rows, places, taken = [[outer, "sentence"]], [], 0
    for (begin, end), label in long.items():
        own = [word for (first, last), word in short.items() if float(begin) <= float(first) and float(last) <= float(end)]
        if not own:
            return None
        taken += len(own)
        rows.append([_bare(label), " | ".join(map(_bare, own))])
        places.append(text.count("\n", 0, own[0].start()) + 1)
    if taken != len(short) or len(long) == len(short):
        return None
    return TextGrid(rows, f"a row for each interval of {outer}, with what {inner} has in it, bars in between", places)


def _bare(label: re.Match[str]) -> str:
    return " ".join(label["text"].replace('""', '"').split())
