"""A row per item and condition, and a column per region: the form of Wilcox et al.'s materials.

An empty cell is an empty region. Columns with usual names for other things, of numbers only, and behind the end of the sentence
are no regions, unless they were said to be.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gapsmith.bank.formats.answers import is_open_as_region
from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.columns import (
    Roles,
    expect_one_each,
    expect_one_experiment,
    expect_parts,
    is_ticked,
    roles,
    tells_apart,
)
from gapsmith.bank.formats.composing import compose, plain
from gapsmith.bank.formats.foreign import ForeignRegion, ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.grouping import (
    Columns,
    GroupedSentence,
    RowLabels,
    attribute_columns,
    attribute_notes,
    attribute_of,
    cell_text,
    checked_header,
    first_seen,
    fitted,
    grouped,
    has_regions,
    headings_behind,
    in_file_order,
    item_cell,
)
from gapsmith.bank.formats.headings import fold
from gapsmith.bank.formats.marks import TAKEN_OFF
from gapsmith.bank.formats.source import Progress, SourceFile, TableRow
from gapsmith.bank.formats.word_rows import propose_words
from gapsmith.bank.item_names import NAMING

SHAPE = "region_columns"
_EVERY = 2000
_NO_REGIONS = frozenset(
    {
        "list",
        "group",
        "block",
        "experiment",
        "sentence_type",
        "paradigm",
        "construction",
        "uid",
        "field",
        "source",
        *NAMING,
    }
    | {"author", "comment", "notes", "template", "grammaticality", "grammatical", "acceptability", "status", "expected"}
    | {"rating"}
)
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?\Z")
_NUMBERED = re.compile(r"(\D*?)[ _.-]?(\d{1,3})")
_STEMS = (
    "r", "reg", "region", "w", "word", "wort", "seg", "segment", "chunk", "part", "phrase", "p", "frame", "disp", "display", "mot", "woord",
)  # fmt: skip
"""What numbered regions are called."""
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\Z")
_END = re.compile(r"[.?!…。？！]*\Z")


def recognise_region_columns(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if not source.first_row or source.may_be_json:
        return None
    found = roles(source)
    others = len([cell for cell in source.first_row if cell.strip()]) - 2
    if not found.is_long or found.sentence or "region_number" in found.other or others < 2:
        return None
    if "good" in found.other and "bad" in found.other and _are_pairs(source, found):
        return None
    if found.item and not source.options.regions and not tells_apart(source, (*found.item, *found.condition)):
        propose_words(source)
    if source.known.get("format") is None and not (source.options.regions or source.options.attributes):
        expect_parts(source)
    return "a table with a row per item and condition and a column per region"


def _are_pairs(source: SourceFile, found: Roles) -> bool:
    """Whether the good and the bad sentence stand in two columns of a table with items and conditions, rather than other things,
    such as answers, beside regions. Refuses the file where that is open."""
    header = source.first_row
    members = [found.other["good"], found.other["bad"]]
    if {fold(header[c]) for c in members} & {fold(n) for n in (*source.options.attributes, *source.options.regions)}:
        return False
    top, *body = source.rows()
    body = [row for row in body if len(row.cells) >= len(header)]
    if any(_is_numeric(body, column) for column in members):
        return False
    if all("sent" in fold(header[column]) for column in members):
        return True
    ours = {*found.item, *found.condition, *members}
    others = [
        column
        for column, heading in enumerate(header)
        if column not in ours and heading.strip() and not _is_known(heading) and not _is_numeric(body, column)
    ]
    if not others:
        return True
    items = [tuple(plain(row.cells[column]) for column in found.item) for row in body]
    if len(set(items)) == len(items):
        good, bad = (header[column].strip() for column in members)
        source.refuse(
            top.line,
            f"cannot tell whether {good!r} and {bad!r} are the sentences of pairs, or {header[others[0]].strip()!r} is a region",
            hint=f"Pairs: say --format pair_table. Regions: say --attribute {shlex.quote(good)} --attribute {shlex.quote(bad)} "
            "where these two are none.",
        )
    return False


def _is_known(heading: str) -> bool:
    """Whether a column of this name is no region. Our own exports write attribute_ before what would be taken for another
    column."""
    return fold(heading) in _NO_REGIONS or fold(heading).startswith("attribute_")


def read_region_columns(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the table. Raises `FormatError` with the line for a row without item or condition."""
    rows = source.rows()
    top = next(rows)
    header = checked_header(source, top)
    body = [fitted(source, row, len(header)) for row in rows]
    if not body:
        source.refuse(0, "there is nothing below the headings")
    columns, regions = _columns(source, top, header, body)
    labels = RowLabels(source, columns)
    _expect_no_first_rows(source, body, columns, regions)
    items = grouped(_sentences(body, columns, regions, labels, progress))
    notes = [f"regions: {', '.join(header[column] for column in regions)}"]
    notes += attribute_notes((header[column] for column in columns.extra), items)
    notes += _open_notes(source, header, body, columns.extra, regions)
    if list(regions) != sorted(regions):
        in_order = ", ".join(header[column] for column in regions)
        notes.append(f"the columns of regions stand in another order in the file; they are put in this one: {in_order}")
    own = {fold(name) for name in source.options.regions}
    said = all(fold(header[column]) in own for column in regions)
    taken = Assumption(
        "regions",
        ", ".join(header[column] for column in regions),
        "as said" if said else "columns of words under no other heading",
        "said" if said else "certain",
        "--region or --attribute",
    )
    beside = source.known.get("beside", ())
    of_numbers = (
        [Assumption("regions", f"not {', '.join(beside)}", "the others are numbered", "assumed", "--region")] if beside else []
    )
    found = ForeignSet(
        shape=SHAPE,
        items=items,
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        regions=tuple(ForeignRegion(header[column], str(n)) for n, column in enumerate(regions, 1)),
        meta={
            "header": list(header),
            "item": columns.item_heading,
            "condition": [header[column] for column in columns.condition],
            "regions": [header[column] for column in regions],
            "delimiter": "," if source.is_spreadsheet else source.delimiter,
        },
        factors=columns.factors(items),
        levels=columns.levels(items),
        notes=tuple(notes),
        assumptions=(*roles(source).assumptions, *labels.expect_whole(items), taken, *of_numbers),
        encoding=source.encoding,
        name=source.path.stem,
    )
    expect_one_experiment(source, found)
    expect_one_each(source, found)
    return found


