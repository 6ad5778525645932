"""Slots as JSON lines: ``{"item": "1", "slots": {"matrix": "I know", …}}``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from bank.formats.reading import read_text
from bank.records import NewItem, StoredItem
from templates import Paradigm, realise
from templates.errors import FormatError, ParadigmError

__all__ = ["read_slot_jsonl", "write_slot_jsonl"]


def read_slot_jsonl(path: Path, paradigm: Paradigm, *, dataset: str) -> tuple[NewItem, ...]:
    """Read items given by their slots and realise their sentences.

    ``item`` is kept as the label where it is there. Raises `FormatError` with the line for what is not JSON, a slot that
    the paradigm does not have or that has no value, and a label that is there twice."""
    items: list[NewItem] = []
    labels: dict[str, int] = {}
    for line, text in enumerate(read_text(path).splitlines(), 1):
        if not text.strip():
            continue
        label, slots = _entry(path, line, text)
        if label is not None:
            if label in labels:
                raise FormatError(f"{path}, line {line}: item {label!r} is there already, in line {labels[label]}")
            labels[label] = line
        known = {slot.name for slot in paradigm.visible_slots}
        if unknown := sorted(set(slots) - known):
            raise FormatError(
                f"{path}, line {line}: {paradigm.name} has no slot {unknown[0]!r}",
                hint=f"Slots: {', '.join(s.name for s in paradigm.visible_slots)}. Nothing was imported.",
            )
        try:
            sentences = realise(paradigm, slots)
        except ParadigmError as error:
            raise FormatError(f"{path}, line {line}: {error.message}", hint=error.hint) from None
        items.append(NewItem(slots, sentences, label, dataset))
    if not items:
        raise FormatError(f"{path}: there are no items in it")
    return tuple(items)


def write_slot_jsonl(stream: TextIO, items: Iterable[StoredItem]) -> tuple[int, list[str]]:
    """Write the items that have slots, one per line; how many, and the labels of those that have none."""
    written, without = 0, []
    for item in items:
        if item.slots is None:
            without.append(item.label)
            continue
        stream.write(json.dumps({"item": item.label, "slots": dict(item.slots)}, ensure_ascii=False) + "\n")
        written += 1
    return written, without


def _is_text(word: str) -> bool:
    # JSON can spell half a surrogate pair, which no file or database can hold.
    return not any("\ud800" <= character <= "\udfff" for character in word)


def _entry(path: Path, line: int, text: str) -> tuple[str | None, dict[str, str]]:
    try:
        value: Any = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(f"{path}, line {line}: not JSON ({error.msg}, column {error.colno})") from None
    if not isinstance(value, dict) or not isinstance(value.get("slots"), dict):
        raise FormatError(f"{path}, line {line}: needs an object with `slots`", hint='{"item": "1", "slots": {…}}')
    if extra := sorted(set(value) - {"item", "slots"}):
        raise FormatError(f"{path}, line {line}: unknown key {extra[0]!r}", hint="Keys that are read: item, slots.")
    slots = value["slots"]
    if bad := [name for name, word in slots.items() if not isinstance(word, str) or not _is_text(word)]:
        raise FormatError(f"{path}, line {line}: the value of {bad[0]!r} is not text")
    label = value.get("item")
    if label is not None and not (isinstance(label, int | str) and _is_text(str(label)) and str(label).strip()):
        raise FormatError(f"{path}, line {line}: the item's id {label!r} is not text or a whole number")
    return (str(label) if label is not None else None), slots
