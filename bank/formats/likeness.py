"""The only place that measures how alike lines are; by that `gapsmith.bank.formats.pairs` decides whether they are minimal pairs.

Members of a pair are nearly alike, and neighbouring pairs are not. A word weighs the more the fewer lines have it, so that
sentences of one pattern about different things are not alike, and the four sentences of an item are, which would be two pairs each.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from statistics import fmean, median

_MOST = 24
NEARLY_ALL = 0.9
"""So many of the pairs have to be alike, and of neighbouring pairs no more than the rest may be."""
_SHARED = 0.5
_OTHER_WORDS = 4
_ORDERED = 6
"""Orders of more sentences are not compared."""
_ODD = 0.2
"""Of the items that have it, so many may have a word in other sentences, or one of a few."""
_TURNS = 4
"""Of fewer items nothing says that the order of their sentences turns."""
_ENDING, _STEM = 3, 3
"""Another form of a word has so many letters more at most, behind so many at least."""
_BEGINNING = 4
"""Words that begin with the same letters, so many, are taken for forms of one where sentences are looked for that belong together."""
_LEAST_SHARES = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Sentences that share this much are put into one item, where items are looked for by words alone."""
_CLEARLY, _GROUPED = 1.5, 0.6
"""They share so many times what they share with those of other items, and so many sentences have a partner."""
_AS_SIMILAR = 0.6
"""Two pairs are of one item where what their sentences share is at least this much of what the members of a pair share."""
IN_WORDS = f"differ in a few words only (at least half of the words are the same, and at most {_OTHER_WORDS} of each are others)"
_UNSPACED = "\u3040-\u30ff\u3400-\u9fff"
"""Letters of scripts that write no spaces between words: each counts as a word."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’-][^\W{_UNSPACED}]+)*")
_MARK = re.compile(
    r"(?P<label>\(?(?:\d{1,4}[a-z]?|[A-Za-z])[:.)\]](?=\s|[A-Z])|\d{1,4}[a-z](?=\s))|(?P<star>[*?#•–-]{1,2})(?=\s*\w)"
)
_NUMBER = re.compile(r"\W*(\d+)(?!\w)")
"""The number that a line begins with."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What the sentences of a file say of whether they are pairs."""

    pairs: int
    alike: int
    """Pairs whose members differ in a few words only."""
    odd: int | None
    """The first pair, from 0, that does not; None where all do."""
    steps: int
    """Neighbouring pairs."""
    similar: int
    """Neighbouring pairs of which a sentence of the one is as similar to one of the other as the members of a pair are."""
    joined: int | None
    """The first pair, from 0, that is as similar to the one after it; None where none is."""

    @property
    def is_minimal(self) -> bool:
        """Whether nearly all pairs differ in a few words only."""
        return self.pairs > 0 and self.alike >= NEARLY_ALL * self.pairs

    @property
    def is_apart(self) -> bool:
        """Whether nearly no pair is as similar to the next one as its members are to each other."""
        return self.similar <= (1 - NEARLY_ALL) * self.steps

    @property
    def in_words(self) -> str:
        """How many are alike, in words."""
        return f"{self.alike:,} of {self.pairs:,} {'pair' if self.pairs == 1 else 'pairs'} {IN_WORDS}"


def likeness_of(pairs: Sequence[tuple[str, str]]) -> Likeness:
    """Compare the members of each pair, and each pair with the next."""
    words = [(_words(one), _words(other)) for one, other in pairs]
    lines = 2 * len(words)
    found_in = Counter(word for members in words for member in members for word in member)
    weights = {word: math.log(1 + lines / number) for word, number in found_in.items()}
    odd = [
        number
        for number, (texts, members) in enumerate(zip(pairs, words, strict=True))
        if texts[0].strip() == texts[1].strip() or not _differ_little(*members)
    ]
    weighed = [tuple((one, _weight(one, weights)) for one in members) for members in words]
    usual = median(_share_of(one, other, weights) for one, other in weighed) if words else 0.0
    joined = [
        number
        for number, (here, there) in enumerate(pairwise(weighed))
        if usual and max(_share_of(one, other, weights) for one in here for other in there) >= _AS_SIMILAR * usual
    ]
    return Likeness(
        pairs=len(words),
        alike=len(words) - len(odd),
        odd=odd[0] if odd else None,
        steps=max(len(words) - 1, 0),
        similar=len(joined),
        joined=joined[0] if joined else None,
    )


