"""The minimal difference at once: the words that all sentences share are given once, as a frame; below it stands a table
with one row per condition and one column for every region that varies, the same at every width.

A finding on words that all sentences share marks them in the frame, and the row it is about; a column in which a finding
or a deviation lies is never cut: where it is too wide, its words go on below. Where the others do not fit even when cut,
sentences are wrapped in full instead of aligned. The selected sentence is also given in full, see
`sentence_lines`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import is_

from rich.cells import cell_len

from gapsmith.templates import PUNCTUATION, Paradigm, Sentence
from gapsmith.vetting.review.display import fit, shorten, visible
from gapsmith.vetting.review.finding_groups import FindingGroup
from gapsmith.vetting.review.region_text import Refs, RegionText, Seg, place_findings, raised, region_texts, words_of
from gapsmith.vetting.review.sentence_rows import SentenceRow

_LEAST = 6
"""A column with nothing to report is not cut to less than this."""
_PUNCTUATION_TITLE = "end"


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
    columns: tuple[str, ...]
    """The regions that have a column of their own; the same at every width."""
    shortened: bool
    """Whether some words are cut in the rows."""
    aligned: bool = True
    """Whether it is a table; False where sentences are wrapped in full instead."""


@dataclass(frozen=True, slots=True, eq=False)
class _Same:
    """Arguments that are the same where they are the same objects: an item is laid out several times for one key, and again for the next."""

    given: tuple[Sequence[SentenceRow], Paradigm, Sequence[FindingGroup], Mapping[str, Sentence] | None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and all(map(is_, self.given, other.given))

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.given)))


class _Placed:
    """What of a layout depends neither on the width nor on what is selected."""

    def __init__(self, of: _Same) -> None:
        rows, self._paradigm, groups, self._expected = of.given
        self.refs = place_findings(rows, self._paradigm, groups)
        self.texts = {row.number: region_texts(row, self._paradigm, self.refs, self._expected or {}) for row in rows}
        self._wrapped: dict[tuple[int, int], list[list[Seg]]] = {}

    def wrapped(self, row: SentenceRow, room: int) -> list[list[Seg]]:
        """A sentence in full, in lines of so many columns."""
        key = (row.number, room)
        if key not in self._wrapped:
            words = words_of(row, self._paradigm, self.refs, self._expected)
            if row.note and row.sentence is not None:
                words = [*words, [Seg(f"({row.note})", ("note",))]]
            self._wrapped[key] = wrap(words, room)
        return self._wrapped[key]


_placed = lru_cache(maxsize=4)(_Placed)


def layout(
    rows: Sequence[SentenceRow],
    paradigm: Paradigm,
    groups: Sequence[FindingGroup],
    *,
    width: int,
    expected: Mapping[str, Sentence] | None = None,
    selected: int = 1,
    whole: bool = False,
) -> Grid:
    """Lay out an item in lines of at most `width` columns; with `whole`, sentences are wrapped instead of aligned.
    `expected` gives the sentence that the item's slots make for each condition, where they are known."""
    placed = _placed(_Same((rows, paradigm, groups, expected)))
    refs, texts = placed.refs, placed.texts
    aligned = [texts[row.number] for row in rows if texts[row.number]]
    names = [*(r.name for r in paradigm.regions), PUNCTUATION]
    names = [name for name in names if any(name in one and one[name].words for one in aligned)]
    reported = {name for name in names if _reported(name, aligned, refs)}
    columns = [name for name in names if _varies(name, aligned)]
    prefixes = _Prefixes(rows, refs, columns, selected)
    natural = {} if whole else {name: _natural(name, aligned, refs) for name in columns}
    least = {name: _longest_word(name, aligned) if name in reported else _LEAST for name in natural}
    widths = None if whole else _fit(columns, natural, least, reported, width - prefixes.width)
    if widths is None:
        wrapped = [line for row in rows for line in _wrapped(row, placed, prefixes, width)]
        return Grid(tuple(wrapped), tuple(columns), False, aligned=False)
    lines = [Line(tuple(segs)) for segs in wrap(_frame(names, columns, aligned, refs), width)] if aligned else []
    if columns:
        lines.append(_heading(columns, widths, refs, prefixes, width))
    for row in rows:
        if not texts[row.number]:
            lines += _wrapped(row, placed, prefixes, width)
            continue
        cells = [_cell(texts[row.number].get(name, RegionText(())), widths[name], folds=name in reported) for name in columns]
        for place in range(max(map(len, cells), default=1)):
            segs = list(prefixes.before(row)) if not place else [prefixes.blank()]
            for i, (name, cell) in enumerate(zip(columns, cells, strict=True)):
                segs += [Seg(" ")] if i else []
                segs += cell[place] if place < len(cell) else [Seg(" " * widths[name])]
            if row.note and not place:
                segs.append(Seg(f" ({row.note})", ("note",)))
            lines.append(Line(_clip(segs, width), row.number))
    return Grid(tuple(lines), tuple(columns), any(widths[n] < natural[n] for n in columns if n not in reported))


