"""What strikes a command from those that are offered, the only place that does: signs at what it would bring in that a file was taken for
something else. Whoever is offered a command trusts it, so that none is proposed where the file itself speaks against it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.headings import JUDGES, NOTES, fold, is_of_no_item
from gapsmith.bank.formats.likeness import likeness_of
from gapsmith.bank.formats.marks import JUDGEMENT, acceptability_of
from gapsmith.bank.formats.source import SourceFile


class Bound(NamedTuple):
    """A number from which on a sign counts."""

    value: float
    why: str


BOUNDS: Mapping[str, Bound] = {
    "few": Bound(2, "So many sentences with the same flaw are no accident of one line."),
    "most": Bound(0.8, "What this share of the sentences does is how the file writes them."),
    "norms": Bound(4, "So many conditions called by a decimal are what was measured; fewer may be codes of a contrast."),
    "versions": Bound(
        5, "Of so many items the measure is looked at; in fewer the higher value goes this way and that by chance."
    ),
    "clearly": Bound(
        0.3, "Every two sentences of an item differ by this share of the whole range: a difference of good and bad, not noise."
    ),
    "looked at": Bound(200, "The first so many sentences or items show a habit; more would make an offer slow."),
}
"""All numbers on which a strike depends. They only take an offer away, which is said with the reason; none decides how a file is read."""


def _bound(name: str) -> int:
    return int(BOUNDS[name].value)


_FEW, _LOOKED_AT, _NORMS, _VERSIONS = map(_bound, ("few", "looked at", "norms", "versions"))
_MOST, _CLEARLY = BOUNDS["most"].value, BOUNDS["clearly"].value
_NUMBER = re.compile(
    r"\W*(?:[A-Z]{0,3}\d{1,4}[a-z]?['’′]*[.)\]:]+\s*|[A-Z]{0,3}\d{1,4}[a-z]?['’′]*\s+)(?=[\W_]*(?:[A-Z]|[^\W\d_a-z]))"
)
"""A number before a sentence, which begins with a capital or with a letter of a script that has none."""
_ITEM = re.compile(r"\W*(?:item|set|example|stimulus|satz|beispiel)\s*#?\d{1,4}\b", re.IGNORECASE)
_LABEL = re.compile(r"([^\W\d_][\w-]*)(?:\t| {2,})(?=\S)")
_HELD = re.compile(r"\s*([\[({][^][(){}]{1,40}[\])}])\s*(?=\S)")
_NAME = re.compile(r"\s*([^\W\d_][\w-]{0,20}):\s+(?=\S)")
_NUMBERS = frozenset({"number", "no", "nr", "num", "n", "item", "item_number", "set", "id"})
"""Headings of what numbers items."""
_END = re.compile(r"[.?!…。？！।։؟][\"'”’»›)\]」』]*\s*\Z")
_HEADING = re.compile(r"[,:;]\s*\Z")
_SENTENCE = re.compile(r"\S+\s+\S+.*[.?!…。？！][\"'”’»)\]]*\s*\Z|\S{4,}[。？！]\s*\Z", re.DOTALL)
_DECIMAL = re.compile(r"(?<!\S)[-+]?\d+[.,]\d+(?!\S)")
_BETWEEN = re.compile(r"(?<=[.?!])[\"'”’»)]*\s+(?:/{1,2}\s*|\|\s*)?(?=\S)|(?<=[。？！])\s*(?=\S)")
"""What stands between two sentences."""
_NAMELESS = re.compile(r"[-–—.]+")
_PLACE = re.compile(
    r"(?:(?:row|line|version|sentence|sent|s|v|option|variant|column|condition)[_ ]?)?(?:[A-Za-z]|\d)", re.IGNORECASE
)
"""What a condition is called that counts versions."""
_LETTER, _AMOUNT = re.compile(r"[A-Za-z]|\d"), re.compile(r"[-+]?\d+(?:[.,]\d+)?")
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
    if gone := [
        (item, s) for item in found.items for s in item.sentences if not s.text.strip() and s.attributes.get("taken_out")
    ]:
        item, sentence = gone[0]
        said = sentence.attributes["taken_out"]
        return f"nothing would be left of {len(gone):,} sentences, such as item {item.label}, {sentence.condition}, which is {said} alone"
    if source is not None and (line := line_of_order(found, source)):
        return f"the file says that the order of good and bad changes from one item to the next ({line[:160]}); {MARK_THEM}"
    if source is not None and (why := _against_marks(found, entries)):
        return why
    for look in (
        _headings,
        _tabs,
        _numbers,
        _no_items,
        _parts,
        _labels,
        _named,
        _no_pairs,
        _same_number,
        _left_beside,
        _measured,
        _glued,
        _others,
        _one_kind,
        _halves,
        _labelled_regions,
        _goes_on_beside,
        _all_the_same,
        _by_position,
        _by_measure,
        _by_judgement,
    ):
        if why := look(found, entries):
            return why
    return ""


def line_of_order(found: ForeignSet, source: SourceFile) -> str:
    """The line of a text that says that the order within pairs is not the same in all, above what is read of it, too; empty where none does."""
    if source.is_spreadsheet:
        return ""
    sentences = {s.text.strip() for item in found.items for s in item.sentences}
    # What stands above the first line that is read may say it.
    whole = replace(source, options=replace(source.options, header_row=None, leave_out=()), known={})
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


def _is_shortened(text: str) -> bool:
    """Whether a dot ends two or three words of which the first has a small letter, as that of an abbreviation does."""
    return text.endswith(".") and text[:1].islower() and len(text.split()) < 4


def sentences_among(headings: Iterable[str]) -> list[str]:
    """The headings that are sentences: several words and the mark that ends one; a dot behind two or three words of which the first has a small
    letter is that of an abbreviation."""
    return [own for heading in headings if _SENTENCE.fullmatch(own := heading.strip()) and not _is_shortened(own)]


def _tabs(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    if odd := [(item, s) for item, s in entries if "\t" in s.text]:
        return f"a tab, which parts columns, would stand in {_such_as(odd, len(entries))}"
    return ""


def _numbers(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    odd = [(item, s) for item, s in entries if _NUMBER.match(s.text) or _ITEM.match(s.text)]
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


def _parts(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Templates: what is written in capitals names columns, in which the words stand."""
    named = {name for item, s in entries[:_LOOKED_AT] for name in (*item.attributes, *s.attributes) if name.isupper()}
    odd = [(item, s) for item, s in entries if len(s.text.split()) > 1 and s.text.isupper() and set(s.text.split()) & named]
    return f"capitals that name other columns, and are no words, would be {_such_as(odd, len(entries))}" if odd else ""


