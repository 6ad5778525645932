"""Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, or sentence, rating, sentence,
rating: each time is a row of its own, as ``--stack`` says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from gapsmith.bank.formats.headings import fold

PART = "part"
"""The heading of what tells the times apart."""
SENTENCE = "sentence"
"""The heading of sentences that stood in several columns."""
_BEFORE = re.compile(r"(?P<part>[^\d]*\d{1,3}|[A-Za-z])[_ .:-]+(?P<role>[^\W\d].*)")
_BEHIND = re.compile(r"(?P<role>[^\W\d].*?)(?:(?P<part>\d{1,3})|[_ .:-](?P<letter>[A-Za-z]))")
"""What stands between role and part is taken off the role later: looked for here, it would be at each place of a long heading again."""


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Which columns stand there once for all, and which once for each part."""

    shared: tuple[int, ...]
    roles: tuple[str, ...]
    """What the columns of a part are called without it."""
    parts: Mapping[str, tuple[int, ...]]
    """The columns of each part, in the order of the roles."""

    def header(self, top: Sequence[str]) -> tuple[str, ...]:
        """The headings of the rows that are made."""
        names = [top[column] for column in self.shared]
        taken = {fold(name) for name in (*names, *self.roles)}
        return (*names, PART if PART not in taken else f"{PART}_of_row", *self.roles)

    def rows(self, cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The rows that one row makes: one for each part that holds something."""
        for part, columns in self.parts.items():
            own = [cells[column] if column < len(cells) else "" for column in columns]
            if any(cell.strip() for cell in own):
                yield (*(cells[column] if column < len(cells) else "" for column in self.shared), part, *own)


def below_each_other(top: Sequence[str], named: Sequence[str]) -> SideBySide | None:
    """The columns of sentences that somebody named, as rows below each other, each called by its heading; None where one is not there."""
    folded = [fold(heading) for heading in top]
    if len(named) < 2 or any(fold(name) not in folded for name in named):
        return None
    columns = [folded.index(fold(name)) for name in named]
    shared = tuple(c for c in range(len(top)) if c not in columns)
    role = SENTENCE if SENTENCE not in [folded[c] for c in shared] else f"{SENTENCE}_of_part"
    return SideBySide(shared, (role,), {top[c].strip(): (c,) for c in columns})


_NUMBERED_REGION = re.compile(r"(?:r|reg|region|w|word|chunk)[ .-]?\d{1,2}", re.IGNORECASE)
_REGIONS = 3


def side_by_side(top: Sequence[str]) -> SideBySide | None:
    """The columns that stand side by side several times, by their headings: at least two of them, each as often as the others; None where none
    do, or where what they are called says otherwise."""
    names = [heading.strip() for heading in top]
    times = Counter(name for name in names if name)
    seen: Counter[str] = Counter()
    begins = {match["part"] for name in names if (match := _BEFORE.fullmatch(name)) is not None}

    def by_times(name: str) -> tuple[str, str] | None:
        seen[name] += 1
        return (str(seen[name]), name) if times[name] > 1 else None

    def by_begin(name: str) -> tuple[str, str] | None:
        match = _BEFORE.fullmatch(name)
        if match is None and name in begins:
            return name, "sentence"  # list1, beside list1_condition
        return (match["part"], match["role"]) if match is not None else None

    def by_end(name: str) -> tuple[str, str] | None:
        match = _BEHIND.fullmatch(name)
        return (match["part"] or match["letter"], match["role"].rstrip("_ .:-")) if match is not None else None

    # Numbered regions below conditions, as in filled_R1 or filled_matrix_R1: what is before the same words each time is the condition.
    for words in (1, 2):
        if (found := _grouped(names, partial(_region_of, words))) is not None and len(found.roles) >= _REGIONS:
            called = [role.rpartition("_")[0] for role in found.roles]
            return replace(found, roles=tuple(called)) if words > 1 and len(set(called)) == len(called) else found
    for taken_apart in (by_times, by_begin, by_end):
        if (found := _grouped(names, taken_apart)) is not None:
            return found
    return None


def _region_of(words: int, name: str) -> tuple[str, str] | None:
    parts = name.split("_")
    if len(parts) <= words or not _NUMBERED_REGION.fullmatch(parts[-1]):
        return None
    return "_".join(parts[:-words]), "_".join(parts[-words:])


def _grouped(names: Sequence[str], taken_apart: Callable[[str], tuple[str, str] | None]) -> SideBySide | None:
    own: dict[str, dict[str, int]] = {}
    for column, name in enumerate(names):
        if (found := taken_apart(name)) is None:
            continue
        part, role = found
        if role in own.setdefault(part, {}):
            return None
        own[part][role] = column
    roles = {tuple(sorted(columns)) for columns in own.values()}
    if len(own) < 2 or len(roles) != 1 or len(next(iter(roles))) < 2:
        return None
    first = next(iter(own.values()))
    order = tuple(sorted(first, key=lambda role: first[role]))
    taken = {column for columns in own.values() for column in columns.values()}
    parts = {part: tuple(columns[role] for role in order) for part, columns in own.items()}
    return SideBySide(tuple(c for c in range(len(names)) if c not in taken), order, parts)