def sentence_lines(
    row: SentenceRow, paradigm: Paradigm, groups: Sequence[FindingGroup], rows: Sequence[SentenceRow], width: int
) -> list[Line]:
    """One sentence in full as it stands, with its marks, wrapped to `width`."""
    refs = place_findings(rows, paradigm, groups)
    return [Line(tuple(segs), row.number) for segs in wrap(words_of(row, paradigm, refs), width)]


def first_in_sight(lines: Sequence[Line], row: int, height: int) -> int | None:
    """The line to begin with where only `height` of them are in sight, for a row to stand in the middle as far as there are lines
    before and after it; None where no line is the row's or there is no room. A row of more lines begins with its first."""
    own = [number for number, line in enumerate(lines) if line.row == row]
    if not own or height < 1:
        return None
    spare = max(height - (own[-1] - own[0] + 1), 0)
    return max(min(own[0] - spare // 2, len(lines) - height), 0)


def _reported(name: str, aligned: Sequence[Mapping[str, RegionText]], refs: Refs) -> bool:
    return bool(refs.headings.get(name)) or any(name in one and (one[name].refs or one[name].deviates) for one in aligned)


def _varies(name: str, aligned: Sequence[Mapping[str, RegionText]]) -> bool:
    return len({one[name].text if name in one else "" for one in aligned}) > 1


def _title(name: str) -> str:
    return _PUNCTUATION_TITLE if name == PUNCTUATION else visible(name.replace("_", " "))


def _natural(name: str, aligned: Sequence[Mapping[str, RegionText]], refs: Refs) -> int:
    heading = cell_len(_title(name) + raised(refs.headings.get(name, ())))
    return max(heading, *(one[name].width for one in aligned if name in one))


def _longest_word(name: str, aligned: Sequence[Mapping[str, RegionText]]) -> int:
    words = [word for one in aligned if name in one for word in _words(one[name])]
    return max((sum(cell_len(seg.text) for seg in word) for word in words), default=1)


def _words(text: RegionText) -> list[list[Seg]]:
    words = [[Seg(part, seg.marks)] for seg in text.words for part in seg.text.split(" ") if part]
    if text.refs:
        words = words or [[]]
        words[-1].append(Seg(text.refs, ("ref",)))
    return words


def _cell(text: RegionText, width: int, *, folds: bool) -> list[list[Seg]]:
    """The words in lines of exactly `width` columns: one line, unless they are too wide for it and fold."""
    if not folds or text.width <= width:
        return [text.fitted(width)]
    lines = wrap(_words(text), width)
    return [[*line, Seg(" " * (width - sum(cell_len(seg.text) for seg in line)))] for line in lines]


def _fit(
    columns: Sequence[str], natural: Mapping[str, int], least: Mapping[str, int], reported: set[str], room: int
) -> dict[str, int] | None:
    """How wide each column is, or None where they do not fit even when cut or folded."""
    # One character at a time off the widest column that can spare it, so that short columns stay whole and long ones end about
    # equally wide. What a finding points at is never cut; it folds once the others have given what they can.
    widths = dict(natural)
    while sum(widths.values()) + len(columns) - 1 > room:
        spare = [name for name in columns if widths[name] > least[name]]
        if not spare:
            return None
        spare = [name for name in spare if name not in reported] or spare
        widths[max(spare, key=widths.__getitem__)] -= 1
    return widths


def _frame(
    names: Sequence[str], columns: Sequence[str], aligned: Sequence[Mapping[str, RegionText]], refs: Refs
) -> list[list[Seg]]:
    words: list[list[Seg]] = []
    for name in names:
        if name in columns:
            words.append([Seg(f"{{{_title(name)}}}", ("heading",))])
            continue
        shared = next(one[name].words for one in aligned if name in one)
        if name == PUNCTUATION and words:
            words[-1].extend(shared)
            continue
        for seg in shared:
            words += [[Seg(part, seg.marks)] for part in seg.text.split(" ")]
        about = {
            *refs.headings.get(name, ()),
            *(n for (_, region), ns in refs.regions.items() if region == name for n in ns),
        }
        if about:
            words[-1].append(Seg(raised(sorted(about)), ("ref",)))
    return words


class _Prefixes:
    """What stands before the words of every row: cursor, number, label, expected status, judgement."""

    def __init__(self, rows: Sequence[SentenceRow], refs: Refs, columns: Sequence[str], selected: int) -> None:
        self._selected = selected
        about: dict[int, set[int]] = {row.number: set(refs.rows.get(row.number, ())) for row in rows}
        for (number, region), found in refs.regions.items():
            # What the row does not show itself, because the frame has it.
            about[number] |= set(found) if region not in columns else set()
        self._marks = {number: raised(sorted(found)) for number, found in about.items()}
        self._mark_width = max((cell_len(mark) for mark in self._marks.values()), default=0)
        self._labels = {row.number: visible(row.label) for row in rows}
        self._numbers = max((len(str(row.number)) for row in rows), default=1)
        self._label_width = min(max((cell_len(text) for text in self._labels.values()), default=0), 24)
        self._judged = any(row.judgement is not None for row in rows)

    @property
    def width(self) -> int:
        return 1 + self._numbers + 1 + self._label_width + 1 + 2 + (4 if self._judged else 0) + self._mark_width + 1

    def before(self, row: SentenceRow) -> list[Seg]:
        here = row.number == self._selected
        expected = row.expected.value if row.expected is not None else "–"
        segs = [
            Seg("▸" if here else " ", ("cursor",)),
            Seg(f"{row.number:>{self._numbers}} ", ("selected",) if here else ("dim",)),
            Seg(fit(self._labels[row.number], self._label_width) + " ", ("selected",) if here else ("label",)),
            Seg(f"{expected:<2}", (f"status-{_STATUS_NAMES.get(expected, 'none')}",)),
        ]
        if self._judged:
            sign = {True: "=", False: "≠", None: ""}[row.agrees]
            mark = {True: "agrees", False: "differs", None: "note"}[row.agrees]
            segs.append(Seg(f" {sign + (row.judgement or ''):<3}", (mark,)))
        return [*segs, Seg(fit(self._marks[row.number], self._mark_width) + " ", ("ref",))]

    def blank(self) -> Seg:
        return Seg(" " * self.width)


_STATUS_NAMES = {"ok": "ok", "?": "questionable", "*": "star"}


def _heading(columns: Sequence[str], widths: Mapping[str, int], refs: Refs, prefixes: _Prefixes, width: int) -> Line:
    segs = [prefixes.blank()]
    for i, name in enumerate(columns):
        mark = raised(refs.headings.get(name, ()))
        room = widths[name] - cell_len(mark)
        title = shorten(_title(name), room)
        segs += [Seg(" ")] if i else []
        segs += [Seg(title, ("heading",)), Seg(mark, ("ref",)), Seg(" " * (room - cell_len(title)))]
    return Line(_clip(segs, width))


def _wrapped(row: SentenceRow, placed: _Placed, prefixes: _Prefixes, width: int) -> list[Line]:
    lines = []
    for i, segs in enumerate(placed.wrapped(row, max(width - prefixes.width, 8))):
        lead = prefixes.before(row) if i == 0 else [prefixes.blank()]
        lines.append(Line(_clip([*lead, *segs], width), row.number))
    return lines


def wrap(words: Sequence[Sequence[Seg]], width: int) -> list[list[Seg]]:
    """Words in lines of at most `width` columns; only a word that is wider than a line is broken."""
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
