"""Making any text safe and visible on a terminal: what would move the cursor, hide, or reorder is shown as a symbol.

Offsets count characters of the raw text, so slice first and make visible afterwards.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rich.cells import cell_len

from gapsmith.templates import Paradigm, Sentence
from gapsmith.vetting.gap_marks import marked

NO_SENTENCE = "— no sentence —"
"""What stands in the place of one."""
_SYMBOLS = {
    "\n": "⏎",
    "\r": "␍",
    "\t": "⇥",
    "\u00a0": "⍽",
    "\u00ad": "‧",
    "\u200b": "⟨ZWSP⟩",
    "\u200c": "⟨ZWNJ⟩",
    "\u200d": "⟨ZWJ⟩",
    "\u200e": "⟨LRM⟩",
    "\u200f": "⟨RLM⟩",
    "\u061c": "⟨ALM⟩",
    "\u202a": "⟨LRE⟩",
    "\u202b": "⟨RLE⟩",
    "\u202c": "⟨PDF⟩",
    "\u202d": "⟨LRO⟩",
    "\u202e": "⟨RLO⟩",
    "\u2066": "⟨LRI⟩",
    "\u2067": "⟨RLI⟩",
    "\u2068": "⟨FSI⟩",
    "\u2069": "⟨PDI⟩",
    "\u2028": "⏎",
    "\u2029": "⏎",
    "\ufeff": "⟨BOM⟩",
}
_CODE = re.compile("⟨([0-9A-F]{4,5}|10[0-9A-F]{4})⟩")
_MAX_MARKS = 2
"""Accents over one letter; languages need one or two, more is a way to paint over the neighbouring lines."""


def visible(text: str) -> str:
    """The text on one line with every control, format and invisible character replaced by a visible symbol."""
    if text.isascii() and text.isprintable():
        return text
    shown: list[str] = []
    marks = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me"}:
            marks += 1
            if marks > _MAX_MARKS or not shown:
                shown.append(_code(character))
                continue
            shown.append(character)
            continue
        marks = 0
        shown.append(_symbol(character))
    return "".join(shown)


@lru_cache(maxsize=4096)
def _symbol(character: str) -> str:
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    category = unicodedata.category(character)
    if category in {"Cc", "Cf", "Cs", "Co", "Cn"} or (category == "Lo" and cell_len(character) == 0):
        return _code(character)
    if category == "Zs" and character != " ":
        return "␣"
    return character


def sentence_text(sentence: Sentence, paradigm: Paradigm) -> str:
    """A sentence as every list, question and change on the screens shows it: on one line, with its open gaps as ``__``."""
    return visible(marked(sentence, paradigm, critical=False))


def editable(text: str) -> str:
    """The text with everything that `visible` would replace written as ⟨code⟩, so that it can be edited; `typed` reads
    it back exactly."""
    return defused(text.replace("⟨", "⟨27E8⟩")).replace("\n", "⟨000A⟩")


def defused(text: str) -> str:
    """What was typed or pasted, with what a terminal would obey written as ⟨code⟩; line breaks stay."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "".join(c if c == "\n" or _symbol(c) == c else _code(c) for c in text)


def typed(text: str) -> str:
    """The text that somebody meant who edited what `editable` gave."""
    return _CODE.sub(lambda found: chr(int(found[1], 16)), text)


def _code(character: str) -> str:
    return f"⟨{ord(character):04X}⟩"


def shorten(text: str, width: int) -> str:
    """The text in at most `width` terminal cells, with an ellipsis where it was cut."""
    if cell_len(text) <= width:
        return text
    if width <= 0:
        return ""
    if text.isascii() and text.isprintable():
        return text[: width - 1] + "…"
    kept = ""
    for character in text:
        if cell_len(kept + character) > width - 1:
            break
        kept += character
    return kept + "…"


def fit(text: str, width: int) -> str:
    """The text in exactly `width` terminal cells: cut with an ellipsis or padded on the right."""
    cut = shorten(text, width)
    return cut + " " * (width - cell_len(cut))


@lru_cache(maxsize=65536)
def broken(text: str, width: int, *, first: int | None = None) -> tuple[str, ...]:
    """A text in lines of at most `width` columns (the first one of at most `first`), broken at spaces where it can be; no
    character but such spaces is lost."""
    lines: list[str] = []
    rest = text
    while cell_len(rest) > (room := first if first is not None and not lines else width):
        end = _fitting(rest, room)
        space = rest.rfind(" ", 1, end + 1)
        cut = space if space > 0 else end
        lines.append(rest[:cut])
        rest = rest[cut + 1 :] if cut == space else rest[cut:]
    return (*lines, rest)


def _fitting(text: str, width: int) -> int:
    """How many characters of a text have room, at least one."""
    if text.isascii():
        return max(width, 1)
    used = 0
    for place, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return max(place, 1)
    return len(text)