def _expect_no_first_rows(source: SourceFile, body: list[TableRow], columns: Columns, regions: tuple[int, ...]) -> None:
    """Ask about a column that is filled where the number of an item is, in its first row, and nowhere else, as the number is: it may be said of
    all rows of the item."""
    numbered = [row for row in body if all(row.cells[column].strip() for column in columns.item)]
    if len(numbered) < 2 or 2 * len(numbered) > len(body):
        return
    filled = {column: [row for row in body if row.cells[column].strip()] for column in regions}
    for column in (c for c in regions if filled[c] == numbered):
        name = source.first_row[column].strip()
        if name in source.options.regions:
            continue
        names = tuple(source.first_row[c].strip() for c in regions)
        shown = numbered[0].cells[column].strip()[:60]
        source.ask(
            numbered[0].line,
            f"{name!r} is filled only in the first row of each item, as the number of the item is, such as {shown!r}",
            f"Is {name} said of the whole item, and no part of its first sentence alone?",
            [
                FileAnswer(
                    "yes",
                    f"{name} is kept as an attribute of its item, and stands in none of its sentences",
                    {"attributes": (*source.options.attributes, name)},
                ),
                FileAnswer("no", f"{name} is a region of the first sentence of each item alone", {"regions": names}),
            ],
            hint="Where it belongs to all sentences of an item, write it into each of its rows.",
        )


