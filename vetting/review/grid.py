"""The aligned grid: one row per condition, one column per region, fitted to the width there is.

Where it does not fit, in this order: condition labels lose their spaces, then all but their signs; the words that
open every sentence in the same way are left out of the rows; columns that are the same in every row are shortened,
the widest first; then the others. Nothing is lost: the selected sentence is also given in full, see `sentence_lines`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from bank import Finding
from templates import Paradigm
from vetting.review.cells import Cell, Refs, Seg, cells_of, place_findings, raised, words_of
from vetting.review.display import fit, shorten, visible
from vetting.review.sheet import Row

__all__ = ["Grid", "Line", "layout", "sentence_lines"]

_SIGNS = "+-−±"
_MIN_CONSTANT = 5
_MIN_VARYING = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the screen; `row` is the number of the row it belongs to, None for headings."""

    segs: tuple[Seg, ...]
    row: int | None = None

    @property
    def text(self) -> str:
        """The line without its marks."""
        return "".join(seg.text for seg in self.segs)


@dataclass(frozen=True, slots=True)
class Grid:
    """A laid-out item."""

    lines: tuple[Line, ...]
    labels: str
    """``full``, ``tight`` or ``signs``: how far the condition labels were compressed."""
    shortened: bool
    """Whether some words are cut or left out of the rows."""


def layout(
    rows: Sequence[Row],
    paradigm: Paradigm,
    findings: Sequence[Finding],
    *,
    width: int,
    selected: int = 1,
    whole: bool = False,
) -> Grid:
    """Lay out an item in lines of at most `width` cells; with `whole`, sentences are wrapped instead of aligned."""
    refs = place_findings(rows, paradigm, findings)
    if whole:
        prefixes = _Prefixes(rows, "tight", refs, selected)
        lines = [line for row in rows for line in _wrapped(row, paradigm, refs, prefixes, width)]
        return Grid(tuple(lines), "tight", False)
    cells = {row.number: cells_of(row, paradigm, refs) for row in rows}
    columns = [r.name for r in paradigm.regions if any(r.name in c and c[r.name].text for c in cells.values())]
    widths, varying = _measure(columns, cells, refs)
    by_labels = {labels: _Prefixes(rows, labels, refs, selected) for labels in ("full", "tight", "signs")}
    rooms = {labels: width - prefixes.width for labels, prefixes in by_labels.items()}
    labels, columns, fitted = _fit(columns, widths, varying, rooms)
    prefixes = by_labels[labels]
    lines = [_heading(columns, fitted, refs, prefixes, width)] if columns else []
    for row in rows:
        if cells[row.number]:
            segs = list(prefixes.of(row))
            for i, name in enumerate(columns):
                segs += [Seg(" ")] if i else []
                segs += cells[row.number][name].cut(fitted[name])
            lines.append(Line(_clip(segs, width), row.number))
        else:
            lines += _wrapped(row, paradigm, refs, prefixes, width)
    cut = any(fitted.get(name, 0) < widths[name] for name in widths)
    return Grid(tuple(lines), labels, cut)


def sentence_lines(
    row: Row, paradigm: Paradigm, findings: Sequence[Finding], rows: Sequence[Row], width: int
) -> list[Line]:
    """One sentence in full, with its marks, wrapped to `width`."""
    refs = place_findings(rows, paradigm, findings)
    return [Line(tuple(segs), row.number) for segs in _wrap(words_of(row, paradigm, refs), width)]


class _Prefixes:
    """What stands before the words of every row: cursor, number, label, expected status, judgement."""

    def __init__(self, rows: Sequence[Row], labels: str, refs: Refs, selected: int) -> None:
        self._selected = selected
        self._marks = {row.number: raised(refs.rows.get(row.number, ())[:1]) for row in rows}
        self._mark_width = max((cell_len(mark) for mark in self._marks.values()), default=0)
        self._labels = {row.number: _label(row, labels) for row in rows}
        self._numbers = max((len(str(row.number)) for row in rows), default=1)
        self._label_width = min(max((cell_len(text) for text in self._labels.values()), default=0), 24)
        signed = labels == "signs" and all(level[:1] in _SIGNS for row in rows for level in row.levels)
        levels = next((row.levels for row in rows if row.levels), ())
        self._factors = "".join(level[-1] for level in levels) if signed else ""
        self._judged = any(row.rating is not None for row in rows)

    @property
    def width(self) -> int:
        return 1 + self._numbers + 1 + self._label_width + 1 + 2 + (4 if self._judged else 0) + self._mark_width + 1

    def of(self, row: Row) -> list[Seg]:
        here = row.number == self._selected
        expected = row.expected.value if row.expected is not None else "–"
        segs = [
            Seg("▸" if here else " ", ("cursor",)),
            Seg(f"{row.number:>{self._numbers}} ", ("selected",) if here else ("dim",)),
            Seg(fit(self._labels[row.number], self._label_width) + " ", ("selected",) if here else ("label",)),
            Seg(f"{expected:<2}", (f"status-{_STATUS_NAMES.get(expected, 'none')}",)),
        ]
        if self._judged:
            shape = "" if row.rating is None else ("=" if row.agrees else "≠") + row.rating
            segs.append(Seg(f" {shape:<3}", ("agrees" if row.agrees else "differs",)))
        return [*segs, Seg(fit(self._marks[row.number], self._mark_width) + " ", ("ref",))]

    def heading(self) -> Seg:
        return Seg(fit(" " * (self._numbers + 2) + self._factors, self.width), ("heading",))

    def blank(self) -> Seg:
        return Seg(" " * self.width)


