"""A row per item, condition and region: the form of SyntaxGym's suites as a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.columns import body_of, roles
from gapsmith.bank.formats.composing import compose, plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignRegion, ForeignSentence, ForeignSet, GivenRegion, Json
from gapsmith.bank.formats.grouping import (
    UNIT,
    Columns,
    GroupedSentence,
    RowLabels,
    attribute_columns,
    attribute_notes,
    cell_text,
    checked_header,
    first_seen,
    fitted,
    grouped,
    has_regions,
    headings_behind,
    item_cell,
)
from gapsmith.bank.formats.headings import fold
from gapsmith.bank.formats.region_names import RegionNames
from gapsmith.bank.formats.source import Progress, SourceFile, TableRow
from gapsmith.templates import whole

SHAPE = "region_rows"
_VALUES = 6
"""So many values of a column at most are offered."""
_ROLES = ("content", "region_number", "region_name")
_ORDERS = frozenset(
    {"pos", "position", "order", "region_pos", "region_position", "region_order", "place", "nr", "no", "number", "roi", "index"}
    | {"word_number", "word_nr", "word_pos", "word_position", "word_index", "num", "n", "idx", "seq", "sequence"}
)
"""Headings of numbers that order the regions of a sentence."""
_EVERY = 2000
# Also as programs write numbers of a column in which some cell is empty.
_WHOLE = re.compile(r"\d+(?:\.0+)?")


def recognise_region_rows(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if source.first_row and not source.may_be_json:
        found = roles(source)
        has_region = "region_number" in found.other or "region_name" in found.other
        if found.item and (found.condition or found.per_item) and has_region and "content" in found.other:
            return "a table with a row per item, condition and region"
    return None


def read_region_rows(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the table. Raises `FormatError` with the line for a row without item, condition or region, and for a region
    that a sentence has twice."""
    rows = source.rows()
    top = next(rows)
    header = checked_header(source, top)
    said = roles(source)
    other = said.other
    if not (said.item and (said.condition or said.per_item) and "content" in other):
        source.refuse(
            top.line,
            "lacks a column of the item, the condition, the region or its words",
            hint=f"Found: {', '.join(header)}. Say which they are: --item-column, --condition-column, --sentence-column for the words and "
            "--region for what numbers or names them.",
        )
    if "region_number" not in other and "region_name" in other and _are_numbers(source, other["region_name"]):
        # Regions that are called by numbers have an order.
        other = {
            **{role: column for role, column in other.items() if role != "region_name"},
            "region_number": other["region_name"],
        }
    places = [other[role] for role in _ROLES if role in other]
    columns = replace(said, header=header).columns(*places)
    labels = RowLabels(source, columns, of_regions=True)
    found = _rows_of_sentences(source, rows, columns, labels, progress)
    if not found:
        source.refuse(0, "there is nothing below the headings")
    order = None if "region_number" in other else _order(source, columns, found)
    if order is not None:
        other = {**other, "region_number": order}
        columns = replace(said, header=header).columns(*(other[role] for role in _ROLES if role in other))
    shifted = _shifted(source, other, found)
    if shifted:
        # The number of a region is where it stands in its sentence, and its name says which one it is.
        number = other["region_number"]
        found = {key: _by_number(rows, number) for key, rows in found.items()}
        other = {role: column for role, column in other.items() if role != "region_number"}
        columns = replace(said, header=header).columns(*(other[role] for role in _ROLES if role in other))
    varying = _varying(columns, found)
    names = RegionNames()
    items = _without_lines(grouped(_sentences(source, found, columns, varying, other, names)))
    regions = names.in_order()
    if "region_number" not in other and "region_name" in other:
        _expect_one_order(source, items, numbered=bool(shifted))
        regions = _in_order_of_words(regions, items)
    meta: dict[str, Json] = {role: header[other[role]] for role in _ROLES if role in other}
    meta |= {"header": list(header), "item": columns.item_heading, "condition": [header[column] for column in columns.condition]}
    meta["delimiter"] = "," if source.is_spreadsheet else source.delimiter
    if columns.per_item is not None:
        # Its columns do not say which item a row is of; ours do when it goes out.
        meta = {}
    notes = attribute_notes((header[column] for column in columns.extra), items)
    read = ForeignSet(
        shape=SHAPE,
        items=items,
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        regions=regions,
        factors=columns.factors(items),
        levels=columns.levels(items),
        meta=meta,
        assumptions=(
            *(taken for taken in said.assumptions if taken.what != "sentence"),
            *labels.expect_whole(items),
            Assumption(
                "regions",
                f"{header[other['content']]}, a row each",
                f"in the order of the numbers in {header[other['region_number']]}"
                if "region_number" in other
                else "in the order of the rows",
                "certain" if order is None else "assumed",
            ),
        ),
        encoding=source.encoding,
        name=source.path.stem,
    )
    if shifted:
        notes.append(f"regions go by {header[other['region_name']]}: {shifted}")
    if order is not None:
        notes.append(
            f"the regions of a sentence stand in the order of the numbers in {header[order]}, which is not that of the rows"
        )
    if varying:
        column, (label, one, another) = next(iter(varying.items()))
        notes.append(
            f"columns {', '.join(header[c] for c in varying)} are kept with the regions: {header[column]} differs within "
            f"item {label} ({read.place_unit}s {one} and {another})"
        )
    return replace(read, notes=(*notes, *names.notes))


