"""A row per item and a column per condition, the sentence in the cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gapsmith.bank.formats.asking import Assumption
from gapsmith.bank.formats.columns import crossed_ways, numbering_of, roles, sentence_columns
from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.grouping import (
    UNIT,
    attribute_columns,
    attribute_notes,
    cell_text,
    checked_header,
    fitted,
    headings_behind,
    item_cell,
)
from gapsmith.bank.formats.marks import TAKEN_OFF
from gapsmith.bank.formats.regions_between import as_written
from gapsmith.bank.formats.source import Progress, SourceFile

SHAPE = "condition_columns"
_EVERY = 2000


def recognise_wide_table(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if not source.first_row or source.may_be_json:
        return None
    found = roles(source)
    if len(found.sentence) < 2 and {"good", "bad"} <= set(found.other):
        return None
    return "a table with a row per item and a column per condition" if len(sentence_columns(source)) > 1 else None


def read_wide_table(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the table: the headings of the sentences are the conditions, and other columns become attributes. Rows are numbered
    where no column names the item. Raises `FormatError` with the line for an item that is there twice."""
    rows = source.rows()
    header = checked_header(source, next(rows))
    found = roles(source)
    own = sentence_columns(source)
    if len(own) < 2:
        source.refuse(
            1,
            "has no two columns of sentences that are known",
            hint=f"Name them: --sentence-column HEADING for each condition. Columns: {', '.join(header)}.",
        )
    if source.known.get("format") is None and not source.options.as_it_is and (crossed := crossed_ways(source, own)):
        (way,) = crossed
        names = way.options["condition_columns"][:-1]
        message = f"an item has several rows, which {' and '.join(names)} tells apart, and several columns of sentences"
        source.ask(1, message, f"{message[0].upper()}{message[1:]}. Are both of the condition?", crossed)
    if not found.item and (number := numbering_of(source, own)) is not None:
        found = replace(
            found,
            item=(number,),
            assumptions=(*found.assumptions, Assumption("item", header[number], "its cells are all different")),
        )
    extra = [column for column in range(len(header)) if column not in (*own, *found.item)]
    items: list[ForeignItem] = []
    lines: dict[str, int] = {}
    for number, given in enumerate(rows, 1):
        row = fitted(source, given, len(header))
        cells = [row.cells[column] for column in found.item]
        label = "-".join(plain(cell) for cell in cells) or str(number)
        if not all(plain(cell) for cell in cells):
            source.refuse(row.line, f"the column {header[found.item[0]]!r} is empty", hint="Every row is an item of its own.")
        if label in lines:
            source.refuse(
                row.line,
                f"item {label!r} is there already, in {source.place(lines[label])}",
                hint="A row is an item. Where another column names the item too, say both: --item-column A --item-column B.",
            )
        lines[label] = row.line
        sentences = tuple(
            ForeignSentence(header[column], row.cells[column], line=row.line) for column in own if row.cells[column].strip()
        )
        written = UNIT.join(cells)
        attributes = {header[column]: row.cells[column] for column in extra}
        items.append(
            ForeignItem(label, sentences, attributes, None, written if found.item and written != label else None, row.line)
        )
        if progress is not None and number % _EVERY == 0:
            progress(number * len(own))
    if not items:
        source.refuse(0, "there is nothing below the headings")
    said = [taken for taken in found.assumptions if taken.what != "sentence"]
    taken = Assumption(
        "conditions",
        f"the columns {', '.join(header[column] for column in own)}, a sentence of each in every row",
        "as said" if source.options.sentence_columns else "their sentences are alike row by row",
        "said" if source.options.sentence_columns else "assumed",
        "--sentence-column",
    )
    if not found.item:
        said.append(Assumption("item", "every row, numbered in order", "no column names it", "certain", "--item-column"))
    return ForeignSet(
        shape=SHAPE,
        items=tuple(items),
        conditions=tuple(header[column] for column in own),
        meta={
            "header": list(header),
            "item": [header[column] for column in found.item],
            "sentences": [header[column] for column in own],
            "delimiter": "," if source.is_spreadsheet else source.delimiter,
        },
        notes=tuple(attribute_notes((header[column] for column in extra), items)),
        assumptions=(*said, taken),
        encoding=source.encoding,
        name=source.path.stem,
    )


def wide_table_rows(items: ForeignSet) -> Iterator[list[str]]:
    """The table as rows of cells, headings first; the first sentence of an item in a condition stands for it."""
    meta = items.meta if items.shape == SHAPE else {}
    own: list[str] = meta.get("item", ["item"])
    conditions: list[str] = list(items.conditions)
    header: list[str] = list(meta["header"]) if meta else [*own, *conditions]
    header += [condition for condition in conditions if condition not in header]
    hidden = TAKEN_OFF if meta.get("judged") else set()
    of_items = [replace(item, sentences=()) for item in items.items]
    names = (name for name in attribute_columns(of_items) if not meta or (name not in header and name not in hidden))
    called = headings_behind(header, names, apart=("sentence", "region_number", "condition"))
    header += called
    yield header
    for item in items.items:
        texts: dict[str, str] = {}
        for sentence in item.sentences:
            texts.setdefault(sentence.condition, as_written(sentence, meta))
        row = []
        for heading in header:
            if heading in own:
                row.append(item_cell(item, replace(item.sentences[0], written_item=None), own, heading))
            elif heading in conditions:
                row.append(texts.get(heading, ""))
            else:
                row.append(cell_text(item.attributes.get(called.get(heading, heading))))
        yield row
