"""What the attributes of a set say: how many sentences each value of each of them is said of. Counted once for whoever asks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.grouping import cell_text
from gapsmith.bank.formats.source import SourceFile

_PLAIN = frozenset({bool, int, float, type(None)})


def said_of(found: ForeignSet, source: SourceFile) -> Mapping[str, Mapping[str, int]]:
    """Of each attribute, in how many sentences it says what, as text."""
    known = source.known.get("said_of")
    if known is not None and known[0] is found.items:
        of_items: Mapping[str, Mapping[str, int]] = known[1]
        return of_items
    counts: dict[str, dict[object, int]] = {}
    for item in found.items:
        if item.attributes:
            _add(counts, item.attributes, len(item.sentences))
        for sentence in item.sentences:
            if sentence.attributes:
                _add(counts, sentence.attributes, 1)
    made = {name: _as_text(own) for name, own in counts.items()}
    source.known["said_of"] = found.items, made
    return made


def _add(counts: dict[str, dict[object, int]], attributes: Mapping[str, object], times: int) -> None:
    for name, value in attributes.items():
        own = counts.get(name)
        if own is None:
            own = counts[name] = {}
        kind = value.__class__
        # Words of one text are the rule; numbers and truth values are made text once for all that are equal.
        key = value if kind is str else (kind, value) if kind in _PLAIN else (str, cell_text(value))
        own[key] = own.get(key, 0) + times


def _as_text(counts: Mapping[object, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key, times in counts.items():
        text = key if isinstance(key, str) else cell_text(key[1])  # type: ignore[index]
        found[text] = found.get(text, 0) + times
    return found


def saying(found: ForeignSet, name: str, values: Collection[str]) -> Iterator[tuple[ForeignItem, ForeignSentence, str]]:
    """The sentences of which the attribute says one of these values."""
    for item in found.items:
        own = item.attributes.get(name)
        for sentence in item.sentences:
            said = cell_text(sentence.attributes.get(name, own))
            if said in values:
                yield item, sentence, said
