"""Minimal pairs: BLiMP's JSON lines, two columns with or without headings, and two lines a pair.

Two columns without headings and lines do not say which member is the good one: a person does, and it is told with the set. That
they are pairs at all has to show in their sentences (`gapsmith.bank.formats.likeness`), unless the format is named.

BLiMP is described in Warstadt et al. 2020, "BLiMP: the benchmark of linguistic minimal pairs for English" (TACL 8). Fields that
are not the sentences become attributes. Where the file says where the two members differ (``one_prefix_*``, ``two_prefix_*``),
the prefix and the word after it become regions.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice, pairwise
from typing import Any, Literal, NoReturn, TextIO

from gapsmith.bank.formats.asking import Assumption, FileAnswer, UndecidedError
from gapsmith.bank.formats.columns import beside_pairs, expect_one_heading
from gapsmith.bank.formats.foreign import (
    BAD,
    GOOD,
    NOTHING,
    ForeignItem,
    ForeignRegion,
    ForeignSentence,
    ForeignSet,
    GivenRegion,
    Json,
)
from gapsmith.bank.formats.grouping import (
    attribute_notes,
    cell_text,
    checked_header,
    code_of,
    fitted,
    headings_behind,
    letter_of,
    number_of,
    written_label,
)
from gapsmith.bank.formats.headings import NOTES, ROLES_OF_HEADINGS, fold, roles_of
from gapsmith.bank.formats.likeness import Likeness, likely_sizes, likeness_of
from gapsmith.bank.formats.marks import bare_of, expect_no_labels, judgement_of
from gapsmith.bank.formats.source import Progress, SourceFile, TableRow, joint
from gapsmith.bank.formats.striking import sentences_among
from gapsmith.templates import FormatError

RECORDS, TABLE, LINES = "blimp", "pair_table", "pair_lines"
_EVERY = 5000
_EXPECTED = {GOOD: "ok", BAD: "*"}
_REGIONS = (ForeignRegion("prefix", "1"), ForeignRegion("word", "2"), ForeignRegion("rest", "3"))
_GROUP_KEYS = ("uid", "paradigm", "phenomenon", "subset")
_PLAIN_SUFFIXES = frozenset({".txt", ""})
"""Names of files that may have two lines a pair."""
_OTHER_SENTENCES = "Items of several conditions come in as a table with the columns item, condition and sentence."
_OWN_NUMBER = re.compile(r"\W*(\d{1,5})[.):\]]?\s")
_END_OF_SENTENCE = re.compile(r"[.?!…。？！][\"'”’»)\]]*\Z")


class OrderUnknownError(UndecidedError):
    """A file of pairs does not say which member is the good one. `pair` is one of them, and `places` where its members stand."""

    def __init__(self, source: SourceFile, message: str, *, pair: tuple[str, str], places: tuple[str, str]) -> None:
        sentences = "\n".join(f"  {place}: {text.strip()}" for place, text in zip(places, pair, strict=True))
        answers = [FileAnswer(word, f"{places[0]} is the {word} one", {"first": word}) for word in ("good", "bad")]
        super().__init__(
            message,
            question=f"Nothing in the file says which sentence of a pair is the good one. A pair of it:\n{sentences}\n"
            f"Which is {places[0]} of every pair?",
            answers=answers,
            ways=source.ways(answers),
            before=f"Say --first good or --first bad (in Python first=…): which of the two comes first.\n{source.head}",
            after=source.unchanged,
        )
        self.pair = pair
        self.places = places


# ---- JSON lines


def recognise_pair_records(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    record = source.first_record
    keys = _keys_of(record)
    others = [value for key, value in record.items() if key not in keys.values() and fold(key) not in NOTES]
    # Where an item has more sentences, its keys are conditions.
    is_one = {"good", "bad"} <= set(keys) and not any(isinstance(own, str) and _is_sentence(own) for own in others)
    return "minimal pairs as JSON lines, as BLiMP has them" if is_one else None


def _is_sentence(text: str) -> bool:
    return len(text.split()) > 2 and not text[:1].islower() and _END_OF_SENTENCE.search(text) is not None


def read_pair_records(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the pairs. Raises `FormatError` with the line for what is not JSON or lacks a sentence."""
    records: list[tuple[int, dict[str, Any]]] = []
    keys: dict[str, str] = {}
    for line, record in source.records(holding=" with two sentences"):
        keys = keys or _keys_of(record)
        for role in ("good", "bad"):
            if not isinstance(record.get(keys[role]), str):
                source.refuse(line, f"there is no text under {keys[role]!r}")
        records.append((line, record))
        if progress is not None and len(records) % _EVERY == 0:
            progress(2 * len(records))
    records, left_out = _wanted(source, records)
    labels, how = _labels([record for _, record in records])
    items = []
    prefixed = 0
    for (line, record), label in zip(records, labels, strict=True):
        good, bad = record[keys["good"]], record[keys["bad"]]
        regions = _prefix_regions(record, good, bad)
        prefixed += regions is not None
        items.append(
            _pair(
                label,
                good,
                bad,
                line,
                {k: v for k, v in record.items() if k not in (keys["good"], keys["bad"])},
                regions,
            )
        )
    notes = [*([how] if how else []), *left_out]
    if prefixed:
        notes.append(f"{prefixed} pairs say where they differ: regions prefix, word, rest")
    return ForeignSet(
        shape=RECORDS,
        items=tuple(items),
        conditions=(GOOD, BAD),
        regions=_REGIONS if prefixed else (),
        expected=_EXPECTED,
        meta={"good": keys["good"], "bad": keys["bad"], "keys": list(records[0][1])},
        notes=tuple(notes),
        encoding=source.encoding,
        name=source.path.stem,
    )


