"""The words of a sentence with their marks: filler, gap, critical region, and the numbers of the findings on them.

Marks have a shape as well as a name: ``‹who›`` is a filler, ``__`` a gap, ``[soon]`` a critical region, and a raised
number points at a finding. A front end may colour the names; it need not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.cells import cell_len

from bank import Finding
from templates import PUNCTUATION, Paradigm
from vetting.review.display import shorten, visible
from vetting.review.sheet import Row

__all__ = ["Cell", "Refs", "Seg", "cells_of", "place_findings", "raised", "words_of"]

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_MAX_REFS = 3
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Seg:
    """A piece of a line and what it is (names of marks)."""

    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One region of one sentence, ready to show."""

    before: str
    text: str
    """Visible text of the region; ``__`` for a gap."""
    after: str
    """What closes it: a bracket, punctuation."""
    refs: str
    """Raised numbers of the findings about it."""
    marks: tuple[str, ...]

    @property
    def width(self) -> int:
        """In terminal cells."""
        return cell_len(self.before + self.text + self.after + self.refs)

    def cut(self, width: int) -> list[Seg]:
        """In exactly `width` cells: the region's words are shortened, its marks stay."""
        fixed = cell_len(self.before + self.after + self.refs)
        text = shorten(self.text, max(width - fixed, 1))
        segs = [Seg(self.before + text + self.after, self.marks)]
        if self.refs:
            segs.append(Seg(self.refs, ("ref",)))
        used = cell_len(self.before + text + self.after + self.refs)
        if used > width:
            return [Seg(shorten(self.before + text + self.after + self.refs, width), self.marks)]
        return [*segs, Seg(" " * (width - used))]


@dataclass(frozen=True, slots=True)
class Refs:
    """Which findings (numbers from 1) concern what."""

    cells: Mapping[tuple[int, str], tuple[int, ...]]
    """(row number, region) to findings."""
    headings: Mapping[str, tuple[int, ...]]
    """Region to findings about the words of its slots, in every row."""
    rows: Mapping[int, tuple[int, ...]]
    """Row number to findings about the sentence as a whole, or about words that no region could be found for."""


def raised(numbers: Sequence[int]) -> str:
    """The numbers as raised digits, at most three of them."""
    shown = "˒".join(str(n).translate(_RAISED) for n in numbers[:_MAX_REFS])
    return shown + ("⁺" if len(numbers) > _MAX_REFS else "")


def place_findings(rows: Sequence[Row], paradigm: Paradigm, findings: Sequence[Finding]) -> Refs:
    """Find the words that each finding is about."""
    cells: dict[tuple[int, str], list[int]] = defaultdict(list)
    headings: dict[str, list[int]] = defaultdict(list)
    whole: dict[int, list[int]] = defaultdict(list)
    for number, finding in enumerate(findings, start=1):
        place = finding.place
        if place.condition is None:
            for region in _regions_of_slot(paradigm, place.slot):
                headings[region].append(number)
            continue
        for row in rows:
            if row.condition != place.condition or row.sentence is None:
                continue
            names = _touched(row, place.start, place.end) or _regions_of_slot(paradigm, place.slot)
            if names and row.sentence.regions is not None:
                cells[row.number, names[0]].append(number)
            if not names or row.sentence.regions is None:
                whole[row.number].append(number)
    return Refs(_frozen(cells), _frozen(headings), _frozen(whole))


def _frozen(found: Mapping[Key, list[int]]) -> dict[Key, tuple[int, ...]]:
    return {key: tuple(numbers) for key, numbers in found.items()}


def _regions_of_slot(paradigm: Paradigm, slot: str | None) -> list[str]:
    if slot is None:
        return []
    place = f"{{{slot}}}"
    return [
        region.name
        for region in paradigm.regions
        if any(place in condition.regions[region.name] for condition in paradigm.conditions)
    ]


def _touched(row: Row, start: int | None, end: int | None) -> list[str]:
    if start is None or row.sentence is None or row.sentence.regions is None:
        return []
    stop = end if end is not None else start + 1
    return [
        span.name
        for span in row.sentence.regions
        if (span.start < stop and start < span.end) or (span.start == span.end == start == stop)
    ]


def cells_of(row: Row, paradigm: Paradigm, refs: Refs, *, standalone: bool = False) -> dict[str, Cell]:
    """The row's sentence by region; empty where it has no sentence or is not aligned. Punctuation goes with the last
    region that has words. With `standalone`, words carry the numbers that a heading would otherwise show."""
    sentence = row.sentence
    if sentence is None or sentence.regions is None:
        return {}
    condition = paradigm.condition_by_name.get(row.condition)
    critical = condition.critical if condition is not None else None
    roles = {region.name: region.role for region in paradigm.regions}
    spans = {span.name: span for span in sentence.regions}
    worded = [s.name for s in sentence.regions if s.name != PUNCTUATION and s.start < s.end]
    stop = spans.get(PUNCTUATION)
    mark = sentence.text[stop.start : stop.end] if stop is not None else ""
    cells = {}
    for name, span in spans.items():
        if name == PUNCTUATION:
            continue
        text = visible(sentence.text[span.start : span.end])
        role = roles.get(name, "frame")
        marks: tuple[str, ...] = (role,) if role in {"filler", "gap"} else ()
        before = after = ""
        if not text and role == "gap":
            text, marks = "__", ("gap", "empty")
        elif text and name == critical:
            before, after, marks = "[", "]", (*marks, "critical")
        elif text and role == "filler":
            before, after = "‹", "›"
        if worded and name == worded[-1]:
            after += visible(mark)
        numbers = refs.cells.get((row.number, name), ())
        if standalone:
            numbers = tuple(sorted({*numbers, *refs.headings.get(name, ())}))
        cells[name] = Cell(before, text, after, raised(numbers), marks)
    return cells


def words_of(row: Row, paradigm: Paradigm, refs: Refs) -> list[list[Seg]]:
    """The row's sentence as words, each a list of pieces, to be joined by spaces and wrapped anywhere between."""
    if row.sentence is None:
        return [[Seg("— missing —", ("note",))]]
    words: list[list[Seg]] = []
    cells = cells_of(row, paradigm, refs, standalone=True)
    if not cells:
        return [[Seg(word)] for word in visible(row.sentence.text).split(" ")]
    for cell in cells.values():
        if not cell.text:
            continue
        parts = cell.text.split(" ")
        for i, part in enumerate(parts):
            last = i == len(parts) - 1
            shown = (cell.before if i == 0 else "") + part + (cell.after if last else "")
            segs = [Seg(shown, cell.marks)]
            if last and cell.refs:
                segs.append(Seg(cell.refs, ("ref",)))
            words.append(segs)
    return words
