"""Where a text stops being a sentence of its condition, read from the left."""

from __future__ import annotations

from collections.abc import Iterator, Set

from gapsmith.templates import Paradigm, Slot, WordPattern, word_patterns

_LISTED = 4


def first_misfit(paradigm: Paradigm, condition: str, text: str) -> str | None:
    """What a reader stumbles on first: ``has "John's" where determiner ('the' or 'a') is expected, after 'I think who'``.

    None where every piece finds its words, so that only their combination is wrong (one slot with two values).
    Linear in the number of words, for slots of a few words."""
    words = _words(text, paradigm.final_punctuation)
    regions = paradigm.condition(condition).regions
    reached: Set[int] = {0}
    before = ""
    for region in paradigm.regions:
        for pattern in word_patterns(regions[region.name]):
            after = {end for start in reached for end in _ends(paradigm, pattern, words, start)}
            if not after:
                return _missing(_wanted(paradigm, pattern), before, words, reached)
            reached = after
            before = pattern.slot or repr(pattern.prefix)
    if len(words) in reached:
        return None
    return f"goes on with {' '.join(words[max(reached) :])!r} where it should end"


def _words(text: str, punctuation: str) -> list[str]:
    stripped = text.strip()
    return (stripped.removesuffix(punctuation) if punctuation else stripped).split()


def _ends(paradigm: Paradigm, pattern: WordPattern, words: list[str], start: int) -> Iterator[int]:
    if start >= len(words):
        return
    if pattern.slot is None:
        if words[start] == pattern.prefix or (start == 0 and words[start].casefold() == pattern.prefix.casefold()):
            yield start + 1
        return
    slot = paradigm.slot_by_name[pattern.slot]
    for end in range(start + 1, min(start + slot.max_words, len(words)) + 1):
        value = " ".join(words[start:end])
        fixed = len(pattern.prefix) + len(pattern.suffix)
        attached = value.startswith(pattern.prefix) and value.endswith(pattern.suffix) and len(value) > fixed
        if attached and _possible(slot, value[len(pattern.prefix) : len(value) - len(pattern.suffix)], start == 0):
            yield end


def _possible(slot: Slot, value: str, initial: bool) -> bool:
    return not slot.closed or value in slot.closed or (initial and value[:1].lower() + value[1:] in slot.closed)


def _wanted(paradigm: Paradigm, pattern: WordPattern) -> str:
    if pattern.slot is None:
        return repr(pattern.prefix)
    closed = paradigm.slot_by_name[pattern.slot].closed
    values = " or ".join(repr(pattern.prefix + value + pattern.suffix) for value in closed[:_LISTED])
    more = " or others" if len(closed) > _LISTED else ""
    attached = f" with {pattern.prefix or pattern.suffix!r}" if not closed and not pattern.is_bare else ""
    return f"{pattern.slot} ({values}{more})" if values else f"{pattern.slot}{attached}"


def _missing(wanted: str, before: str, words: list[str], reached: Set[int]) -> str:
    if len(reached) > 1:
        return f"has no {wanted} after its {before}"
    (position,) = reached
    if position >= len(words):
        return f"ends where {wanted} is expected"
    after = f", after {' '.join(words[:position])!r}" if position else ""
    return f"has {words[position]!r} where {wanted} is expected{after}"
