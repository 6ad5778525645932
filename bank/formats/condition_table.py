"""A row per sentence, with columns for item, condition and sentence, whatever people call them, and any others.

Missing, doubled and empty sentences come in as they are; what is refused is a row that cannot be placed.
"""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank.formats.foreign import ForeignSentence, ForeignSet
from gapsmith.bank.formats.grouping import (
    Columns,
    GroupedSentence,
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
    written_label,
)
from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.source import Progress, SourceFile, TableRow

SHAPE = "csv"
_HEADER = ("item_id", "condition", "full_sentence")
"""Headings of attributes that would be taken for ours."""
_EVERY = 2000


def recognise_condition_table(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if source.first_row and (source.is_spreadsheet or source.start[:1] not in "{["):
        roles = roles_of(source.first_row)
        has_condition = "condition" in roles or source.options.condition_columns
        if "item" in roles and has_condition and "sentence" in roles and "region_number" not in roles:
            return "a table with a row per item and condition"
    return None


def read_condition_table(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the table. Raises `FormatError` with the line for a row without item or condition."""
    rows = source.rows()
    top = next(rows)
    header = checked_header(source, top)
    columns, sentence = _columns(source, top, header)
    items = grouped(_sentences(source, rows, columns, sentence, progress))
    if not items:
        source.refuse(0, "there is nothing below the headings")
    notes = attribute_notes((header[column] for column in columns.extra), items)
    return ForeignSet(
        shape=SHAPE,
        items=items,
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        meta={
            "header": list(header),
            "item": header[columns.item],
            "condition": [header[column] for column in columns.condition],
            "sentence": header[sentence],
            "delimiter": "," if source.is_spreadsheet else source.delimiter,
        },
        notes=tuple(notes),
        encoding=source.encoding,
        name=source.path.stem,
    )


def condition_table_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells, headings first: those of the file it came from, else our own and the attributes."""
    meta = items.meta if items.shape == SHAPE else {}
    roles = {meta.get("item", _HEADER[0]): "item", meta.get("sentence", _HEADER[2]): "sentence"}
    factors: list[str] = meta.get("condition", ["condition"])
    header: list[str] = list(meta["header"]) if meta else list(_HEADER)
    names = (name for name in attribute_columns(items.items) if not meta or name not in header)
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
                row.append(written_label(item, sentence) if roles[heading] == "item" else sentence.text)
            elif heading in factors:
                row.append(levels[factors.index(heading)])
            else:
                row.append(cell_text(attribute_of(item, sentence, called.get(heading, heading))))
        yield row


def condition_columns(source: SourceFile, header: tuple[str, ...], found: int | None) -> tuple[int, ...]:
    """The columns that name the condition: those that were asked for, else the one that was found."""
    folded = [fold(heading) for heading in header]
    columns = []
    for name in source.options.condition_columns:
        if fold(name) not in folded:
            source.refuse(1, f"there is no column {name!r}", hint=f"Columns: {', '.join(header)}.")
        columns.append(folded.index(fold(name)))
    if columns:
        return tuple(columns)
    return () if found is None else (found,)


def _columns(source: SourceFile, top: TableRow, header: tuple[str, ...]) -> tuple[Columns, int]:
    roles = roles_of(header)
    condition = condition_columns(source, header, roles.get("condition"))
    missing = [role for role in ("item", "sentence") if role not in roles] + ([] if condition else ["condition"])
    if missing:
        source.refuse(top.line, f"there is no column for the {missing[0]}", hint=f"Found: {', '.join(header)}.")
    ours = {roles["item"], roles["sentence"], *condition}
    extra = tuple(column for column in range(len(header)) if column not in ours)
    return Columns(header, roles["item"], condition, extra), roles["sentence"]


def _sentences(
    source: SourceFile, rows: Iterator[TableRow], columns: Columns, sentence: int, progress: Progress | None
) -> Iterator[GroupedSentence]:
    for number, given in enumerate(rows, 1):
        row = fitted(source, given, len(columns.header))
        label = columns.label(source, row)
        condition = columns.condition_label(source, row)
        cell = row.cells[columns.item]
        # Several condition cells are kept apart by a unit separator, which no cell of a table holds.
        written = "\x1f".join(row.cells[c] for c in columns.condition)
        yield GroupedSentence(
            label,
            None if cell == label else cell,
            ForeignSentence(
                condition,
                row.cells[sentence],
                line=row.line,
                written=None if written == condition else written,
            ),
            columns.attributes(row),
        )
        if progress is not None and number % _EVERY == 0:
            progress(number)
