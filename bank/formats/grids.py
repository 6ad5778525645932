"""Items as grids for a person who is asked whether a file was understood: a line per condition, its regions apart."""

from __future__ import annotations

from itertools import islice

from gapsmith.bank.formats.foreign import ForeignSentence, ForeignSet

SHOWN = 3
"""So many items are shown."""


def grid_of(found: ForeignSet, items: int = SHOWN) -> str:
    """The first items: conditions under each other, regions between bars."""
    lines = []
    for item in islice(found.items, items):
        said = ", ".join(f"{name}={_cut(str(value), 24)}" for name, value in islice(item.attributes.items(), 4))
        lines.append(f"  item {item.label}{f'  ({said})' if said else ''}")
        width = max((len(s.condition) for s in item.sentences), default=0)
        lines += [f"    {s.condition:<{width}}  {_mark(found, s)}{_text(s)}" for s in item.sentences]
        if item.slots is not None:
            lines += [f"    {name}: {word}" for name, word in item.slots.items()]
    return "\n".join("".join(c if c.isprintable() or c == "\n" else " " for c in line) for line in lines)


def _text(sentence: ForeignSentence) -> str:
    if sentence.regions is None:
        return _cut(sentence.text, 160)
    parts = (sentence.text[region.start : region.end] or "∅" for region in sentence.regions)
    return _cut(" | ".join(parts), 200)


def _mark(found: ForeignSet, sentence: ForeignSentence) -> str:
    said = sentence.attributes.get("judgement") or found.expected.get(sentence.condition, "")
    return f"[{said}] " if said else ""


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"