def _are_numbers(source: SourceFile, column: int) -> bool:
    cells = [row.cells[column].strip() for row in body_of(source) if column < len(row.cells)]
    return bool(cells) and all(_whole(cell) is not None for cell in cells)


def _order(source: SourceFile, columns: Columns, found: Mapping[tuple[str, str], Sequence[TableRow]]) -> int | None:
    """The column whose numbers give the regions of a sentence another order than the rows have; None where there is none. A
    heading says so, or the file is refused where the numbers alone do: they count the regions of every sentence."""
    for column in columns.extra:
        numbers = [[_whole(row.cells[column].strip()) for row in rows] for rows in found.values()]
        told = [[number for number in own if number is not None] for own in numbers]
        if any(len(own) < len(given) or len(set(own)) < len(own) for own, given in zip(told, numbers, strict=True)):
            continue
        odd = next((n for n, own in enumerate(told) if own != sorted(own)), None)
        if odd is None:
            continue
        heading = columns.header[column]
        if fold(heading) in _ORDERS:
            return column
        if all(len(own) > 1 and sorted(own) == list(range(min(own), min(own) + len(own))) and min(own) < 2 for own in told):
            rows = list(found.values())[odd]
            source.refuse(
                rows[0].line,
                f"the rows of this sentence stand in another order than {heading!r} counts them, so that the order of the words is not "
                "certain",
                hint=f"If {heading!r} orders the regions, call it region_number; else sort the rows and take the column out.\n"
                f"{source.head}\n",
            )
    return None


def _by_number(rows: Sequence[TableRow], column: int) -> list[TableRow]:
    """The rows of a sentence in the order of their numbers; as they are where one has none."""
    numbered = [(number, row) for row in rows if (number := _whole(row.cells[column].strip())) is not None]
    return [row for _, row in sorted(numbered, key=lambda one: one[0])] if len(numbered) == len(rows) else list(rows)


def _shifted(source: SourceFile, roles: Mapping[str, int], found: Mapping[tuple[str, str], Sequence[TableRow]]) -> str:
    """Why regions go by their names where a name has another number in some sentences, as where a region before it is missing; empty
    where every name has one number, or every number one name. Refused where neither says which regions are the same."""
    if not {"region_number", "region_name"} <= set(roles):
        return ""
    number, name = roles["region_number"], roles["region_name"]
    numbers: dict[str, dict[str, TableRow]] = {}
    titles: dict[str, set[str]] = {}
    twice: TableRow | None = None
    for rows in found.values():
        seen: set[str] = set()
        for row in rows:
            title, place = plain(row.cells[name]), row.cells[number].strip()
            numbers.setdefault(title, {}).setdefault(place, row)
            titles.setdefault(place, set()).add(title)
            twice = row if title in seen and twice is None else twice
            seen.add(title)
    several = [title for title, own in numbers.items() if title and len(own) > 1]
    if not several or (twice is not None and all(len(own) == 1 for own in titles.values())):
        return ""
    doubled = plain(twice.cells[name]) if twice is not None else ""
    title = next((one for one in several if one != doubled), several[0])
    (one, first), (other, second), *_ = numbers[title].items()
    header = source.first_row
    why = (
        f"{title} is region {one} in {source.place(first.line)} and region {other} in {source.place(second.line)}, so that "
        f"{header[number].strip()} says where a region stands and not which one it is"
    )
    if twice is None and "" not in numbers:
        return why
    odd = "" if twice is None else f", and {doubled} stands twice in the sentence of {source.place(twice.line)}"
    content = header[roles["content"]].strip()
    return source.refuse(
        first.line,
        f"{why}{odd}: which regions are the same the file does not say",
        hint=f"Give regions of one sentence names of their own in {header[name].strip()}, the same in all conditions.\n{source.head}\n",
        ways=[
            FileAnswer(
                "",
                f"regions of one number are the same region, whatever {header[name].strip()} calls them",
                {"sentence_columns": (content,), "regions": (header[number].strip(),)},
            )
        ],
    )