def marks_of(texts: Sequence[str]) -> tuple[str, ...]:
    """What half of the sentences begin with that is no part of a sentence: ``A:``, ``3.``, ``*``.
    Empty where they begin with words."""
    found = [_MARK.match(text.strip()) for text in texts]
    labels = [mark["label"] for mark in found if mark is not None and mark["label"]]
    stars = [mark["star"] for mark in found if mark is not None and mark["star"]]
    if labels and len(labels) * 2 >= len(texts):
        return tuple(dict.fromkeys(labels))
    if stars and len(stars) >= NEARLY_ALL * len(texts) / 2:
        return tuple(dict.fromkeys(stars))
    return ()


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def _differ_little(one: Counter[str], other: Counter[str]) -> bool:
    shared = sum(min(number, other[word]) for word, number in one.items() if word in other)
    longer = max(one.total(), other.total())
    return shared > 0 and shared >= _SHARED * longer and longer - shared <= _OTHER_WORDS


def _share(one: Counter[str], other: Counter[str], weights: dict[str, float]) -> float:
    """How much of the heavier sentence the two share, from 0 to 1."""
    return _share_of((one, _weight(one, weights)), (other, _weight(other, weights)), weights)


def _share_of(one: tuple[Counter[str], float], other: tuple[Counter[str], float], weights: dict[str, float]) -> float:
    """The same of sentences that are weighed already."""
    (words, weight), (others, other_weight) = one, other
    heavier = max(weight, other_weight)
    shared = sum(weights[word] * min(number, others[word]) for word, number in words.items() if word in others)
    return shared / heavier if heavier else 0.0


def _weight(words: Counter[str], weights: dict[str, float]) -> float:
    return sum(weights[word] * number for word, number in words.items())


def shared_within(groups: Sequence[Sequence[str]]) -> float:
    """How much neighbouring sentences of a group share, from 0 to 1, on average; rare words weigh more."""
    words = [[Counter(word[:_BEGINNING] for word in _words(text).elements()) for text in group] for group in groups]
    found_in = Counter(word for group in words for one in group for word in one)
    lines = sum(map(len, words))
    weights = {word: math.log(1 + lines / number) for word, number in found_in.items()}
    shares = [_share(one, other, weights) for group in words for one, other in pairwise(group)]
    return sum(shares) / len(shares) if shares else 0.0


def groups_of(texts: Sequence[str]) -> list[int] | tuple[int, int]:
    """Which item each sentence is of by its words alone, from 1 in the order of the file: the sentences of an item share much more with each
    other than any of them does with one of another item. Two sentences, from 0, that stand in the way where no grouping is so clear."""
    words = [_words(text) for text in texts]
    found_in = Counter(word for own in words for word in own)
    weights = {word: math.log(1 + len(texts) / number) for word, number in found_in.items()}
    weighed = [(own, _weight(own, weights)) for own in words]
    shares = {(n, m): _share_of(weighed[n], weighed[m], weights) for n in range(len(texts)) for m in range(n)}
    unclear = (0, 0)
    for least in _LEAST_SHARES:
        group = list(range(len(texts)))
        for (n, m), share in shares.items():
            if share >= least and group[n] != group[m]:
                old, new = max(group[n], group[m]), min(group[n], group[m])
                group = [new if one == old else one for one in group]
        within, across, likest = [0.0] * len(texts), [0.0] * len(texts), [0] * len(texts)
        for (n, m), share in shares.items():
            for one, other in ((n, m), (m, n)):
                if group[n] == group[m]:
                    within[one] = max(within[one], share)
                elif share > across[one]:
                    across[one], likest[one] = share, other
        sizes = Counter(group)
        several = [n for n in range(len(texts)) if sizes[group[n]] > 1]
        odd = [n for n in range(len(texts)) if (within[n] if sizes[group[n]] > 1 else least) < _CLEARLY * across[n]]
        if len(several) >= _GROUPED * len(texts) and len(sizes) > 1 and not odd:
            order = {one: number for number, one in enumerate(dict.fromkeys(group), 1)}
            return [order[one] for one in group]
        if odd and unclear == (0, 0):
            unclear = (odd[0], likest[odd[0]])
    return unclear


def words_of(text: str) -> frozenset[str]:
    """The words of a sentence, in small letters."""
    return frozenset(_WORD.findall(text.casefold()))


