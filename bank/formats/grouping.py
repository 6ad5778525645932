"""From rows to items: grouped by label in order of appearance, with the columns that are not ours as attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet, Json
from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.source import SourceFile, TableRow


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what: `item`, `condition` (several where factors have one each), the rest by heading."""

    header: tuple[str, ...]
    item: int
    condition: tuple[int, ...]
    extra: tuple[int, ...]
    """Columns that are not ours."""

    def label(self, source: SourceFile, row: TableRow) -> str:
        """The item's label in a row."""
        label = plain(row.cells[self.item])
        if not label:
            source.refuse(
                row.line,
                f"the column {self.header[self.item]!r} is empty",
                hint="Every row says which item it belongs to; merged cells have to be filled in.",
            )
        return label

    def condition_label(self, source: SourceFile, row: TableRow) -> str:
        """The condition's label in a row."""
        labels = [plain(row.cells[column]) for column in self.condition]
        if not all(labels):
            column = self.condition[labels.index("")]
            source.refuse(row.line, f"the column {self.header[column]!r} is empty")
        return " ".join(labels)

    def attributes(self, row: TableRow) -> dict[str, Json]:
        """The columns that are not ours."""
        return {self.header[column]: row.cells[column] for column in self.extra}


@dataclass(slots=True)
class GroupedSentence:
    """A sentence on its way into an item."""

    label: str
    written: str | None
    sentence: ForeignSentence
    attributes: dict[str, Json] = field(default_factory=dict)


def checked_header(source: SourceFile, row: TableRow) -> tuple[str, ...]:
    """The headings, trimmed. Raises `FormatError` where one is there twice or is missing before another."""
    header = [cell.strip() for cell in row.cells]
    while header and not header[-1]:
        header.pop()
    seen: set[str] = set()
    for column, heading in enumerate(header):
        if not heading:
            source.refuse(row.line, f"column {source.column_number(column)} has no heading", hint="Give it one, or take it out.")
        if heading in seen:
            source.refuse(row.line, f"the column {heading!r} is there twice")
        seen.add(heading)
    return tuple(header)


def fitted(source: SourceFile, row: TableRow, width: int) -> TableRow:
    """The row with as many cells as there are headings. Raises `FormatError` where it has others."""
    cells = row.cells
    if len(cells) > width and not any(cell.strip() for cell in cells[width:]):
        cells = cells[:width]
    if len(cells) < width and source.is_spreadsheet:
        cells = cells + ("",) * (width - len(cells))
    if len(cells) > width and (source.is_spreadsheet or len(cells) <= len(source.first_row)):
        # No sentence was split in two: the first row is as wide, or a cell is a cell.
        column = next(n for n in range(width, len(cells)) if cells[n].strip())
        source.refuse(
            row.line,
            f"column {source.column_number(column)} holds {cells[column].strip()!r} and has no heading",
            hint="Give it one, or take it out.",
        )
    if len(cells) != width:
        source.refuse(
            row.line,
            f"{source.column_number(len(cells) - 1)} cells where the first row has {source.column_number(width - 1)}",
            hint="A sentence that holds the separator must stand in double quotes."
            if len(cells) > width
            else "Every row has a cell for each column, if an empty one.",
        )
    return TableRow(row.line, cells)


def grouped(rows: Iterable[GroupedSentence]) -> tuple[ForeignItem, ...]:
    """The rows as items. What a column says alike in all rows of an item becomes the item's, else the sentences'."""
    found: dict[str, list[GroupedSentence]] = {}
    for row in rows:
        found.setdefault(row.label, []).append(row)
    return tuple(_item(label, members) for label, members in found.items())


def attribute_notes(names: Iterable[str], items: Sequence[ForeignItem]) -> list[str]:
    """Which of the columns became attributes of items, for the person who imports them."""
    kept = {name for item in items for name in item.attributes}
    found = [name for name in names if name in kept]
    return [f"columns {', '.join(found)} become attributes"] if found else []


