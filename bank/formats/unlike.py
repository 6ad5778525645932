"""Signs that a sentence is unlike its siblings: the sentences of an item in the other conditions, and those of its condition in the other
items; the only place for these. What differs between two conditions is alike over items, and so are regions, ends and
beginnings; what is not is told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence
from gapsmith.bank.formats.signs import RARE, Entry, Look, Seen, Sign

_LEAST = 4
"""Of fewer items none is said to be unlike the others."""
_PLACES = 12
"""At most so many neighbouring conditions are compared, and so many items in which the order of words is."""
_ORDERS = 2_000
_SHOWN = 4
"""So many items or sentences are named."""
_APART, _SHARED, _MEASURED = 0.2, 0.5, 500
"""Sentences of a condition that share no more than the first with any sibling, where those of other conditions share more than the second, are
of another kind; looked at in so many items."""
_STRAIGHT, _CURLY = re.compile(r"(?<=\w)'(?=\w)"), re.compile(r"(?<=\w)’(?=\w)")
_MIXED = re.compile(r"[A-Za-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][A-Za-z]")
"""Letters of two scripts in one word."""
_PARTED = re.compile(r"[^\W\d_A-Z]-\s+(?!(?:and|or|und|oder|bzw|et|ou|y|e|o|en|of|och|eller)\b)[^\W\d_A-Z]")
"""A word that is parted at the end of a line; what stands before and is no part of it (pre- and post-war) is none."""
_RUN_ON = re.compile(r"(?<![\w.])[^\W\d_]{2,}[.?!][^\W\d_]{2,}")
"""Words with the mark that ends a sentence between them and no blank."""
_MARKS = '.,;:!?…"“”()'
_AS_IT_STANDS = "as the file has it"


def _shown(items: Sequence[ForeignItem]) -> str:
    return ", ".join(item.label for item in islice(items, _SHOWN)) + (" …" if len(items) > _SHOWN else "")


def _few(count: int, whole: int) -> bool:
    """Whether so many of the whole are few, and the others many enough to say so."""
    return whole >= _LEAST and 0 < count <= max(1, RARE * whole)


def _edits(seen: Seen) -> Iterator[Sign]:
    """Items in which other things change from one condition to the next than in nearly all others."""
    conditions = seen.found.conditions
    if len(conditions) < 2 or len(seen.several) < _LEAST:
        return
    told: list[ForeignItem] = []
    for one, other in islice(pairwise(conditions), _PLACES):
        pairs = list(_pairs(seen, one, other))
        shapes = [(len(here) - (same := len(here & there)), len(there) - same) for _, here, there in pairs]
        if not shapes:
            continue
        (usual, times), *_ = Counter(shapes).most_common(1)
        odd = [n for n, shape in enumerate(shapes) if shape != usual]
        if not _few(len(pairs) - times, len(pairs)) or all(pairs[n][0] in told for n in odd):
            continue
        item, here, there = pairs[odd[0]]
        texts = {s.condition: s.text for s in item.sentences}
        gone, new = (_in_order(texts[name], words) or "nothing" for name, words in ((one, here - there), (other, there - here)))
        told += [pairs[n][0] for n in odd]
        what = (
            f"{gone!r} becomes {new!r} in item {item.label}" if here != there else f"item {item.label} has the same words in both"
        )
        yield Sign(
            "conditions",
            f"from {one} to {other} {times:,} of {len(pairs):,} items change {_words(usual[0])} into {_words(usual[1])}, and item "
            f"{_shown([pairs[n][0] for n in odd])} otherwise: {what}",
            _AS_IT_STANDS,
            line=item.sentences[0].line,
        )


def _in_order(text: str, words: frozenset[str]) -> str:
    """The first of these words as they follow each other in the sentence."""
    own = [word.strip(_MARKS) or word for word in text.split() if {word.casefold(), word.casefold().strip(_MARKS)} & words]
    return " ".join(own[:6]) or " ".join(sorted(words)[:6])


def _words(count: int) -> str:
    return f"{count} word{'' if count == 1 else 's'}"


def _pairs(seen: Seen, one: str, other: str) -> Iterator[tuple[ForeignItem, frozenset[str], frozenset[str]]]:
    """The items that have both conditions, with the words of their sentences."""
    for item, words in seen.several:
        if len(words) == 2 == len(item.sentences) and item.sentences[0].condition == one and item.sentences[1].condition == other:
            yield item, words[0], words[1]
            continue
        own = dict(zip((s.condition for s in item.sentences if s.text.strip()), words, strict=True))
        if one in own and other in own:
            yield item, own[one], own[other]


def _orders(seen: Seen) -> Iterator[Sign]:
    """Items whose sentences have their common words in another order, where those of nearly all others do not, or the other way round."""
    conditions = seen.found.conditions
    if len(conditions) < 2 or not _LEAST <= len(seen.several) <= _ORDERS:
        return
    for one, other in islice(pairwise(conditions), _PLACES):
        pairs: list[tuple[ForeignItem, bool]] = []
        for item, _ in seen.several:
            own = {s.condition: s.text.casefold().split() for s in item.sentences if s.text.strip()}
            if one in own and other in own:
                common = set(own[one]) & set(own[other])
                pairs.append((item, [w for w in own[one] if w in common] == [w for w in own[other] if w in common]))
        kept = sum(is_kept for _, is_kept in pairs)
        odd = [item for item, is_kept in pairs if is_kept == (kept * 2 < len(pairs))]
        if not _few(len(odd), len(pairs)):
            continue
        order = "in one order" if kept * 2 >= len(pairs) else "in two orders"
        yield Sign(
            "conditions",
            f"{one} and {other} have the words that they share {order} in {len(pairs) - len(odd):,} of {len(pairs):,} items, and not in item "
            f"{_shown(odd)}: {' / '.join(s.text[:60] for s in odd[0].sentences if s.condition in (one, other))}",
            _AS_IT_STANDS,
            line=odd[0].sentences[0].line,
        )
        return


def _kinds(seen: Seen) -> Iterator[Sign]:
    """A condition whose sentences share nothing with their siblings, where the others share much: questions, contexts."""
    conditions = seen.found.conditions
    if len(conditions) < 3 or len(seen.several) < 2:
        return
    shares: dict[str, list[float]] = {}
    for item, words in seen.several[:_MEASURED]:
        own = [s.condition for s in item.sentences if s.text.strip()]
        for n, (condition, mine) in enumerate(zip(own, words, strict=True)):
            others = (len(mine & other) / max(1, min(len(mine), len(other))) for m, other in enumerate(words) if m != n)
            shares.setdefault(condition, []).append(max(others, default=0.0))
    means = {condition: sum(own) / len(own) for condition, own in shares.items()}
    odd = [condition for condition, share in means.items() if share <= _APART]
    if len(odd) != 1 or any(share < _SHARED for condition, share in means.items() if condition not in odd):
        return
    (name,) = odd
    item, sentence = next((i, s) for i in seen.found.items for s in i.sentences if s.condition == name)
    message = (
        f"the sentences of {name} share no words with the others of their items, which share most of theirs, such as item {item.label}: "
        f"{sentence.text[:60]}"
    )
    yield seen.of_kind("conditions", message, [name], line=sentence.line)


def _repeated(seen: Seen) -> Iterator[Sign]:
    """Sentences that stand in several items."""
    if len(seen.found.items) < 2:
        return
    first: dict[str, ForeignItem] = {}
    again: dict[str, tuple[ForeignItem, ForeignItem]] = {}
    for item, sentence in seen.entries:
        known = first.setdefault(sentence.text, item)
        if known is not item:
            again.setdefault(sentence.text, (known, item))
    if again:
        text, (one, other) = next(iter(again.items()))
        yield Sign(
            "equal sentences",
            f"{len(again):,} sentence{'s stand' if len(again) > 1 else ' stands'} in several items, such as in items {one.label} and "
            f"{other.label}: {text[:70]}",
            _AS_IT_STANDS,
        )


def _written(seen: Seen) -> Iterator[Sign]:
    """Sentences that are written otherwise than the others: their first letter, dots in the place of an end, apostrophes, letters of another
    script, words that are parted or run together, several lines."""
    entries = seen.entries

    def told(what: str, hits: Sequence[Entry], says: str) -> Sign:
        item, s = hits[0]
        shown = s.text[:90].replace("\n", "⏎").replace("\r", "")
        return Sign(
            what, f"{says} in {len(hits):,} of {len(entries):,} sentences, such as item {item.label}, {s.condition}: {shown}", _AS_IT_STANDS
        )  # fmt: skip

    small = [entry for entry in entries if entry[1].text.lstrip()[:1].islower()]
    if _few(len(small), len(entries)):
        yield told("beginnings", small, "a small letter begins the sentence, and a capital all others,")
    cut = [entry for entry in entries if entry[1].text.rstrip().endswith(("…", "..."))]
    if _few(len(cut), len(entries)):
        yield told("ends", cut, "dots stand in the place of an end")
    odd = [entry for entry in entries if not entry[1].text.isascii()]
    curly = [entry for entry in odd if _CURLY.search(entry[1].text)]
    if curly:
        straight = [entry for entry in entries if "'" in entry[1].text and _STRAIGHT.search(entry[1].text)]
        if straight:
            fewer = min(curly, straight, key=len)
            yield told("signs", fewer, f"apostrophes are written ’ and ', {'’' if fewer is curly else chr(39)}")
    if scripts := [entry for entry in odd if _MIXED.search(entry[1].text)]:
        yield told("signs", scripts, "a word has letters of two scripts that look alike")
    if lines := [entry for entry in entries if "\n" in entry[1].text or "\r" in entry[1].text]:
        yield told("lines", lines, "the end of a line stands within the sentence")
    if parted := [entry for entry in entries if "-" in entry[1].text and _PARTED.search(entry[1].text)]:
        yield told("words", parted, "a word is parted by a hyphen and a blank, as at the end of a line,")
    if run_on := [entry for entry in entries if _may_run_on(entry[1].text) and _RUN_ON.search(entry[1].text)]:
        yield told("words", run_on, "no blank stands behind the mark that ends a sentence")


def _may_run_on(text: str) -> bool:
    return "." in text[:-2] or "?" in text[:-2] or "!" in text[:-2]


def _regions(seen: Seen) -> Iterator[Sign]:
    """Sentences whose filled regions are others than those of nearly all sentences of their condition."""
    by_condition: dict[str, list[tuple[ForeignItem, ForeignSentence, tuple[str, ...]]]] = {}
    for item, sentence in seen.entries:
        if sentence.regions:
            filled = tuple(region.name for region in sentence.regions if region.end > region.start)
            by_condition.setdefault(sentence.condition, []).append((item, sentence, filled))
    for condition, own in by_condition.items():
        (usual, times), *_ = Counter(filled for _, _, filled in own).most_common(1)
        odd = [(item, s, filled) for item, s, filled in own if filled != usual]
        if not _few(len(own) - times, len(own)):
            continue
        item, sentence, filled = odd[0]
        lacks, more = (", ".join(a for a in one if a not in other) for one, other in ((usual, filled), (filled, usual)))
        says = (
            " and ".join(filter(None, (f"lacks {lacks}" if lacks else "", f"has {more}" if more else "")))
            or "has them in another order"
        )
        yield Sign(
            "regions",
            f"{times:,} of {len(own):,} sentences of {condition} have the same regions filled, and {len(odd):,} not, such as item "
            f"{item.label}, which {says}: {sentence.text[:60]}",
            _AS_IT_STANDS,
            line=sentence.line,
        )
        return


LOOKS_AT_SIBLINGS: tuple[Look, ...] = (_kinds, _edits, _orders, _repeated, _written, _regions)