def likely_sizes(lines: Sequence[str], *, times: float = 2.0) -> list[int]:
    """How many lines an item may have, the likeliest first: within items neighbours share more than `times` what they share between
    them. Only for a question: nothing is certain by it."""
    shares = _neighbours(lines)
    found = {}
    for size in range(3, min(_MOST, len(lines) // 2) + 1):
        if len(lines) % size == 0 and not _are_numbered_otherwise(lines, size):
            between = fmean(shares[size - 1 :: size])
            within = fmean(share for number, share in enumerate(shares, 1) if number % size)
            if within > times * between:
                found[size] = within - between
    return sorted(found, key=lambda size: -found[size])


def _are_numbered_otherwise(lines: Sequence[str], size: int) -> bool:
    """Whether lines have numbers before them that make other items than every so many lines: several within one, and one of them twice."""
    numbers = [match[1] for line in lines if (match := _NUMBER.match(line)) is not None]
    blocks = [numbers[n : n + size] for n in range(0, len(numbers), size)]
    return len(numbers) == len(lines) and any(1 < len(set(block)) < len(block) for block in blocks)


def breaks_of(lines: Sequence[str]) -> list[int]:
    """Before which lines, from 0, an item seems to end: those that are much less like the line before than lines usually are."""
    shares = _neighbours(lines)
    usual = median(shares) if shares else 0.0
    return [number for number, share in enumerate(shares, 1) if share < _AS_SIMILAR * usual]


def _neighbours(lines: Sequence[str]) -> list[float]:
    """What each line shares with the next."""
    words = [_words(line) for line in lines]
    found_in = Counter(word for line in words for word in line)
    weights = {word: math.log(1 + len(lines) / number) for word, number in found_in.items()}
    return [_share(one, other, weights) for one, other in pairwise(words)]


def odd_order(items: Sequence[Sequence[str]]) -> tuple[int, str] | None:
    """The first item whose sentences stand in another order than those of the others, by its words, their ends and which of them are
    neighbours, and what shows it; None where no order of its sentences agrees with the others in all of them and its own does not."""
    size = len(items[0]) if items else 0
    if len(items) < 3 or not 1 < size <= _ORDERED or any(len(texts) != size for texts in items):
        return None
    shapes: list[dict[str, tuple[bool, ...]]] = []
    for texts in items:
        lines = _traits(texts)
        shared = set.intersection(*lines)
        shapes.append({trait: tuple(trait in line for line in lines) for trait in set().union(*lines) - shared})
    times: dict[str, Counter[tuple[bool, ...]]] = {}
    for own in shapes:
        for trait, shape in own.items():
            times.setdefault(trait, Counter())[shape] += 1
    usual = {
        trait: own.most_common(1)[0][0]
        for trait, own in times.items()
        if 2 * own.total() >= max(6, len(items)) and own.total() - own.most_common(1)[0][1] <= max(1, _ODD * own.total())
    }
    orders = list(permutations(range(size)))
    for number, own in enumerate(shapes):
        traits = [trait for trait in own if trait in usual]
        if all(own[trait] == usual[trait] for trait in traits):
            continue
        if any(all(tuple(own[t][place] for place in order) == usual[t] for t in traits) for order in orders):
            odd = sorted(trait for trait in traits if own[trait] != usual[trait])
            return number, min(odd, key=lambda trait: (" " in trait, trait.startswith("-")))
    return None


def turning(items: Sequence[Sequence[str]]) -> str | None:
    """A trait that as many sentences of every item have, not all of them, and in most items others than in the most usual order: the order of
    conditions turns from item to item. None where there is none."""
    size = len(items[0]) if items else 0
    if len(items) < _TURNS or size < 3 or any(len(texts) != size for texts in items):
        return None
    shapes: dict[str, Counter[tuple[bool, ...]]] = {}
    for texts in items:
        lines = _traits(texts)
        for trait in set().union(*lines) - set.intersection(*lines):
            shapes.setdefault(trait, Counter())[tuple(trait in line for line in lines)] += 1
    found = [
        trait
        for trait, own in shapes.items()
        if own.total() == len(items) and len({sum(shape) for shape in own}) == 1 and 2 * own.most_common(1)[0][1] <= len(items)
    ]
    return min(found, key=lambda trait: (" " in trait, trait.startswith("-"), trait)) if found else None


def _traits(texts: Sequence[str]) -> list[set[str]]:
    """Of each sentence of an item its words, its pairs of neighbours, and what other forms of words end in than those of the item do that
    they begin with, such as -s of bakers beside baker, and a comma."""
    lines = [_WORD.findall(text.casefold()) for text in texts]
    forms = {word for words in lines for word in words}
    ends = {
        word: f"-{word[-cut:]}"
        for word in forms
        for cut in range(1, _ENDING + 1)
        if len(word) - cut >= _STEM and word[:-cut] in forms
    }
    return [
        {
            *words,
            *(f"{one} {other}" for one, other in pairwise(words)),
            *(ends[word] for word in words if word in ends),
            *([","] if "," in text else []),
        }
        for words, text in zip(lines, texts, strict=True)
    ]
