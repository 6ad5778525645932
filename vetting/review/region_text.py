"""The words of a sentence by region, with their marks: filler, gap, critical region, numbers of findings, deviations.

Marks have a shape as well as a name: ``‹who›`` is a filler, ``__`` a gap, ``[soon]`` a critical region, a raised
number points at a finding, and where a sentence is not what the item's slots give, ``[-words-]`` are missing from it and
``{+words+}`` are there instead. A front end may colour the names; it need not.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rich.cells import cell_len

from gapsmith.templates import PUNCTUATION, Paradigm, Sentence
from gapsmith.vetting.gap_marks import parts
from gapsmith.vetting.review.display import shorten, visible
from gapsmith.vetting.review.finding_groups import FindingGroup
from gapsmith.vetting.review.sentence_rows import SentenceRow

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNS: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "=": ("", "", ()),
    "-": ("[-", "-]", ("removed",)),
    "+": ("{+", "+}", ("added",)),
}
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Seg:
    """A piece of a line and what it is (names of marks)."""

    text: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegionText:
    """One region of one sentence, ready to show."""

    words: tuple[Seg, ...]
    """Visible words with their brackets; ``__`` for a gap; empty where the region has none."""
    refs: str = ""
    """Raised numbers of the findings about it."""
    deviates: bool = False
    """Whether these are not the words that the item's slots give."""

    @property
    def text(self) -> str:
        """The words without marks or numbers: equal texts look equal."""
        return "".join(seg.text for seg in self.words)

    @property
    def width(self) -> int:
        """In terminal columns."""
        return cell_len(self.text + self.refs)

    def fitted(self, width: int) -> list[Seg]:
        """In exactly `width` columns: words are shortened where they must be, the numbers never."""
        room = max(width - cell_len(self.refs), 1)
        segs: list[Seg] = []
        for seg in self.words:
            text = shorten(seg.text, room)
            if text:
                segs.append(Seg(text, seg.marks))
            room -= cell_len(text)
        if self.refs:
            segs.append(Seg(self.refs, ("ref",)))
        return [*segs, Seg(" " * (width - sum(cell_len(seg.text) for seg in segs)))]


@dataclass(frozen=True, slots=True)
class Refs:
    """Which groups of findings (by number) concern what."""

    regions: Mapping[tuple[int, str], tuple[int, ...]]
    """(row number, region) to findings about words there."""
    headings: Mapping[str, tuple[int, ...]]
    """Region to findings about its words in every row that has a sentence."""
    rows: Mapping[int, tuple[int, ...]]
    """Row number to findings about the sentence as a whole, or about words that no region could be found for."""


def raised(numbers: Sequence[int]) -> str:
    """The numbers as raised digits, every one of them."""
    return "˒".join(str(n).translate(_RAISED) for n in numbers)


def place_findings(rows: Sequence[SentenceRow], paradigm: Paradigm, groups: Sequence[FindingGroup]) -> Refs:
    """Find the words that each finding is about. What concerns a region in every row is said once, in its heading."""
    regions: dict[tuple[int, str], set[int]] = defaultdict(set)
    headings: dict[str, set[int]] = defaultdict(set)
    whole: dict[int, set[int]] = defaultdict(set)
    aligned = {row.number for row in rows if row.sentence is not None and row.sentence.regions is not None}
    for group in groups:
        touched: dict[str, set[int]] = defaultdict(set)
        for finding in group.findings:
            place = finding.place
            if place.condition is None:
                for region in _regions_of_slot(paradigm, place.slot):
                    headings[region].add(group.number)
                continue
            for row in rows:
                if row.condition != place.condition or row.sentence is None:
                    continue
                names = _touched(row, place.start, place.end) or _regions_of_slot(paradigm, place.slot)
                if names and row.sentence.regions is not None:
                    touched[names[0]].add(row.number)
                else:
                    whole[row.number].add(group.number)
        for region, numbers in touched.items():
            if numbers == aligned and len(aligned) > 1:
                headings[region].add(group.number)
            else:
                for number in numbers:
                    regions[number, region].add(group.number)
    return Refs(_frozen(regions), _frozen(headings), _frozen(whole))


def _frozen(found: Mapping[Key, set[int]]) -> dict[Key, tuple[int, ...]]:
    return {key: tuple(sorted(numbers)) for key, numbers in found.items()}


def _regions_of_slot(paradigm: Paradigm, slot: str | None) -> list[str]:
    if slot is None:
        return []
    mention = f"{{{slot}}}"
    return [
        region.name
        for region in paradigm.regions
        if any(mention in condition.regions.get(region.name, "") for condition in paradigm.conditions)
    ]


def _touched(row: SentenceRow, start: int | None, end: int | None) -> list[str]:
    if start is None or row.sentence is None or row.sentence.regions is None:
        return []
    stop = end if end is not None else start + 1
    return [
        span.name
        for span in row.sentence.regions
        if (span.start < stop and start < span.end) or (span.start == span.end == start == stop)
    ]