def _in_order_of_words(regions: Sequence[ForeignRegion], items: Sequence[ForeignItem]) -> tuple[ForeignRegion, ...]:
    """The regions so that each stands behind all that stand before it in some sentence; else as they appeared."""
    before: dict[str, set[str]] = {region.name: set() for region in regions}
    for item in items:
        for sentence in item.sentences:
            names = [region.name for region in sentence.regions or ()]
            for one, other in pairwise(names):
                before[other].add(one)
    left, placed = list(regions), list[ForeignRegion]()
    while left:
        done = {region.name for region in placed}
        found = next((region for region in left if before[region.name] <= done), left[0])
        left.remove(found)
        placed.append(found)
    return tuple(placed)


def _expect_one_order(source: SourceFile, items: Sequence[ForeignItem], *, numbered: bool) -> None:
    """Refuse regions whose order is not the same everywhere, where only their names say which is which: without numbers it would be that
    of the words."""
    before: dict[tuple[str, str], int] = {}
    for item in items:
        for sentence in item.sentences:
            names = [region.name for region in sentence.regions or ()]
            for n, name in enumerate(names):
                for later in names[n + 1 :]:
                    if (later, name) in before:
                        source.refuse(
                            sentence.line,
                            f"item {item.label}, {sentence.condition}: {name} stands before {later}, and in line "
                            f"{before[later, name]} behind it, so that the order of the words is not certain",
                            hint="Give regions that change places names of their own."
                            if numbered
                            else "Add a column region_number; rows may then stand in any order.",
                        )
                    before.setdefault((name, later), sentence.line)


def region_rows_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells, headings first; items with a sentence that has no regions are left out."""
    meta: Mapping[str, str] = items.meta if items.shape == SHAPE else {}
    factors: list[str] = items.meta.get("condition", ["condition_name"]) if meta else ["condition_name"]
    heading = {
        role: meta.get(role, name if not meta else "")
        for role, name in (("region_number", "region_number"), ("region_name", "region_name"))
    }
    given: str | list[str] = items.meta.get("item", "") if meta else "item_number"
    own = [given] if isinstance(given, str) else given
    content = meta.get("content", "content")
    our_header = [*own, *factors, heading["region_number"], heading["region_name"], content]
    besides = {} if meta else headings_behind(our_header, _said_besides(items.items))
    header = list(items.meta["header"]) if meta else [*our_header, *besides]
    numbers = {region.name: region.number or ("" if meta else str(n)) for n, region in enumerate(items.regions, 1)}
    yield header
    written: list[tuple[int, list[str]]] = []
    for item in filter(has_regions, items.items):
        for sentence in item.sentences:
            levels = sentence.levels(len(factors))
            for region in sentence.regions or ():
                said = {**item.attributes, **sentence.attributes, **region.extra}
                cells: dict[str, Json] = {
                    **(said if meta else {column: said.get(name) for column, name in besides.items()}),
                    **{column: item_cell(item, sentence, own, column) for column in own},
                    **dict(zip(factors, levels, strict=True)),
                    heading["region_number"]: numbers.get(region.name, ""),
                    heading["region_name"]: region.name if region.title is None else region.title,
                    content: region.content(sentence.text),
                }
                written.append((region.line, [cell_text(cells.get(name)) for name in header]))
    if all(line for line, _ in written):
        written.sort(key=lambda entry: entry[0])
    for _, row in written:
        yield row


def _said_besides(items: Sequence[ForeignItem]) -> tuple[str, ...]:
    """The names of what items, sentences and regions of another shape say besides."""
    of_regions = (name for i in items for s in i.sentences for r in s.regions or () for name in r.extra)
    return first_seen((*attribute_columns(items), *of_regions))


def _without_lines(items: tuple[ForeignItem, ...]) -> tuple[ForeignItem, ...]:
    """The items without the lines of their regions, where regions stand in the file in the order they have here."""
    lines = [r.line for item in items for s in item.sentences for r in s.regions or ()]
    if any(after < before for before, after in pairwise(lines)):
        return items
    return tuple(replace(item, sentences=tuple(_bare(s) for s in item.sentences)) for item in items)


def _bare(sentence: ForeignSentence) -> ForeignSentence:
    return replace(sentence, regions=tuple(replace(region, line=0) for region in sentence.regions or ()))


def _rows_of_sentences(
    source: SourceFile, rows: Iterator[TableRow], columns: Columns, labels: RowLabels, progress: Progress | None
) -> dict[tuple[str, str], list[TableRow]]:
    # A sentence's rows need not stand together; one begins at the first row of its item and condition.
    found: dict[tuple[str, str], list[TableRow]] = {}
    counted: dict[str, int] = {}
    for number, given in enumerate(rows, 1):
        row = fitted(source, given, len(columns.header))
        label = labels.item(row)[0]
        if columns.per_item is None:
            key = label, labels.condition(row)
        else:
            # What names the item names a sentence, and so many of them are an item.
            item, place = divmod(counted.setdefault(label, len(counted)), columns.per_item)
            key = str(item + 1), labels.condition(row) if columns.condition else f"line_{place + 1}"
        found.setdefault(key, []).append(row)
        if progress is not None and number % _EVERY == 0:
            progress(len(found))
    return found


def _varying(columns: Columns, found: Mapping[tuple[str, str], Sequence[TableRow]]) -> dict[int, tuple[str, int, int]]:
    """The columns that say different things within some item, so that they are the rows' own, with that item and two lines.
    A column is one or the other in the whole file: that a reading time is the same in all rows of an item is chance."""
    first: dict[str, TableRow] = {}
    varying: dict[int, tuple[str, int, int]] = {}
    for (label, _), rows in found.items():
        for row in rows:
            base = first.setdefault(label, row)
            for column in columns.extra:
                if column not in varying and row.cells[column] != base.cells[column]:
                    varying[column] = label, base.line, row.line
    return dict(sorted(varying.items()))


def _whole(cell: str) -> int | None:
    """The number of a region, which spreadsheets also write as 3.0."""
    return whole(cell.partition(".")[0]) if _WHOLE.fullmatch(cell) else None


def _of_one_value(columns: Columns, parts: Sequence[TableRow]) -> list[FileAnswer]:
    """That the rows of one value are read, such as one model's, where a column tells apart the rows that say the same region of a sentence."""
    ways: list[FileAnswer] = []
    for column in columns.extra:
        values = first_seen(row.cells[column].strip() for row in parts)
        heading = columns.header[column]
        sizes = {sum(row.cells[column].strip() == value for row in parts) for value in values}
        if 1 < len(values) <= _VALUES and len(sizes) == 1 and sizes != {1}:
            ways += [
                FileAnswer("", f"rows whose {heading} is {value}", {"only": (f"{heading}={value}",)}) for value in values if value
            ]
    return ways