def differing_columns(found: ForeignSet) -> list[str]:
    """Of each column that is no attribute of some items, since their sentences differ in it: of which, and where first."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for item in found.items:
        for name, value in item.sentences[0].attributes.items() if item.sentences else ():
            other = next((s for s in item.sentences if s.attributes.get(name) != value), None)
            if other is not None:
                counts[name] += 1
                place = f"item {item.label} ({found.place_unit}s {item.sentences[0].line} and {other.line})"
                first.setdefault(name, place)
    said = []
    for name, place in first.items():
        within, whose = f"within {place}", "that item"
        if counts[name] > 1:
            within, whose = f"within {counts[name]:,} items, first within {place}", "these items"
        said.append(f"{name} differs {within}, so it is no attribute of {whose}; it goes out again with the file")
    return said


def in_file_order(items: Iterable[ForeignItem]) -> list[tuple[ForeignItem, ForeignSentence]]:
    """Every sentence with its item, in the order of the file's lines where all of them are known, else item by item."""
    pairs = [(item, sentence) for item in items for sentence in item.sentences]
    if all(sentence.line for _, sentence in pairs):
        pairs.sort(key=lambda pair: pair[1].line)
    return pairs


def first_seen(labels: Iterable[str]) -> tuple[str, ...]:
    """The distinct labels in order of first appearance."""
    return tuple(dict.fromkeys(labels))


def attribute_columns(items: Sequence[ForeignItem]) -> tuple[str, ...]:
    """The names of all attributes of items and sentences, in order of appearance."""
    return first_seen(
        name for item in items for attributes in (item.attributes, *(s.attributes for s in item.sentences)) for name in attributes
    )


def headings_behind(ours: Sequence[str], names: Iterable[str], *, apart: Collection[str] = ()) -> dict[str, str]:
    """The headings of attributes in columns beside ours, to the attributes: one that would be taken for a column of ours when
    the file is read, or for one of the roles `apart`, which would make another kind of file of it, gets ``attribute_`` before
    its name."""
    own, taken = roles_of(ours), {fold(heading) for heading in ours}
    found: dict[str, str] = {}
    names = first_seen(names)
    for name in names:
        heading = name
        with_it = roles_of([*ours, name])
        is_ours = fold(name) in taken or any(with_it[role] != column for role, column in own.items())
        if is_ours or not name.strip() or any(role in with_it and role not in own for role in apart):
            heading = f"attribute_{name}"
            while heading in names:
                heading = f"attribute_{heading}"
        found[heading] = name
    return found


def cell_text(value: Json) -> str:
    """An attribute as a cell: text as it is, nothing as empty, others as JSON writes them."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    import json

    return json.dumps(value, ensure_ascii=False)


def attribute_of(item: ForeignItem, sentence: ForeignSentence, name: str) -> Json:
    """An attribute of a sentence, else of its item; None where neither has it."""
    return sentence.attributes[name] if name in sentence.attributes else item.attributes.get(name)


def has_sentences(item: ForeignItem) -> bool:
    """Whether there are sentences of it, not slots alone."""
    return bool(item.sentences)


def has_regions(item: ForeignItem) -> bool:
    """Whether all its sentences have regions."""
    return bool(item.sentences) and all(sentence.regions is not None for sentence in item.sentences)


def written_label(item: ForeignItem, sentence: ForeignSentence | None = None) -> str:
    """The item's label as its file had it, in the row of a sentence where that is given."""
    if sentence is not None and sentence.written_item is not None:
        return sentence.written_item
    return item.written if isinstance(item.written, str) else item.label


def _item(label: str, rows: Sequence[GroupedSentence]) -> ForeignItem:
    of_item: Mapping[str, Json] = {
        name: value for name, value in rows[0].attributes.items() if all(row.attributes.get(name) == value for row in rows)
    }
    sentences = tuple(_sentence(row, rows[0], of_item) for row in rows)
    return ForeignItem(label, sentences, of_item, None, rows[0].written)


def _sentence(row: GroupedSentence, first: GroupedSentence, of_item: Mapping[str, Json]) -> ForeignSentence:
    if len(of_item) == len(row.attributes) and row.written == first.written:
        return row.sentence
    return replace(
        row.sentence,
        attributes={name: value for name, value in row.attributes.items() if name not in of_item},
        written_item=None if row.written == first.written else row.label if row.written is None else row.written,
    )
