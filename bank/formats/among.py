"""Numbered examples among lines that are none: headings, practice and fillers, questions, glosses, remarks. Which lines these are, so that a
command can leave them out; nothing is left out unless somebody says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gapsmith.bank.formats.headings import is_of_no_item
from gapsmith.bank.formats.likeness import likeness_of

_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*(?:\s*[\[(][^][()]*[\])])?\s*\Z")
"""The mark that ends a sentence, a remark in brackets perhaps behind it."""
_NUMBER = re.compile(r"\W*\d{1,5}\W")
_CALLED = re.compile(r"[^\W\d_][\w.]{0,12}\s*:\s")
"""A word with a colon before a line, as of a question."""
_LEAST, _SEVERAL = 4, 2
"""Fewer sentences with a number and a letter, or items with several of them, show no list of examples."""
_SHOWN = 4
_HEADING = 8
"""A heading has at most so many words."""
Find = Callable[[str], "re.Match[str] | None"]


def is_heading(line: str) -> bool:
    """Whether a line is a heading by its looks: a few words, no number, and no mark that ends a sentence."""
    text = line.strip()
    return bool(text) and len(text.split()) <= _HEADING and _ENDED.search(text) is None and _NUMBER.match(line) is None


def beside_items(lines: Sequence[str]) -> frozenset[int]:
    """The lines, by number from 1, that head practice or fillers, and those below such a heading up to the next one."""
    found: set[int] = set()
    is_out = False
    for number, line in enumerate(lines, 1):
        if is_heading(line) and line[:1].strip():
            words = re.findall(r"[^\W\d_][\w-]*", line)
            is_out = any(is_of_no_item(word) for word in words[:3])
        if is_out and line.strip():
            found.add(number)
    return frozenset(found)


@dataclass(slots=True)
class Among:
    """Numbered examples, and the lines among them that are none."""

    items: dict[str, dict[str, str]] = field(default_factory=dict)
    """The sentences by item and letter."""
    out: list[int] = field(default_factory=list)
    """The other lines, by number from 1."""
    beside: int = 0
    """How many of them stand under a heading for practice or fillers."""


def examples_among(lines: Sequence[str], patterns: Sequence[re.Pattern[str]], head: Find) -> Among | None:
    """The examples and the other lines; None where no pattern finds items of several sentences, where a letter comes twice in an item, where
    another line goes on with a sentence, and where one is much like a sentence of the item at which it stands: it may lack its letter."""
    apart = beside_items(lines)
    for pattern in patterns:
        if (found := _found(lines, pattern, head, apart)) is not None:
            return found
    return None


def _found(lines: Sequence[str], pattern: re.Pattern[str], head: Find, apart: Iterable[int]) -> Among | None:
    found = Among()
    label = ""
    others: list[tuple[str, str]] = []
    """Lines that are no sentences, each with the item above it."""
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if number in apart:
            found.out.append(number)
            found.beside += 1
            continue
        match = pattern.fullmatch(line)
        own = match.groupdict().get("number") if match is not None else None
        if match is not None and (own or label):
            label = own or label
            letters = found.items.setdefault(label, {})
            letter = match["letter"].strip()
            if letter in letters:
                return None
            letters[letter] = match["text"]
        elif match is None and (title := head(line)) is not None:
            label = title["number"]
        else:
            found.out.append(number)
            others.append((label, line.strip()))
    kept = {number for number, line in enumerate(lines, 1) if line.strip()} - set(found.out)
    several = [own for own in found.items.values() if len(own) > 1]
    times = Counter(letter for own in found.items.values() for letter in own)
    if len(several) < _SEVERAL or sum(map(len, found.items.values())) < _LEAST or min(times.values()) < 2 or not found.out:
        return None
    if any(found.items and _goes_on(lines, number, kept) for number in found.out if number not in apart):
        return None
    order = list(found.items)
    for label, line in others:
        near = [label, *(order[n + 1] for n in [order.index(label)] if n + 1 < len(order))] if label in found.items else order[:1]
        if _may_be_one(line, [text for one in near for text in found.items[one].values()]):
            return None
    return found


def _goes_on(lines: Sequence[str], number: int, kept: Collection[int]) -> bool:
    """Whether a line stands right below a sentence that has no end, and so may be the rest of it."""
    return number - 1 in kept and _ENDED.search(lines[number - 2]) is None


def _may_be_one(line: str, sentences: Sequence[str]) -> bool:
    """Whether a line may be a sentence of these items whose letter is missing: it ends as one, and is like one of them."""
    is_asked = line.rstrip(" )]").endswith("?") and not any(text.rstrip().endswith("?") for text in sentences)
    if _ENDED.search(line) is None or _CALLED.match(line) or is_asked:
        return False
    return bool(likeness_of([(line, text) for text in sentences]).alike)


def in_words(found: Among, lines: Sequence[str], gone: Mapping[int, str] | Sequence[int]) -> str:
    """What would be read, and what left out."""
    count = sum(map(len, found.items.values()))
    letters = list(dict.fromkeys(letter for own in found.items.values() for letter in own))
    shown = " / ".join(_shown(lines, found.out))
    more = " …" if len(found.out) > _SHOWN else ""
    beside = f", {found.beside} of them practice or fillers" if found.beside else ""
    return (
        f"{len(found.items):,} items, {count:,} sentences behind {', '.join(letters[:_SHOWN])}{' …' if len(letters) > _SHOWN else ''}; "
        f"{len(gone):,} other lines are left out{beside}: {shown}{more}"
    )


def _shown(lines: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    for number in numbers[:_SHOWN]:
        yield lines[number - 1].strip()[:40]