def _sentences(
    source: SourceFile,
    found: Mapping[tuple[str, str], list[TableRow]],
    columns: Columns,
    varying: Collection[int],
    roles: Mapping[str, int],
    names: RegionNames,
) -> Iterator[GroupedSentence]:
    of_region = replace(columns, extra=tuple(varying))
    of_item = replace(columns, extra=tuple(column for column in columns.extra if column not in varying))
    for (label, condition), parts in found.items():
        if "region_number" in roles:
            parts = _by_number(parts, roles["region_number"])
        if not {"region_number", "region_name"} & set(roles):
            _expect_together(source, parts)
        contents = [row.cells[roles["content"]] for row in parts]
        text, spans = compose(contents)
        given_regions = []
        seen: set[str] = set()
        for place, (row, raw, (start, end)) in enumerate(zip(parts, contents, spans, strict=True), 1):
            name, title = _region(source, row, roles, names, place)
            if name in seen:
                source.refuse(
                    row.line, f"item {label}, {condition}: region {name!r} is there twice", ways=_of_one_value(columns, parts)
                )
            seen.add(name)
            given_regions.append(GivenRegion(name, start, end, raw, of_region.attributes(row), title, row.line))
        first = min(parts, key=lambda row: row.line)
        # What names a sentence and not its item is no label of an item.
        cell = label if columns.per_item is not None else UNIT.join(first.cells[column] for column in columns.item)
        written = columns.written_condition(first) or condition
        sentence = ForeignSentence(condition, text, tuple(given_regions), first.line, None if written == condition else written)
        yield GroupedSentence(label, None if cell == label else cell, sentence, of_item.attributes(first))


def _expect_together(source: SourceFile, parts: Sequence[TableRow]) -> None:
    """Refuse rows without numbers or names of regions that do not stand together: only their order says that of the words."""
    lines = [row.line for row in parts]
    if len(set(lines)) > 1 and lines[-1] - lines[0] >= len(lines) and not source.options.only:
        source.refuse(
            lines[0],
            "the rows of this sentence do not stand together, so that the order of its words is not certain",
            hint="Say which column counts them: --region NAME.",
        )


def _region(
    source: SourceFile, row: TableRow, roles: Mapping[str, int], names: RegionNames, place: int
) -> tuple[str, str | None]:
    """The region's name, and what the row calls it where that is something else; its place where no column says it."""
    if not {"region_number", "region_name"} & set(roles):
        return names.name(str(place), ""), None
    number = row.cells[roles["region_number"]].strip() if "region_number" in roles else ""
    title = plain(row.cells[roles["region_name"]]) if "region_name" in roles else ""
    if not number and not title:
        source.refuse(row.line, "the row does not say which region it is")
    name = names.name(number, title)
    return name, title if title != name and "region_name" in roles else None
