"""What a file of the field's sentences says, in one form for all shapes of files.

Nothing here knows a paradigm. A reader keeps what it needs to write the file again: the strings of regions as they stood,
keys and columns that are not ours, the order of rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from gapsmith.bank.formats.asking import Assumption
from gapsmith.bank.formats.headings import fold
from gapsmith.templates import RegionSpan

Json: TypeAlias = Any
"""A value that JSON has: text, number, true, false, null, or lists and objects of them."""

NOTHING: Mapping[str, Json] = MappingProxyType({})
"""What most sentences and items of a file have besides: one for all, where hundreds of thousands of empty dictionaries would be."""
ADDED = "added"
"""Under which key of a set's meta the attributes stand that somebody gave its items, and the file does not have."""
GOOD, BAD = "good", "bad"
"""The conditions of the members of a pair."""
_KEYS_OF_OLD = {"line": "line", "name": "title"}
"""Under which keys banks once kept the line and the title of a region, to what they are called now."""
_SQUEEZED_TYPE = "sentencetype"
"""The column that says of which kind a sentence is, without what people write differently."""


@dataclass(frozen=True, slots=True)
class ForeignRegion:
    """A region that a file declares. `number` is how a suite's formulas refer to it."""

    name: str
    number: str | None = None


@dataclass(frozen=True, slots=True)
class GivenRegion:
    """Where a region lies in its sentence, ``[start, end)``, and what the file wrote there."""

    name: str
    start: int
    end: int
    raw: str | None = None
    """The file's string, stray spaces included; None where the region was not written as one."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Other keys or columns of the region, in their order: the file's alone, so that they may be called anything."""
    title: str | None = None
    """What the file calls the region, where that is not `name`."""
    line: int = 0
    """Line of the region's own row, where the rows of regions stand in another order than the regions; else 0."""

    def content(self, text: str) -> str:
        """What the file wrote of this region of `text`, else its words."""
        return text[self.start : self.end] if self.raw is None else self.raw


@dataclass(frozen=True, slots=True)
class ForeignSentence:
    """A text in a condition."""

    condition: str
    text: str
    regions: tuple[GivenRegion, ...] | None = None
    """The regions that the file gives, in reading order, empty ones included; None where it gives none."""
    line: int = 0
    """Line or row of the file in which it begins, from 1; 0 where there is none."""
    written: str | None = None
    """The condition's label as the file has it, where that is not `condition`."""
    attributes: Mapping[str, Json] = field(default_factory=lambda: NOTHING)
    """Other columns that differ between the sentences of the item."""
    written_item: str | None = None
    """The item's label as the sentence's row has it, where that is not how the item's first row has it."""
    mark: str = ""
    """What the file has before the text that is no part of it: a judgement mark, a label such as ``A:``."""

    behind: str = ""
    """What the file has behind the text that is no part of it, such as a norm in brackets."""

    def levels(self, count: int) -> list[str]:
        """What `count` columns of conditions say: what they said in the file, else the condition in the first of them."""
        levels = self.written.split("\x1f") if self.written is not None else []
        return levels if len(levels) == count else [self.condition] + [""] * (count - 1)

    @property
    def written_text(self) -> str:
        """The text as the file has it, with what stands before and behind it."""
        return f"{self.mark}{self.text}{self.behind}"

    @property
    def spans(self) -> tuple[RegionSpan, ...] | None:
        """The given regions as spans."""
        return None if self.regions is None else tuple(RegionSpan(r.name, r.start, r.end) for r in self.regions)


@dataclass(frozen=True, slots=True)
class ForeignItem:
    """Sentences that belong together."""

    label: str
    sentences: tuple[ForeignSentence, ...]
    attributes: Mapping[str, Json] = field(default_factory=lambda: NOTHING)
    """What the file says of the item besides: columns or keys that are not ours."""
    slots: Mapping[str, str] | None = None
    """Where the file gives slots instead of sentences."""
    written: Json = None
    """The label as the file has it, where that is not `label`, such as a number."""
    line: int = 0
    """Where an item without sentences stands in the file, from 1."""
    names: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    """Of an item on its way out of a bank: its uid and the digest of its texts, by column (`gapsmith.bank.item_names`)."""


