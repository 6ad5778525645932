"""From rows to items: grouped by label in order of appearance, with the columns that are not ours as attributes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet, Json
from gapsmith.bank.formats.headings import JUDGES, fold, roles_of
from gapsmith.bank.formats.leaving_out import as_numbers
from gapsmith.bank.formats.marks import acceptability_of, are_marks
from gapsmith.bank.formats.source import SourceFile, TableRow

OF_SENTENCES = frozenset({"gloss", "translation"})
"""Attributes that every sentence has of its own."""
UNIT = "\x1f"
"""What keeps several cells apart that are one label; no cell of a table holds it."""
LETTERED = re.compile(
    r"(.*?\d+)(?:\s*[-_.]?\s*\(?([A-Za-z])\)?\.?|[-_.:/ ]([A-Za-z][\w+-]*)|\.(\d{1,2})|([A-Za-z]{2,6}(?:[-_.][\w+-]+)?|[A-Za-z][-_.][\w+-]+))"
)
"""An item's number with the letter, the letters, the name or the number of its condition behind it, such as 12b, 12sg, 12b_sg, 12-gap or
12.2."""
_NAMED = 6
"""At most so many headings are named that are given anew."""


_CODED_LAST = re.compile(r"(?P<item>.*\d)[-_.:/ ](?P<named>[A-Za-z][\w+-]*?)(?:\.(?:wav|mp3|ogg|flac|mp4|png|jpe?g|txt))?")
"""The same behind the last number of a code, such as exp1_item01_gram."""
_CODED_FIRST = re.compile(
    r"(?P<named>[A-Za-z][A-Za-z_+-]*?\d?)(?:[-_. ](?:item|it|i|set|s|nr|no|n)?[-_. ]?)?(?P<item>\d+)", re.IGNORECASE
)
"""The name of the condition before the number of the item, such as gram_01."""
_CODED_WORDS = re.compile(r"(?P<item>[^\W\d_].*)[-_.:/](?P<named>[^\W\d_][^\W\d_+-]*)")
"""The same behind words that name the item, such as doctor.nurse.male."""
_CODED_TWICE = re.compile(r"(?P<item>[A-Za-z]{0,8}[-_.]?\d+)[-_.]?(?P<named>[A-Za-z]{1,4}[-_.]?\d{1,2})")
"""A letter and a number behind the item's, a factor each, such as MV03R1."""
CODES = (LETTERED, _CODED_TWICE, _CODED_LAST, _CODED_FIRST, _CODED_WORDS)
"""How a cell may name item and condition together: the first is how people number, the others are codes, which somebody has to say are such."""


def number_of(match: re.Match[str]) -> str:
    """The item of a cell that names it together with a condition."""
    return str(match.groupdict().get("item") or match[1])


def letter_of(match: re.Match[str]) -> str:
    """What stands behind an item's number, or before it."""
    if "named" in match.groupdict():
        return match["named"]
    return str(match[2] or match[3] or match[4] or match[5])


def code_of(cells: Sequence[str], codes: Sequence[re.Pattern[str]] = CODES) -> re.Pattern[str] | None:
    """How cells, no one twice, name item and condition together, where items have several and conditions too; None where they do not."""
    if not cells or len(set(cells)) < len(cells):
        return None
    for code in codes:
        found = [match for cell in cells if (match := code.fullmatch(cell)) is not None]
        numbers = Counter(map(number_of, found))
        named = Counter(map(letter_of, found))
        if len(found) < len(cells) or max(numbers.values()) < 2 or min(named.values()) < 2:
            continue
        # Of what looks like a code all items have all conditions, or it is none.
        if code is LETTERED or len(numbers) * len(named) == len(cells):
            return code
    return None


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column is what: the item's (several where these name it together), the condition's (several where factors have one
    each), the rest by heading."""

    header: tuple[str, ...]
    item: tuple[int, ...]
    """Empty where every `per_item` rows are an item."""
    condition: tuple[int, ...]
    extra: tuple[int, ...]
    """Columns that are not ours."""
    per_item: int | None = None
    lettered: re.Pattern[str] | None = None
    """One of `CODES` where the letter or name behind an item's number, or before it, names the condition, as in 12b."""
    placed: bool = False
    """Whether the place of a row within its item names the condition."""

    def attributes(self, row: TableRow) -> dict[str, Json]:
        """The columns that are not ours."""
        return {self.header[column]: row.cells[column] for column in self.extra}

    def written_condition(self, row: TableRow) -> str:
        """The cells of the condition; several are kept apart by a unit separator, which no cell of a table holds."""
        return UNIT.join(row.cells[column] for column in self.condition)

    @property
    def item_heading(self) -> str | list[str]:
        """The heading of the item's column, or those of several."""
        names = [self.header[column] for column in self.item]
        return names[0] if len(names) == 1 else names

    def factors(self, items: Sequence[ForeignItem]) -> dict[str, tuple[str, ...]]:
        """Where each factor has a column: its heading, to its levels in order of appearance."""
        if len(self.condition) < 2:
            return {}
        levels = self.levels(items)
        return {
            self.header[column]: first_seen(own[place] for own in levels.values()) for place, column in enumerate(self.condition)
        }

    def levels(self, items: Sequence[ForeignItem]) -> dict[str, tuple[str, ...]]:
        """Of each condition, the level of each factor that has a column."""
        if len(self.condition) < 2:
            return {}
        found: dict[str, tuple[str, ...]] = {}
        for item in items:
            for sentence in item.sentences:
                if sentence.condition not in found:
                    found[sentence.condition] = tuple(
                        plain(cell) for cell in (sentence.written or sentence.condition).split(UNIT)
                    )
        return found


