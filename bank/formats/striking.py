"""What strikes a command from those that are offered: signs at what it would bring in that a file was taken for something else. Whoever is
offered a command trusts it, so that what a person may say of a file anew is not proposed where the file itself speaks against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.source import SourceFile
from gapsmith.bank.formats.suspicious import is_of_no_item

_FEW, _MOST = 2, 0.8
"""So many sentences with a number before them are no accident; what so many sentences do is how the file writes them."""
_NUMBER = re.compile(
    r"\W*(?:[A-Z]{0,3}\d{1,4}[a-z]?['’′]*[.)\]:]+\s*|[A-Z]{0,3}\d{1,4}[a-z]?['’′]*\s+)(?=[\W_]*(?:[A-Z]|[^\W\d_a-z]))"
)
"""A number before a sentence, which begins with a capital or with a letter of a script that has none."""
_END = re.compile(r"[.?!…。？！।։؟][\"'”’»›)\]」』]*\s*\Z")
_HEADING = re.compile(r"[,:;]\s*\Z")
_SENTENCE = re.compile(r"\S+\s+\S+.*[.?!…。？！][\"'”’»)\]]*\s*\Z|\S{4,}[。？！]\s*\Z", re.DOTALL)
MARK_THEM = "write * before the bad sentence of every pair, or make a table with the columns item, good and bad"
"""What can be done where the order within pairs changes."""
_ORDER = re.compile(
    r"\b(?:counter-?balanc\w+|alternat\w+|odd|even|randomi[sz]ed|random|shuffled|varies|varied|reversed|abwechselnd\w*|ungerade\w*|gerade\w*|"
    r"zufällig\w*|alterné\w*|impairs?|aléatoire\w*)\b",
    re.IGNORECASE,
)
_MEMBER = re.compile(
    r"\b(?:order|first|second|members?|pairs?|items?|position|acceptable|unacceptable|grammatical|ungrammatical|Reihenfolge|Items?|Paare?\w*|"
    r"ordre|paires?|premi\w+)\b",
    re.IGNORECASE,
)
_ORDERED_ANEW = re.compile(
    r"\b(?:odd|even)[- ]numbered\b|\bcounter-?balanc\w+|\b(?:order|Reihenfolge|ordre)\b.*\b(?:alternat|random|revers|varie)\w*",
    re.IGNORECASE,
)


def struck(found: ForeignSet, source: SourceFile | None) -> str:
    """Why a set is not to be offered, or nothing. `source` is its file where the command says which sentence of every pair comes first."""
    entries = [(item, s) for item in found.items for s in item.sentences if s.text.strip()]
    if source is not None and (line := line_of_order(found, source)):
        return f"the file says that the order of good and bad changes from one item to the next ({line[:160]}); {MARK_THEM}"
    for look in (_headings, _tabs, _numbers, _no_items):
        if why := look(found, entries):
            return why
    return ""


def line_of_order(found: ForeignSet, source: SourceFile) -> str:
    """The line of a text that says that the order within pairs is not the same in all, above what is read of it, too; empty where none does."""
    if source.is_spreadsheet:
        return ""
    sentences = {s.text.strip() for item in found.items for s in item.sentences}
    # What stands above the first line that is read may say it.
    whole = replace(source, options=replace(source.options, header_row=None), known={})
    for line in whole.lines:
        text = line.strip()
        if _ORDERED_ANEW.search(text) or (text not in sentences and _ORDER.search(text) and len({*_MEMBER.findall(text)}) > 1):
            return text
    return ""


def _headings(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Conditions called by a sentence: the first row of a table that has no headings."""
    first = next(iter(found.items), None)
    own = [] if first is None else [*first.attributes, *(name for s in first.sentences for name in s.attributes)]
    return next(
        (f"{label[:80]!r} is a sentence, and would be a heading" for label in sentences_among([*found.conditions, *own])), ""
    )


def sentences_among(headings: Iterable[str]) -> list[str]:
    """The headings that are sentences: several words and the mark that ends one."""
    return [heading for heading in headings if _SENTENCE.fullmatch(heading.strip())]


def _tabs(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    if odd := [(item, s) for item, s in entries if "\t" in s.text]:
        return f"a tab, which parts columns, would stand in {_such_as(odd, len(entries))}"
    return ""


def _numbers(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    odd = [(item, s) for item, s in entries if _NUMBER.match(s.text)]
    return f"a number would stand before {_such_as(odd, len(entries))}" if len(odd) >= _FEW else ""


def _no_items(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Lines that head sections or speak of items, among sentences."""
    ended = sum(_END.search(s.text) is not None for _, s in entries)
    if ended < _MOST * len(entries) or not entries:
        called = [(item, s) for item, s in entries if is_of_no_item(s.text.strip()) and len(s.text.split()) < 4]
        return f"what is called as a section is would be {_such_as(called, len(entries))}" if called else ""
    odd = [
        (item, s)
        for item, s in entries
        if not _END.search(s.text) and (len(s.text.split()) < 3 or _HEADING.search(s.text) or is_of_no_item(s.text.strip()))
    ]
    return f"what ends as no sentence does would be {_such_as(odd, len(entries))}" if odd else ""


def _such_as(odd: Sequence[tuple[ForeignItem, ForeignSentence]], whole: int) -> str:
    item, sentence = odd[0]
    shown = sentence.text[:80].replace("\t", "⇥")
    return f"{len(odd):,} of {whole:,} sentences, such as item {item.label}, {sentence.condition}: {shown}"
