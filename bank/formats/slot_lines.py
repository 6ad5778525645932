"""Slots as JSON lines, ``{"item": "1", "slots": {"matrix": "I know", …}}``: words for a paradigm to make sentences of."""

from __future__ import annotations

import json
from typing import TextIO

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSet, Json
from gapsmith.bank.formats.source import Progress, SourceFile

SHAPE = "slots"
_EVERY = 5000


def recognise_slot_lines(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    return "slots as JSON lines" if isinstance(source.first_record.get("slots"), dict) else None


def read_slot_lines(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the slots; other keys become attributes. Raises `FormatError` with the line for what is not JSON, slots whose
    values are not text, and a label that is there twice. Whether a paradigm has these slots is for others to say."""
    items: list[ForeignItem] = []
    seen: dict[str, int] = {}
    for line, record in source.records():
        slots = record.get("slots")
        if not isinstance(slots, dict) or not slots:
            source.refuse(line, "needs an object with `slots`", hint='{"item": "1", "slots": {"verb": "amuse"}}')
        if bad := [name for name, word in slots.items() if not isinstance(word, str)]:
            source.refuse(line, f"the value of {bad[0]!r} is not text")
        given: Json = record.get("item")
        label = str(given).strip() if given is not None else str(len(items) + 1)
        if not isinstance(given, int | str | None) or isinstance(given, bool) or not label:
            source.refuse(line, f"item {given!r} is no label")
        if label in seen:
            source.refuse(line, f"item {label!r} is there already, in line {seen[label]}")
        seen[label] = line
        attributes = {key: value for key, value in record.items() if key not in ("item", "slots")}
        items.append(ForeignItem(label, (), attributes, slots, None if given == label else given, line))
        if progress is not None and len(items) % _EVERY == 0:
            progress(len(items))
    if not items:
        source.refuse(0, "there are no items in it")
    return ForeignSet(SHAPE, tuple(items), (), encoding=source.encoding, name=source.path.stem)


def write_slot_lines(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write one line per item that has slots; the labels of those that have none."""
    left_out = []
    for item in items.items:
        if item.slots is None:
            left_out.append(item.label)
            continue
        label: Json = item.written if items.shape == SHAPE and item.written is not None else item.label
        own: dict[str, Json] = {"item": label, "slots": dict(item.slots)}
        line = own | dict(item.attributes) | own
        stream.write(json.dumps(line, ensure_ascii=False) + "\n")
    return tuple(left_out)