class RowLabels:
    """The item and the condition of one row after another. An item's number may stand on its first row only; whether that is
    so, or a number is missing, shows when all rows are read (`expect_whole`)."""

    def __init__(self, source: SourceFile, columns: Columns, *, of_regions: bool = False) -> None:
        self._of_regions = of_regions
        self._condition = ""
        self._source = source
        self._columns = columns
        self._label = ""
        self._apart: set[str] = set()
        """The items between whose rows others stand."""
        self._numbered_at = 0
        self._is_filled = False
        self._number = 0
        self.filled: list[int] = []
        """The lines of the rows without a number of their own."""
        self._begun: dict[str, list[int]] = {}
        """The lines where the rows of an item begin: several where its number is written again below rows without one."""
        self._placed: dict[str, int] = {}
        self._labels: list[str] = []
        self._held: list[int] = []
        """The lines of the rows without the label of a factor, which merged cells have above them."""

    def item(self, row: TableRow) -> tuple[str, str | None]:
        """The item's label in a row, and how it is written there where that is not the label."""
        columns = self._columns
        if not columns.item:
            self._number += 1
            assert columns.per_item is not None  # else the table has no items
            self._label = str((self._number - 1) // columns.per_item + 1)
            return self._label, None
        cells = [row.cells[column] for column in columns.item]
        written = UNIT.join(cells)
        parts = [plain(cell) for cell in cells]
        if columns.lettered and (lettered := columns.lettered.fullmatch(parts[-1])):
            parts[-1] = number_of(lettered)
        if not any(parts) and self._label and len(parts) == 1:
            self._expect_none_between(row)
            self.filled.append(row.line)
            self._is_filled = True
            return self._label, written
        if not all(parts):
            column = columns.item[parts.index("")]
            self._source.refuse(
                row.line,
                f"the column {columns.header[column]!r} is empty"
                + ("" if self._label else ", and no row above says of which item it is"),
                hint="Every row says which item it belongs to, or the first row of each item does; rows that were sorted later are in no such "
                "order.",
                ways=_without_lone(self._source),
                is_open=True,
            )
        label = "-".join(parts)
        self._numbered_at = row.line
        if label != self._label or self._is_filled:
            self._begun.setdefault(label, []).append(row.line)
        if label != self._label and len(self._begun[label]) > 1:
            self._apart.add(label)
        self._label, self._is_filled = label, False
        return label, None if written == label else written

    def _has_own_numbers(self, item: ForeignItem) -> bool:
        """Whether the rows of an item all have its number."""
        return not {s.line for s in item.sentences} & set(self.filled)

    def _expect_none_between(self, row: TableRow) -> None:
        """Refuse a row without a number where one that is left out, above it or above all, says something of whose it is."""
        heading, column = self._columns.header[self._columns.item[0]], self._columns.item[0]
        skipped: Sequence[TableRow] = self._source.known.get("skipped", ())
        first = next((one for one in skipped if one.line < self._numbered_at), None)
        numbered = [one for one in skipped if self._numbered_at < one.line < row.line and _cell_of(one, column)]
        if numbered or (first is not None and not _cell_of(first, column) and not any(_cell_of(one, column) for one in skipped)):
            why = (
                f"{self._source.place(numbered[-1].line)} above it has {_cell_of(numbered[-1], column)!r}"
                if numbered
                else (f"{self._source.place(first.line)} above all others has none either" if first is not None else "")
            )
            self._source.refuse(
                row.line,
                f"the column {heading!r} is empty, and of the rows that are left out {why}: whose the row is cannot be told",
                hint="Write the item's number in every row.",
            )

    def condition(self, row: TableRow) -> str:
        """The condition's label in a row."""
        columns = self._columns
        if columns.placed:
            place = self._placed[self._label] = self._placed.get(self._label, 0) + 1
            return f"row_{place}"
        if columns.lettered:
            cell = plain(row.cells[columns.item[-1]])
            found = columns.lettered.fullmatch(cell)
            if found is None:
                self._source.refuse(row.line, f"{cell!r} has no letter behind its number, as the rows before it have")
            return letter_of(found)
        labels = [plain(row.cells[column]) for column in columns.condition]
        if self._of_regions and not any(labels) and self._condition and self.filled[-1:] == [row.line]:
            return self._condition  # a sentence's first row says item and condition for all of its regions
        if not all(labels) and (whole := self._held_down(row, labels)):
            labels = whole
        if not all(labels):
            column = columns.condition[labels.index("")]
            hint = ""
            if not any(labels) and self.filled[-1:] == [row.line] and any(cell.strip() for cell in row.cells):
                hint = "The row has neither item nor condition, as if it went on with the sentence of the row above it: write its cells behind "
                hint += "those of that row, into columns of their own, or give it its item and condition."
            ways = _without_lone(self._source)
            hint = (
                hint
                or "Every row says of which condition it is: fill the cell, or leave the row out with --leave-out and its number."
            )
            self._source.refuse(row.line, f"the column {columns.header[column]!r} is empty", hint=hint, ways=ways, is_open=True)
        self._condition = " ".join(labels)
        self._labels = labels
        return self._condition

    def _held_down(self, row: TableRow, labels: Sequence[str]) -> list[str]:
        """The labels of factors with those of the row above where merged cells leave some empty: of an item without a number of its own, and not
        the last factor, which changes from row to row. None elsewhere."""
        if len(labels) < 2 or not labels[-1] or len(self._labels) != len(labels) or self.filled[-1:] != [row.line]:
            return []
        first = next((n for n, label in enumerate(labels) if label), len(labels))
        if not all(labels[first:]):
            return []  # what stands right of a written cell begins anew with it
        self._held.append(row.line)
        return [*self._labels[:first], *labels[first:]]

    def expect_whole(self, items: Sequence[ForeignItem]) -> tuple[Assumption, ...]:
        """Refuse rows without a number where it is not certain whose they are: items have other conditions then, or one twice."""
        if self._columns.placed and (odd := [item for item in items if len(item.sentences) != self._columns.per_item]):
            self._source.refuse(
                odd[0].sentences[0].line,
                f"item {odd[0].label} has {len(odd[0].sentences)} rows, and an item has {self._columns.per_item} as --per-item says",
                hint="Where a row is missing, none says which: write the conditions into a column.",
            )
        if not self.filled:
            return ()
        heading = self._columns.header[self._columns.item[0]]
        first = {s.condition for s in items[0].sentences} if items else set()
        for item in items:
            own = [s.condition for s in item.sentences]
            begun = self._begun.get(item.label, [])
            is_twice = len(set(own)) < len(own)
            if len(begun) > 1 and is_twice and not self._has_own_numbers(item):
                self._source.refuse(
                    begun[1],
                    f"item {item.label} begins here once more, as in {self._source.place(begun[0])} before, and the rows below have no number: "
                    "two items seem to have one",
                    hint=f"Give one of them its own number in the column {heading!r}.",
                )
            if set(own) != first or is_twice or item.label in self._apart:
                self._source.refuse(
                    self.filled[0],
                    f"the column {heading!r} is empty, and whose the row is cannot be told: with the number above it, item "
                    f"{item.label} has {', '.join(own)}, and item {items[0].label} {', '.join(s.condition for s in items[0].sentences)}",
                    hint="Write the item's number in every row.",
                )
        told = [
            Assumption(
                "item number",
                f"holds for the rows below it ({len(self.filled):,} rows without one)",
                "every item has the same conditions, each once",
            )
        ]
        if self._held:
            told.append(
                Assumption(
                    "condition",
                    f"what stands above holds where a cell of it is empty ({len(self._held):,} rows)",
                    "every item has the same conditions, each once",
                )
            )
        return tuple(told)


def _cell_of(row: TableRow, column: int) -> str:
    return plain(row.cells[column]) if column < len(row.cells) else ""


def _without_lone(source: SourceFile) -> list[FileAnswer]:
    """That rows with one cell alone are left out: remarks between those of the table."""
    if source.options.leave_out or (source.is_spreadsheet and len(source.options.sheets) > 1):
        return []
    lone = [row for row in list(source.rows())[1:] if sum(bool(cell.strip()) for cell in row.cells) == 1]
    if not lone or any(row.line < 1 for row in lone):
        return []
    shown = " / ".join("".join(row.cells).strip()[:40] for row in lone[:3])
    means = f"rows with one cell alone are left out: {shown}{' …' if len(lone) > 3 else ''}"
    return [FileAnswer("", means, {"leave_out": (as_numbers(row.line for row in lone),)})]


_COUNT = "row"


@dataclass(slots=True)
class GroupedSentence:
    """A sentence on its way into an item."""

    label: str
    written: str | None
    sentence: ForeignSentence
    attributes: dict[str, Json] = field(default_factory=dict)


def checked_header(source: SourceFile, row: TableRow) -> tuple[str, ...]:
    """The headings, trimmed; a first column without one that counts the rows, as programs write it that number them, is called `row`. Raises
    `FormatError` where one is there twice or is missing before another."""
    header = [cell.strip() for cell in row.cells]
    while header and not header[-1]:
        header.pop()
    seen: set[str] = set()
    for column, heading in enumerate(header):
        if not heading and column == 0 and _counts_rows(source):
            heading = header[0] = _COUNT
        if not heading:
            source.refuse(
                row.line,
                f"column {source.column_number(column)} has no heading",
                hint="Give it one, or take it out.",
                ways=renamed(source, row, header),
            )
        if heading in seen:
            source.refuse(row.line, f"the column {heading!r} is there twice", ways=renamed(source, row, header))
        seen.add(heading)
    return tuple(header)


def renamed(source: SourceFile, row: TableRow, header: Sequence[str]) -> list[FileAnswer]:
    """The way to take a table in which columns have no heading, or the same one: each gets its own. None where headings cannot be said so."""
    options = source.options
    if options.headings is not None or options.header_rows is not None or options.transpose or row.line < 1:
        return []
    names = [heading.strip() or f"column_{source.column_number(n)}" for n, heading in enumerate(header)]
    twice = {name for name in names if names.count(name) > 1}
    own = [f"{name}_{names[: n + 1].count(name)}" if name in twice else name for n, name in enumerate(names)]
    if len(set(own)) < len(own) or any("," in name for name in own):
        return []
    changed = [name for name, heading in zip(own, header, strict=True) if name != heading.strip()]
    means = f"the headings are said anew, and {', '.join(changed[:_NAMED])}{' …' if len(changed) > _NAMED else ''} are among them"
    return [FileAnswer("", means, {"header_row": row.line + 1, "headings": ",".join(own)})]


def _with_more_headings(source: SourceFile, width: int) -> list[FileAnswer]:
    """The same where rows have more cells than there are headings."""
    top = next(source.rows(), None)
    if top is None:
        return []
    width = max(width, *(len(row.cells) for row in source.rows()))
    return renamed(source, top, (*top.cells, *[""] * (width - len(top.cells))))


def _going_on(source: SourceFile, width: int) -> list[FileAnswer]:
    """That cells which begin with a blank go on with the one before them, where every row has as many cells as there are headings then."""
    if source.is_spreadsheet or source.options.wrapped or source.delimiter not in (",", ";"):
        return []
    rows = [row.cells for row in source.rows()]
    if any(len(cells) - sum(cell[:1] == " " and bool(cell.strip()) for cell in cells[1:]) != width for cells in rows):
        return []
    return [
        FileAnswer(
            "",
            f"a cell that begins with a blank goes on with the one before it, with the {source.delimiter} in between",
            {"wrapped": True},
        )
    ]


def _counts_rows(source: SourceFile) -> bool:
    """Whether the first cells below the headings are 0, 1, 2, … or 1, 2, 3, …"""
    cells = [own.cells[0].strip() for own in source.rows() if own.cells][1:]
    return bool(cells) and cells in ([str(number) for number in range(first, first + len(cells))] for first in (0, 1))


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
            ways=_with_more_headings(source, len(cells)),
        )
    if len(cells) != width:
        source.refuse(
            row.line,
            f"{source.column_number(len(cells) - 1)} cells where the first row has {source.column_number(width - 1)}",
            hint="A sentence that holds the separator must stand in double quotes."
            if len(cells) > width
            else "Every row has a cell for each column, if an empty one.",
            ways=_going_on(source, width),
            is_open=True,
        )
    return TableRow(row.line, cells)


