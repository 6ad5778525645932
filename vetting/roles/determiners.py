"""Whether a noun has its determiner among the words before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gapsmith.parsing import kinds_of
from gapsmith.templates import slots_in
from gapsmith.vetting.wordset import word_set

_DETERMINERS = word_set(
    "the a an this that these those every each some any another either neither no both many much few several all one my your his her its"
    " our their which what whose"
)
_MOST_ADJECTIVES = 3
_POSSESSIVES = ("'s", "’s", "s'", "s’")


def has_determiner(before: Sequence[str], may_hold_one: Callable[[str], bool] = lambda _slot: False) -> bool:
    """Whether the words before a noun end with a determiner and adjectives: *the*, *Anna's old*. Of a slot in braces it is asked whether
    it may hold a determiner."""
    for word in reversed(before[-1 - _MOST_ADJECTIVES :]):
        if word.casefold() in _DETERMINERS or word.endswith(_POSSESSIVES):
            return True
        if inside := slots_in(word):
            return any(may_hold_one(slot) for slot in inside)
        if "ADJ" not in kinds_of(word):
            return False
    return False
