"""Do two conditions differ only where the design says? A word diff between their texts, held against the paradigm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gapsmith.templates import Condition, Paradigm, slots_in, word_patterns


@dataclass(frozen=True, slots=True)
class Hunk:
    """Words of one text that stand where the other has other words (or none)."""

    left: tuple[str, ...]
    right: tuple[str, ...]

    def __str__(self) -> str:
        left, right = " ".join(self.left), " ".join(self.right)
        if left and right:
            return f"{left!r} against {right!r}"
        return f"{left or right!r} only here" if left else f"{right!r} only there"


def word_hunks(left: str, right: str, punctuation: str = "") -> tuple[Hunk, ...]:
    """Where two texts differ, word by word; the first word counts as equal whatever its capital."""
    a, b = _words(left, punctuation), _words(right, punctuation)
    return tuple(
        Hunk(tuple(a[i1:i2]), tuple(b[j1:j2]))
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
        if tag != "equal"
    )


def stray_hunks(paradigm: Paradigm, left: tuple[str, str], right: tuple[str, str], slots: Mapping[str, str]) -> tuple[Hunk, ...]:
    """Differences between two conditions, each given as (condition, text), that the design does not ask for.

    The regions whose pattern differs between the conditions may differ, in order, each as its patterns say; whatever
    else the diff shows is stray. `slots`, as far as they are known, tell a wrong word from a neighbor that may differ."""
    one, other = paradigm.condition(left[0]), paradigm.condition(right[0])
    allowed = [r.name for r in paradigm.regions if one.regions[r.name] != other.regions[r.name]]
    stray = []
    position = 0
    for hunk in word_hunks(left[1], right[1], paradigm.final_punctuation):
        taken = _regions_covering(paradigm, one, other, allowed[position:], hunk)
        if taken is None:
            stray.append(_without_neighbors(paradigm, one, other, allowed[position:], hunk, slots))
        else:
            position += taken
    return tuple(stray)


def _without_neighbors(
    paradigm: Paradigm,
    one: Condition,
    other: Condition,
    allowed: Sequence[str],
    hunk: Hunk,
    slots: Mapping[str, str],
) -> Hunk:
    """The part of a hunk that is stray: where a region that may differ stands right beside it, a word diff shows both as one
    (“bewilder” against “amuse Anna”, where only the verb is wrong)."""
    texts = [condition.regions[name] for condition in (one, other) for name in allowed]
    expected = {word for text in texts for slot in slots_in(text) for word in slots.get(slot, "").split()}
    best, rank = hunk, (len(hunk.left) + len(hunk.right), 0)
    for neighbor, rest in _splits(hunk):
        ranked = (len(rest.left) + len(rest.right), -len(expected.intersection((*neighbor.left, *neighbor.right))))
        if ranked < rank and _regions_covering(paradigm, one, other, allowed, neighbor) is not None:
            best, rank = rest, ranked
    return best


def _splits(hunk: Hunk) -> Iterator[tuple[Hunk, Hunk]]:
    """Every way to take as many words off one end of both sides that equally many are left, and some."""
    for i in range(len(hunk.left) + 1):
        for j in range(len(hunk.right) + 1):
            head, tail = Hunk(hunk.left[:i], hunk.right[:j]), Hunk(hunk.left[i:], hunk.right[j:])
            for neighbor, rest in ((tail, head), (head, tail)):
                if len(rest.left) == len(rest.right) > 0:
                    yield neighbor, rest


def _regions_covering(paradigm: Paradigm, one: Condition, other: Condition, allowed: Sequence[str], hunk: Hunk) -> int | None:
    # Skipped regions may hold equal words by chance; a run of regions may be one hunk where nothing stands between.
    for first in range(len(allowed)):
        for last in range(first + 1, len(allowed) + 1):
            run = allowed[first:last]
            whole = [(one.regions[name], other.regions[name]) for name in run]
            # What both texts of a region begin or end with, as in "no {person}" and "the {person}", no diff shows.
            for pairs in (whole, [_unlike(*pair) for pair in whole]):
                if _fits(paradigm, [left for left, _ in pairs], hunk.left) and _fits(
                    paradigm, [right for _, right in pairs], hunk.right
                ):
                    return last
    return None


def _unlike(left: str, right: str) -> tuple[str, str]:
    """Two patterns without the words that both begin or end with."""
    a, b = left.split(), right.split()
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    return " ".join(a), " ".join(b)


def _fits(paradigm: Paradigm, texts: Sequence[str], words: Sequence[str]) -> bool:
    lengths = list(_lengths(paradigm, texts))
    low, high = sum(n for n, _ in lengths), sum(n for _, n in lengths)
    if not low <= len(words) <= high:
        return False
    literals = [p.prefix for text in texts for p in word_patterns(text) if p.slot is None]
    remaining = iter(word.casefold() for word in words)
    return all(any(word == literal.casefold() for word in remaining) for literal in literals)


def _lengths(paradigm: Paradigm, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    for text in texts:
        for pattern in word_patterns(text):
            longest = paradigm.slot_by_name[pattern.slot].max_words if pattern.slot and pattern.is_bare else 1
            yield 1, longest


def _words(text: str, punctuation: str) -> list[str]:
    stripped = text.strip()
    if punctuation and stripped.endswith(punctuation):
        stripped = stripped[: -len(punctuation)]
    words = stripped.split()
    return [words[0][:1].upper() + words[0][1:], *words[1:]] if words else []