def grouped(rows: Iterable[GroupedSentence]) -> tuple[ForeignItem, ...]:
    """The rows as items. What a column says alike in all rows of an item becomes the item's, else the sentences'."""
    found: dict[str, list[GroupedSentence]] = {}
    for row in rows:
        found.setdefault(row.label, []).append(row)
    return tuple(_item(label, members) for label, members in found.items())


BECOME = " become attributes"
"""How the note ends that names columns or keys that were made attributes."""


def attribute_notes(names: Iterable[str], items: Sequence[ForeignItem]) -> list[str]:
    """Which of the columns became attributes of items, for the person who imports them."""
    kept = {name for item in items for name in item.attributes}
    found = [name for name in names if name in kept]
    return [f"columns {', '.join(found)}{BECOME}"] if found else []


def differing_columns(found: ForeignSet) -> list[str]:
    """Of each column that is no attribute of some items, since their sentences differ in it: of which, and where first."""
    first: dict[str, str] = {}
    counts: Counter[str] = Counter()
    beside_blanks: Counter[str] = Counter()
    # What says of every condition what is expected of it is not lost: that is where it went.
    judging = _expecting(found)
    for item in found.items:
        for name, value in item.sentences[0].attributes.items() if item.sentences else ():
            if name in judging or name in OF_SENTENCES:
                continue
            other = next((s for s in item.sentences if s.attributes.get(name) != value), None)
            if other is not None:
                counts[name] += 1
                beside_blanks[name] += sum(bool(cell_text(s.attributes.get(name)).strip()) for s in item.sentences) == 1
                place = f"item {item.label} ({found.place_unit}s {item.sentences[0].line} and {other.line})"
                first.setdefault(name, place)
    said = []
    for name, place in first.items():
        within, whose = f"within {place}", "that item"
        if counts[name] > 1:
            within, whose = f"within {counts[name]:,} items, first within {place}", "these items"
        does, then = "differs", ""
        if beside_blanks[name] == counts[name]:
            does, then = "is filled for one sentence only", "; if it holds for all of an item, fill it in each of its rows"
        said.append(f"{name} {does} {within}, so it is no attribute of {whose}; it goes out again with the file{then}")
    return said