def region_texts(
    row: SentenceRow, paradigm: Paradigm, refs: Refs, expected: Mapping[str, Sentence], *, standalone: bool = False
) -> dict[str, RegionText]:
    """The row's sentence by region, `PUNCTUATION` among them; empty where it has no sentence or can be aligned neither
    with the paradigm nor with the expected text of its condition. With `standalone`, words carry the numbers that a
    heading would otherwise show."""
    sentence = row.sentence
    if sentence is None:
        return {}
    wanted = expected.get(row.condition)
    if wanted is not None and wanted.text != sentence.text:
        return _deviating(sentence, wanted, row, paradigm, refs, standalone=standalone)
    if sentence.regions is None:
        return {}
    texts = {}
    for span in sentence.regions:
        plain = visible(sentence.text[span.start : span.end])
        numbers = _numbers(row, span.name, refs, standalone=standalone)
        texts[span.name] = RegionText(_marked(span.name, plain, row, paradigm), raised(numbers))
    return texts


def _numbers(row: SentenceRow, region: str, refs: Refs, *, standalone: bool) -> tuple[int, ...]:
    numbers = refs.regions.get((row.number, region), ())
    return tuple(sorted({*numbers, *refs.headings.get(region, ())})) if standalone else numbers


def _marked(region: str, plain: str, row: SentenceRow, paradigm: Paradigm) -> tuple[Seg, ...]:
    role = next((r.role for r in paradigm.regions if r.name == region), "frame")
    condition = paradigm.condition_by_name.get(row.condition)
    marks: tuple[str, ...] = (role,) if role in {"filler", "gap"} else ()
    if not plain:
        return (Seg("__", ("gap", "empty")),) if role == "gap" else ()
    if condition is not None and region == condition.critical:
        return (Seg(f"[{plain}]", (*marks, "critical")),)
    if role == "filler":
        return (Seg(f"‹{plain}›", marks),)
    return (Seg(plain, marks),)


def _deviating(
    sentence: Sentence, wanted: Sentence, row: SentenceRow, paradigm: Paradigm, refs: Refs, *, standalone: bool
) -> dict[str, RegionText]:
    spans = wanted.regions or ()
    old: list[str] = []
    owners: list[str] = []
    for span in spans:
        for word in wanted.text[span.start : span.end].split():
            # A full stop is glued to the word before it and is compared with it.
            if span.name == PUNCTUATION and old:
                old[-1] += word
            else:
                old.append(word)
                owners.append(span.name)
    new = sentence.text.split(" ")
    pieces: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            for i in range(a, b):
                pieces[owners[i]].append(("=", old[i]))
            continue
        for i in range(a, b):
            pieces[owners[i]].append(("-", old[i]))
        if c < d:
            owner = owners[a] if a < b else owners[a - 1] if a > 0 else owners[0]
            pieces[owner].append(("+", " ".join(new[c:d])))
    texts = {}
    for span in spans:
        numbers = raised(_numbers(row, span.name, refs, standalone=standalone))
        found = pieces.get(span.name, [])
        if all(sign == "=" for sign, _ in found):
            plain = visible(wanted.text[span.start : span.end])
            texts[span.name] = RegionText(_marked(span.name, plain, row, paradigm), numbers)
            continue
        segs: list[Seg] = []
        for i, (sign, text) in enumerate(found):
            segs += [Seg(" ")] if i else []
            before, after, marks = _SIGNS[sign]
            segs.append(Seg(f"{before}{visible(text)}{after}", marks))
        texts[span.name] = RegionText(tuple(segs), numbers, deviates=True)
    return texts


def words_of(row: SentenceRow, paradigm: Paradigm, refs: Refs, expected: Mapping[str, Sentence] | None = None) -> list[list[Seg]]:
    """The row's sentence as words that are each a list of pieces, to be joined by spaces and wrapped anywhere between:
    as it stands, or with `expected`, with what deviates from that marked."""
    if row.sentence is None:
        return [[Seg("— missing —", ("note",))]]
    texts = region_texts(row, paradigm, refs, expected or {}, standalone=True)
    if not texts:
        return [[Seg(word)] for word in visible(row.sentence.text).split(" ")]
    words: list[list[Seg]] = []
    for name, region in texts.items():
        if name == PUNCTUATION and words:
            words[-1].extend(region.words)
            continue
        if not region.words:
            continue
        words += [[Seg(part, seg.marks)] for seg in region.words for part in seg.text.split(" ") if part]
        if region.refs:
            words[-1].append(Seg(region.refs, ("ref",)))
    return words


def numbered(row: SentenceRow, paradigm: Paradigm, groups: Sequence[FindingGroup], rows: Sequence[SentenceRow]) -> list[Seg]:
    """The row's sentence as it reads, with its open gaps and the numbers of findings behind the words that they are about; those about
    the sentence as a whole, or about words that cannot be told, at its end."""
    if row.sentence is None:
        return [Seg("— missing —", ("note",))]
    refs = place_findings(rows, paradigm, groups)
    at_end = set(refs.rows.get(row.number, ()))
    if row.sentence.regions is None:
        at_end |= {number for numbers in refs.headings.values() for number in numbers}
    segs: list[Seg] = []
    for region, words in parts(row.sentence, paradigm):
        segs.append(Seg(visible(words)))
        if numbers := _numbers(row, region, refs, standalone=True) if region else ():
            segs.append(Seg(raised(numbers), ("ref",)))
    return [*segs, Seg(raised(sorted(at_end)), ("ref",))] if at_end else segs