def _labels(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A few labels that stand before all sentences, with blanks between."""
    before = [_LABEL.match(s.text) for _, s in entries]
    if not all(before):
        before = [_HELD.match(s.text) for _, s in entries]
    own = {match[1] for match in before if match}
    if len(entries) < 4 or not all(before) or not 1 < len(own) <= len(entries) / 2:
        return ""
    return f"a label ({', '.join(sorted(own)[:4])}) would stand before {_such_as(list(entries), len(entries))}"


def _named(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A name with a colon that stands before every sentence, another one in each condition."""
    names: dict[str, set[str]] = {}
    for entry in entries:
        s = entry[1]
        if (match := _NAME.match(s.text)) is None:
            return ""
        names.setdefault(s.condition, set()).add(match[1])
    labels = {name for own in names.values() for name in own}
    if len(names) < 2 or any(len(own) > 1 for own in names.values()) or len(labels) < len(names):
        return ""
    return f"a name ({', '.join(sorted(labels)[:4])}) would stand before {_such_as(list(entries), len(entries))}"


def _no_pairs(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Pairs of which none differs in a few words only."""
    if found.shape not in ("pair_table", "pair_lines"):
        return ""
    pairs = [(item.sentences[0].text, item.sentences[1].text) for item in found.items[:_LOOKED_AT] if len(item.sentences) == 2]
    if not pairs or likeness_of(pairs).alike:
        return ""
    return f"no two sentences that would be a pair differ in a few words only: {pairs[0][0][:60]!r} and {pairs[0][1][:60]!r}"


def _same_number(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Rows that are numbered as items, though a column of numbers has one number for as many rows each."""
    if found.shape != "condition_columns" or found.meta.get("item"):
        return ""
    for name in next((item.attributes for item in found.items), {}):
        own = [str(item.attributes.get(name, "")).strip() for item in found.items]
        times = Counter(own)
        if fold(name) in _NUMBERS and all(map(str.isdecimal, own)) and len(times) > 1 and set(times.values()) - {1}:
            if len(set(times.values())) > 1:
                continue
            (rows,) = set(times.values())
            others = (n for n in found.items[0].attributes if n != name)
            telling = [
                n for n in others if len({(i.attributes.get(name), i.attributes.get(n)) for i in found.items}) == len(found.items)
            ]
            by = f"; {telling[0]!r} tells them apart, and is of the condition" if telling else ""
            heads = ",".join(["item", *telling[:1], "condition", "sentence"])
            return (
                f"{name} has the same number in {rows} rows, so that these would be {len(found.items):,} items instead of {len(times):,}{by}. "
                f"Write a row per sentence, with the columns {heads}, where item is {name} and condition the heading that its sentence has now "
                f"({', '.join(found.conditions)})"
            )
    return ""


def _left_beside(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A column of sentences that are like those of the same rows, and would be left as an attribute: it is another condition."""
    if len(found.conditions) < 2 or not (found.meta.get("condition") or found.shape == "condition_columns"):
        return ""
    for name in dict.fromkeys(name for item, s in entries[:1] for name in (*item.attributes, *s.attributes)):
        own = [(str({**item.attributes, **s.attributes}.get(name, "")), s.text) for item, s in entries[:_LOOKED_AT]]
        if fold(name) in NOTES or len(sentences_among(value for value, _ in own)) < _MOST * len(own):
            continue
        if all(value != text for value, text in own) and (told := likeness_of(own)).alike * 2 > told.pairs:
            return f"the column {name!r} holds sentences like those beside them, and would be left out"
    return ""


def _measured(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Conditions that hold what was measured: a column of numbers names none."""
    odd = [label for label in found.conditions if _DECIMAL.search(label)]
    numbers = {float(number.replace(",", ".")) for label in odd for number in _DECIMAL.findall(label)}
    # Such as .5 and -.5, which are codes of a contrast.
    if len(odd) < _NORMS or len(odd) < len(found.conditions) or numbers == {-number for number in numbers}:
        return ""
    return f"what was measured would name the conditions, {len(odd):,} of them, such as {odd[0]!r}"


def _glued(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Two sentences that differ in a few words, in the place of one."""
    odd = []
    for item, s in entries[:_LOOKED_AT]:
        parts = [part for part in _BETWEEN.split(s.text.strip()) if part.strip()]
        half = len(parts) // 2
        if len(parts) > 1 and len(parts) % 2 == 0:
            pair = (" ".join(parts[:half]), " ".join(parts[half:]))
            odd += [(item, s)] if likeness_of([pair]).alike else []
    if len(odd) < _FEW or len(odd) * 2 <= len(entries[:_LOOKED_AT]):
        return ""
    return f"two sentences would be one: each is a row of its own, with a condition of its own, in {_such_as(odd, len(entries))}"


def _others(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A condition that is called as fillers are, or has a dash for its name, and which no item has beside another one."""
    for name in found.conditions if len(found.conditions) > 1 else ():
        if not (is_of_no_item(name) or _NAMELESS.fullmatch(name.strip())):
            continue
        if all(
            {s.condition for s in item.sentences} in ({name}, set()) or name not in {s.condition for s in item.sentences}
            for item in found.items
        ):
            odd = [(item, s) for item, s in entries if s.condition == name]
            if odd:
                return f"what stands beside the items would be a condition, {name!r}, in {_such_as(odd, len(entries))}"
    return ""


def _one_kind(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A column of which one value alone is left: it says of what kind the rows are, and which condition none of them is of."""
    if len(found.conditions) != 1 or not found.meta.get("condition") or len(entries) < _FEW:
        return ""
    return f"all {len(entries):,} sentences would be of one condition, {found.conditions[0]!r}"


def _labelled_regions(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A first region that is a label: the same letter or word in all sentences of a condition, another one in each, before a capital."""
    first: dict[str, set[str]] = {}
    for _item, s in entries:
        if not s.regions or len(s.regions) < 2:
            return ""
        own = s.regions[0].content(s.text).strip()
        behind = s.text[s.regions[0].end :].lstrip()
        if len(own.split()) != 1 or not behind[:1].isupper():
            return ""
        first.setdefault(s.condition, set()).add(own)
    labels = {label for own in first.values() for label in own}
    if len(first) < 2 or any(len(own) > 1 for own in first.values()) or len(labels) < len(first) or len(entries) < 2 * len(first):
        return ""
    return f"a label ({', '.join(sorted(labels)[:4])}) would be the first region of {_such_as(list(entries), len(entries))}"


def _goes_on_beside(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Sentences without an end, beside a column whose cells begin small and end as sentences do, or a beginning beside their rest."""
    own = [({**item.attributes, **s.attributes}, s.text) for item, s in entries[:_LOOKED_AT]]
    open_ = sum(_END.search(text) is None for _, text in own)
    small = sum(text[:1].islower() for _, text in own)
    if found.regions or not own or max(open_, small) < _MOST * len(own):
        return ""
    for name in own[0][0]:
        cells = [str(said.get(name, "")).strip() for said, _ in own]
        ends = all(cell[:1].islower() and _END.search(cell) for cell in cells) and open_ >= _MOST * len(own)
        begins = all(
            cell[:1].isupper() and len(cell.split()) > 1 and not _END.search(cell) for cell in cells
        ) and small >= _MOST * len(own)
        if ends or begins:
            return f"the sentence goes on in the column {name!r}, which would be left out: {own[0][1][:60]} … {cells[0][:60]}"
    return ""


def _all_the_same(_: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Sentences of which most stand there several times: what is the same in all conditions, such as a context."""
    texts = {s.text for _, s in entries}
    if len(entries) < 2 * _VERSIONS - 2 or len(texts) * 3 > len(entries):
        return ""
    return f"{len(entries):,} sentences would be {len(texts):,} different ones, so that what differs stands elsewhere: {entries[0][1].text[:60]}"


def _halves(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """A condition whose sentences have no end beside one whose sentences have: the beginning and the rest of one sentence."""
    ended: dict[str, list[bool]] = {}
    for _, s in entries[:_LOOKED_AT]:
        ended.setdefault(s.condition, []).append(_END.search(s.text) is not None)
    whole = [name for name, own in ended.items() if sum(own) >= _MOST * len(own)]
    open_ = [name for name, own in ended.items() if len(own) >= _FEW and not any(own)]
    if not whole or not open_ or len(whole) + len(open_) < len(ended):
        return ""
    pairs = [
        (a.text, b.text)
        for item in found.items[:_LOOKED_AT]
        for a in item.sentences
        for b in item.sentences
        if a.condition in open_ and b.condition in whole
    ]
    if not pairs or likeness_of(pairs).alike * 2 > len(pairs):
        return ""
    some = next((item, s) for item, s in entries if s.condition == open_[0])
    return (
        f"{', '.join(open_)} would be conditions, and hold parts of sentences, such as item {some[0].label}: {some[1].text[:60]}"
    )


def _by_position(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Columns of sentences for conditions, beside as many that hold the same few labels in each row, in another order from row to row."""
    size = len(found.conditions)
    if found.shape != "condition_columns" or size < 2 or len(found.items) < _FEW:
        return ""
    names = [name for name in found.items[0].attributes if str(found.items[0].attributes[name]).strip()]
    for first in range(len(names) - size + 1):
        own = names[first : first + size]
        rows = [tuple(str(item.attributes.get(name, "")).strip() for name in own) for item in found.items]
        if set(rows[0]) == set(found.conditions):
            continue  # lists, each of which says the condition that it has
        if len(set(rows)) > 1 and len(set(rows[0])) == size and all(sorted(row) == sorted(rows[0]) for row in rows):
            return (
                f"{', '.join(own)} say which condition a sentence is of ({', '.join(rows[0])}), in another order from row to row, so that "
                f"{', '.join(found.conditions)} are places and no conditions"
            )
    return ""


def _by_judgement(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Two conditions that are called by a letter, a number or a place, where a column says of every item that one of its sentences is acceptable
    and the other one is not, and not always the same one: then it says which is which, and the letters count versions."""
    if len(found.conditions) != 2 or not all(map(_PLACE.fullmatch, found.conditions)):
        return ""
    items = [item for item in found.items if len(item.sentences) == 2 == len({s.condition for s in item.sentences})]
    if len(items) < 2 * _FEW or len(items) < len(found.items):
        return ""
    one, other = found.conditions
    for name in dict.fromkeys(name for s in items[0].sentences for name in s.attributes):
        told = [
            {s.condition: acceptability_of(str(s.attributes.get(name, "")).strip()) for s in item.sentences} for item in items
        ]
        if fold(name) not in JUDGES | {JUDGEMENT} or not all(sorted(map(str, own.values())) == ["*", "ok"] for own in told):
            continue
        first = sum(own[one] == "ok" for own in told)
        if min(first, len(told) - first) >= _FEW:
            return (
                f"{name} says that {one} is the good one in {first:,} items and {other} in {len(told) - first:,}, so that {one} and {other} are "
                f"no conditions, and {name} is"
            )
    return ""


def _against_marks(found: ForeignSet, entries: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Sentences with a star before them, in the condition of which somebody says by its place that it is acceptable."""
    odd = [
        (item, s)
        for item, s in entries
        if "*" in str(s.attributes.get(JUDGEMENT, "")) and found.expected.get(s.condition) == "ok"
    ]
    return f"a star marks sentences that would be acceptable, {_such_as(odd, len(entries))}" if odd else ""


def _by_measure(found: ForeignSet, _: Sequence[tuple[ForeignItem, ForeignSentence]]) -> str:
    """Two conditions that are called by a letter or number, where what was measured parts the sentences of every item clearly, and now this and
    now that one has more of it: then it says which is which, and the letters count versions."""
    if len(found.conditions) != 2 or not all(map(_LETTER.fullmatch, found.conditions)):
        return ""
    items = [item for item in found.items if len(item.sentences) == 2 == len({s.condition for s in item.sentences})]
    if len(items) < _VERSIONS or len(items) < len(found.items):
        return ""
    one, other = found.conditions
    for name in dict.fromkeys(name for s in items[0].sentences for name in (*items[0].attributes, *s.attributes)):
        told = [
            {s.condition: str({**item.attributes, **s.attributes}.get(name, "")).strip() for s in item.sentences}
            for item in items
        ]
        if not all(_AMOUNT.fullmatch(value) for own in told for value in own.values()):
            continue
        numbers = [{label: float(value.replace(",", ".")) for label, value in own.items()} for own in told]
        values = [value for own in numbers for value in own.values()]
        if all(value.is_integer() for value in values):
            continue  # lists, places and counts
        steps = [own[one] - own[other] for own in numbers]
        more = [item.label for item, step in zip(items, steps, strict=True) if step > 0]
        fewer = [item.label for item, step in zip(items, steps, strict=True) if step < 0]
        if min(len(more), len(fewer)) < _FEW or min(map(abs, steps)) < _CLEARLY * (max(values) - min(values)):
            continue
        return (
            f"{name} is clearly higher for {one} in {len(more):,} items (such as {more[0]}) and for {other} in {len(fewer):,} (such as "
            f"{fewer[0]}), every time by {_CLEARLY:.0%} of its range or more, so that {one} and {other} may be versions and no conditions; if "
            f"{name} says which sentence is the good one, write "
            "good or bad into a column condition"
        )
    return ""


def _such_as(odd: Sequence[tuple[ForeignItem, ForeignSentence]], whole: int) -> str:
    item, sentence = odd[0]
    shown = sentence.text[:80].replace("\t", "⇥")
    return f"{len(odd):,} of {whole:,} sentences, such as item {item.label}, {sentence.condition}: {shown}"