def _expecting(found: ForeignSet) -> set[str]:
    """The attributes of sentences, under headings of judgements, that say what is expected of each condition: one thing of all its
    sentences, or ok of none."""
    cells: dict[str, set[str]] = {}
    for item in found.items:
        for sentence in item.sentences:
            for name, value in sentence.attributes.items():
                cells.setdefault(name, set()).add(cell_text(value))
    judging = {name for name, own in cells.items() if fold(name) in JUDGES or are_marks(own)}
    said: dict[str, dict[str, set[str]]] = {}
    for item in found.items:
        for sentence in item.sentences:
            for name, value in sentence.attributes.items():
                if name in judging:
                    said.setdefault(name, {}).setdefault(sentence.condition, set()).add(cell_text(value).strip())
    return {
        name
        for name, own in said.items()
        if set(own) <= set(found.expected)
        and all(len(values) == 1 or {acceptability_of(value) for value in values} <= {"?", "*"} for values in own.values())
    }


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


def item_cell(item: ForeignItem, sentence: ForeignSentence, columns: Sequence[str], heading: str) -> str:
    """What one of the columns that name the item together says in the row of a sentence."""
    label = written_label(item, sentence)
    cells = label.split(UNIT) if len(columns) > 1 else [label]
    return cells[columns.index(heading)] if len(cells) == len(columns) else label


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
