"""A row per sentence, with columns for item, condition and sentence, whatever people call them, and any others.

Missing, doubled and empty sentences come in as they are; what is refused is a row that cannot be placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gapsmith.bank.formats.columns import (
    expect_alike,
    expect_conditions,
    expect_one_each,
    expect_one_experiment,
    expect_other_texts,
    read_once,
    roles,
)
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
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
    headings_behind,
    in_file_order,
    item_cell,
)
from gapsmith.bank.formats.marks import TAKEN_OFF
from gapsmith.bank.formats.regions_between import as_written
from gapsmith.bank.formats.source import Progress, SourceFile, TableRow
from gapsmith.bank.formats.word_rows import propose_words

SHAPE = "csv"
_HEADER = ("item_id", "condition", "full_sentence")
"""Headings of attributes that would be taken for ours."""
_EVERY = 2000


def recognise_condition_table(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if source.first_row and not source.may_be_json:
        found = roles(source)
        if found.is_long and len(found.sentence) == 1 and "region_number" not in found.other:
            return "a table with a row per item and condition"
    return None


def read_condition_table(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the table. Raises `FormatError` with the line for a row without item or condition."""
    expect_conditions(source)
    rows = source.rows()
    top = next(rows)
    header = checked_header(source, top)
    columns, sentence = _columns(source, top, header)
    labels = RowLabels(source, columns)
    items = grouped(_sentences(source, rows, columns, sentence, labels, progress))
    items, once = read_once(source, items)
    if not items:
        source.refuse(0, "there is nothing below the headings")
    found = ForeignSet(
        shape=SHAPE,
        items=items,
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        factors=columns.factors(items),
        levels=columns.levels(items),
        meta={
            "header": _kept(source, header, columns, items),
            "item": columns.item_heading,
            "condition": [header[column] for column in columns.condition],
            "sentence": header[sentence],
            "delimiter": "," if source.is_spreadsheet else source.delimiter,
        },
        notes=(
            *attribute_notes((header[column] for column in columns.extra), items),
            *(taken.taken for taken in once if taken.sure == "said"),
        ),
        assumptions=(*roles(source).assumptions, *labels.expect_whole(items), *once),
        encoding=source.encoding,
        name=source.path.stem,
    )
    expect_one_experiment(source, found)
    if any(_is_repeated(item) or _are_words(item) for item in items[:20]):
        propose_words(source)
    expect_one_each(source, found)
    expect_other_texts(source, found)
    expect_alike(source, found)
    return found


def _kept(source: SourceFile, header: tuple[str, ...], columns: Columns, items: tuple[ForeignItem, ...]) -> list[str]:
    """The headings of the columns that are kept: where rows are read once, those of answers are not."""
    if not source.options.once:
        return list(header)
    gone = {header[column] for column in columns.extra} - set(attribute_columns(items))
    return [heading for heading in header if heading not in gone]


def _is_repeated(item: ForeignItem) -> bool:
    """Whether the same sentence stands in several rows of a condition: they may be the rows of its words."""
    told = {(s.condition, s.text) for s in item.sentences}
    return len(told) < len(item.sentences) and len(told) == len({condition for condition, _ in told})


def _are_words(item: ForeignItem) -> bool:
    """Whether a condition has several rows, of a word each."""
    alone = len({s.condition for s in item.sentences}) == len(item.sentences)
    return not alone and all(len(s.text.split()) < 2 for s in item.sentences)


def condition_table_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells, headings first: those of the file it came from, else our own and the attributes."""
    meta = items.meta if items.shape == SHAPE else {}
    given = meta.get("item", _HEADER[0])
    own: list[str] = [given] if isinstance(given, str) else given
    roles = {**dict.fromkeys(own, "item"), meta.get("sentence", _HEADER[2]): "sentence"}
    factors: list[str] = meta.get("condition", ["condition"])
    header: list[str] = list(meta["header"]) if meta else list(_HEADER)
    ours = TAKEN_OFF if meta.get("judged") else set()
    names = (name for name in attribute_columns(items.items) if not meta or (name not in header and name not in ours))
    called = headings_behind(header, names, apart=("region_number", "region_name"))
    # In the files of the papers what kind of sentences they are stands first.
    first = [] if meta else [heading for heading in called if heading == "sentence_type"]
    header = [*first, *header, *(heading for heading in called if heading not in first)]
    yield header
    for item, sentence in in_file_order(items.items):
        levels = sentence.levels(len(factors))
        row = []
        for heading in header:
            if heading in roles:
                is_item = roles[heading] == "item"
                row.append(item_cell(item, sentence, own, heading) if is_item else as_written(sentence, meta))
            elif heading in factors:
                row.append(levels[factors.index(heading)])
            else:
                row.append(cell_text(attribute_of(item, sentence, called.get(heading, heading))))
        yield row


def _columns(source: SourceFile, top: TableRow, header: tuple[str, ...]) -> tuple[Columns, int]:
    found = roles(source)
    lacking = [
        role
        for role, there in (
            ("item", found.item or found.per_item),
            ("sentence", found.sentence),
            ("condition", found.condition or found.lettered or found.placed),
        )
        if not there
    ]
    if lacking:
        source.refuse(
            top.line,
            f"there is no column for the {lacking[0]}",
            hint=f"Found: {', '.join(header)}. Say which it is: --{lacking[0]}-column NAME.",
        )
    return replace(found, header=header).columns(found.sentence[0]), found.sentence[0]


def _sentences(
    source: SourceFile,
    rows: Iterator[TableRow],
    columns: Columns,
    sentence: int,
    labels: RowLabels,
    progress: Progress | None,
) -> Iterator[GroupedSentence]:
    for number, given in enumerate(rows, 1):
        row = fitted(source, given, len(columns.header))
        label, cell = labels.item(row)
        condition = labels.condition(row)
        written = columns.written_condition(row)
        yield GroupedSentence(
            label,
            cell,
            ForeignSentence(
                condition,
                row.cells[sentence],
                line=row.line,
                written=None if written == condition or columns.lettered or columns.placed else written,
            ),
            columns.attributes(row),
        )
        if progress is not None and number % _EVERY == 0:
            progress(number)