def region_columns_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells, headings first; items with a sentence that has no regions are left out."""
    meta = items.meta if items.shape == SHAPE else {}
    names = [region.name for region in items.regions]
    given = meta.get("item", "item")
    own: list[str] = [given] if isinstance(given, str) else given
    factors: list[str] = meta.get("condition", ["condition"])
    header: list[str] = list(meta["header"]) if meta else [*own, *factors]
    ours = TAKEN_OFF if meta.get("judged") else set()
    header += [name for name in names if name not in header]
    attributes = (name for name in attribute_columns(items.items) if not meta or (name not in header and name not in ours))
    called = headings_behind(header, attributes, apart=("sentence", "region_number"))
    header += called
    yield header
    for item, sentence in in_file_order(items.items):
        if sentence.regions is None or not has_regions(item):
            continue
        contents = {region.name: region.content(sentence.text) for region in sentence.regions}
        if meta and sentence.mark and (first := next((n for n, words in contents.items() if words), None)) is not None:
            contents[first] = sentence.mark + contents[first]
        if meta and sentence.behind and (last := next((n for n in reversed(contents) if contents[n]), None)) is not None:
            contents[last] += sentence.behind
        levels = sentence.levels(len(factors))
        row = []
        for heading in header:
            if heading in own:
                row.append(item_cell(item, sentence, own, heading))
            elif heading in factors:
                row.append(levels[factors.index(heading)])
            elif heading in names:
                row.append(contents.get(heading, ""))
            else:
                row.append(cell_text(attribute_of(item, sentence, called.get(heading, heading))))
        yield row


def _columns(source: SourceFile, top: TableRow, header: tuple[str, ...], body: list[TableRow]) -> tuple[Columns, tuple[int, ...]]:
    found = roles(source)
    if not found.is_long:
        lacking = "condition" if found.item or found.per_item else "item"
        source.refuse(
            top.line,
            f"there is no column for the {lacking}",
            hint=f"Found: {', '.join(header)}. Say which it is: --{lacking}-column NAME.",
        )
    ours = {*found.item, *found.condition}
    attributes = _asked(source, top, header, source.options.attributes)
    asked = _asked(source, top, header, source.options.regions)
    if both := sorted(attributes & asked):
        source.refuse(top.line, f"the column {header[both[0]]!r} is said to be a region and to be none")
    if taken := sorted(asked & ours):
        source.refuse(top.line, f"the column {header[taken[0]]!r} names the item or the condition and is no region")
    others = [column for column in range(len(header)) if column not in ours]
    regions = tuple(
        column
        for column in others
        if column in asked
        or not (column in attributes or _is_known(header[column]) or _is_numeric(body, column) or is_ticked(body, column))
    )
    beside: tuple[int, ...] = ()
    if not source.known.get("format") and (own := _numbered_ones(header, regions)):
        # Where regions are numbered, what has no number is none of them.
        beside = tuple(column for column in regions if column not in own and column not in asked)
        regions = tuple(column for column in regions if column not in beside)
        source.known["beside"] = [header[column] for column in beside]
    end = next((c for c in regions if fold(header[c]) == "punctuation" and _ends_sentences(body, c)), None)
    if end is not None:
        # Our own exports have the attributes behind the sentence, and its last region is called that.
        regions = tuple(column for column in regions if column <= end or column in asked)
    if unclear := [header[c] for c in regions if c not in asked and is_open_as_region(header[c])]:
        name = shlex.quote(unclear[0])
        source.refuse(
            top.line,
            f"cannot tell whether the column {unclear[0]!r} is part of the sentences or holds answers",
            hint=f"If it is none of the sentence, say --attribute {name}; if it is, --region {name}.",
        )
    if not regions:
        source.refuse(top.line, "there is no column with the words of a region", hint=f"Found: {', '.join(header)}.")
    if len(said := _asked_in_order(header, source.options.regions)) == len(regions):
        regions = said
    else:
        regions = _by_number(source, top, header, regions)
        _expect_order_of_words(source, top, header, body, regions)
    return replace(found, header=header).columns(*regions), regions


def _numbered_ones(header: tuple[str, ...], regions: tuple[int, ...]) -> tuple[int, ...]:
    """The columns that are called regions or words and are numbered from 0 or 1 on, three or more (R1, R2, R3); none where there are no such."""
    found = {column: match for column in regions if (match := _NUMBERED.fullmatch(header[column]))}
    for stem in _STEMS:
        own = tuple(column for column, match in found.items() if fold(match[1]) == stem)
        numbers = sorted(int(found[column][2]) for column in own)
        if len(own) > 2 and numbers[0] in (0, 1) and numbers == list(range(numbers[0], numbers[0] + len(own))):
            return own
    return ()


def _asked_in_order(header: tuple[str, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    """The columns that somebody named as regions, in the order in which they are named: where these are all, it is that of the words."""
    folded = [fold(heading) for heading in header]
    return tuple(dict.fromkeys(folded.index(fold(name)) for name in names))


def _by_number(source: SourceFile, top: TableRow, header: tuple[str, ...], regions: tuple[int, ...]) -> tuple[int, ...]:
    """The regions in the order of the numbers in their headings, where each has one. Refuses columns of which some have numbers that
    say another order than the columns: where the others belong is then not said."""
    found = {column: match for column in regions if (match := _NUMBERED.fullmatch(header[column]))}
    stems: dict[str, list[int]] = {}
    for column, match in found.items():
        stems.setdefault(match[1].casefold(), []).append(column)
    for own in stems.values():
        numbers = [int(found[column][2]) for column in own]
        if len(own) < 3 or len(set(numbers)) < len(numbers) or numbers == sorted(numbers):
            continue
        ordered = tuple(sorted(own, key=lambda column: int(found[column][2])))
        if len(own) == len(regions):
            return ordered
        others = ", ".join(header[column] for column in regions if column not in own)
        source.refuse(
            top.line,
            f"the columns {', '.join(header[column] for column in own[:4])} … do not stand in the order of their numbers, and where "
            f"{others} belong among them is not said",
            hint=f"Name all regions in the order of the words: {_named_in_order(header, regions)}.\n{source.head}\n",
        )
    return regions


def _expect_order_of_words(
    source: SourceFile, top: TableRow, header: tuple[str, ...], body: list[TableRow], regions: tuple[int, ...]
) -> None:
    """Refuse regions of which one that ends the sentence stands before others in most rows: their columns are in another order than
    the words."""
    if len(regions) < 2 or source.known.get("format") or source.options.regions:
        return
    behind = _behind_the_end(body, regions)
    if behind:
        names = tuple(header[column] for column in behind)
        together = _together(source, header, body, regions, behind)
        message = f"{', '.join(names)} stands behind the end of the sentence, such as: {body[0].cells[behind[0]].strip()[:60]}"
        source.ask(
            top.line,
            message,
            f"{message}. Is it no part of the sentence?",
            [
                FileAnswer(
                    "yes", "it is no region, and becomes an attribute", {"attributes": (*source.options.attributes, *names)}
                ),
                *together,
            ],
            hint="" if together else f"If it is, name all regions in the order of the words: {_named_in_order(header, regions)}.",
        )
    if len(regions) < 3:
        return
    odd = 0
    for row in body:
        words = [row.cells[column].strip() for column in regions if row.cells[column].strip()]
        odd += any(_ENDED.search(cell) for cell in words[:-1]) and not (words and _ENDED.search(words[-1]))
    begun = next((c for c in regions[1:] if all(row.cells[c].strip()[:1].isupper() for row in body)), None)
    if begun is not None and all(row.cells[regions[0]].strip()[:1].islower() for row in body):
        source.refuse(
            top.line,
            f"the columns do not seem to stand in the order of the words: {header[begun]!r} begins with a capital everywhere, and "
            f"{header[regions[0]]!r} does not",
            hint=f"Name all regions in the order of the words (this is the order of the columns): {_named_in_order(header, regions)}.\n"
            f"{source.head}\n",
        )
    if odd * 2 > len(body):
        source.refuse(
            top.line,
            f"a column that ends the sentence stands before others in {odd:,} of {len(body):,} rows: either these are no regions, or "
            "the columns do not stand in the order of the words",
            hint=f"Say which columns are no regions, such as --attribute {shlex.quote(header[regions[-1]])}; or name all regions in the "
            f"order of the words (this is the order of the columns): {_named_in_order(header, regions)}.\n{source.head}\n",
        )


def _together(
    source: SourceFile, header: tuple[str, ...], body: Sequence[TableRow], regions: tuple[int, ...], behind: Sequence[int]
) -> list[FileAnswer]:
    """That columns of several words are the regions, one after the other, and columns of single words, such as names of procedures, none."""
    held = {c: [row.cells[c].split() for row in body if row.cells[c].strip()] for c in regions}
    long = [c for c in regions if held[c] and sum(len(words) > 1 for words in held[c]) * 2 > len(held[c])]
    others = tuple(header[c] for c in regions if c not in long)
    if len(long) < 2 or not set(behind) <= set(long):
        return []
    named = tuple(header[c] for c in long)
    means = f"{', '.join(named)} are one text, in this order" + (f"; {', '.join(others)} is no part of it" if others else "")
    said: dict[str, object] = {"regions": named}
    if others:
        said["attributes"] = (*source.options.attributes, *others)
    return [FileAnswer("all", means, said)]


def _behind_the_end(body: list[TableRow], regions: tuple[int, ...]) -> tuple[int, ...]:
    """The last columns, which hold sentences of their own behind the end of the sentence in nearly all rows, as questions about it do."""
    for place in range(1, len(regions)):
        rest = regions[place:]
        before = [next((row.cells[c].strip() for c in reversed(regions[:place]) if row.cells[c].strip()), "") for row in body]
        after = [next((row.cells[c].strip() for c in rest if row.cells[c].strip()), "") for row in body]
        both = [(one, other) for one, other in zip(before, after, strict=True) if one and other]
        if len(both) * 2 > len(body) and sum(
            _ENDED.search(one) is not None and len(other.split()) > 1 and other[:1].isupper() for one, other in both
        ) >= 0.9 * len(both):
            return rest
    return ()


def _named_in_order(header: tuple[str, ...], regions: tuple[int, ...]) -> str:
    return " ".join(f"--region {shlex.quote(header[column])}" for column in regions)


def _ends_sentences(body: list[TableRow], column: int) -> bool:
    """Whether a column holds nothing but what stands at the end of a sentence."""
    cells = [row.cells[column].strip() for row in body]
    return any(cells) and all(_END.match(cell) for cell in cells)


def _asked(source: SourceFile, top: TableRow, header: tuple[str, ...], names: tuple[str, ...]) -> set[int]:
    """The columns of these names, as a person wrote them. Refuses a name that is no column's."""
    asked = {fold(name) for name in names}
    if unknown := sorted(asked - {fold(heading) for heading in header}):
        source.refuse(top.line, f"there is no column {unknown[0]!r}", hint=f"Columns: {', '.join(header)}.")
    return {column for column, heading in enumerate(header) if fold(heading) in asked}


