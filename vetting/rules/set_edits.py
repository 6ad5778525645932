"""What differs between the conditions of an item, held against the other items of its set: an item whose conditions differ at another place,
or the other way round, and items that are nearly the same. Whatever the design is, all items of a set have it. The only place
that holds the differences of items against each other."""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from gapsmith.templates import first_of
from gapsmith.vetting.roles import differences_of
from gapsmith.vetting.wordset import word_set

_FEWEST = 6
"""Of fewer items nobody can say what is usual."""
_USUAL = 0.7
"""So many of the other items have to be alike for one to stand out."""
_ODD = 0.15
"""What at most so many of the items have is odd, and two at least may have it in small sets."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_COMMON = 0.3
_LIKE = 0.5
"""Two items are nearly the same that share such a part of the words that few items have."""
_SHARED = 3
_CLOSED = word_set(
    "the a an this that these those my your his her its our their every each some any no not never ever and or but of in on at to for from"
    " with by about into over under after before during since until when where who whom whose which what how why whether if is are was were"
    " be been being am has have had do does did will would can could may might must shall should it he she they we you i me him them us"
    " there than then as so too very"
)

Partition = frozenset[frozenset[str]]


@dataclass(frozen=True, slots=True)
class PlaceEdit:
    """A place at which conditions of an item differ: which of them are alike there, and what each has."""

    alike: Partition
    texts: tuple[tuple[str, str], ...]
    """Condition and text."""


@dataclass(frozen=True, slots=True)
class OddEdit:
    """An item whose conditions differ otherwise than those of the other items."""

    label: str
    message: str
    conditions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlikeItem:
    """An item that is nearly the same as others."""

    label: str
    others: tuple[str, ...]
    """In the order in which they came; one at least."""
    words: tuple[frozenset[str], ...]
    """What it has in common with each of them."""
    is_first: bool
    """Whether they all came after it."""

    @property
    def message(self) -> str:
        """Which they are, and by which words."""
        others, common = self.others, frozenset.intersection(*self.words)
        named = f"item{'s' if len(others) > 1 else ''} {first_of(others, _NAMED)}"
        shared = ", ".join(f"“{word}”" for word in sorted(common or self.words[0])[:_NAMED])
        has = f"with {others[0]} it shares" if not common else "both have" if len(others) == 1 else "all have"
        return f"is nearly the same as {named}: {has} {shared}"


class EditFacts:
    """The differences of the items of one set, item by item; linear in their number but for items that share rare words. What many items
    have alike, words above all, is kept once."""

    def __init__(self) -> None:
        self._edits: dict[str, tuple[PlaceEdit, ...]] = {}
        self._lengths: dict[str, Mapping[str, int]] = {}
        self._words: dict[str, tuple[str, ...]] = {}
        self._partitions: dict[Partition, Partition] = {}
        self._numbers: dict[tuple[tuple[str, int], ...], Mapping[str, int]] = {}
        self._places: dict[tuple[tuple[str, str], ...], PlaceEdit] = {}
        self._several: dict[tuple[PlaceEdit, ...], tuple[PlaceEdit, ...]] = {}

    def add(self, label: str, texts: Mapping[str, str], *, is_copy: bool = False) -> None:
        """Take in one item: condition to sentence. `is_copy`: an item before it has the same sentences, which says more than that the two
        are alike."""
        found = differences_of(texts)
        if found is None or len(texts) < 2:
            return
        edits = []
        for site in found.fine:
            groups: dict[str, set[str]] = defaultdict(set)
            for name, text in site.texts.items():
                groups[text.casefold()].add(name)
            if len(groups) > 1:
                alike = frozenset(frozenset(names) for names in groups.values())
                own = tuple(site.texts.items())
                if own not in self._places:
                    self._places[own] = PlaceEdit(self._partitions.setdefault(alike, alike), own)
                edits.append(self._places[own])
        self._edits[label] = self._several.setdefault(tuple(edits), tuple(edits))
        lengths = {name: len(text.split()) for name, text in texts.items()}
        self._lengths[label] = self._numbers.setdefault(tuple(lengths.items()), lengths)
        if is_copy:
            return
        words = {word.casefold() for word in _WORD.findall(found.texts[found.base])}
        self._words[label] = tuple(sys.intern(word) for word in sorted(words - _CLOSED))

    def odd(self) -> Iterator[OddEdit]:
        """Items that stand out, in the order in which they came; nothing where the items of the set are of several kinds."""
        n = len(self._edits)
        if n < _FEWEST:
            return
        seen: Counter[Partition] = Counter()
        for edits in self._edits.values():
            seen.update({edit.alike for edit in edits})
        usual = {partition for partition, number in seen.items() if number >= _USUAL * n}
        signs = self._signs()
        for label, edits in self._edits.items():
            if usual:
                odd = [edit for edit in edits if seen[edit.alike] <= max(1, _ODD * n)]
                if odd:
                    yield self._told(label, odd[0])
                    continue
            lengths = self._lengths[label]
            for (one, other), sign in signs.items():
                if one in lengths and other in lengths and (lengths[one] - lengths[other]) * sign < 0:
                    said = f"{one} is {'shorter' if sign > 0 else 'longer'} than {other}, and in the other items it is the other way round"
                    yield OddEdit(label, said, (one, other))
                    break

    def _signs(self) -> Mapping[tuple[str, str], int]:
        """Pairs of conditions of which one is the longer in nearly all items."""
        signs: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        for lengths in self._lengths.values():
            for one, other in combinations(sorted(lengths), 2):
                difference = lengths[one] - lengths[other]
                signs[one, other][(difference > 0) - (difference < 0)] += 1
        n = len(self._lengths)
        return {
            pair: sign
            for pair, counts in signs.items()
            for sign in (1, -1)
            if counts[sign] >= 0.8 * n and counts[-sign] <= max(1, 0.1 * n)
        }

    @staticmethod
    def _told(label: str, edit: PlaceEdit) -> OddEdit:
        groups = sorted(edit.alike, key=lambda names: (len(names), sorted(names)))
        shown = []
        for names in groups:
            name = min(names)
            text = dict(edit.texts)[name]
            shown.append(f"{', '.join(sorted(names))} {'have' if len(names) > 1 else 'has'} {f'“{text}”' if text else 'nothing'}")
        return OddEdit(label, f"{'; '.join(shown)}: no other item differs so", tuple(sorted(groups[0])))

    def copies(self) -> Iterator[AlikeItem]:
        """The items that are nearly the same as another one, in the order in which they came, each once."""
        beside: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        later = set()
        for label, other, words in self._pairs():
            beside[label][other] = beside[other][label] = words
            later.add(label)
        for label in self._words:
            if own := beside.get(label):
                yield AlikeItem(label, tuple(own), tuple(own.values()), label not in later)

    def _pairs(self) -> Iterator[tuple[str, str, frozenset[str]]]:
        """(an item, the one before it that is most like it, the words that both have)."""
        n = len(self._words)
        counts = Counter(word for words in self._words.values() for word in words)
        most = max(2, _COMMON * n)

        def rare(label: str) -> list[str]:
            return [word for word in self._words[label] if counts[word] <= most]

        by_word: dict[str, list[str]] = defaultdict(list)
        for label in self._words:
            words = rare(label)
            together: Counter[str] = Counter(other for word in words for other in by_word[word])
            for other, shared in together.most_common(1):
                beside = rare(other)
                least = min(len(words), len(beside))
                if shared >= _SHARED and least and shared >= _LIKE * least:
                    yield label, other, frozenset(words).intersection(beside)
            for word in words:
                if len(by_word[word]) < _MOST_BESIDE:
                    by_word[word].append(label)


_NAMED = 5
_MOST_BESIDE = 50
"""So many items are remembered for a word: what more have it tells no copies."""