@dataclass(frozen=True)
class ForeignSet:
    """Everything that a file says."""

    shape: str
    """The name of the format that read it."""
    items: tuple[ForeignItem, ...]
    conditions: tuple[str, ...]
    """In order of first appearance."""
    regions: tuple[ForeignRegion, ...] = ()
    """The regions of all sentences, in reading order; a sentence may lack some of them."""
    predictions: tuple[str, ...] = ()
    """Formulas that should hold of every item."""
    metric: str | None = None
    """The measure in which the predictions are meant."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """Condition to ``ok`` or ``*``, where the shape says so."""
    factors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where each factor has a column: its heading, to the levels that the column names."""
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of each condition, its level of each of these factors."""
    meta: Mapping[str, Json] = field(default_factory=dict)
    """What the format needs to write the file again; opaque to everybody else."""
    notes: tuple[str, ...] = ()
    """How the file was understood, where it could be understood otherwise; for the person who imports it."""
    assumptions: tuple[Assumption, ...] = ()
    """What was taken for what, and how certain that is; a preview lists them."""
    told: tuple[str, ...] = ()
    """What the file does not say and its numbers hang on, each with who said it: which member of a pair comes first. It is
    kept with the data set, and stands in its list and in reports."""
    encoding: str = "utf-8"
    style: Mapping[str, Json] = field(default_factory=dict)
    """How the file is written apart from what it says: line ends, quotes, indents (`gapsmith.bank.formats.style`)."""
    name: str = ""
    """What the file calls itself, else the stem of its name."""
    what: str = ""
    """What kind of file it is, in words."""
    digest: str = ""
    """SHA-256 of the file, in hexadecimal."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """What a person said of how the file is to be read: with other answers it is another import."""

    @cached_property
    def types(self) -> Mapping[str, int]:
        """What the sentences say of their kind in a column `sentence_type`, by the line that first says it."""
        first: dict[str, int] = {}
        for kind, line in self._kinds():
            if kind is not None:
                first[kind] = min(line, first.get(kind, line))
        return dict(sorted(first.items(), key=lambda entry: (entry[1], entry[0])))

    @cached_property
    def only_type(self) -> str | None:
        """What all sentences say of their kind, where all of them say one thing."""
        kinds = {kind for kind, _ in self._kinds()}
        return kinds.pop() if len(kinds) == 1 else None

    def line_of(self, condition: str) -> int:
        """The line of the first sentence in the condition; 0 where there is none."""
        return next((s.line for item in self.items for s in item.sentences if s.condition == condition), 0)

    def _kinds(self) -> Iterator[tuple[str | None, int]]:
        """What each sentence says of its kind, or an item without sentences, and its line."""
        for item in self.items:
            own = _kind(item.attributes)
            for sentence in item.sentences:
                kind = _kind(sentence.attributes)
                kind = own if kind is None else kind
                if kind is None and sentence.regions:
                    # Where a region has a row of its own, its columns are the region's.
                    yield from ((_kind(region.extra), sentence.line) for region in sentence.regions)
                else:
                    yield kind, sentence.line
            if not item.sentences:
                yield own, item.line

    @property
    def place_unit(self) -> str:
        """What places in the file are counted in: a spreadsheet has rows, everything else lines."""
        return "row" if self.encoding == "xlsx" else "line"


def _kind(attributes: Mapping[str, Json]) -> str | None:
    for name, value in attributes.items():
        if isinstance(value, str) and fold(name).replace("_", "") == _SQUEEZED_TYPE:
            return value.strip()
    return None


def raw_of(item: ForeignItem, *, lines: bool = True) -> dict[str, Json] | None:
    """What the item has beyond label, attributes, slots, and its sentences' conditions, texts and spans, as JSON, so that a
    store can keep it beside them; None where that is nothing. Without `lines`, where its sentences stood is left out: a set
    whose items and sentences are in the order of the file needs none."""
    sentences = [_raw_sentence(sentence, lines) for sentence in item.sentences]
    while sentences and not sentences[-1]:
        sentences.pop()
    found: dict[str, Json] = {}
    if item.written is not None:
        found["written"] = item.written
    if sentences:
        found["sentences"] = sentences
    return found or None


def _raw_sentence(sentence: ForeignSentence, lines: bool) -> dict[str, Json]:
    found: dict[str, Json] = {}
    if lines and sentence.line:
        found["line"] = sentence.line
    if sentence.written is not None:
        found["written"] = sentence.written
    if sentence.written_item is not None:
        found["written_item"] = sentence.written_item
    if sentence.mark:
        found["mark"] = sentence.mark
    if sentence.behind:
        found["behind"] = sentence.behind
    if sentence.attributes:
        found["attributes"] = dict(sentence.attributes)
    regions = []
    for region in sentence.regions or ():
        # A string that is the words of the region needs no copy.
        raw = None if region.raw == sentence.text[region.start : region.end] else region.raw
        own: dict[str, Json] = {} if region.title is None else {"title": region.title}
        if region.line:
            own["line"] = region.line
        if raw is not None or region.extra or own:
            regions.append([region.name, raw, dict(region.extra), *([own] if own else [])])
    if regions:
        found["regions"] = regions
    return found


def item_from_raw(
    label: str,
    sentences: tuple[tuple[str, str, tuple[RegionSpan, ...] | None], ...],
    attributes: Mapping[str, Json],
    raw: Mapping[str, Json] | None,
    slots: Mapping[str, str] | None = None,
    columns: Collection[str] | None = None,
) -> ForeignItem:
    """An item as a writer takes it, from (condition, text, spans) and what `raw_of` gave once. `columns` are the headings of
    the table with a row per region that it came from; None for items of other files.

    A region's string of old is taken only where its words are still those of the sentence."""
    kept: list[Mapping[str, Json]] = list(raw.get("sentences", ())) if raw else []
    found = []
    for number, (condition, text, spans) in enumerate(sentences):
        old: Mapping[str, Json] = kept[number] if number < len(kept) else {}
        strings = {name: kept for name, *kept in old.get("regions") or ()}
        regions = None if spans is None else tuple(_given(span, text, strings, columns) for span in spans)
        found.append(
            ForeignSentence(
                condition,
                text,
                regions,
                old.get("line", 0),
                old.get("written"),
                dict(old.get("attributes", {})),
                old.get("written_item"),
                old.get("mark", ""),
                old.get("behind", ""),
            )
        )
    return ForeignItem(label, tuple(found), attributes, slots, raw.get("written") if raw else None)


def _given(span: RegionSpan, text: str, strings: Mapping[str, Sequence[Json]], columns: Collection[str] | None) -> GivenRegion:
    raw, extra, *more = strings.get(span.name, (None, {}))
    own: Mapping[str, Json] = more[0] if more else {}
    if columns is not None and not more:
        # They stood among the region's columns; what is no heading of the table is ours.
        own = {ours: extra[key] for key, ours in _KEYS_OF_OLD.items() if key in extra and key not in columns}
        extra = {key: value for key, value in extra.items() if key not in _KEYS_OF_OLD or key in columns}
    words = text[span.start : span.end]
    if raw is not None and " ".join(raw.split()) != words:
        raw = None
    return GivenRegion(span.name, span.start, span.end, raw, extra, own.get("title"), own.get("line", 0))