def _wanted(source: SourceFile, records: list[tuple[int, dict[str, Any]]]) -> tuple[list[tuple[int, dict[str, Any]]], list[str]]:
    """The pairs that ``--only`` names by what stands under a key, values of one key as either of them; and in words, those that it leaves out.
    Raises `FormatError` for a key that no pair has, and where no pair is left."""
    wanted: dict[str, set[str]] = {}
    for part in source.options.only:
        key, equals, value = part.partition("=")
        if not equals or not any(key in record for _, record in records):
            keys = dict.fromkeys(key for _, record in records for key in record)
            source.refuse(0, f"there is no key for --only {part}", hint=f"Keys: {', '.join(keys)}; --only NAME=VALUE.")
        wanted.setdefault(key, set()).add(value.strip())
    kept, gone = [], Counter[str]()
    for line, record in records:
        odd = next((key for key, values in wanted.items() if cell_text(record.get(key)) not in values), None)
        if odd is None:
            kept.append((line, record))
        else:
            gone[f"{odd}={cell_text(record.get(odd))}"] += 1
    if not kept:
        source.refuse(
            0, f"no pair has {' and '.join(source.options.only)}", hint="Values of one key are taken as either of them."
        )
    return kept, source.left_out_as("pairs", gone)


def write_pair_records(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the pairs as JSON lines; the labels of items that are left out, since they lack a member.

    A set that came as something else is written with BLiMP's keys."""
    came_as_records = items.shape == RECORDS
    good_key, bad_key = (items.meta["good"], items.meta["bad"]) if came_as_records else ("sentence_good", "sentence_bad")
    left_out = []
    for item in items.items:
        pair = members(item)
        if pair is None:
            left_out.append(item.label)
            continue
        own = {good_key: pair[0], bad_key: pair[1]}
        fields: dict[str, Json] = own | dict(item.attributes) | own
        if came_as_records:
            order = [key for key in items.meta["keys"] if key in fields]
            fields = {key: fields[key] for key in (*order, *(k for k in fields if k not in order))}
        else:
            fields.setdefault("UID", items.name)
            fields.setdefault("pairID", item.label)
        stream.write(json.dumps(fields, ensure_ascii=False) + "\n")
    return tuple(left_out)


# ---- two columns


def recognise_pair_table(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    row = source.first_row
    if not row or source.may_be_json:
        return None
    roles = roles_of(row)
    if "good" in roles and "bad" in roles and "sentence" not in roles:
        expect_one_heading(source)
        if len({cell.strip() for cell in row}) < len(row):
            checked_header(source, next(source.rows()))  # which asks how columns of one name are called
        _expect_headings(source, row)
        if source.known.get("format") is None and (more := beside_pairs(source, (roles["good"], roles["bad"]))):
            columns = sorted([roles["good"], roles["bad"], *more])
            source.ask(
                1,
                f"there are sentences beside the pairs, in {', '.join(row[c].strip() for c in more)}, as if an item had more than two",
                f"An item seems to have sentences beside its pair, in {', '.join(row[c].strip() for c in more)}. What are they?",
                [
                    FileAnswer("1", "they are conditions", {"sentence_columns": tuple(row[c].strip() for c in columns)}),
                    FileAnswer("2", "they are attributes of pairs", {"format": TABLE}),
                ],
            )
        _expect_pairs(source, [roles["good"], roles["bad"]], headed=True, told=_tell_sentences(row, roles))
        return "a table of minimal pairs with headings"
    if len([cell for cell in row if cell.strip()]) != 2 or len(row) != 2 or {"item", "condition", "sentence"} & set(roles):
        return None
    if not _are_columns(source):
        return None
    if {"good", "bad"} & set(roles) or _has_headings(source):
        source.refuse(
            next(source.rows()).line,
            f"the first row looks like headings, and not ones that are known: {', '.join(cell.strip() for cell in row)}",
            hint="Call the columns sentence_good and sentence_bad.",
            ways=[
                FileAnswer(
                    "",
                    f"a row is an item, its conditions are {row[0].strip()} and {row[1].strip()}",
                    {"sentence_columns": tuple(row)},
                ),
                FileAnswer("", "the first row is a pair, too", {"format": TABLE}),
            ],
            is_open=True,
        )
    _expect_pairs(source, [0, 1])
    return "two columns of sentences, a pair per row"


def _expect_headings(source: SourceFile, row: Sequence[str]) -> None:
    """Refuse a first row of sentences with what belongs to them, such as labels beside them that say good and bad, as a row of headings."""
    texts = [column for column, cell in enumerate(row) if sentences_among([cell])]
    if not texts:
        return
    rows = [[*row], *([*found.cells] for found in islice(_unbroken(source), 1, None) if len(found.cells) == len(row))]
    names = [f"column_{column + 1}" for column in range(len(row))]
    for role, label in roles_of(row).items():
        beside = [column for column in texts if abs(column - label) == 1]
        if role in ("good", "bad") and len(beside) == 1 and len({fold(cells[label]) for cells in rows}) == 1:
            names[beside[0]] = role
    others = [column for column, name in enumerate(names) if name.startswith("column_") and column not in texts]
    numbering = [column for column in others if len({cells[column] for cells in rows}) == len(rows) > 1]
    if len(numbering) == 1:
        names[numbering[0]] = "item"
    headings = ",".join(names)
    is_pair = {"good", "bad"} <= set(names)
    source.refuse(
        1,
        f"the first row holds sentences, and is no row of headings: {', '.join(cell.strip() for cell in row)[:120]}",
        hint=f"Say its headings, or write them above it, such as --headings {headings}.\n{source.head}\n",
        ways=[FileAnswer("", "the first row is an item, and a label is that of the sentence beside it", {"headings": headings})]
        if is_pair
        else [],
    )


def _tell_sentences(row: Iterable[str], roles: Mapping[str, int]) -> bool:
    """Whether the headings of the members say that sentences stand under them: ``correct`` may be an answer too."""
    headings = [fold(heading) for heading in row]
    return all(any(said in headings[roles[role]] for said in ("sent", "grammatical", "acceptable")) for role in ("good", "bad"))


def _expect_pairs(source: SourceFile, columns: list[int], *, headed: bool = False, told: bool = False) -> None:
    """Refuse two columns that do not hold pairs, or hold labels before the sentences. `headed` says that the first row has
    headings, `told` that they leave no doubt."""
    rows = [row for row in islice(_unbroken(source), int(headed), None) if len(row.cells) > max(columns)]
    bared = [bare_of(row.cells[column], source.options) for row in rows for column in columns]
    likeness = likeness_of(list(zip(bared[::2], bared[1::2], strict=True)))
    if not told and likeness.odd is not None and not likeness.is_minimal:
        one, other = (_short(rows[likeness.odd].cells[column]) for column in columns)
        source.refuse(
            rows[likeness.odd].line,
            f"two columns, but no minimal pairs: {likeness.in_words}; {one} and {other} do not",
            hint=_OTHER_SENTENCES,
            ways=[
                *code_ways([row.cells for row in rows], columns, headed=headed),
                FileAnswer("", "they are pairs all the same", {"format": TABLE}),
            ],
            is_open=True,
        )
    texts = [row.cells[column] for row in rows for column in columns]
    if _starred(list(zip(texts[::2], texts[1::2], strict=True))) is None:
        expect_no_labels(source, texts, as_they_are=TABLE)


def code_ways(rows: Sequence[Sequence[str]], columns: Sequence[int], *, headed: bool) -> list[FileAnswer]:
    """That the first of two columns without headings names item and condition together, and the second has the sentences."""
    if headed or list(columns) != [0, 1]:
        return []
    cells = [row[0].strip() for row in rows]
    if (code := code_of(cells)) is None or any(len(row[1].split()) < 2 for row in rows):
        return []
    match = code.fullmatch(cells[0])
    taken = "" if match is None else f": of {cells[0]} {number_of(match)} is the item and {letter_of(match)} the condition"
    options = {"headings": "code,sentence", "item_columns": ("code",)}
    return [FileAnswer("", f"the first column names item and condition together{taken}", options)]


def _starred(pairs: Sequence[tuple[str, str]]) -> Literal["good", "bad"] | None:
    """Which member comes first by the marks before one of the two, where every pair has one and it is always the same place."""
    marked = [(judgement_of(one) not in ("", "ok"), judgement_of(other) not in ("", "ok")) for one, other in pairs]
    if not marked or set(marked) not in ({(True, False)}, {(False, True)}):
        return None
    return "bad" if marked[0][0] else "good"


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 60 else f"{text[:59]}…")


def _are_columns(source: SourceFile) -> bool:
    """Whether what splits the first row in two separates columns, by all rows. Refuses the file where that is open."""
    if source.is_spreadsheet or source.delimiter == "\t":
        return True
    may_be_lines = source.suffix in _PLAIN_SUFFIXES
    rows = [(row.line, len(row.cells), _signs(source, row)) for row in _unbroken(source)]
    # In a table, a row with other cells is refused when it is read.
    if may_be_lines and sum(width > 1 for _, width, _ in rows) * 2 < len(rows):
        return False  # most lines have none: it stands in a title, or in a few sentences
    odd = [line for line, width, signs in rows if (width == 2 or may_be_lines) and (width != 2 or signs != {"column"})]
    are_lines = may_be_lines and all(signs <= {"text"} for _, _, signs in rows)
    if odd and not are_lines:
        sign = "comma" if source.delimiter == "," else "semicolon"
        source.refuse(
            odd[0],
            f"cannot tell whether a {sign} separates two columns or is part of the sentences",
            hint=f"Two lines may be a pair (--format {LINES}); in two columns (--format {TABLE}), a sentence that holds a {sign} stands in "
            "double quotes.",
            ways=[
                FileAnswer("", "two lines are a pair", {"format": LINES}),
                FileAnswer("", "the two columns are pairs", {"format": TABLE}),
            ],
            is_open=True,
        )
    return not odd


def _signs(source: SourceFile, row: TableRow) -> set[str]:
    """What the commas or semicolons of a row are."""
    line = source.lines[row.line - 1]
    quoted = '"' in line
    closed = _quoted_cells(line, source.delimiter)
    return {
        # Between two cells in double quotes a sign is never part of a sentence, whatever the cells begin with.
        "column" if {n, n + 1} <= closed else joint(*cells, sign=source.delimiter, quoted=quoted)
        for n, cells in enumerate(pairwise(row.cells))
    }


def _quoted_cells(line: str, delimiter: str) -> set[int]:
    """The numbers, from 0, of the cells of a line that stand in double quotes."""
    cells = re.finditer(rf'(?:^|{re.escape(delimiter)})("(?:[^"]|"")*"(?={re.escape(delimiter)}|\Z)|[^{delimiter}]*)', line)
    return {number for number, cell in enumerate(cells) if len(cell[1]) > 1 and cell[1][0] == cell[1][-1] == '"'}


def _unbroken(source: SourceFile) -> Iterator[TableRow]:
    """The rows up to the first whose quoting is broken, which is said when they are read."""
    try:
        yield from source.rows()
    except FormatError:
        return


def _has_headings(source: SourceFile) -> bool:
    """Whether the first row differs from all others: they end as sentences do, or have several words, and it does not."""
    first = [cell.strip() for cell in source.first_row]
    if any(_END_OF_SENTENCE.search(cell) for cell in first):
        return False
    below = [cell.strip() for row in islice(_unbroken(source), 1, None) for cell in row.cells if cell.strip()]
    if not below:
        return False
    words = all(len(cell.split()) == 1 for cell in first) and all(len(cell.split()) > 1 for cell in below)
    return words or all(_END_OF_SENTENCE.search(cell) for cell in below)


def read_pair_table(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the pairs. Headings say which member is which, and other columns become attributes; without them, a person has to
    say it. Raises `FormatError` with the line for a row with other cells, `OrderUnknownError` where nobody said it."""
    rows = source.rows()
    roles = roles_of(source.first_row)
    header: tuple[str, ...] = ()
    if "good" in roles and "bad" in roles:
        top = next(rows)
        header = checked_header(source, top)
        good, bad = roles["good"], roles["bad"]
        if source.options.first not in (None, "good" if good < bad else "bad"):
            source.refuse(
                top.line,
                f"the headings {header[good]!r} and {header[bad]!r} say which sentence is which, and --first "
                f"{source.options.first} says the contrary",
                hint="Leave --first out, or correct the headings.",
            )
    starred: Literal["good", "bad"] | None = None
    if not header:
        _expect_two_sentences(source)
        starred = _marked_first(source, [(row.cells[0], row.cells[1]) for row in source.rows() if len(row.cells) > 1])
        good, bad = (1, 0) if (starred or source.options.first) == "bad" else (0, 1)
    item = roles.get("item") if header else None
    extra = [column for column in range(len(header)) if column not in (good, bad, item)]
    found = [fitted(source, row, len(header) or 2) for row in rows]
    labels = [" ".join(row.cells[item].split()) for row in found] if item is not None else []
    unique = len(set(labels)) == len(labels) > 0 and all(labels)
    items = []
    for number, row in enumerate(found, 1):
        label = labels[number - 1] if unique else str(number)
        attributes = {header[column]: row.cells[column] for column in extra}
        written = None
        if item is not None and unique:
            written = row.cells[item]
        elif item is not None:
            attributes[header[item]] = row.cells[item]
        items.append(
            _pair(
                label,
                row.cells[good],
                row.cells[bad],
                row.line,
                attributes,
                None,
                written if written != label else None,
            )
        )
        if progress is not None and number % _EVERY == 0:
            progress(2 * number)
    if not items:
        source.refuse(0, "there are no pairs in it")
    notes = attribute_notes((header[column] for column in extra), items)
    if item is not None and not unique and all(labels):
        label, times = Counter(labels).most_common(1)[0]
        notes.append(f"{header[item]} {label!r} is there {times} times, so items are numbered in order")
    told: tuple[str, ...] = ()
    if not header:
        told = _told(
            source,
            found[0].line,
            [(row.cells[0], row.cells[1]) for row in found],
            ("the left cell", "the right cell"),
            "column",
            starred,
        )
        notes.append(likeness_of([(row.cells[0], row.cells[1]) for row in found]).in_words)
    return ForeignSet(
        shape=TABLE,
        items=tuple(items),
        conditions=(GOOD, BAD),
        expected=_EXPECTED,
        meta={
            "header": list(header),
            "good": good,
            "bad": bad,
            "item": item if unique else None,
            "delimiter": "," if source.is_spreadsheet else source.delimiter,
        },
        notes=(*notes, *told),
        assumptions=_order(header, (good, bad), told, starred),
        told=told,
        encoding=source.encoding,
        name=source.path.stem,
    )


def _expect_two_sentences(source: SourceFile) -> None:
    """Refuse two columns of which one holds numbers, and a first row of headings that are others than those of pairs."""
    hint = f"Pairs stand in two columns of sentences, such as sentence_good and sentence_bad. {_OTHER_SENTENCES}\n{source.head}\n"
    if {"item", "condition", "sentence"} & set(roles_of(source.first_row)):
        headings = ", ".join(cell.strip() for cell in source.first_row)
        source.refuse(1, f"{headings} are headings, and not those of pairs", hint=hint)
    rows = [row for row in _unbroken(source) if len(row.cells) > 1]
    for column in (0, 1):
        cells = [row.cells[column].strip() for row in rows]
        if cells and all(cell.replace(".", "", 1).isdecimal() for cell in cells):
            source.refuse(rows[0].line, f"column {column + 1} holds numbers, and no sentences", hint=hint)


def _told(
    source: SourceFile,
    line: int,
    pairs: Sequence[tuple[str, str]],
    places: tuple[str, str],
    unit: Literal["column", "line"],
    starred: Literal["good", "bad"] | None,
) -> tuple[str, ...]:
    """What a person said of the order of the members, for those who use the set; nothing where marks in the file say it. Raises
    `OrderUnknownError` where neither does."""
    if starred is not None:
        return ()
    first = source.options.first
    if first is None:
        one, other = pairs[0]
        # Where marks say it pair by pair, no place is always that of the good one.
        by_marks = all(_starred([pair]) is not None for pair in pairs)
        said = (
            f"its marks say that the good one is {places[0]} of some pairs and {places[1]} of others, such as"
            if by_marks
            else "nothing in it says which sentence of a pair is the good one: of"
        )
        raise OrderUnknownError(
            source,
            f"{source.path}: {said} {source.place(line)}, {_short(one)} or {_short(other)}",
            pair=(one, other),
            places=places,
        )
    by = "as answered when asked" if source.options.answered else f"as said with --first {first}"
    which = "first line of each pair" if unit == "line" else "first column"
    return (f"the {which} is the {first} member, {by}",)


def pair_table_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells; items that lack a member are left out."""
    if items.shape == TABLE:
        header, good, bad, item_column = (items.meta[key] for key in ("header", "good", "bad", "item"))
        called = {}
    else:
        names = (name for item in items.items for name in item.attributes)
        ours = ("item", "sentence_good", "sentence_bad")
        called = headings_behind(ours, names, apart=("sentence",))
        header = [*ours, *called]
        item_column, good, bad = 0, 1, 2
    if header:
        yield list(header)
    for item in items.items:
        pair = members(item, as_written=items.shape == TABLE)
        if pair is None:
            continue
        row = [""] * (len(header) or 2)
        for column, heading in enumerate(header):
            row[column] = cell_text(item.attributes.get(called.get(heading, heading)))
        row[good], row[bad] = pair
        if item_column is not None:
            row[item_column] = written_label(item)
        yield row


# ---- two lines a pair


def recognise_pair_lines(source: SourceFile) -> str | None:
    """What it is, if it is one. Refuses plain lines that are no pairs, or could be items of more than two sentences."""
    if source.is_spreadsheet or source.may_be_json or source.suffix not in _PLAIN_SUFFIXES:
        return None
    if not source.start or "\t" in source.start or source.has_columns:
        return None
    blocks = _blocks(source)
    lines = [line for block in blocks for line in block]
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    likeness = _line_likeness(source, [(one[1], other[1]) for one, other in pairs])
    if not (likeness.is_minimal and likeness.is_apart):
        _expect_no_numbers(source, lines)
    if not likeness.is_minimal:
        _expect_twos(source, blocks)
        _refuse_lines(source, pairs, likeness)
    sizes = {len(block) for block in blocks}
    if len(blocks) > 1 and len(sizes) == 1 and sizes != {2}:
        size = sizes.pop()
        _ask_size(
            source,
            blocks[1][0][0],
            f"a blank line stands after every {size} lines, so an item seems to have {size} sentences and not two",
            [size] if size > 2 else [],
        )
    # Blank lines around every two say that they are pairs; a line without a partner is said when they are read.
    in_twos = len(blocks) > 1 and sizes == {2}
    if not in_twos and not any(size % 2 for size in sizes) and not likeness.is_apart and likeness.joined is not None:
        here, there = pairs[likeness.joined : likeness.joined + 2]
        _ask_size(
            source,
            here[0][0],
            f"neighbouring lines are alike, but so are the pairs they would make: {likeness.similar:,} of {likeness.steps:,} "
            f"neighbouring pairs, first lines {here[0][0]} to {there[1][0]}, as if an item had more than two sentences",
            likely_sizes([text for _, text in lines], times=1.0),
        )
    if _starred([(one[1], other[1]) for one, other in pairs]) is None:
        expect_no_labels(source, [text for _, text in lines], as_they_are=LINES)
    return "two lines a pair"


def _expect_no_numbers(source: SourceFile, lines: Sequence[tuple[int, str]]) -> None:
    """Refuse lines that are numbered through, and no pairs by their words: each is then an item."""
    found = [_OWN_NUMBER.match(text) for _, text in lines]
    numbers = [int(match[1]) for match in found if match is not None]
    if len(numbers) == len(lines) > 2 and all(after == before + 1 for before, after in pairwise(numbers)):
        source.refuse(
            lines[0][0],
            "every line has a number of its own, and no two lines are a pair by their words",
            hint="Sentences of an item share its number: 1a., 1b.; alternatives within a sentence stand in braces or behind a mark: {was/were}, "
            f"was/*were.\n{source.head}\n",
        )


def _expect_twos(source: SourceFile, blocks: Sequence[Sequence[tuple[int, str]]]) -> None:
    """Refuse lines that blank ones part into pairs and a few blocks of another size, by those: which line of them is too many or missing is not
    said, and neither is it whether the others are pairs in one order."""
    twos = [block for block in blocks if len(block) == 2]
    odd = [block for block in blocks if len(block) != 2]
    if odd and odd[0] is blocks[0]:
        return  # a title, or what is said of all of them
    if len(twos) < 3 or not odd or len(odd) * 2 > len(twos):
        return
    alike = likeness_of([(one[1], other[1]) for one, other in twos])
    if alike.alike * 2 <= alike.pairs:
        return
    block = odd[0]
    lines = " / ".join(text.strip()[:50] for _, text in block[:4])
    too_many = (
        f"leave out the line that is too many, such as --leave-out {block[-1][0]}"
        if len(block) > 2
        else f"write its partner below it, or leave it out with --leave-out {block[0][0]}"
    )
    others = f"; so with the blocks that begin in line {', '.join(str(own[0][0]) for own in odd[1:5])}" if len(odd) > 1 else ""
    source.refuse(
        block[0][0],
        f"a block of {len(block)} line{'s' if len(block) > 1 else ''} begins here, where {len(twos):,} of {len(blocks):,} have two, as pairs "
        f"do: {lines}",
        hint=f"{too_many[0].upper()}{too_many[1:]}{others}. Nothing says which sentence of a pair is the good one, either: write * before the "
        f"bad one of each, in the file; or say --first good where the good one stands first in all of them.\n{source.head}\n",
    )


def _line_likeness(source: SourceFile, pairs: Sequence[tuple[str, str]]) -> Likeness:
    """How alike the lines are, two by two; measured once, since it takes as long as reading them."""
    if "likeness" not in source.known:
        source.known["likeness"] = likeness_of(pairs)
    found: Likeness = source.known["likeness"]
    return found


def _refuse_lines(source: SourceFile, pairs: list[tuple[tuple[int, str], tuple[int, str]]], likeness: Likeness) -> NoReturn:
    if likeness.odd is None:
        source.refuse(0, "holds one line, and no table", hint=_OTHER_SENTENCES)
    (line, one), (after, other) = pairs[likeness.odd]
    message = f"plain lines, and no minimal pairs: {likeness.in_words}; {_short(one)} and {_short(other)} (line {after}) do not"
    # Lines of which most are unlike their neighbours are no pairs, whatever else they are.
    pair = (
        [FileAnswer("2", "two lines are a pair all the same", {"format": LINES})] if likeness.alike * 2 >= likeness.pairs else []
    )
    if sizes := likely_sizes([text for text in source.lines if text.strip()]):
        _ask_size(source, line, message, sizes, pair)
    source.refuse(line, message, hint=_OTHER_SENTENCES, ways=pair, is_open=True)


def _ask_size(
    source: SourceFile, line: int, message: str, sizes: Sequence[int], pair: Sequence[FileAnswer] | None = None
) -> NoReturn:
    """Ask how many lines an item has; `pair` is the answer that it has two."""
    answers = [
        FileAnswer(str(n), f"every {n} lines are an item, in the same order of conditions", {"per_item": n}) for n in sizes[:2]
    ]
    answers += [FileAnswer("2", "two lines are a pair all the same", {"format": LINES})] if pair is None else pair
    source.ask(line, message, f"{message[0].upper()}{message[1:]}. How many lines has an item?", answers, hint=_OTHER_SENTENCES)


def _blocks(source: SourceFile) -> list[list[tuple[int, str]]]:
    """The lines with their numbers, apart where blank ones stand between."""
    numbered = groupby(enumerate(source.lines, 1), key=lambda line: bool(line[1].strip()))
    return [list(lines) for is_text, lines in numbered if is_text]


def read_pair_lines(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the pairs. Raises `FormatError` with the line where a pair has one line only, and `OrderUnknownError` where nobody
    said which line of a pair is the good one."""
    filled = [text for text in source.lines if text.strip()]
    starred = _marked_first(source, list(zip(filled[::2], filled[1::2], strict=False)))
    bad_first = (starred or source.options.first) == "bad"
    items: list[ForeignItem] = []
    pairs: list[tuple[str, str]] = []
    held: tuple[int, str] | None = None
    for line, text in enumerate(source.lines, 1):
        if not text.strip():
            if held is not None:
                source.refuse(held[0], "the line has no partner before the blank line", hint="A pair is two lines.")
            continue
        if held is None:
            held = line, text
            continue
        good, bad = (text, held[1]) if bad_first else (held[1], text)
        items.append(_pair(str(len(items) + 1), good, bad, held[0], {}, None))
        pairs.append((held[1], text))
        held = None
        if progress is not None and len(items) % _EVERY == 0:
            progress(2 * len(items))
    if held is not None:
        source.refuse(held[0], "the last line has no partner", hint="A pair is two lines.")
    if not items:
        source.refuse(0, "there are no pairs in it")
    told = _told(source, items[0].sentences[0].line, pairs, ("the first line", "the second line"), "line", starred)
    return ForeignSet(
        shape=LINES,
        items=tuple(items),
        conditions=(GOOD, BAD),
        expected=_EXPECTED,
        meta={"bad_first": bad_first, **_blank_lines(source, items)},
        notes=(_line_likeness(source, pairs).in_words, *told),
        assumptions=_order((), (int(bad_first), int(not bad_first)), told, starred),
        told=told,
        encoding=source.encoding,
        name=source.path.stem,
    )


def _blank_lines(source: SourceFile, items: Sequence[ForeignItem]) -> dict[str, int]:
    """How many empty lines stand after every pair but the last, and after that, where it is so throughout."""
    begun = [item.sentences[0].line for item in items]
    apart = {after - line - 2 for line, after in itertools.pairwise(begun)}
    behind = len(source.lines) - begun[-1] - 1
    is_so = len(apart) == 1 and begun[0] == 1 and not any(line for line in source.lines if not line.strip())
    found = {"apart": apart.pop() if is_so else 0, "behind": behind}
    return {name: number for name, number in found.items() if number}


def first_written(items: ForeignSet) -> Literal["good", "bad"]:
    """Which member of a pair `write_pair_lines` writes first: as in the file it came from, else the bad one, as in POSH-BENCH."""
    return "bad" if items.shape != LINES or items.meta.get("bad_first", True) else "good"


def write_pair_lines(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write two lines a pair, the bad member first unless the set came the other way round; the labels of items that are
    left out, since they lack a member or one of them has several lines."""
    bad_first = first_written(items) == "bad"
    left_out = []
    blank = items.meta if items.shape == LINES else {}
    before = ""
    for item in items.items:
        pair = members(item, as_written=items.shape == LINES)
        if pair is None or any("\n" in text or "\r" in text or not text.strip() for text in pair):
            left_out.append(item.label)
            continue
        good, bad = pair
        stream.write(f"{before}{bad}\n{good}\n" if bad_first else f"{before}{good}\n{bad}\n")
        before = "\n" * blank.get("apart", 0)
    stream.write("\n" * blank.get("behind", 0))
    return tuple(left_out)


# ---- what they share


def _marked_first(source: SourceFile, pairs: Sequence[tuple[str, str]]) -> Literal["good", "bad"] | None:
    """The same as `_starred`, without what somebody said stands before sentences. Refuses an order that is said to be another."""
    found = _starred([(bare_of(one, source.options), bare_of(other, source.options)) for one, other in pairs])
    if found is not None and source.options.first not in (None, found):
        source.refuse(
            0,
            f"the marks before its sentences say that the {found} one comes first, and --first {source.options.first} says the contrary",
            hint="Leave --first out, or correct the marks.",
        )
    return found


def _order(
    header: Sequence[str], places: tuple[int, int], told: Sequence[str], starred: Literal["good", "bad"] | None
) -> tuple[Assumption, ...]:
    """What says which member is the good one."""
    if header:
        good, bad = (header[place] for place in places)
        return (Assumption("good and bad", f"{good} and {bad}", "by their headings"),)
    if starred is not None:
        return (Assumption("good and bad", f"the {starred} one comes first", "the other one has a mark before it in every pair"),)
    return (Assumption("good and bad", told[0], "as said", "said", "--first"),) if told else ()


def members(item: ForeignItem, *, as_written: bool = False) -> tuple[str, str] | None:
    """The good and the bad sentence of an item that has one of each, `as_written` with what the file has before them."""
    texts: Mapping[str, list[str]] = {GOOD: [], BAD: []}
    for sentence in item.sentences:
        if sentence.condition in texts:
            texts[sentence.condition].append(sentence.written_text if as_written else sentence.text)
    if len(texts[GOOD]) == len(texts[BAD]) == 1:
        return texts[GOOD][0], texts[BAD][0]
    return None


def is_pair(item: ForeignItem) -> bool:
    """Whether it has one good and one bad sentence."""
    return members(item) is not None


def _pair(
    label: str,
    good: str,
    bad: str,
    line: int,
    attributes: Mapping[str, Json],
    regions: Mapping[str, tuple[GivenRegion, ...]] | None,
    written: Json = None,
) -> ForeignItem:
    given = regions or {}
    sentences = (
        ForeignSentence(GOOD, good, given.get(GOOD), line),
        ForeignSentence(BAD, bad, given.get(BAD), line),
    )
    return ForeignItem(label, sentences, attributes or NOTHING, None, written)


def _keys_of(record: Mapping[str, Any]) -> dict[str, str]:
    folded = {fold(key): key for key in reversed(list(record))}
    found = {}
    for role in ("good", "bad"):
        for name in ROLES_OF_HEADINGS[role]:
            if name in folded and isinstance(record[folded[name]], str):
                found[role] = folded[name]
                break
    return found


def _labels(records: list[dict[str, Any]]) -> tuple[list[str], str]:
    """A label per record: its pair id, with its paradigm before it where several are pooled, else its number."""
    numbers = [str(number) for number in range(1, len(records) + 1)]
    folded = {fold(key): key for key in records[0]}
    id_key = next((folded[n] for n in ("pair_id", "pairid", "item", "item_id", "id") if n in folded), None)
    if id_key is None:
        return numbers, ""
    ids = [str(record.get(id_key, "")).strip() for record in records]
    if _all_distinct(ids):
        return ids, ""
    group_key = next((folded[name] for name in _GROUP_KEYS if name in folded), None)
    if group_key is not None:
        ids = [f"{record.get(group_key, '')}-{label}" for record, label in zip(records, ids, strict=True)]
        if _all_distinct(ids):
            return ids, f"{id_key} is there more than once, so items are called by {group_key} and {id_key}"
    common = Counter(str(record.get(id_key, "")) for record in records).most_common(1)[0]
    return numbers, f"{id_key} {common[0]!r} is there {common[1]} times, so items are numbered in order"


def _all_distinct(labels: Iterable[str]) -> bool:
    seen = list(labels)
    return len(set(seen)) == len(seen) and all(seen)


def _prefix_regions(record: Mapping[str, Any], good: str, bad: str) -> Mapping[str, tuple[GivenRegion, ...]] | None:
    """Prefix, the word that decides, and the rest of both members, where the record gives them and they fit the texts."""
    fields = {fold(key): value for key, value in record.items() if isinstance(value, str)}
    for prefix_keys, word_keys in (
        (("one_prefix_prefix",) * 2, ("one_prefix_word_good", "one_prefix_word_bad")),
        (("two_prefix_prefix_good", "two_prefix_prefix_bad"), ("two_prefix_word",) * 2),
    ):
        given = [
            _split(text, fields.get(prefix_key), fields.get(word_key))
            for text, prefix_key, word_key in zip((good, bad), prefix_keys, word_keys, strict=True)
        ]
        if given[0] is not None and given[1] is not None:
            return {GOOD: given[0], BAD: given[1]}
    return None


def _split(text: str, prefix: str | None, word: str | None) -> tuple[GivenRegion, ...] | None:
    if not prefix or not word or not prefix.strip() or not word.strip():
        return None
    before, decisive = prefix.strip(), word.strip()
    start = len(before) + 1 if text.startswith(f"{before} ") else len(before)
    end = start + len(decisive)
    if not text.startswith(before) or text[start:end] != decisive or text[end : end + 1].isalnum():
        return None
    rest = end + (len(text[end:]) - len(text[end:].lstrip()))
    last = max(rest, len(text.rstrip()))
    return (
        GivenRegion("prefix", 0, len(before)),
        GivenRegion("word", start, end),
        GivenRegion("rest", rest, last),
    )