def _open_notes(
    source: SourceFile, header: tuple[str, ...], body: list[TableRow], extra: tuple[int, ...], regions: tuple[int, ...]
) -> list[str]:
    """What was taken for a region or for none where a person could mean it otherwise, and how to say so."""
    said = {fold(name) for name in (*source.options.attributes, *source.options.regions)}
    unsaid = [column for column in extra if fold(header[column]) not in said]
    # A number may be a word of the sentence, and then the sentence is not whole.
    between = [c for c in unsaid if regions[0] < c < regions[-1] and _is_numeric(body, c)]
    left = [header[column] for column in unsaid if column not in between]
    notes = []
    if between:
        names = [header[column] for column in between]
        first = f"--region {shlex.quote(names[0])}"
        notes.append(
            f"{names[0]} stands between regions and was not read as part of the sentence; if it is, {first}"
            if len(names) == 1
            else f"{', '.join(names)} stand between regions and were not read as part of the sentence; if one is, {first}"
        )
    if left:
        notes.append(f"not taken for regions: {', '.join(left)}; if one is, --region {shlex.quote(left[0])}")
    return notes


def _is_numeric(body: list[TableRow], column: int) -> bool:
    cells = [row.cells[column].strip() for row in body]
    return any(cells) and all(_NUMBER.match(cell) for cell in cells if cell)


def _sentences(
    body: list[TableRow],
    columns: Columns,
    regions: tuple[int, ...],
    labels: RowLabels,
    progress: Progress | None,
) -> Iterator[GroupedSentence]:
    for number, row in enumerate(body, 1):
        label, cell = labels.item(row)
        condition = labels.condition(row)
        contents = [row.cells[column] for column in regions]
        text, spans = compose(contents)
        written = columns.written_condition(row)
        given = tuple(
            GivenRegion(columns.header[column], start, end, raw)
            for column, (start, end), raw in zip(regions, spans, contents, strict=True)
        )
        sentence = ForeignSentence(
            condition, text, given, row.line, None if written == condition or columns.lettered else written
        )
        yield GroupedSentence(label, cell, sentence, columns.attributes(row))
        if progress is not None and number % _EVERY == 0:
            progress(number)
