"""The four- and eight-condition CSV of the papers: ``sentence_type,item_id,condition,full_sentence``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from bank.formats.reading import Row, read_rows
from bank.formats.writing import CsvWriter
from bank.records import NewItem, StoredItem
from templates import Design, Paradigm, ParadigmError, Sentence, Source, align, settled_slots
from templates.errors import FormatError

__all__ = ["COLUMNS", "SentenceFile", "from_texts", "read_sentence_csv", "write_sentence_csv"]

COLUMNS = ("sentence_type", "item_id", "condition", "full_sentence")


@dataclass(frozen=True, slots=True)
class SentenceFile:
    """What such a file holds, in its own order."""

    sentence_type: str
    items: tuple[NewItem, ...]
    design: Design


def read_sentence_csv(path: Path, paradigm: Paradigm, *, dataset: str) -> SentenceFile:
    """Read the file as items of a paradigm, with the slots that their cells read back into.

    Structural faults raise `FormatError` with the line: missing columns, a label that maps to no cell, several sentence
    types, an empty id. Missing, doubled, empty or malformed cells come in as they are and are left to the linter."""
    rows = list(read_rows(path, COLUMNS))
    if not rows:
        raise FormatError(f"{path}: there is nothing below the header", hint="Nothing was imported.")
    design = _design(path, rows, paradigm)
    kinds = {row.cells["sentence_type"].strip(): row.line for row in reversed(rows)}
    if len(kinds) > 1:
        name, line = max(kinds.items(), key=lambda entry: entry[1])
        raise FormatError(
            f"{path}, line {line}: a second sentence_type, {name!r}",
            hint="A file holds items of one paradigm; split it by its first column. Nothing was imported.",
        )
    cells: dict[str, list[tuple[str, str]]] = {}
    for row in rows:
        label = row.cells["item_id"].strip()
        if not label:
            raise FormatError(f"{path}, line {row.line}: item_id is empty", hint="Nothing was imported.")
        condition = paradigm.resolve_label(row.cells["condition"])
        assert condition is not None
        cells.setdefault(label, []).append((condition, row.cells["full_sentence"]))
    items = tuple(
        from_texts(paradigm, label, texts, dataset=dataset, design=design, source=Source.IMPORTED)
        for label, texts in cells.items()
    )
    return SentenceFile(next(iter(kinds)), items, design)


def from_texts(
    paradigm: Paradigm,
    label: str | None,
    texts: Iterable[tuple[str, str]],
    *,
    dataset: str,
    design: Design | None,
    source: Source,
) -> NewItem:
    """An item from the texts of its cells: kept as they are, with slots where they settle them."""
    pairs = list(texts)
    first: dict[str, str] = {}
    for condition, text in pairs:
        first.setdefault(condition, text)
    slots = settled_slots(paradigm, first)
    sentences = tuple(
        align(paradigm, condition, text, slots, source) if slots else Sentence(condition, text, None, source)
        for condition, text in pairs
    )
    return NewItem(slots, sentences, label, dataset, design.conditions if design else None)


def write_sentence_csv(
    stream: TextIO, items: Iterable[StoredItem], paradigm: Paradigm, design: Design, *, sentence_type: str | None = None
) -> int:
    """Write the cells of `design` of each item under that design's labels, sentences in their stored order; the number
    of rows."""
    labels = {condition: label for label, condition in design.labels.items()}
    writer = CsvWriter(stream)
    writer.row(COLUMNS)
    rows = 0
    for item in items:
        for sentence in item.sentences:
            if sentence.condition in labels:
                kind = sentence_type or paradigm.name
                writer.row((kind, item.label, labels[sentence.condition], sentence.text))
                rows += 1
    return rows


def _design(path: Path, rows: list[Row], paradigm: Paradigm) -> Design:
    seen: set[str] = set()
    for row in rows:
        label = row.cells["condition"]
        condition = paradigm.resolve_label(label)
        if condition is None:
            known = "; ".join(f"{d.name}: {', '.join(d.labels)}" for d in paradigm.designs)
            raise FormatError(
                f"{path}, line {row.line}: {paradigm.name} has no condition {label!r}",
                hint=f"Labels that are understood: {known}. Nothing was imported.",
            )
        seen.add(condition)
    fitting = [d for d in paradigm.designs if seen <= set(d.conditions)]
    if not fitting:
        raise ParadigmError(f"{path}: no design of {paradigm.name} holds all of {', '.join(sorted(seen))}")
    return min(fitting, key=lambda d: len(d.labels))
