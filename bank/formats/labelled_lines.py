"""Plain sentences with a label each that names the condition: behind the sentence in brackets, in a line of its own above it, or as values in
lines of comments above it. As rows under headings of our own, where every item has the same labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank.formats.headings import NO_ITEM

_BEHIND = re.compile(
    r"\s*(?:[(\[]?(?P<number>\d{1,4})[)\].:]*(?P<letter>[a-p][.):\]]*)?\s+)?(?P<text>\S.*[.?!…][\"'”’»]?)"
    r"\s*[\[({](?P<label>[^\W\d_][\w +/-]{0,24})[\])}]\s*"
)
_BEFORE = re.compile(
    r"\s*(?:[(\[]?(?P<number>\d{1,4})(?:[)\].:]+|(?=[a-p][.):\]])))?\s*(?:[(\[]?[a-p][.):\]]+)?\s*"
    r"[\[({（【［](?P<label>[+-]?[^\W\d_][\w +/,.=，、·-]{1,30})[\])}）】］]:?\s*(?P<text>[*?#%]*\s*[^\W\d_a-z].*[.?!…。？！][\"'”’»]?)\s*"
)
_TABBED = re.compile(r"\s*(?P<number>(?!))?(?P<label>[^\W\d_][\w +/.-]{0,24}?)(?:\t+| {2,})(?P<text>\S.*[.?!…][\"'”’»]?)\s*")
_NUMBERED_LABEL = re.compile(
    r"\s*[#\[(<*=-]*\s*(?P<number>\d{1,4})\s*[.:)\]_-]?\s*(?P<label>[A-Za-z][\w+/-]*(?: [\w+/-]+){0,3}?)\s*[\])>*=:-]*\s*"
)
"""The number of an item with a label behind it, in a line of its own."""
_LABEL = re.compile(r"\s*(?:(?P<open>[\[(<{*_#]+)\s*)?(?P<label>[^\W\d_][\w +/-]{0,24}?)\s*(?(open)[\])>}*_#:]+|:)\s*")
"""A label alone in a line: in brackets, or with a colon behind it."""
_HEAD = re.compile(
    rf"\s*[-=*~_#]*\s*(?:{NO_ITEM}[^\W\d_]{{1,14}}\b)?[.:]?\s*#?\s*(?P<number>\d{{1,4}})\s*[.:)]?\s*[-=*~_#]*\s*",
    re.IGNORECASE,
)
_SAID = re.compile(r"\s*[#%;]+\s*(?P<name>[^\W\d][\w .-]{0,24}?)\s*[=:]\s*(?P<value>\S.*?)\s*")
_FACT = re.compile(r"\s*[-,]?\s*(?:[a-z]\w*)?[(\[]\s*(?P<held>.*\"[^\"]+\".*|.*'[^']+ [^']+'.*)[)\]]\s*[.,;]?\s*")
_FACT_NAMES = re.compile(r"\s*[%#;/]+\s*\w*\s*\((?P<names>[^()]+)\)[.:]?\s*.*")
"""A comment that names what stands in each place."""
_TERM = re.compile(
    r"\s*(?:[:](?P<name>[\w-]+)\s+)?(?:\"(?P<text>(?:[^\"\\]|\\.)*)\"|'(?P<other>(?:[^'\\]|\\.)*)'|(?P<bare>[^\s,()\"':][^\s,()\"']*))\s*,?"
)
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\s*\Z")
_LEAST, _TITLES = 4, 5
_SUFFIXES = frozenset({".txt", "", ".text", ".md", ".dat", ".itm", ".items", ".lst"})


@dataclass(frozen=True, slots=True)
class LabelledLines:
    """Rows, their headings first."""

    rows: list[list[str]]
    places: list[int]
    """The line of each row below the headings."""
    how: str
    is_open: str = ""
    """What nothing but the order of the lines says; empty where blank lines or numbers say it."""


def labelled_lines(text: str, suffix: str) -> LabelledLines | None:
    """The sentences of a text and their labels; None where any line is something else."""
    if suffix not in _SUFFIXES:
        return None
    lines = list(enumerate(text.split("\n"), 1))
    return (
        _bracketed(lines, _BEHIND, "behind")
        or _bracketed(lines, _BEFORE, "before")
        or _bracketed(lines, _TABBED, "before")
        or _above(lines)
        or _in_comments(lines)
    )


def facts(text: str) -> LabelledLines | None:
    """Facts as programs of logic write them, a tuple or a list with names in each line: ``item(1, src, "…").``,
    ``(:item 1 :cond src :sent "…")``, ``(1, 'src', "…"),``. None where another line holds words."""
    found: list[tuple[int, list[tuple[str, str]]]] = []
    heading: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if (match := _FACT.fullmatch(line)) is None:
            if (said := _FACT_NAMES.fullmatch(line)) is not None and not found:
                heading = [name.strip() for name in said["names"].split(",")]
            elif len(line.split()) > 4 and line.lstrip()[:1] not in "%#;/(":
                return None
            continue
        own = [
            (m["name"] or "", m["text"] if m["text"] is not None else m["other"] if m["other"] is not None else m["bare"])
            for m in _TERM.finditer(match["held"])
        ]
        if len(own) < 2:
            return None
        found.append((number, own))
    shapes = {tuple(name for name, _ in own) for _, own in found}
    if len(found) < _LEAST or len(shapes) != 1 or not any(len(value.split()) > 2 for _, value in found[0][1]):
        return None
    (names,) = shapes
    top = list(names) if all(names) else heading if len(heading) == len(names) and all(heading) else []
    rows = [[value for _, value in own] for _, own in found]
    how = "facts, a row each" + (", as rows under their names" if top else "")
    return LabelledLines([top, *rows] if top else rows, [number for number, _ in found][0 if top else 1 :], how)


def _bracketed(lines: Sequence[tuple[int, str]], pattern: re.Pattern[str], place: str) -> LabelledLines | None:
    """A label in brackets before or behind every sentence."""
    filled = [(n, line) for n, line in lines if line.strip()]
    begin = next(
        (k for k, (_, line) in enumerate(filled[: _TITLES + 1]) if pattern.fullmatch(line) or _HEAD.fullmatch(line)), None
    )
    if begin is None or not any(pattern.fullmatch(line) for _, line in filled[begin : begin + 2]):
        return None
    titles = [line.strip() for _, line in filled[:begin]]
    lines = [(n, line) for n, line in lines if n >= filled[begin][0]]
    found: list[tuple[int, re.Match[str]]] = []
    blocks: list[list[int]] = [[]]
    heads: list[str] = []
    head = ""
    for number, line in lines:
        if not line.strip():
            blocks.append([])
            continue
        if (own := _HEAD.fullmatch(line)) is not None:
            head = own["number"]
            continue
        if (match := pattern.fullmatch(line)) is None:
            return None
        blocks[-1].append(len(found))
        heads.append(head)
        found.append((number, match))
    numbers = [match["number"] for _, match in found]
    labels = [" ".join(match["label"].split()) for _, match in found]
    texts = [(n, m["text"]) for n, m in found]
    left = f"; left out: {' / '.join(title[:60] for title in titles)}" if titles else ""
    how = f"a label {place} each sentence, as its condition, under headings of our own{left}"
    # A number before the first sentence of an item holds for those below it.
    held: list[str] = []
    for own_number in numbers if any(numbers) else ():
        held.append(str(own_number) if own_number else held[-1] if held else "")
    for items in (held if all(held) else [], heads if all(heads) else []):
        if items and (_grouped(items, labels) or _are_few(items, labels)):
            return _rows(items, texts, labels, how)
    if any(heads) or any(numbers):
        return None
    parted = [block for block in blocks if block]
    if len(parted) > 1 and any(len(block) > 1 for block in parted):
        by_block = [str(n) for n, block in enumerate(parted, 1) for _ in block]
        return _rows(by_block, texts, labels, how) if _grouped(by_block, labels) else None
    size = len(set(labels))
    by_place = [str(n // size + 1) for n in range(len(labels))] if size else []
    if len(parted) == 1 and len(labels) % size == 0 and _grouped(by_place, labels):
        made = _rows(by_place, texts, labels, how)
        return LabelledLines(made.rows, made.places, how, f"every {size} lines are an item, each with another label {place} it")
    return None


def _above(lines: Sequence[tuple[int, str]]) -> LabelledLines | None:
    """A label in a line of its own above each sentence, below the number of an item perhaps."""
    label, item = "", ""
    found: list[tuple[int, str]] = []
    labels: list[str] = []
    items: list[str] = []
    is_numbered = False
    for number, line in lines:
        if not line.strip():
            continue
        if (head := _HEAD.fullmatch(line)) is not None:
            if label:
                return None
            item, is_numbered = head["number"], True
        elif not label and (both := _NUMBERED_LABEL.fullmatch(line)) is not None and not _ENDED.search(line):
            item, label, is_numbered = both["number"], both["label"].strip(), True
        elif not label:
            if (match := _LABEL.fullmatch(line)) is None or _ENDED.search(line):
                return None
            label = match["label"].strip()
        else:
            if _ENDED.search(line) is None or len(line.split()) < 3:
                return None
            found.append((number, line.strip()))
            labels.append(label)
            items.append(item)
            label = ""
    if label or len(found) < _LEAST:
        return None
    how = "a label above each sentence, as its condition, under headings of our own"
    if is_numbered:
        return _rows(items, found, labels, how) if all(items) and _grouped(items, labels) else None
    size = len(set(labels))
    by_place = [str(n // size + 1) for n in range(len(labels))]
    if len(labels) % size or not _grouped(by_place, labels):
        return None
    made = _rows(by_place, found, labels, how)
    return LabelledLines(made.rows, made.places, how, f"every {size} sentences are an item, each below another label")


def _in_comments(lines: Sequence[tuple[int, str]]) -> LabelledLines | None:
    """Names with values in lines of comments above each sentence."""
    said: dict[str, str] = {}
    rows: list[dict[str, str]] = []
    places: list[int] = []
    for number, line in lines:
        if not line.strip():
            continue
        if (match := _SAID.fullmatch(line)) is not None:
            if match["name"] in said:
                return None
            said[match["name"]] = match["value"]
        elif line.lstrip()[:1] in "#%;" or len(said) < 2 or len(line.split()) < 2:
            return None
        else:
            rows.append({**said, "sentence": line.strip()})
            places.append(number)
            said = {}
    if said or len(rows) < _LEAST or len({tuple(row) for row in rows}) != 1:
        return None
    names = list(rows[0])
    how = "values in comments above each sentence, as rows under their names"
    return LabelledLines([names, *([row[name] for name in names] for row in rows)], places, how)


def _are_few(items: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether numbered items have each label once at most, and all labels are those of at least half of the items: items with unequal
    numbers of conditions."""
    own: dict[str, list[str]] = {}
    for item, label in zip(items, labels, strict=True):
        own.setdefault(item, []).append(label)
    times = Counter(labels)
    return (
        len(own) > 2
        and len(times) > 1
        and 2 * min(times.values()) >= len(own)
        and all(len(set(one)) == len(one) for one in own.values())
    )


def _grouped(items: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether items have the same labels, each once, all but a few of them all of these."""
    if len(labels) < _LEAST:
        return False
    own: dict[str, list[str]] = {}
    for item, label in zip(items, labels, strict=True):
        own.setdefault(item, []).append(label)
    every = set(labels)
    are_whole = sum(set(one) == every for one in own.values())
    # Some items may have more versions than others.
    shared = set.intersection(*map(set, own.values()))
    if len(own) > 1 and len(shared) > 1 and min(Counter(labels).values()) > 1:
        return all(len(set(one)) == len(one) for one in own.values())
    return (
        len(own) > 1
        and 1 < len(every) <= len(labels) / 2
        and all(len(set(one)) == len(one) for one in own.values())
        and (are_whole * 2 > len(own) and min(Counter(labels).values()) > 1)
    )


def _rows(items: Sequence[str], found: Sequence[tuple[int, str]], labels: Sequence[str], how: str) -> LabelledLines:
    body = [[item, label, text] for item, label, (_, text) in zip(items, labels, found, strict=True)]
    return LabelledLines([["item", "condition", "sentence"], *body], [number for number, _ in found], how)