_STATUS_NAMES = {"ok": "ok", "?": "questionable", "*": "star"}


def _label(row: Row, labels: str) -> str:
    if not row.levels:
        return visible(row.label)
    if labels == "full":
        return visible(row.label)
    if labels == "signs" and all(level[:1] in _SIGNS for level in row.levels):
        return "".join(level[0] for level in row.levels)
    return visible("".join(row.levels))


def _measure(
    columns: Sequence[str], cells: Mapping[int, Mapping[str, Cell]], refs: Refs
) -> tuple[dict[str, int], set[str]]:
    widths: dict[str, int] = {}
    varying: set[str] = set()
    for name in columns:
        there = [row[name] for row in cells.values() if row]
        widths[name] = max(max(cell.width for cell in there), len(raised(refs.headings.get(name, ()))) + 1)
        if len({cell.text for cell in there}) > 1 or any(
            "critical" in cell.marks or "gap" in cell.marks or "filler" in cell.marks for cell in there
        ):
            varying.add(name)
    return widths, varying


def _fit(
    columns: Sequence[str], widths: Mapping[str, int], varying: set[str], rooms: Mapping[str, int]
) -> tuple[str, list[str], dict[str, int]]:
    """How to compress labels, which columns to keep and how wide each is; `rooms` says what each compression leaves."""
    shown = list(columns)
    for labels, room in rooms.items():
        if sum(widths[n] for n in shown) + len(shown) - 1 <= room:
            return labels, shown, {name: widths[name] for name in shown}
    labels, room = list(rooms.items())[-1]
    while len(shown) > 1 and shown[0] not in varying and sum(widths[n] for n in shown) + len(shown) - 1 > room:
        shown = shown[1:]
    fitted = {name: widths[name] for name in shown}
    for group, least in ((set(shown) - varying, _MIN_CONSTANT), (varying, _MIN_VARYING)):
        while sum(fitted.values()) + len(shown) - 1 > room:
            widest = max((n for n in shown if n in group and fitted[n] > least), key=fitted.__getitem__, default=None)
            if widest is None:
                break
            fitted[widest] -= 1
    return labels, shown, fitted


def _heading(columns: Sequence[str], widths: Mapping[str, int], refs: Refs, prefixes: _Prefixes, width: int) -> Line:
    segs = [prefixes.heading()]
    for i, name in enumerate(columns):
        mark = raised(refs.headings.get(name, ()))
        room = widths[name] - cell_len(mark)
        title = _abbreviate(visible(name.replace("_", " ")), room)
        segs += [Seg(" ")] if i else []
        segs += [Seg(title, ("heading",)), Seg(mark, ("ref",)), Seg(" " * (room - cell_len(title)))]
    return Line(_clip(segs, width))


def _abbreviate(title: str, room: int) -> str:
    if cell_len(title) <= room or room < 3:
        return title[: max(room, 0)]
    return title[: room - 1].rstrip() + "."


def _wrapped(row: Row, paradigm: Paradigm, refs: Refs, prefixes: _Prefixes, width: int) -> list[Line]:
    words = words_of(row, paradigm, refs)
    if row.note and row.sentence is not None:
        words = [*words, [Seg(f"({row.note})", ("note",))]]
    lines = []
    for i, segs in enumerate(_wrap(words, max(width - prefixes.width, 8))):
        lead = prefixes.of(row) if i == 0 else [prefixes.blank()]
        lines.append(Line(_clip([*lead, *segs], width), row.number))
    return lines


def _wrap(words: Sequence[Sequence[Seg]], width: int) -> list[list[Seg]]:
    lines: list[list[Seg]] = [[]]
    used = 0
    for word in words:
        size = sum(cell_len(seg.text) for seg in word)
        if used and used + 1 + size > width:
            lines.append([])
            used = 0
        if used:
            lines[-1].append(Seg(" "))
            used += 1
        if size > width:
            for seg in word:
                rest = seg.text
                while cell_len(rest) > width - used:
                    head = _head(rest, width - used)
                    lines[-1].append(Seg(head, seg.marks))
                    rest = rest[len(head) :]
                    lines.append([])
                    used = 0
                lines[-1].append(Seg(rest, seg.marks))
                used += cell_len(rest)
            continue
        lines[-1].extend(word)
        used += size
    return lines


def _head(text: str, width: int) -> str:
    kept = ""
    for character in text:
        if kept and cell_len(kept + character) > width:
            break
        kept += character
    return kept


def _clip(segs: Sequence[Seg], width: int) -> tuple[Seg, ...]:
    clipped: list[Seg] = []
    used = 0
    for seg in segs:
        size = cell_len(seg.text)
        if used + size > width:
            clipped.append(Seg(shorten(seg.text, width - used), seg.marks))
            break
        clipped.append(seg)
        used += size
    return tuple(clipped)
